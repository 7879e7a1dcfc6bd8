"""In a browser: a session that ends loses no text, and no page breaks the content policy."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from sources.models import Project, User
from tests.factories import PASSWORD, ClaimFactory, UserFactory

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
SESSION = "sessionid"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).is_file(), reason="no chromium on this system"),
]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    # Playwright runs a loop of its own in this thread; Django would refuse the database.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser.new_page()
        browser.close()


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the console said of the content policy, and scripts that failed."""
    found: list[str] = []
    page.on("pageerror", lambda fault: found.append(str(fault)))
    page.on(
        "console",
        lambda message: found.append(message.text) if "Content Security" in message.text else None,
    )
    yield found
    assert found == []


def sign_in(page: Page, server: LiveServer, name: str) -> None:
    page.goto(f"{server.url}/accounts/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"{server.url}/")


def end_session(page: Page) -> None:
    kept = [cookie for cookie in page.context.cookies() if cookie["name"] != SESSION]
    page.context.clear_cookies()
    page.context.add_cookies(kept)  # type: ignore[arg-type]


def by_htmx(page: Page) -> None:
    """Let the preferences form be sent by htmx, as the forms of the audit are."""
    page.evaluate(
        """() => {
          const form = document.querySelector("main form");
          form.setAttribute("hx-post", form.action || location.pathname);
          form.setAttribute("hx-target", "main");
          form.setAttribute("hx-select", "main");
          form.setAttribute("hx-swap", "outerHTML");
          htmx.process(form);
        }"""
    )


def test_request_refused_by_an_ended_session_is_sent_again_after_sign_in(
    page: Page, live_server: LiveServer, reviewer: User, complaints: list[str]
) -> None:
    sign_in(page, live_server, "reviewer")
    page.goto(f"{live_server.url}/accounts/preferences/")
    by_htmx(page)
    page.select_option("main [name=text_size]", "125")
    end_session(page)

    page.click("main form [type=submit]")
    page.fill("dialog[open] [name=password]", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Your preferences were saved")

    reviewer.refresh_from_db()
    assert reviewer.text_size == 125
    assert not page.locator("dialog").get_attribute("open")


def test_wrong_password_leaves_dialog_and_text(
    page: Page, live_server: LiveServer, reviewer: User, complaints: list[str]
) -> None:
    sign_in(page, live_server, "reviewer")
    page.goto(f"{live_server.url}/accounts/preferences/")
    by_htmx(page)
    page.select_option("main [name=text_size]", "150")
    end_session(page)
    page.click("main form [type=submit]")

    page.fill("dialog[open] [name=password]", "wrong")
    page.keyboard.press("Enter")

    expect(page.locator("dialog .alert")).to_be_visible()
    expect(page.locator("dialog [name=password]")).to_be_focused()
    assert page.input_value("main [name=text_size]") == "150"


def test_another_person_does_not_send_what_the_first_wrote(
    page: Page, live_server: LiveServer, reviewer: User, complaints: list[str]
) -> None:
    other = UserFactory(username="other")
    sign_in(page, live_server, "reviewer")
    page.goto(f"{live_server.url}/accounts/preferences/")
    by_htmx(page)
    page.select_option("main [name=text_size]", "150")
    end_session(page)
    page.click("main form [type=submit]")

    page.fill("dialog[open] [name=username]", "other")
    page.fill("dialog[open] [name=password]", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".header-tools summary")).to_contain_text("other")

    other.refresh_from_db()
    reviewer.refresh_from_db()
    assert other.text_size == reviewer.text_size == 100


def test_pages_open_clean_with_few_requests(
    page: Page, live_server: LiveServer, lead: User, project: Project, complaints: list[str]
) -> None:
    ClaimFactory(project=project)
    sign_in(page, live_server, "lead")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    for address in ("/", "/p/nsclc/", "/p/nsclc/history/", "/p/nsclc/members/", "/p/nsclc/edit/"):
        asked.clear()
        page.goto(live_server.url + address)
        assert len(asked) < 15
        assert all(url.startswith(live_server.url) for url in asked)
