"""What the environment makes of the settings, each time in a process of its own."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kombu.utils.url import parse_url

from workbench.lib.spool import folder_of

REPOSITORY = Path(__file__).resolve().parents[2]
SECRET = "x" * 60
TEAM = {
    "DATABASE_URL": "postgres://user:p%40ss@db.example.org:5433/audits",
    "WORKBENCH_SECRET_KEY": SECRET,
    "WORKBENCH_ALLOWED_HOSTS": "audit.example.org,www.example.org",
}
SCRIPT = """
import json, sys
from workbench import settings
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))
"""


def load(folder: Path, *names: str, **values: str) -> "subprocess.CompletedProcess[str]":
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WORKBENCH_", "DATABASE_", "CELERY_"))
    }
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *names],
        cwd=REPOSITORY,
        env={**clean, "WORKBENCH_DATA_DIR": str(folder), **values},
        capture_output=True,
        text=True,
        check=False,
    )


def settings(folder: Path, *names: str, **values: str) -> dict[str, Any]:
    done = load(folder, *names, **values)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def test_nothing_set_is_embedded_mode_in_one_folder(tmp_path: Path) -> None:
    names = ["EMBEDDED", "HTTPS", "ALLOWED_HOSTS", "DATABASES", "UPLOAD_DIR", "DEBUG"]
    made = settings(tmp_path, *names)

    assert (made["EMBEDDED"], made["HTTPS"], made["DEBUG"]) == (True, False, False)
    assert made["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert made["DATABASES"]["default"]["NAME"] == str(tmp_path / "workbench.sqlite3")
    assert made["UPLOAD_DIR"] == str(tmp_path / "uploads")


def test_writers_of_embedded_mode_wait_for_one_another(tmp_path: Path) -> None:
    database = settings(tmp_path, "DATABASES")["DATABASES"]["default"]

    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert database["ENGINE"] == "workbench.lib.sqlite"


def test_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = settings(folder, "SECRET_KEY")
    again = settings(folder, "SECRET_KEY")

    assert first == again
    assert len(first["SECRET_KEY"]) > 50
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["data", "my data", "数据", "100% mine"])
def test_spool_lies_in_the_data_folder_whatever_its_name(tmp_path: Path, name: str) -> None:
    address = settings(tmp_path / name, "CELERY_BROKER_URL")["CELERY_BROKER_URL"]

    assert address.startswith("spool://localhost/")
    assert folder_of(parse_url(address)["virtual_host"]) == tmp_path / name / "spool"


def test_team_mode_is_closed_by_default(tmp_path: Path) -> None:
    names = ["EMBEDDED", "HTTPS", "ALLOWED_HOSTS", "SESSION_COOKIE_NAME", "DATABASES"]
    made = settings(tmp_path, *names, **TEAM)

    assert (made["EMBEDDED"], made["HTTPS"]) == (False, True)
    assert made["SESSION_COOKIE_NAME"] == "__Host-session"
    assert made["ALLOWED_HOSTS"] == ["audit.example.org", "www.example.org"]
    database = made["DATABASES"]["default"]
    assert (database["HOST"], database["PORT"], database["PASSWORD"]) == (
        "db.example.org",
        5433,
        "p@ss",
    )
    assert database["CONN_HEALTH_CHECKS"] is True


def test_team_mode_without_a_key_does_not_start(tmp_path: Path) -> None:
    done = load(tmp_path, DATABASE_URL=TEAM["DATABASE_URL"])

    assert done.returncode != 0
    assert "WORKBENCH_SECRET_KEY is not set" in done.stderr
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKBENCH_HTTPS", "perhaps"),
        ("WORKBENCH_UPLOAD_MAX_MB", "much"),
        ("WORKBENCH_FETCH_ALLOW", "http://intranet.example"),
        ("WORKBENCH_FETCH_ALLOW", "intranet.example,*"),
        ("WORKBENCH_FETCH_HOST_DELAY", "-1"),
        ("WORKBENCH_FETCH_HOST_DELAY", "nan"),
        ("CROSSREF_BASE_URL", "api.crossref.org"),
        ("OPENALEX_BASE_URL", "https://key@api.openalex.org"),
        ("WORKBENCH_RETRACTION_DAYS", "often"),
    ],
)
def test_value_that_cannot_be_read_is_named(tmp_path: Path, name: str, value: str) -> None:
    done = load(tmp_path, **{name: value})

    assert done.returncode != 0
    assert name in done.stderr


def test_rabbitmq_gets_quorum_queues_and_confirmed_messages(tmp_path: Path) -> None:
    names = ["CELERY_TASK_DEFAULT_QUEUE_TYPE", "CELERY_BROKER_TRANSPORT_OPTIONS"]
    made = settings(tmp_path, *names, CELERY_BROKER_URL="amqp://guest:guest@mq:5672//", **TEAM)

    assert made == {
        "CELERY_TASK_DEFAULT_QUEUE_TYPE": "quorum",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {"confirm_publish": True},
    }


def test_redis_gives_unacknowledged_messages_back(tmp_path: Path) -> None:
    names = ["CELERY_TASK_DEFAULT_QUEUE_TYPE", "CELERY_BROKER_TRANSPORT_OPTIONS"]
    made = settings(tmp_path, *names, CELERY_BROKER_URL="redis://cache:6379/0", **TEAM)

    assert made["CELERY_TASK_DEFAULT_QUEUE_TYPE"] is None
    assert made["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"] == 3600


def test_messages_are_json_and_acknowledged_after_the_work(tmp_path: Path) -> None:
    names = [
        "CELERY_TASK_ACKS_LATE",
        "CELERY_TASK_REJECT_ON_WORKER_LOST",
        "CELERY_ACCEPT_CONTENT",
        "CELERY_WORKER_PREFETCH_MULTIPLIER",
        "CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS",
    ]

    made = settings(tmp_path, *names, WORKBENCH_QUEUE="ours")

    assert list(made.values()) == [True, True, ["json"], 1, False]


def test_hosts_that_may_be_fetched_from_are_read_one_by_one(tmp_path: Path) -> None:
    named = " 127.0.0.1:8765, intranet.example,[::1]:9000,"

    made = settings(tmp_path, "FETCH_ALLOW", WORKBENCH_FETCH_ALLOW=named)

    assert made["FETCH_ALLOW"] == ["127.0.0.1:8765", "intranet.example", "[::1]:9000"]
