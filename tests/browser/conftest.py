"""A browser of the system, driven against the live server."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from sources.models import User
from tests.factories import PASSWORD

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]

# Several browsers may share two cores with the tests of others.
expect.set_options(timeout=15_000)

type Enter = Callable[[User, str], Page]


def close_connections() -> None:
    """Close the connections that Django keeps apart where a loop runs, as Playwright's does here.

    Its own ``close`` leaves those of a database in memory open; they would warn when collected.
    """
    for held in connections.all(initialized_only=True):
        BaseDatabaseWrapper.close(held)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the database in a file: one in memory has one connection for all threads of a server."""
    if connections["default"].vendor == "sqlite":
        place = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connections["default"].settings_dict["TEST"]["NAME"] = str(place)


@pytest.fixture
def chromium(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page of a fresh browser; the test fails on whatever its scripts or policy complain of."""
    if not Path(CHROMIUM).is_file():
        pytest.skip("no chromium on this system")
    # Playwright runs a loop of its own in this thread; Django would refuse the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.on(
            "console",
            lambda said: complaints.append(said.text) if "Content Security" in said.text else None,
        )
        yield page
        close_connections()
        browser.close()
    assert complaints == []


@pytest.fixture
def enter(chromium: Page, live_server: LiveServer) -> Enter:
    """Give a function that signs a person in and opens an address."""

    def entered(user: User, address: str) -> Page:
        chromium.goto(f"{live_server.url}/accounts/sign-in/")
        chromium.fill("[name=username]", user.get_username())
        chromium.fill("[name=password]", PASSWORD)
        chromium.click("main button")
        chromium.wait_for_url(f"{live_server.url}/")
        chromium.goto(live_server.url + address)
        return chromium

    return entered
