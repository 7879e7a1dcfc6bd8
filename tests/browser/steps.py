"""What people do in a browser, step by step, and what a page must never do meanwhile."""

import re
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from celery import current_app
from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request, expect

from sources.models import Job
from tests.factories import PASSWORD

# Answers that a page asks for and deals with: the session ended, a conflict, a rule says no.
DEALT_WITH = re.compile(r"the server responded with a status of (401|409|422)\b")
LOCAL = ("data:", "blob:", "about:")


class Watch:
    """Faults of all pages of a context: console errors, requests to other hosts, alerts."""

    def __init__(self, context: BrowserContext, server: str) -> None:
        self._host = urlsplit(server).netloc
        self.faults: list[str] = []
        context.on("console", self._said)
        context.on("weberror", lambda fault: self.faults.append(str(fault.error)))
        context.on("request", self._asked)
        context.on("dialog", self._interrupted)

    def _said(self, said: ConsoleMessage) -> None:
        if said.type in {"error", "warning"} and not DEALT_WITH.search(said.text):
            self.faults.append(said.text)

    def _interrupted(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":  # the browser asks because something is not saved
            dialog.accept()
            return
        self.faults.append(dialog.message)
        dialog.dismiss()

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).netloc != self._host and not request.url.startswith(LOCAL):
            self.faults.append(f"{request.method} {request.url}")


def work() -> None:
    """Do the queued jobs, as a worker would."""
    current_app.loader.import_default_modules()  # as a worker does when it starts
    while queued := list(Job.objects.filter(state=Job.State.QUEUED).order_by("pk")):
        for job in queued:
            current_app.tasks[job.task](job.pk)


def press(page: Page, name: str) -> None:
    """Walk to a button or link with the Tab key, and press it."""
    walk_to(page, name)
    page.keyboard.press("Enter")


def walk_to(page: Page, name: str) -> None:
    """Walk to a button or link with the Tab key."""
    for _step in range(90):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"no Tab leads to “{name}”")


def walk_to_field(page: Page, name: str) -> None:
    """Walk to a field with the Tab key, unless it has the focus."""
    for _step in range(90):
        if page.evaluate("document.activeElement.name") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to the field “{name}”")


def keys(page: Page, *names: str) -> None:
    """Press keys one after the other."""
    for name in names:
        page.keyboard.press(name)


def sign_in(page: Page, server: str, name: str) -> None:
    """Sign in by the form, with the keyboard alone."""
    page.goto(f"{server}/accounts/sign-in/")
    walk_to_field(page, "username")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}/")


def end_session(page: Page) -> None:
    """Forget the session's cookie, as the server does after a while."""
    kept = [cookie for cookie in page.context.cookies() if cookie["name"] != "sessionid"]
    page.context.clear_cookies()
    page.context.add_cookies(kept)  # type: ignore[arg-type]


def open_claim(page: Page, address: str) -> None:
    """Open the audit screen, and wait until its scripts are at work."""
    page.goto(address)
    expect(page.locator("#claim-heading")).to_be_focused()


def claim_shown(page: Page) -> str:
    """Give the id of the claim on the audit screen."""
    return page.locator("#desk").get_attribute("data-claim") or ""


def at(page: Page, external_id: str) -> None:
    expect(page.locator("#desk")).to_have_attribute("data-claim", external_id)


def saved(page: Page) -> None:
    expect(page.locator("#said")).to_contain_text("saved")
    expect(page.locator("#outbox b")).to_have_text("0")


def save_and_next(page: Page) -> str:
    """Save what is chosen; give the id of the claim that comes next, once both are there."""
    before = claim_shown(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#desk")).not_to_have_attribute("data-claim", before)
    expect(page.locator("#outbox b")).to_have_text("0")
    return claim_shown(page)


def pass_and_next(page: Page, reason: str) -> str:
    """Pass the claim, with a reason for each red check; give the claim that comes next."""
    before = claim_shown(page)
    page.keyboard.press("p")
    asked = page.locator(".red-question input")
    for number in range(asked.count()):
        page.keyboard.press("Control+Enter")
        expect(asked.nth(number)).to_be_focused()
        page.keyboard.type(reason)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#desk")).not_to_have_attribute("data-claim", before)
    expect(page.locator("#outbox b")).to_have_text("0")
    return claim_shown(page)


def barriers(page: Page) -> list[str]:
    """Give the serious and critical faults of accessibility that axe finds, with their places."""
    found = Axe().run(page).response["violations"]
    return [
        f"{page.url} {fault['id']}: {[node['target'] for node in fault['nodes'][:3]]}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
    ]
