"""The audit screen at the keyboard alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from reviews import locating
from reviews.models import Assessment, Claim, Defect, Finding, Verdict
from sources.models import Project, User
from tests.factories import (
    PASSWORD,
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    SnapshotFactory,
    VerdictFactory,
)

from .conftest import Enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = (
    "𠮷😀 序言。\n\n"
    + "Median overall survival was 21.4 months with X and 16.2 months without. " * 3
)
REVIEW = "/p/nsclc/review/"


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    project.sealed_share = 0
    project.save()
    made = []
    for number in (1, 2, 3):
        claim = ClaimFactory(
            project=project, external_id=f"d1.c{number}", risk=3.0 - number, risk_order=3.0 - number
        )
        snapshot = SnapshotFactory(project=project, text=TEXT)
        for snippet in ("Median overall survival was 21.4 months", "16.2 months without"):
            evidence = EvidenceFactory(claim=claim, snapshot=snapshot, snippet=snippet)
            list(locating.locate_in(snapshot, [evidence]))
            evidence.save()
        made.append(claim)
    return made


def opened(enter: Enter, user: User, address: str) -> Page:
    page = enter(user, address)
    expect(page.locator("#claim-heading")).to_be_focused()  # the scripts are at work
    return page


def at(page: Page, claim: Claim) -> None:
    expect(page.locator("#desk")).to_have_attribute("data-claim", claim.external_id)


def saved(page: Page) -> None:
    expect(page.locator("#said")).to_contain_text("saved")
    expect(page.locator("#outbox b")).to_have_text("0")


def test_three_claims_are_judged_by_keys_alone(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)
    at(page, claims[0])
    for key in ("a", "1"):
        page.keyboard.press(key)
    expect(page.locator("#unconfirmed")).to_have_text("2")
    page.keyboard.press("e")
    expect(page.locator(".pair.focused .pair-open b")).to_have_text("2")
    page.keyboard.press("p")
    page.keyboard.press("Control+Enter")
    at(page, claims[1])
    saved(page)
    for key in ("v", "1", "3", "Control+Enter"):
        page.keyboard.press(key)
    at(page, claims[2])
    saved(page)
    page.keyboard.press("u")
    page.keyboard.press("m")
    page.keyboard.type("no full text")
    page.keyboard.press("Control+Enter")
    saved(page)
    expect(page.locator("#said")).to_contain_text("No open claim after this one.")
    expect(page.locator(".recent-one")).to_have_count(3)

    given = Verdict.objects.order_by("claim__external_id").values_list("decision", "note")
    assert list(given) == [("pass", ""), ("revise", ""), ("cannot_judge", "no full text")]
    assert set(Defect.objects.values_list("code", flat=True)) == {"H1", "H3"}
    assert Assessment.objects.get().trust == "trusted_primary"
    assert all(Verdict.objects.values_list("active_ms", flat=True))


def test_a_text_without_a_passage_counts_none(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    snapshot = SnapshotFactory(project=claims[0].project, text="Nothing of the claim is here. " * 9)
    item = EvidenceFactory(claim=claims[0], snapshot=snapshot, snippet="")
    page = opened(enter, reviewer, f"{REVIEW}?at=d1.c1&e={item.position}")

    expect(page.locator("#no-passage")).to_be_visible()
    expect(page.locator(".passage-tools")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".passage-tools")).to_contain_text("passage 1/")
    expect(page.locator("#no-passage")).to_be_hidden()


def test_the_next_claim_is_painted_before_the_server_answers(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)
    held: list[Route] = []
    page.route("**/verdict/", lambda route: held.append(route))
    page.wait_for_timeout(900)

    page.keyboard.press("p")
    before = page.evaluate("performance.now()")
    page.keyboard.press("Control+Enter")
    at(page, claims[1])
    took = page.evaluate("performance.now()") - before

    expect(page.locator("#outbox")).to_have_class("outbox waiting")
    expect(page.locator("#said")).to_contain_text("sending")
    assert page.evaluate("document.activeElement.id") == "claim-heading"
    assert took < 1000
    assert not Verdict.objects.exists()
    held[0].continue_()
    saved(page)


def test_a_refused_verdict_reopens_its_claim_with_the_text(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)
    page.wait_for_timeout(700)
    FindingFactory(claim=claims[0], params={"claim": "21.4", "found": "12.4"})  # after the page

    page.keyboard.press("p")
    page.keyboard.press("m")
    page.keyboard.type("fits table 2")
    page.keyboard.press("Control+Enter")

    expect(page.locator("#bar-message")).to_contain_text("1 red check")
    at(page, claims[0])
    expect(page.locator("#note")).to_have_value("fits table 2")
    page.locator(".red-question input").fill("a rounding")
    page.keyboard.press("Control+Enter")
    at(page, claims[1])
    saved(page)
    assert Finding.objects.get().state == Finding.State.DISMISSED


def test_a_pass_with_a_red_check_asks_in_place(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    FindingFactory(claim=claims[0], params={"claim": "21.4", "found": "12.4"})
    page = opened(enter, reviewer, REVIEW)

    page.keyboard.press("p")
    page.keyboard.press("Control+Enter")

    at(page, claims[0])
    expect(page.locator(".red-question input")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    page.keyboard.press("1")
    page.keyboard.type("a rounding")
    page.keyboard.press("Enter")
    expect(page.locator(".finding-dismissed")).to_be_visible()
    page.keyboard.press("Control+Enter")
    at(page, claims[1])


def test_one_reason_answers_several_red_checks(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    for number in ("21.4", "16.2"):
        FindingFactory(claim=claims[0], place=number, params={"claim": number, "found": "12.4"})
    page = opened(enter, reviewer, REVIEW)

    page.keyboard.press("p")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".red-question input").first).to_be_focused()
    page.keyboard.type("a rounding")
    page.keyboard.press("Alt+Enter")
    expect(page.locator(".red-question input").last).to_have_value("a rounding")
    page.keyboard.press("Control+Enter")

    at(page, claims[1])
    saved(page)
    assert set(Finding.objects.values_list("reason", flat=True)) == {"a rounding"}


def test_undo_gives_claim_and_words_back(claims: list[Claim], reviewer: User, enter: Enter) -> None:
    page = opened(enter, reviewer, REVIEW)
    page.keyboard.press("v")
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    at(page, claims[1])
    saved(page)

    page.keyboard.press("z")

    at(page, claims[0])
    expect(page.locator("[name=defect][value=H2]")).to_be_checked()
    assert Verdict.objects.get().decision == ""


def test_a_broken_line_keeps_the_verdict_until_it_is_sent(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)
    broken = [True, True]
    tries: list[str] = []

    def sometimes(route: Route) -> None:
        tries.append(route.request.url)
        if broken:
            broken.pop()
            route.abort()
        else:
            route.continue_()

    page.route("**/verdict/", sometimes)
    page.keyboard.press("u")
    page.keyboard.press("Control+Enter")

    saved(page)
    assert len(tries) == 3
    assert Verdict.objects.get().decision == "cannot_judge"


def test_a_draft_survives_a_closed_page(claims: list[Claim], reviewer: User, enter: Enter) -> None:
    page = opened(enter, reviewer, REVIEW)
    page.keyboard.press("v")
    page.keyboard.press("3")
    page.locator("[name=H3-text]").fill("显著, but P = 0.07")

    page.reload()

    expect(page.locator("[name=H3-text]")).to_have_value("显著, but P = 0.07")
    expect(page.locator("#draft-note")).to_be_visible()
    assert page.locator("#bar").get_attribute("data-decision") == "revise"


def test_an_ended_session_loses_nothing(claims: list[Claim], reviewer: User, enter: Enter) -> None:
    page = opened(enter, reviewer, REVIEW)
    kept = [cookie for cookie in page.context.cookies() if cookie["name"] != "sessionid"]
    page.context.clear_cookies()
    page.context.add_cookies(kept)  # type: ignore[arg-type]
    page.keyboard.press("u")
    page.keyboard.press("m")
    page.keyboard.type("kept")

    page.keyboard.press("Control+Enter")
    page.locator("#sign-in-dialog [name=password]").fill(PASSWORD)
    page.locator("#sign-in-dialog button.btn-primary").click()

    saved(page)
    assert Verdict.objects.get().note == "kept"


def test_a_passage_is_set_by_arrow_keys_in_code_points(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW + "?at=d1.c1&e=2")
    expect(page.locator(".mark-located").first).to_be_visible()

    page.keyboard.press("l")
    page.keyboard.press("Control+ArrowRight")
    for _ in range(6):
        page.keyboard.press("Shift+ArrowRight")
    chosen = page.evaluate("getSelection().toString()")
    page.keyboard.press("Enter")
    expect(page.locator(".mark-located[data-label='set by hand']")).to_be_visible()

    mine = Assessment.objects.get()
    assert TEXT[mine.start : mine.end] == chosen
    assert len(chosen) == 6


def test_fields_keep_their_letters(claims: list[Claim], reviewer: User, enter: Enter) -> None:
    page = opened(enter, reviewer, REVIEW)

    page.keyboard.press("m")
    page.keyboard.type("jkpvus1a")

    at(page, claims[0])
    expect(page.locator("#note")).to_have_value("jkpvus1a")
    assert page.locator("#bar").get_attribute("data-decision") == ""


def test_an_input_method_does_not_swallow_keys(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)

    page.evaluate(
        """document.body.dispatchEvent(new KeyboardEvent(
             "keydown", {key: "Process", code: "KeyP", keyCode: 229, bubbles: true}))"""
    )

    assert page.locator("#bar").get_attribute("data-decision") == "pass"
    expect(page.locator("#ime")).to_be_visible()


def test_finding_in_the_source_reaches_beyond_the_window(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    text = "Median overall survival was 21.4 months\n" + "Filler. " * 5000 + "\nHazard ratio 0.68."
    snapshot = SnapshotFactory(project=claims[0].project, text=text)
    evidence = EvidenceFactory(claim=claims[0], snapshot=snapshot)
    list(locating.locate_in(snapshot, [evidence]))
    evidence.save()
    page = opened(enter, reviewer, REVIEW + "?at=d1.c1&e=3")

    page.keyboard.press("f")
    page.keyboard.type("ＨＡＺＡＲＤ ratio")
    page.keyboard.press("Enter")

    expect(page.locator("#find-count")).to_have_text("1/1")
    expect(page.locator(".mark-current")).to_be_in_viewport()


def test_a_claim_that_an_import_changed_is_shown_anew_before_a_reveal(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    Project.objects.update(sealed_share=100)
    page = opened(enter, reviewer, REVIEW)
    Claim.objects.filter(pk=claims[0].pk).update(text="Drug X cures everybody.", version=2)

    page.keyboard.press("p")
    page.keyboard.press("r")

    expect(page.locator("#bar-message")).to_contain_text("An import changed this claim")
    expect(page.locator("#desk")).to_contain_text("Drug X cures everybody.")
    expect(page.locator("button.verdict[data-decision=pass]")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("r")
    expect(page.locator("#desk[data-sealed]")).to_have_count(0)
    assert Verdict.objects.get().provisional == "pass"


def test_a_sealed_claim_is_revealed_after_a_choice(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    Project.objects.update(sealed_share=100)
    FindingFactory(claim=claims[0])
    page = opened(enter, reviewer, REVIEW)
    expect(page.locator(".finding")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator("#bar-message")).to_contain_text("Choose a verdict first")

    page.keyboard.press("p")
    page.keyboard.press("r")

    expect(page.locator(".finding")).to_have_count(1)
    assert page.locator("#bar").get_attribute("data-decision") == "pass"
    assert Verdict.objects.get().provisional == "pass"


def test_a_source_is_read_with_all_its_claims(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    other = ClaimFactory(project=claims[0].project, external_id="d2.c1")
    first = claims[0].evidence.first()
    EvidenceFactory(claim=other, snapshot=first.snapshot, source=first.source)
    page = opened(enter, reviewer, REVIEW + "?at=d1.c1&e=1")

    page.keyboard.press("o")
    page.wait_for_url("**/reading/**")
    page.keyboard.press("p")

    saved(page)
    expect(page.locator("#reading-done")).to_have_text("1")
    expect(page.locator(".reading-claim.chosen")).to_have_attribute("data-claim", "d1.c2")


def test_a_conflict_shows_both_and_lets_one_choose(
    claims: list[Claim], reviewer: User, enter: Enter
) -> None:
    page = opened(enter, reviewer, REVIEW)
    page.wait_for_timeout(500)
    VerdictFactory(claim=claims[0], reviewer=reviewer, decision="pass", note="in the other tab")
    page.keyboard.press("u")
    page.keyboard.press("m")
    page.keyboard.type("in this tab")

    page.keyboard.press("Control+Enter")

    expect(page.locator(".conflict")).to_contain_text("in the other tab")
    expect(page.locator(".conflict")).to_contain_text("in this tab")
    expect(page.locator("#said")).to_contain_text("Not saved.")
    page.locator("[data-conflict=mine]").click()
    at(page, claims[1])
    saved(page)
    assert Verdict.objects.get().note == "in this tab"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screen_is_accessible(
    claims: list[Claim], reviewer: User, enter: Enter, theme: str
) -> None:
    reviewer.theme = theme
    reviewer.save()
    FindingFactory(claim=claims[0], params={"claim": "21.4", "found": "12.4"})
    page = opened(enter, reviewer, REVIEW)
    page.keyboard.press("v")
    page.keyboard.press("1")

    found = Axe().run(page)

    assert found.violations_count == 0, found.generate_report()
