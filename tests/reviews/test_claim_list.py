"""The list of claims: its rows, its pages, its queries, who sees it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews import standing
from reviews.models import Claim
from reviews.screens import listing
from reviews.screens.row_words import RowWords
from reviews.sealing import is_sealed
from sources.models import Project, User
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    SnoozeFactory,
    VerdictFactory,
)

from .lists import HTMX, LIST, shown

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address", [LIST, f"{LIST}peek/?at=d1.c1", "/p/nsclc/views/", f"{LIST}?q=is:open&last=1"]
)
def test_outsider_sees_no_list(
    claims: list[Claim], outsider_client: Client, reviewer_client: Client, address: str
) -> None:
    assert outsider_client.get(address).status_code == 404
    assert reviewer_client.get(address).status_code == 200


def test_riskiest_claim_comes_first_with_the_terms_of_its_risk(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST)

    assert shown(page) == [f"d1.c{n}" for n in range(1, 6)]
    assert '<td data-terms="1.75 ' in page.content.decode()


def test_row_of_a_claim_with_much_evidence_shows_the_first_trust_classes_and_a_number() -> None:
    row = RowWords.now().trust([("trusted_primary", "")] * 200)

    assert row.count(">1</span>") == 6
    assert row.endswith("·+194")


def test_row_shows_checks_slots_trust_and_day(
    claims: list[Claim], reviewer: User, second_reviewer: User, reviewer_client: Client
) -> None:
    first, second = claims[:2]
    FindingFactory(claim=first)
    item = EvidenceFactory(claim=first, trust_proposal="weak_untrusted")
    AssessmentFactory(evidence=item, reviewer=reviewer, trust="trusted_primary")
    EvidenceFactory(claim=first, trust_proposal="weak_untrusted")
    VerdictFactory(claim=first, reviewer=second_reviewer, decision="revise")
    VerdictFactory(claim=first, reviewer=reviewer, decision="pass")
    SnoozeFactory(claim=second, reviewer=reviewer, until=timezone.localdate() + timedelta(days=9))
    standing.refresh([first.pk, second.pk])

    rows = reviewer_client.get(LIST).content.decode().split('<tr class="claim-row"')

    assert "chip-defect" in rows[1]
    assert '<span class="confirmed" title="trusted primary">1</span>·' in rows[1]
    assert '<span title="weak, untrusted">3</span>' in rows[1]
    assert "●●" in rows[1]
    assert "≠" in rows[1]
    assert "second_reviewer" not in rows[1]
    assert "○" in rows[2]
    assert "<time" in rows[2]


def test_sealed_claim_shows_nothing_that_the_machine_found(
    claims: list[Claim], project: Project, reviewer_client: Client
) -> None:
    project.sealed_share = 100
    project.save()
    EvidenceFactory(claim=claims[0], trust_proposal="weak_untrusted", grade="absent")
    FindingFactory(claim=claims[0])
    standing.refresh([claims[0].pk])
    assert is_sealed(project.slug, "d1.c1", 100)

    page = reviewer_client.get(LIST).content.decode()
    peek = reviewer_client.get(f"{LIST}peek/", {"at": "d1.c1"}).content.decode()

    for text in (page, peek):
        assert "2.50" not in text
        assert "chip-defect" not in text
        assert "weak, untrusted" not in text
    assert "sealed" in page
    assert "absent" in peek  # how the quote was located is a fact about two texts


def test_hostile_text_is_escaped_and_marked(project: Project, reviewer_client: Client) -> None:
    ClaimFactory(project=project, external_id='"><b>x', text="<script>alert(1)</script>\u202egpj")

    page = reviewer_client.get(LIST).content.decode()
    row = page[page.index("claim-row") :]

    assert "<script>alert" not in row
    assert '"><b>x' not in row
    assert "U+202E" in row


def test_link_of_a_row_opens_the_claim_with_the_queue(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST, {"q": "is:open", "sort": "position"}).content.decode()

    assert 'href="/p/nsclc/review/?q=is%3Aopen&amp;sort=position&amp;at=d1.c3"' in page


def test_pages_follow_by_key_in_both_directions(
    claims: list[Claim], reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)

    first = reviewer_client.get(LIST)
    second = reviewer_client.get(first.context["next"])
    last = reviewer_client.get(first.context["last"])
    before_last = reviewer_client.get(last.context["previous"])
    back = reviewer_client.get(second.context["previous"])

    assert shown(first) == ["d1.c1", "d1.c2"]
    assert shown(second) == ["d1.c3", "d1.c4"]
    assert shown(last) == ["d1.c4", "d1.c5"]
    assert last.context["next"] == ""
    assert shown(before_last) == ["d1.c2", "d1.c3"]
    assert shown(back) == shown(first)
    assert first.context["previous"] == ""


@pytest.mark.parametrize("mark", ["x", "bm90IGpzb24", "WyJhIiwyXQ", "\x00", "😀" * 400])
def test_odd_place_in_an_address_gives_the_first_page(
    claims: list[Claim], reviewer_client: Client, mark: str
) -> None:
    for name in ("after", "before"):
        page = reviewer_client.get(LIST, {name: mark})

        assert page.status_code == 200
        assert len(shown(page)) == 5


def test_queries_do_not_grow_with_rows(project: Project, reviewer_client: Client) -> None:
    counted = []
    for _ in range(2):
        for _ in range(20):
            item = EvidenceFactory(claim=ClaimFactory(project=project))
            FindingFactory(claim=item.claim)
        standing.refresh(Claim.objects.values_list("pk", flat=True))
        for address in (LIST, f"{LIST}?last=1", f"{LIST}?q=check:number%20is:open"):
            reviewer_client.get(address)
            with CaptureQueriesContext(connection) as captured:
                assert reviewer_client.get(address).status_code == 200
            counted.append(len(captured))

    assert counted[:3] == counted[3:]
    assert max(counted) <= 13


def test_large_counts_are_capped_until_asked_for(
    claims: list[Claim], reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SHOWN_COUNT", 3)

    page = reviewer_client.get(LIST, {"q": "kind:factual"})
    exact = reviewer_client.get(page.context["exact"])

    assert (page.context["counts"].matched, page.context["counts"].more) == (3, True)
    assert "10k+" in page.content.decode()
    assert (exact.context["counts"].matched, exact.context["counts"].more) == (5, False)


def test_error_is_shown_at_its_character(claims: list[Claim], reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:factal is:open"})

    assert page.status_code == 422
    text = page.content.decode()
    assert "kind:<mark>f</mark>actal is:open" in text
    assert "Did you mean “factual”?" in text
    assert shown(page) == []


def test_error_past_the_end_points_behind_the_query(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:"})

    assert "kind:<mark>␣</mark>" in page.content.decode()


def test_chips_count_and_write_the_query(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    Claim.objects.filter(pk=claims[0].pk).update(state="stale")
    VerdictFactory(claim=claims[0], reviewer=reviewer, stale=True)

    page = reviewer_client.get(LIST, {"q": "kind:factual is:open"})
    chips = {chip.name: (chip.count, chip.query) for chip, _address in page.context["chips"]}

    assert chips == {
        "open": (4, "kind:factual"),
        "stale": (1, "kind:factual is:stale"),
        "conflict": (0, "kind:factual is:conflict"),
        "mine": (1, "kind:factual is:mine"),
        "later": (0, "kind:factual is:later"),
    }
    assert shown(page) == [f"d1.c{n}" for n in range(2, 6)]


def test_empty_list_says_which_term_to_drop(claims: list[Claim], reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:factual is:stale"}).content.decode()

    assert "<code>is:stale</code>" in page
    assert f'href="{LIST}?q=kind%3Afactual"' in page


def test_project_without_claims_says_where_they_come_from(
    project: Project, reviewer_client: Client
) -> None:
    assert "No claims yet" in reviewer_client.get(LIST).content.decode()


def test_htmx_gets_the_list_alone_but_the_whole_page_on_the_way_back(
    claims: list[Claim], reviewer_client: Client
) -> None:
    part = reviewer_client.get(LIST, headers=HTMX)
    whole = reviewer_client.get(LIST, headers={**HTMX, "HX-History-Restore-Request": "true"})

    assert part.content.lstrip().startswith(b'<div id="list"')
    assert b"<html" in whole.content
    assert "HX-Request" in part.headers["Vary"]


def test_peek_shows_the_claim_with_its_evidence(
    claims: list[Claim], reviewer_client: Client
) -> None:
    EvidenceFactory(claim=claims[0], snippet="a passage of its own")

    part = reviewer_client.get(f"{LIST}peek/", {"at": "d1.c1", "q": "is:open"})
    page = reviewer_client.get(LIST, {"peek": "d1.c1"})

    assert "a passage of its own" in part.content.decode()
    assert "a passage of its own" in page.content.decode()
    assert reviewer_client.get(f"{LIST}peek/", {"at": "nothing"}).status_code == 404


def test_list_speaks_chinese(claims: list[Claim], reviewer: User, reviewer_client: Client) -> None:
    reviewer.language = "zh-hans"
    reviewer.save()

    page = reviewer_client.get(LIST, {"q": "host:*a*b*c*d"}).content.decode()

    assert "最多可用 3 个" in page


def test_a_row_sends_little_more_than_its_texts(
    claims: list[Claim], project: Project, reviewer_client: Client
) -> None:
    """Fifty rows a page: what one repeats is sent fifty times."""
    Claim.objects.update(risk_terms={"coverage": 0.9, "together": 0.6, "numbers": 0.7})
    for each in claims:
        EvidenceFactory(claim=each, trust_proposal="weak_untrusted")
        FindingFactory(claim=each)
    standing.refresh([each.pk for each in claims])

    page = reviewer_client.get(LIST).content.decode()

    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr")[1:]
    assert len(rows) == 5
    for row, each in zip(rows, sorted(claims, key=lambda c: -c.risk), strict=True):
        assert f'data-id="{each.external_id}"' in row
        assert len(row.encode()) - len(each.text.encode()) < 480


def test_terms_of_a_risk_are_sent_as_figures_and_named_once(
    claims: list[Claim], reviewer_client: Client
) -> None:
    Claim.objects.update(risk_terms={"coverage": 0.9, "numbers": 0.7})

    page = reviewer_client.get(LIST).content.decode()
    peek = reviewer_client.get(f"{LIST}peek/", {"at": "d1.c1"}).content.decode()

    assert page.count("Words missing from the best passages") == 1
    assert '<td data-terms="0.90  0.70">2.50' in page
    assert "2.50 = Words missing from the best passages 0.90 + Numbers missing" in peek
