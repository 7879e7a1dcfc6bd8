"""The list of claims by keyboard, in a browser."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from reviews.models import Finding, Snooze
from reviews.screens import listing
from sources.models import AuditEvent, Project, User
from tests.factories import (
    PASSWORD,
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    MembershipFactory,
    UserFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type Enter = Callable[[User, str], Page]


@pytest.fixture
def person(project: Project) -> User:
    """A reviewer of a project of seven claims, three a page."""
    project.sealed_share = 0
    project.save()
    for number in range(1, 8):
        claim = ClaimFactory(
            project=project,
            external_id=f"d1.c{number}",
            position=number,
            text=f"Claim {number} 总生存期",
            risk=3 - number / 10,
            risk_order=3 - number / 10,
            risk_terms={"coverage": 3 - number / 10},
            open_errors=1,
        )
        EvidenceFactory(claim=claim, snippet=f"passage {number}")
        FindingFactory(claim=claim)
    person = UserFactory(username="reader")
    MembershipFactory(project=project, user=person)
    assert person.check_password(PASSWORD)
    return person


@pytest.fixture(autouse=True)
def _three_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 3)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.textContent"))


def test_keys_move_peek_and_open(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")

    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page).startswith("Claim 2")
    page.keyboard.press("k")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("Claim 2")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator("#peek")).to_contain_text("passage 2")
    assert "peek=d1.c2" in page.url
    page.keyboard.press("j")
    expect(page.locator("#peek")).to_contain_text("passage 3")
    page.keyboard.press("Escape")
    expect(page.locator(".peek-panel")).to_have_count(0)
    assert "peek" not in page.url
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/?*at=d1.c3*")


def test_terms_of_a_risk_are_spelt_out_when_somebody_looks(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")
    said = "2.90 = Words missing from the best passages 2.90"

    page.hover("[data-id='d1.c1'] td:nth-child(8)")
    expect(page.locator("[data-id='d1.c1'] .terms")).to_be_visible()
    expect(page.locator("[data-id='d1.c1'] .terms")).to_have_text(said)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-id='d1.c2'] .terms")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".terms")).to_have_count(3)


def test_query_chips_and_pages_are_in_the_address(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")

    page.keyboard.press("/")
    page.keyboard.type("kind:factual j")
    page.keyboard.press("Enter")
    expect(page.locator("#list .empty")).to_be_visible()
    page.fill("#q", "kind:factual")
    page.keyboard.press("Enter")
    expect(page.locator(".claim-row")).to_have_count(3)
    page.click("#chip-open")
    expect(page.locator("#q")).to_have_value("kind:factual is:open")
    assert "q=kind" in page.url
    page.click("#page-next")
    expect(page.locator(".claim-row").first).to_have_attribute("data-id", "d1.c4")
    page.click("#page-last")
    expect(page.locator(".claim-row").last).to_have_attribute("data-id", "d1.c7")
    page.go_back()
    expect(page.locator(".claim-row").first).to_have_attribute("data-id", "d1.c4")
    page.reload()
    expect(page.locator(".claim-row").first).to_have_attribute("data-id", "d1.c4")


def test_error_puts_the_caret_at_its_character(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")

    page.fill("#q", "text:😀 kind:factal")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert]")).to_contain_text("factual")
    expect(page.locator("#q")).to_have_attribute("aria-invalid", "true")

    selected = page.evaluate(
        "(q => q.value.slice(q.selectionStart, q.selectionEnd))(document.getElementById('q'))"
    )
    start = page.evaluate("document.getElementById('q').selectionStart")
    assert (selected, start) == ("f", len("text:😀 kind:") + 1)
    expect(page.locator("#q")).to_be_focused()


def test_ticked_claims_are_changed_after_a_preview_and_undone(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")

    expect(page.locator("#bulk")).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#ticked")).to_have_text("2")
    page.select_option("#bulk [name=action]", "dismiss")
    page.select_option("#bulk [name=check]", "number-ledger")
    page.fill("#bulk [name=reason]", "equal after conversion")
    page.keyboard.press("Enter")
    expect(page.locator("#bulk-answer")).to_contain_text("2 claims would change")
    page.click("#bulk-answer button.btn-primary")
    expect(page.locator("#bulk-answer")).to_contain_text("2 claims changed")
    assert Finding.objects.filter(state="dismissed").count() == 2
    page.keyboard.press("z")
    expect(page.locator("#bulk-answer")).to_be_empty()
    assert not Finding.objects.exclude(state="open").exists()


@pytest.mark.parametrize("settling", [0, 1500])
def test_undo_pressed_too_soon_waits_for_the_answer(
    person: User, enter: Enter, settling: int
) -> None:
    page = enter(person, "/p/nsclc/claims/")
    page.check("#tick-page")
    page.click("#bulk button")
    expect(page.locator("#bulk-answer [data-focus]")).to_be_focused()
    page.evaluate(f"htmx.config.defaultSettleDelay = {settling}")
    page.click("#bulk-answer button.btn-primary")
    if settling:  # the answer is shown, but not bound yet
        expect(page.locator("#bulk-answer")).to_contain_text("3 claims changed")
    page.keyboard.press("z")

    expect(page.locator("#bulk-answer")).to_be_empty()
    assert AuditEvent.objects.filter(action="request.undone").count() == 1
    assert not Snooze.objects.exists()


def test_whole_query_is_selected_without_its_ids(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/")

    page.check("#tick-page")
    page.check("#everything")
    with page.expect_request("**/claims/bulk/") as sent:
        page.click("#bulk button")
    expect(page.locator("#bulk-answer")).to_contain_text("7 claims would change")
    page.click("#bulk-answer button.btn-primary")
    expect(page.locator("#bulk-answer")).to_contain_text("7 claims changed")
    assert "everything=1" in (sent.value.post_data or "")
    assert Snooze.objects.filter(reviewer=person).count() == 7


def test_view_is_saved_from_the_menu(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/?q=is%3Aopen")

    page.click("#views > summary")
    page.fill(".view-new [name=name]", "open ones")
    page.click(".view-new button")
    page.click("#views > summary")
    expect(page.locator(".view-row").first).to_contain_text("open ones 7")


def test_list_has_no_accessibility_fault(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/claims/?peek=d1.c1")
    page.check("#tick-page")

    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})

    assert found.violations_count == 0, found.generate_report()
