"""What must be seen on low and narrow screens, and in large letters."""

import pytest
from playwright.sync_api import Page, expect

from sources.models import Project, User
from tests.factories import ClaimFactory, EvidenceFactory, SnapshotFactory

from .conftest import Enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HEBREW = "השיעור היה 5% בשנת 2024."


@pytest.fixture
def text(project: Project) -> str:
    """The text of the one claim of the project."""
    claim = ClaimFactory(project=project, external_id="d1.c1")
    snapshot = SnapshotFactory(project=project, text=f"Introduction.\n\n{HEBREW}\n")
    EvidenceFactory(claim=claim, snapshot=snapshot, snippet=HEBREW)
    return claim.text


def edges(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return {"top": box["y"], "bottom": box["y"] + box["height"], "right": box["x"] + box["width"]}


def test_newcomer_on_a_low_screen_sees_the_claim_before_the_hint(
    text: str, reviewer: User, enter: Enter
) -> None:
    page = enter(reviewer, "/p/nsclc/review/")
    page.set_viewport_size({"width": 1024, "height": 768})

    expect(page.locator(".claim-text")).to_contain_text(text)
    claim, pane = edges(page, ".claim-text"), edges(page, ".claim-pane")
    assert claim["bottom"] <= pane["bottom"]
    assert claim["bottom"] <= edges(page, "#hint-audit")["top"]


def test_header_stays_one_row_in_large_letters(
    text: str, project: Project, reviewer: User, enter: Enter
) -> None:
    Project.objects.update(title="Selovantin in pulmonary fibrosis " * 5)
    User.objects.update(text_size=125)
    page = enter(reviewer, "/p/nsclc/claims/")
    page.set_viewport_size({"width": 1024, "height": 768})

    here = page.locator(".crumbs li").last
    assert edges(page, ".header-tools")["top"] < edges(page, ".brand")["bottom"]
    assert here.evaluate("item => item.scrollWidth <= item.clientWidth")


def test_claims_can_be_read_on_a_phone_in_large_letters(
    text: str, reviewer: User, enter: Enter
) -> None:
    User.objects.update(text_size=125)
    page = enter(reviewer, "/p/nsclc/claims/")
    page.set_viewport_size({"width": 390, "height": 800})

    width = page.locator(".claims td:nth-child(3)").first.bounding_box()
    assert width is not None
    assert width["width"] > 120


def test_line_from_right_to_left_stands_at_the_right_of_a_text_from_left_to_right(
    text: str, reviewer: User, enter: Enter
) -> None:
    page = enter(reviewer, "/p/nsclc/review/")
    expect(page.locator(".snapshot-text")).to_contain_text("2024")

    place = page.locator(".snapshot-text").evaluate(
        """(text, wanted) => {
          const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const at = walk.currentNode.data.indexOf(wanted);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walk.currentNode, at);
            range.setEnd(walk.currentNode, at + wanted.length);
            return text.getBoundingClientRect().right - range.getBoundingClientRect().right;
          }
        }""",
        "השיעור",
    )
    assert 0 <= place < 12
