"""The whole job in a browser, by keyboard alone: from a report to the report about it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import LazySettings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from reviews import locating
from reviews.models import Assessment, Claim, Defect, Snooze, Verdict
from sources.models import Project, User
from tests.factories import (
    PASSWORD,
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    MembershipFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.reviews.report_files import (
    GAZETTE,
    GAZETTE_TEXT,
    claim,
    document,
    evidence,
    ref_of,
    report,
)

from .steps import (
    Watch,
    at,
    barriers,
    claim_shown,
    end_session,
    keys,
    open_claim,
    pass_and_next,
    press,
    save_and_next,
    saved,
    sign_in,
    walk_to_field,
    work,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REVIEW = "/p/nsclc/review/"
TEXT = "序言。\n\n" + "Median overall survival was 21.4 months with X and 16.2 months without. " * 3

type Someone = Callable[[User], Page]


@pytest.fixture(autouse=True)
def _own_jobs(monkeypatch: pytest.MonkeyPatch, settings: LazySettings, tmp_path: Path) -> None:
    # The tests do the work themselves, when a page has shown that it waits.
    monkeypatch.setattr("sources.sweeping.nudge", lambda job: True)
    settings.UPLOAD_DIR = tmp_path / "uploads"


@pytest.fixture
def someone(chromium: Page, live_server: LiveServer) -> Iterator[Someone]:
    """Give a function that signs a person in, each in a browser of their own."""
    watches = []
    browser = chromium.context.browser
    assert browser is not None

    def signed_in(user: User) -> Page:
        context = browser.new_context(
            viewport={"width": 1440, "height": 900}, base_url=live_server.url
        )
        watches.append(Watch(context, live_server.url))
        page = context.new_page()
        sign_in(page, live_server.url, user.get_username())
        return page

    yield signed_in
    assert [fault for watch in watches for fault in watch.faults] == []


@pytest.fixture
def unsealed(project: Project) -> Project:
    project.sealed_share = 0
    project.save()
    return project


@pytest.fixture
def claims(unsealed: Project) -> list[Claim]:
    """Three claims, each with a located piece of evidence."""
    made = []
    for number in (1, 2, 3):
        each = ClaimFactory(
            project=unsealed,
            external_id=f"d1.c{number}",
            risk=3.0 - number,
            risk_order=3.0 - number,
        )
        snapshot = SnapshotFactory(project=unsealed, text=TEXT)
        piece = EvidenceFactory(claim=each, snapshot=snapshot)
        list(locating.locate_in(snapshot, [piece]))
        piece.save()
        made.append(each)
    return made


def archive(folder: Path) -> Path:
    """Write a report of five claims as a zip."""
    made = document()
    gazette = ref_of(GAZETTE, GAZETTE_TEXT)
    made["claims"] += [
        claim(4, "Ships drew 416 MWh in 2024", [evidence("gazette", "drew 416 MWh", gazette)]),
        claim(5, "Nine berths were there before", [evidence("gazette", "up from nine", gazette)]),
    ]
    return Path(shutil.make_archive(str(folder / "report"), "zip", report(folder / "report", made)))


def test_report_is_imported_audited_and_downloaded_by_keyboard_alone(
    unsealed: Project, lead: User, someone: Someone, tmp_path: Path
) -> None:
    page = someone(lead)

    press(page, "Import a report")
    page.wait_for_url("**/import/")
    page.set_input_files("[name=file]", archive(tmp_path))  # the system's own dialog
    press(page, "Upload and check")
    expect(page.locator("main")).to_contain_text("It starts as soon as a worker is free")
    work()
    expect(page.locator("main")).to_contain_text("Dry run: what an import would do")
    press(page, "Decide")
    expect(page.locator("main")).to_contain_text("What shall be imported")
    press(page, "Go on as chosen")
    expect(page.locator("main")).to_contain_text("It starts as soon as a worker is free")
    work()
    expect(page.locator("main")).to_contain_text("The import is done")
    press(page, "Start the review")
    expect(page.locator("#claim-heading")).to_be_focused()
    assert Claim.objects.count() == 5

    judged = [claim_shown(page)]
    keys(page, "a", "1")
    expect(page.locator(".pair.focused [name=trust][value=trusted_primary]")).to_have_attribute(
        "aria-pressed", "true"
    )
    saved(page)
    judged.append(pass_and_next(page, "The port's own figures"))
    keys(page, "v", "1", "Enter")
    expect(page.locator("[name=H1-text]")).to_be_focused()
    page.keyboard.type("The source gives no year")
    judged.append(save_and_next(page))
    keys(page, "u", "m")
    page.keyboard.type("正文缺失")
    judged.append(save_and_next(page))
    page.keyboard.press("s")
    judged.append(save_and_next(page))
    saved(page)
    assert len(set(judged)) == 5

    given = dict(Verdict.objects.values_list("claim__external_id", "decision"))
    assert [given.get(name, "") for name in judged] == ["pass", "revise", "cannot_judge", "", ""]
    assert Defect.objects.get().text == "The source gives no year"
    assert Snooze.objects.get().claim.external_id == judged[3]
    mine = Assessment.objects.get()
    assert (mine.support, mine.trust) == ("full", "trusted_primary")

    page.keyboard.press("u")
    page.keyboard.press("Control+Enter")
    saved(page)
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("undone")
    at(page, judged[4])
    assert not Verdict.objects.exclude(decision="").filter(claim__external_id=judged[4]).exists()

    page.goto("/p/nsclc/report/")
    press(page, "Build version 1")
    expect(page.locator(".verdict-word")).to_have_text("VERDICT: revise")
    expect(page.locator("#defects")).to_contain_text("The source gives no year")
    expect(page.locator("#s9 + ul")).to_contain_text("2")
    for name, ending, said in (
        ("Markdown", "md", "The source gives no year"),
        ("HTML, one file", "html", "The source gives no year"),
        ("JSONL", "jsonl", "正文缺失"),
    ):
        with page.expect_download() as coming:
            press(page, name)
        assert coming.value.suggested_filename == f"nsclc-review-v1.{ending}"
        assert said in Path(coming.value.path()).read_text(encoding="utf-8")
    press(page, "Make a zip")
    expect(page.locator("main")).to_contain_text("The export is being made")
    work()
    expect(page.get_by_text("Download the zip")).to_be_visible()
    with page.expect_download() as coming:
        press(page, "Download the zip")
    with ZipFile(coming.value.path()) as made:
        assert made.testzip() is None
        names = made.namelist()
        assert any(name.endswith("sub_reports/d1.evidence.json") for name in names)


def test_two_reviewers_who_disagree_make_a_conflict(
    claims: list[Claim], reviewer: User, second_reviewer: User, someone: Someone
) -> None:
    first, second = someone(reviewer), someone(second_reviewer)
    open_claim(first, REVIEW)
    open_claim(second, REVIEW)

    keys(first, "v", "3")
    save_and_next(first)
    keys(second, "p")
    save_and_next(second)

    assert set(Verdict.objects.values_list("decision", flat=True)) == {"pass", "revise"}
    first.goto("/p/nsclc/claims/?q=is%3Aconflict")
    expect(first.locator(".claim-row")).to_have_count(1)
    expect(first.locator(".claim-row")).to_contain_text("≠")
    first.goto("/p/nsclc/")
    expect(first.locator("main")).to_contain_text("conflict")
    open_claim(first, REVIEW + "?at=d1.c1")
    expect(first.locator(".verdict[data-decision=revise]")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_other_tab_of_the_same_person_is_answered_with_both_texts(
    claims: list[Claim], reviewer: User, someone: Someone
) -> None:
    one = someone(reviewer)
    other = one.context.new_page()
    open_claim(one, REVIEW)
    open_claim(other, REVIEW)
    keys(one, "p", "m")
    one.keyboard.type("table 2 says so")
    save_and_next(one)

    keys(other, "u", "m")
    other.keyboard.type("表 2 不清楚")
    other.keyboard.press("Control+Enter")

    expect(other.locator(".conflict")).to_contain_text("table 2 says so")
    expect(other.locator(".conflict")).to_contain_text("表 2 不清楚")
    expect(other.locator("#note")).to_have_value("表 2 不清楚")
    assert Verdict.objects.get().note == "table 2 says so"
    expect(other.get_by_role("button", name="Keep mine")).to_be_focused()
    other.keyboard.press("Enter")
    at(other, "d1.c2")
    saved(other)
    assert Verdict.objects.get().note == "表 2 不清楚"


def test_session_that_ends_in_a_review_keeps_the_text_and_goes_on(
    claims: list[Claim], reviewer: User, someone: Someone
) -> None:
    page = someone(reviewer)
    open_claim(page, REVIEW)
    keys(page, "v", "3")
    walk_to_field(page, "H3-text")
    page.keyboard.type("显著, yet P = 0.07")
    end_session(page)

    page.keyboard.press("Control+Enter")
    expect(page.locator("#sign-in-dialog [name=password]")).to_be_focused()
    assert "P = 0.07" in page.evaluate("JSON.stringify(localStorage)")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    saved(page)
    at(page, "d1.c2")
    assert Defect.objects.get().text == "显著, yet P = 0.07"


def test_declined_sign_in_leaves_the_draft_for_later(
    claims: list[Claim], reviewer: User, someone: Someone, live_server: LiveServer
) -> None:
    page = someone(reviewer)
    with page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "desk"):
        open_claim(page, REVIEW)
    keys(page, "u", "m")
    page.keyboard.type("half a sentence")
    end_session(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#sign-in-dialog [name=password]")).to_be_focused()

    page.keyboard.press("Escape")
    expect(page.locator("#sign-in-dialog")).to_be_hidden()
    at(page, "d1.c2")
    keys(page, "u", "Control+Enter")
    expect(page.locator("#sign-in-dialog [name=password]")).to_be_focused()
    page.keyboard.press("Escape")
    sign_in(page, live_server.url, "reviewer")
    open_claim(page, REVIEW + "?at=d1.c1")

    expect(page.locator("#note")).to_have_value("half a sentence")
    assert page.locator("#bar").get_attribute("data-decision") == "cannot_judge"
    assert not Verdict.objects.exists()


def test_no_screen_bars_anybody(
    claims: list[Claim], lead: User, someone: Someone, tmp_path: Path
) -> None:
    FindingFactory(claim=claims[0], params={"claim": "21.4", "found": "12.4"})
    MembershipFactory(project=claims[0].project, user=UserFactory(username="王芳"))
    page = someone(lead)
    found = barriers(page)
    snapshot = claims[0].evidence.get().snapshot.content_hash[:12]
    for address in (
        "/p/nsclc/",
        "/p/nsclc/claims/?peek=d1.c1",
        "/p/nsclc/review/",
        f"/p/nsclc/snap/{snapshot}",
        f"/p/nsclc/reading/{snapshot}",
        "/p/nsclc/import/",
        "/p/nsclc/imports/",
        "/p/nsclc/history/",
        "/p/nsclc/members/",
        "/p/nsclc/edit/",
        "/p/nsclc/report/",
        "/accounts/preferences/",
        "/accounts/password/",
    ):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        found += barriers(page)
    page.goto("/p/nsclc/review/")
    page.keyboard.press("?")
    found += barriers(page)
    page.goto("/p/nsclc/report/")
    press(page, "Build version 1")
    expect(page.locator(".verdict-word")).to_be_visible()
    found += barriers(page)
    page.context.clear_cookies()
    page.goto("/accounts/sign-in/")
    found += barriers(page)

    assert found == []


def test_input_method_left_on_swallows_no_key(
    claims: list[Claim], reviewer: User, someone: Someone
) -> None:
    page = someone(reviewer)
    open_claim(page, REVIEW)
    devices = page.context.new_cdp_session(page)

    def swallowed(code: str) -> None:
        key = {"key": "Process", "code": code, "windowsVirtualKeyCode": 229}
        devices.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
        devices.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})

    for code in ("KeyA", "Digit1", "KeyV", "Digit3"):
        swallowed(code)
    expect(page.locator("[name=defect][value=H3]")).to_be_checked()
    expect(page.locator("#ime")).to_be_visible()
    save_and_next(page)

    assert Assessment.objects.get().trust == "trusted_primary"
    assert Verdict.objects.get().decision == "revise"


def test_keys_of_a_composition_belong_to_the_text(
    claims: list[Claim], reviewer: User, someone: Someone
) -> None:
    page = someone(reviewer)
    open_claim(page, REVIEW)
    composing = (
        "code => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Process',"
        " code, keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))"
    )

    for code in ("KeyP", "KeyJ", "Digit1", "Enter"):
        assert page.evaluate(composing, code)
    page.keyboard.press("m")
    devices = page.context.new_cdp_session(page)
    devices.send(
        "Input.imeSetComposition", {"text": "显著", "selectionStart": 2, "selectionEnd": 2}
    )
    assert page.evaluate(composing, "Escape")
    expect(page.locator("#note")).to_be_focused()
    devices.send("Input.insertText", {"text": "显著"})

    at(page, "d1.c1")
    assert page.locator("#bar").get_attribute("data-decision") == ""
    expect(page.locator("#note")).to_have_value("显著")
    assert not Assessment.objects.exists()
