"""Sources by keyboard alone: list, record, override, undo, notice, rejection, versions."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from search.models import Receipt
from sources.models import (
    Membership,
    NoticeAcknowledgement,
    Override,
    Project,
    Rejection,
    Source,
    User,
)
from tests.browser.steps import barriers, press, walk_to, walk_to_field, work
from tests.factories import (
    ClaimFactory,
    EvidenceFactory,
    MembershipFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.sources.noticing.said import judged, said
from tests.sources.worths import scored_source

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type Enter = Callable[[User, str], Page]

URL = "https://port.example/report"
OLD = "# Port\n\nThe market grew by 12 % in 2024.\n\nIt has 14 berths."


@pytest.fixture
def person(project: Project) -> User:
    """An editor of a project with a good source, a retracted one, and one that scores too low."""
    user = UserFactory(username="ana")
    MembershipFactory(project=project, user=user, role=Membership.Role.EDITOR)
    Receipt.objects.create(project=project, external_id="srch_0001", content_hash="0" * 64)
    received = {"receipt_ids": ["srch_0001"]}
    good = scored_source(
        project, external_id="S-1", title="The good trial", url=URL, normalized_url=URL, **received
    )
    versions = [
        SnapshotFactory(project=project, text=text, normalized_url=URL)
        for text in (OLD, OLD.replace("12 %", "9 %"))
    ]
    EvidenceFactory(
        claim=ClaimFactory(project=project, external_id="d1.c1"), source=good,
        snapshot=versions[0], snippet="grew by 12 %", start=18, end=30,
    )  # fmt: skip
    said(notice_doi="10.5555/note", date="2010-02-06")
    judged(
        scored_source(
            project, external_id="S-2", title="The retracted one", doi="10.5555/w", **received
        )
    )
    scored_source(
        project, external_id="S-3", title="A poor page", source_type="web", venue="", extra={},
        impact_factor=None, published_at="", url="https://poor.example/", **received,
    )  # fmt: skip
    work()
    return user


def unfold(page: Page, name: str) -> None:
    """Walk to what folds a form, unfold it, and go on into its field."""
    walk_to(page, name)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")


def test_value_is_overridden_with_its_blast_radius_and_undone(person: User, enter: Enter) -> None:
    page = enter(person, "/p/nsclc/sources/")
    expect(page.locator("tr.claim-row")).to_have_count(3)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("The good trial")
    assert barriers(page) == []

    press(page, "Override a value…")
    expect(page.locator("h1")).to_have_text("Override a value")
    walk_to_field(page, "field")
    page.keyboard.type("Pri")  # the choice that begins so
    walk_to_field(page, "value")
    page.keyboard.type("1.5")
    walk_to_field(page, "reason")
    page.keyboard.type("The method section names no comparator.")
    press(page, "Show what it would change")
    expect(page.locator("#radius")).to_be_focused()
    expect(page.locator("#radius")).to_contain_text("One claim cites this source.")
    assert not Override.objects.exists()
    assert barriers(page) == []
    press(page, "Save the override")
    expect(page.locator(".notice-success")).to_have_text("The override was saved.")
    expect(page.locator(".override")).to_contain_text("names no comparator")
    assert Override.objects.get().state == "active"

    press(page, "Undo the override")
    expect(page.locator(".notice-success")).to_contain_text("The override was undone")
    assert Override.objects.get().state == "ended"


def test_notice_is_acknowledged_and_taken_back(person: User, enter: Enter) -> None:
    source = Source.objects.get(external_id="S-2")
    assert source.status == "rejected"
    page = enter(person, f"/p/nsclc/sources/{source.pk}/")
    expect(page.locator("#retraction-head ~ .source-finding").first).to_contain_text("10.5555/note")
    assert barriers(page) == []

    unfold(page, "Acknowledge for this source")
    page.keyboard.type("It is the case itself.")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-success")).to_contain_text("The notice was acknowledged")
    work()
    page.reload()
    expect(page.locator(".states")).to_contain_text("Admitted")
    unfold(page, "Take the acknowledgement back")
    page.keyboard.type("No use after all.")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-success")).to_contain_text("taken back")

    assert NoticeAcknowledgement.objects.get().ended_at is not None


def test_rejection_is_opened_again(person: User, enter: Enter) -> None:
    held = Rejection.objects.get(source__external_id="S-3")
    assert held.rule == "low_score"
    page = enter(person, "/p/nsclc/rejections/?rule=low_score")
    expect(page.locator("tr.claim-row")).to_have_count(1)
    assert barriers(page) == []

    unfold(page, "Re-open…")
    page.keyboard.type("The only one on the port.")
    page.keyboard.press("Enter")
    expect(page.locator(".notice-success")).to_contain_text("is admitted")
    held.refresh_from_db()
    assert (held.state, held.reopened_by) == ("reopened", person)
    page.goto(page.url.replace("rule=low_score", "state=all"))
    expect(page.locator("tr.claim-row")).to_have_count(2)
    press(page, "Take back")
    expect(page.locator(".notice-success")).to_have_text("Taken back.")


def test_versions_of_a_page_are_read_change_by_change(person: User, enter: Enter) -> None:
    source = Source.objects.get(external_id="S-1")
    page = enter(person, f"/p/nsclc/sources/{source.pk}/")

    press(page, "changes since v1")
    expect(page.locator("#cited-head ~ ul")).to_contain_text("gone or changed")
    page.keyboard.press("]")
    expect(page.locator("#change-1")).to_be_focused()
    expect(page.locator("#change-1 del")).to_have_text("12")
    expect(page.locator("#change-1 ins")).to_have_text("9")
    assert barriers(page) == []
