"""A snapshot read by itself: its page, its windows, search, bytes, and its claims."""

import pytest
from django.test import Client
from django.urls import reverse

from reviews.models import Claim, Evidence
from sources.models import Project, Snapshot, User
from tests.factories import (
    ClaimFactory,
    EvidenceFactory,
    SnapshotFactory,
    VerdictFactory,
)

TEXT = (
    "序言\n"
    + "Filler line with words.\n" * 3000
    + "Ｍedian ‘survival’ was 21.4 months.\n<b>End</b>"
)


@pytest.fixture
def snapshot(project: Project) -> Snapshot:
    project.sealed_share = 0
    project.save()
    return SnapshotFactory(project=project, text=TEXT)


def url(name: str, snapshot: Snapshot) -> str:
    return reverse(name, args=["nsclc", snapshot.content_hash[:12]])


def test_the_page_shows_escaped_text(snapshot: Snapshot, reviewer_client: Client) -> None:
    start = TEXT.index("<b>")

    page = reviewer_client.get(url("snapshot", snapshot), {"at": f"{start}-{start + 3}"})

    assert b"<b>End" not in page.content
    assert f'data-span="{start}-{start + 3}"'.encode() in page.content


@pytest.mark.parametrize("at", ["", "x", "5", "9-3", "0-99999999", "-", "1-2-3", "٣-٤"])
def test_a_place_that_is_none_shows_the_beginning(
    snapshot: Snapshot, reviewer_client: Client, at: str
) -> None:
    page = reviewer_client.get(url("snapshot", snapshot), {"at": at})

    assert page.status_code == 200
    assert "序言" in page.content.decode()


@pytest.mark.parametrize("prefix", ["abc", "g" * 12 + "%", "0" * 12, "x" * 80])
def test_an_unknown_hash_is_not_found(
    snapshot: Snapshot, reviewer_client: Client, prefix: str
) -> None:
    assert reviewer_client.get(f"/p/nsclc/snap/{prefix}").status_code == 404


@pytest.mark.parametrize(
    "name", ["snapshot", "snapshot-find", "snapshot-text", "snapshot-bytes", "reading"]
)
def test_an_outsider_reads_nothing(snapshot: Snapshot, outsider_client: Client, name: str) -> None:
    assert outsider_client.get(url(name, snapshot)).status_code == 404


def test_find_looks_beyond_the_window_and_folds(
    snapshot: Snapshot, reviewer_client: Client
) -> None:
    page = reviewer_client.get(
        url("snapshot-find", snapshot), {"find": "MEDIAN 'survival'"}
    ).content.decode()

    assert 'data-found="1/1"' in page
    assert "mark-find mark-current" in page


def test_find_walks_round_its_hits(snapshot: Snapshot, reviewer_client: Client) -> None:
    last = reviewer_client.get(url("snapshot-find", snapshot), {"find": "filler line", "n": 501})
    none = reviewer_client.get(url("snapshot-find", snapshot), {"find": "no such words"})

    assert b'data-found="1/500+"' in last.content
    assert b'data-found="0"' in none.content


def test_windows_join_without_a_gap(snapshot: Snapshot, reviewer_client: Client) -> None:
    at, seen = 0, ""
    for _ in range(20):
        page = reviewer_client.get(url("snapshot-text", snapshot), {"from": at}).content.decode()
        body = page[page.index("<span data-c=") : page.rindex("</span>")]
        seen += body[body.index(">") + 1 :]
        following = page.partition('{"from":"')[2].partition('"')[0]
        if not following:
            break
        at = int(following)

    assert seen.replace("&lt;", "<").replace("&gt;", ">") == TEXT


def test_text_above_comes_in_its_turn(snapshot: Snapshot, reviewer_client: Client) -> None:
    page = reviewer_client.get(url("snapshot-text", snapshot), {"until": 15_000}).content.decode()

    assert "more-above" in page
    assert "more-below" not in page


def test_bytes_are_a_download_that_no_browser_opens(
    snapshot: Snapshot, reviewer_client: Client
) -> None:
    response = reviewer_client.get(url("snapshot-bytes", snapshot))

    assert response.content == TEXT.encode()
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_lost_bytes_are_said(snapshot: Snapshot, reviewer_client: Client) -> None:
    Snapshot.objects.update(content_hash="a" * 64)

    response = reviewer_client.get(reverse("snapshot-bytes", args=["nsclc", "a" * 12]))

    assert response.status_code == 404
    assert b"The stored text cannot be read:" in response.content


def cited(snapshot: Snapshot, name: str, at: int) -> Evidence:
    claim = ClaimFactory(project=snapshot.project, external_id=name)
    return EvidenceFactory(claim=claim, snapshot=snapshot, start=at, end=at + 5, grade="exact")


def test_reading_lists_the_claims_in_the_order_of_the_text(
    snapshot: Snapshot, reviewer: User, reviewer_client: Client
) -> None:
    cited(snapshot, "d1.c1", 50)
    first = cited(snapshot, "d1.c2", 4)
    VerdictFactory(claim=first.claim, reviewer=reviewer)

    page = reviewer_client.get(url("reading", snapshot)).content.decode()

    assert page.index('data-claim="d1.c2"') < page.index('data-claim="d1.c1"')
    assert '<span id="reading-done">1</span> of 2 claims, 1 reading' in page
    assert 'data-span="4-9" data-label="d1.c2"' in page


def test_reading_a_sealed_claim_hides_what_the_machine_says(
    snapshot: Snapshot, reviewer_client: Client
) -> None:
    Project.objects.update(sealed_share=100)
    evidence = cited(snapshot, "d1.c1", 4)
    Evidence.objects.update(trust_proposal="unusable", proposal_reasons=[{"en": "why", "zh": "因"}])
    Claim.objects.update(open_errors=3)

    page = reviewer_client.get(url("reading", snapshot)).content.decode()

    assert evidence.claim.external_id in page
    assert "Why this is proposed" not in page
    assert 'class="chip chip-defect"' not in page


def test_reading_a_source_that_nothing_cites_says_so(
    snapshot: Snapshot, reviewer_client: Client
) -> None:
    assert b"No claim cites this snapshot." in reviewer_client.get(url("reading", snapshot)).content
