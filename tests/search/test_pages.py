"""The pages of rejections and of the discovery library."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from search.admitting import admit
from search.models import Receipt
from sources.models import AuditEvent, Job, Project, Rejection, Source
from tests.factories import SourceFactory


def scored(project: Project, score: str = "3.0", **given: Any) -> Source:
    Receipt.objects.get_or_create(
        project=project,
        external_id="srch_0001",
        defaults={"content_hash": "0" * 64, "query_or_url": "shore power emissions"},
    )
    known = {"tier": 2, "band": "discovery", "receipt_ids": ["srch_0001"]}
    return SourceFactory(project=project, score=Decimal(score), **{**known, **given})


@pytest.fixture
def turned_away(project: Project) -> Source:
    source = scored(project, title="A doubtful page")
    admit(project)
    return source


def rejections(project: Project, **asked: str) -> str:
    return reverse("rejections", args=[project.slug], query=asked or None)


def test_rejection_stands_with_rule_reason_receipt_and_who(
    project: Project, turned_away: Source, reviewer_client: Client
) -> None:
    page = reviewer_client.get(rejections(project)).content.decode()

    for said in ("Score below 4.0", "A doubtful page", "srch_0001", "shore power emissions"):
        assert said in page
    assert "the rules" in page
    assert "Re-open…" not in page  # of use to editors


def test_receipt_that_the_log_lacks_is_said_to_be_so(
    project: Project, reviewer_client: Client
) -> None:
    scored(project, receipt_ids=["srch_0404"])
    admit(project)

    assert "not in the log" in reviewer_client.get(rejections(project)).content.decode()


def test_filters_are_the_address(
    project: Project, turned_away: Source, reviewer_client: Client
) -> None:
    Rejection.objects.create(
        project=project, title="By a person", rule="off_topic", rejected_by="ana",
        rejected_at=timezone.now(), reason="off the subject",
    )  # fmt: skip

    for asked, seen in (
        ({}, {"A doubtful page", "By a person"}),
        ({"by": "people"}, {"By a person"}),
        ({"by": "rules"}, {"A doubtful page"}),
        ({"rule": "off_topic"}, {"By a person"}),
        ({"q": "doubtful"}, {"A doubtful page"}),
        ({"q": "off the subject"}, {"By a person"}),
        ({"state": "reopened"}, set()),
    ):
        page = reviewer_client.get(rejections(project, **asked)).content.decode()
        assert {each for each in ("A doubtful page", "By a person") if each in page} == seen


def test_empty_lists_say_why(project: Project, reviewer_client: Client) -> None:
    assert "Nothing was turned away" in reviewer_client.get(rejections(project)).content.decode()
    library = reverse("discovery", args=[project.slug])
    assert "The library is empty" in reviewer_client.get(library).content.decode()
    scored(project)
    admit(project)
    page = reviewer_client.get(rejections(project, q="nowhere")).content.decode()
    assert "No rejection fits" in page
    page = reviewer_client.get(f"{library}?q=nowhere").content.decode()
    assert "Nothing of the library fits" in page


def test_editor_reopens_and_takes_it_back(
    project: Project, turned_away: Source, editor_client: Client
) -> None:
    held = Rejection.objects.get()
    there = rejections(project, state="all")

    answer = editor_client.post(
        reverse("rejection-reopen", args=[project.slug, held.pk]),
        {"reason": "the only one on it", "base_version": held.version, "next": there},
    )
    turned_away.refresh_from_db()
    assert (answer.status_code, answer["Location"]) == (302, there)
    assert turned_away.status == "admitted"

    page = editor_client.get(there).content.decode()
    event = AuditEvent.objects.get(action="rejection.reopened")
    assert f'name="event" value="{event.number}"' in page
    editor_client.post(
        reverse("rejections-undo", args=[project.slug]), {"event": event.number, "next": there}
    )
    turned_away.refresh_from_db()
    assert turned_away.status == "rejected"
    assert f'name="event" value="{event.number}"' not in editor_client.get(there).content.decode()


def test_reopening_without_a_reason_or_of_an_old_version_says_so(
    project: Project, turned_away: Source, editor_client: Client
) -> None:
    address = reverse("rejection-reopen", args=[project.slug, Rejection.objects.get().pk])

    for given in ({"reason": ""}, {"reason": "good enough", "base_version": "77"}):
        page = editor_client.post(address, given, follow=True).content.decode()
        assert "Say why." in page or "meantime" in page
    assert Rejection.objects.get().state == "standing"


def test_reviewer_and_outsider_may_not_reopen(
    project: Project, turned_away: Source, reviewer_client: Client, outsider_client: Client
) -> None:
    address = reverse("rejection-reopen", args=[project.slug, Rejection.objects.get().pk])

    assert reviewer_client.post(address, {"reason": "good enough"}).status_code == 403
    assert outsider_client.post(address, {"reason": "good enough"}).status_code == 404
    assert outsider_client.get(rejections(project)).status_code == 404


def test_admission_is_looked_at_again_on_request(project: Project, editor_client: Client) -> None:
    editor_client.post(reverse("admission-again", args=[project.slug]))

    assert Job.objects.get().task == "search.tasks.admit_sources"


def test_library_holds_what_is_below_four_and_what_was_not_read(
    project: Project, reviewer_client: Client
) -> None:
    scored(project, "3.9", title="Low one")
    scored(project, "7", title="Lead one", access_status="snippet_only")
    scored(project, "5", title="Web page", tier=4)
    scored(project, "3", title="Paid one", strong_coi=True)
    scored(project, "6", title="Good one", band="corroborate")
    titles = ("Low one", "Lead one", "Web page", "Paid one", "Good one")

    for kind, seen in (
        ("all", {"Low one", "Lead one", "Web page", "Paid one"}),
        ("low", {"Low one", "Web page", "Paid one"}),
        ("leads", {"Lead one"}),
        ("conflict", {"Paid one"}),
    ):
        address = reverse("discovery", args=[project.slug], query={"kind": kind})
        page = reviewer_client.get(address).content.decode()
        assert {title for title in titles if title in page} == seen


@pytest.mark.parametrize("name", ["rejections", "discovery"])
def test_pages_turn_by_key_in_both_directions(
    project: Project, reviewer_client: Client, name: str
) -> None:
    for number in range(51):
        scored(project, title=f"Paper {number:02}.")
    admit(project)
    address = reverse(name, args=[project.slug])

    first = reviewer_client.get(address)
    found = first.context["found"].page
    second = reviewer_client.get(f"{address}?after={found.next}")

    assert len(first.context["found"].rows) == 50
    assert "Paper 00." in second.content.decode()
    back = reviewer_client.get(f"{address}?before={second.context['found'].page.previous}")
    assert "Paper 50." in back.content.decode()


@pytest.mark.parametrize("name", ["rejections", "discovery"])
def test_number_of_queries_does_not_grow_with_rows(
    project: Project, editor_client: Client, name: str
) -> None:
    editor_client.get(reverse(name, args=[project.slug]))  # what a session's first page asks for
    counts = []
    for _step in range(2):
        for _each in range(15):
            scored(project)
        admit(project)
        with CaptureQueriesContext(connection) as queries:
            editor_client.get(reverse(name, args=[project.slug]))
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", ["rejections", "discovery", "clusters"])
def test_pages_speak_chinese(
    project: Project, turned_away: Source, reviewer_client: Client, name: str
) -> None:
    reviewer = project.memberships.get().user
    reviewer.language = "zh-hans"
    reviewer.save()

    page = reviewer_client.get(reverse(name, args=[project.slug])).content.decode()

    assert "拒收" in page
    assert "发现库" in page
    assert "Rejections" not in page
