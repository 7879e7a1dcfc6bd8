import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from workbench.lib.sqlite.base import DatabaseWrapper

SPAWN = multiprocessing.get_context("spawn")


def opened(path: Path) -> DatabaseWrapper:
    options = {"timeout": 5, "transaction_mode": "IMMEDIATE"}
    handler = ConnectionHandler(
        {"default": {"ENGINE": "workbench.lib.sqlite", "NAME": path, "OPTIONS": options}}
    )
    made: Any = handler["default"]
    return made


@pytest.fixture
def database(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[DatabaseWrapper]:
    """A database on a file, which no other test has to do with."""
    made = opened(tmp_path / "db.sqlite3")
    with django_db_blocker.unblock():
        execute(made, "PRAGMA journal_mode=WAL")
        execute(made, "CREATE TABLE said (who TEXT)")
        yield made
        made.close()


def execute(database: DatabaseWrapper, statement: str) -> list[Any]:
    with database.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def begin(database: DatabaseWrapper) -> None:
    database.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def finish(database: DatabaseWrapper, *, commit: bool = True) -> None:
    if commit:
        database.commit()
    else:
        database.rollback()
    database.set_autocommit(True)


def write_when_possible(path: Path, who: str, ready: threading.Event) -> None:
    database = opened(path)
    database.ensure_connection()
    ready.set()
    begin(database)
    execute(database, f"INSERT INTO said VALUES ('{who}')")
    finish(database)
    database.close()


def hold_for_ever(path: Path, ready: Event) -> None:
    database = opened(path)
    begin(database)
    execute(database, "INSERT INTO said VALUES ('lost')")
    ready.set()
    time.sleep(600)


@pytest.mark.parametrize("commit", [True, False])
def test_place_in_the_line_is_left_with_the_transaction(
    database: DatabaseWrapper, *, commit: bool
) -> None:
    begin(database)
    assert database._line is not None
    execute(database, "INSERT INTO said VALUES ('we')")

    finish(database, commit=commit)

    assert database._line is None
    assert execute(database, "SELECT who FROM said") == ([("we",)] if commit else [])


def test_place_in_the_line_is_left_with_the_connection(database: DatabaseWrapper) -> None:
    begin(database)

    database.close()

    assert database._line is None


def test_writers_write_in_the_order_in_which_they_came(
    database: DatabaseWrapper, tmp_path: Path
) -> None:
    begin(database)
    waiting = []
    for who in ["first", "second", "third"]:
        ready = threading.Event()
        given = (tmp_path / "db.sqlite3", who, ready)
        thread = threading.Thread(target=write_when_possible, args=given)
        thread.start()
        ready.wait()
        time.sleep(0.2)
        waiting.append(thread)
    finish(database)
    for thread in waiting:
        thread.join()

    assert execute(database, "SELECT who FROM said ORDER BY rowid") == [
        ("first",),
        ("second",),
        ("third",),
    ]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_killed_writer_holds_nobody_up(database: DatabaseWrapper, tmp_path: Path) -> None:
    ready = SPAWN.Event()
    process = SPAWN.Process(target=hold_for_ever, args=(tmp_path / "db.sqlite3", ready))
    process.start()
    assert ready.wait(60)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)

    begin(database)
    execute(database, "INSERT INTO said VALUES ('we')")
    finish(database)
    process.join(60)

    assert execute(database, "SELECT who FROM said") == [("we",)]


@pytest.mark.django_db
def test_tests_in_memory_stand_in_no_line() -> None:
    with transaction.atomic():
        assert getattr(transaction.get_connection(), "_line", None) is None
