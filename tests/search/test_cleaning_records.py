"""What searches found is cleaned: proposals with their facts, contradictions, nothing decided."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from search import cleaning
from search.actions.screening import screen
from search.models import Record
from search.screening import Choice
from sources.models import Job, Project, Source, User
from sources.models.notices import RetractionCheck
from sources.running import perform
from tests.factories import SourceFactory
from tests.search.found import hit, records, searched

pytestmark = pytest.mark.django_db
LONG = "Semaglutide lowered weight by 15 % over 68 weeks in adults with obesity."


@pytest.fixture
def about(project: Project) -> Project:
    project.primary_subject = "semaglutide"
    project.save()
    return project


def found(name: str, **given: Any) -> Any:
    values = {"title": f"Semaglutide {name}", "snippet": LONG, "published": "2024-05"}
    return hit(name, **{**values, **given})


def cleaned(project: Project) -> Job:
    job = Job.objects.get(project=project, kind="cleaning", state=Job.State.QUEUED)
    perform(job.pk, cleaning.run)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    return job


def proposals(project: Project) -> dict[str, tuple[str, str]]:
    return {row.title: (row.proposed_state, row.proposed_code) for row in records(project)}


def test_search_queues_one_cleaning_for_any_number_of_receipts(about: Project) -> None:
    searched(about, found("a"))
    searched(about, found("b"))

    assert Job.objects.filter(kind="cleaning").count() == 1


def test_doubtful_records_are_proposed_to_go_down_or_out_and_nothing_is_decided(
    about: Project,
) -> None:
    searched(
        about,
        found("whole"),
        found("undated", published="", snippet=LONG.replace("68", "52")),
        found("advert", snippet="限时优惠！点击领取课程优惠券", title="优惠"),
    )

    result = cleaned(about).result

    assert result["records"] == 3
    said = proposals(about)
    assert said["Semaglutide whole"] == ("", "")
    assert said["Semaglutide undated"] == ("down", "missing_date")
    assert said["优惠"][0] == "dropped"
    assert {row.state for row in records(about)} == {"open"}
    assert records(about)[1].proposed_facts["level"] == "D1"


def test_near_copy_is_proposed_as_a_duplicate_of_the_other(about: Project) -> None:
    searched(about, found("a"), found("b", title="Semaglutide a"))

    cleaned(about)

    codes = [row.proposed_code for row in records(about)]
    assert sorted(codes) == ["", "duplicate"]


def test_contradictions_of_one_origin_are_shown_at_both(
    about: Project, editor_client: Client
) -> None:
    about.primary_subject = "AI 编程工具"
    about.save()
    up, down = (f"MIT研究显示，AI编程工具使开发者效率{way}。" for way in ("提升26%", "下降19%"))
    searched(
        about,
        found("a", title="AI 编程工具 一", snippet=up),
        found("b", title="AI 编程工具 二", snippet=down),
        found("c", title="AI 编程工具 三", snippet="AI编程工具在2024年得到更多使用，见附表。"),
    )

    cleaned(about)

    address = reverse("screening", args=[about.slug], query={"by": "conflict"})
    answer = editor_client.get(address)
    first, second, _third = records(about)
    rows = answer.context["found"].rows
    assert [row.row for row in rows] == [first, second]
    assert [row.cleaned.conflicts[0][0] for row in rows] == [second.pk, first.pk]
    assert f"record {second.pk} says otherwise" in answer.content.decode()


def test_doi_that_crossref_does_not_know_is_proposed_to_be_dropped(about: Project) -> None:
    known = SourceFactory()  # of another project, where it was asked about
    RetractionCheck.objects.create(
        source=known, provider="crossref", asked_for="doi:10.5555/none", asked_at=timezone.now(),
        outcome=RetractionCheck.Outcome.UNKNOWN_WORK,
    )  # fmt: skip
    searched(about, found("a", doi="10.5555/none", provider="exa"))

    cleaned(about)

    (row,) = records(about)
    assert (row.proposed_state, row.proposed_code) == ("dropped", "ai_hallucination")
    assert "Crossref" in row.proposed_facts["words"]


def test_doi_of_another_title_is_flagged(about: Project) -> None:
    searched(
        about,
        found("index", provider="crossref", doi="10.5555/real", title="Roads of Rome", url=""),
        found("web", title="Semaglutide in adults", url="https://doi.org/10.5555/real2"),
    )
    Record.objects.filter(title="Semaglutide in adults").update(doi="10.5555/real")
    Record.objects.filter(title="Semaglutide in adults").update(url="https://doi.org/10.5555/real")

    cleaned(about)

    row = Record.objects.get(title="Semaglutide in adults")
    assert "ai_hallucination" in row.proposed_facts["flags"]


def test_other_proposals_and_decisions_stay(about: Project, editor: User) -> None:
    undated = found("undated", published="", snippet=LONG.replace("68", "52"))
    searched(about, found("gone", standing="retracted"), found("kept"), undated)
    screen(row=records(about)[1], choice=Choice("kept"), by=editor)

    cleaned(about)

    gone, kept, late = records(about)
    assert (gone.state, gone.proposed_code) == ("dropped", "retracted")
    assert (kept.state, kept.proposed_code) == ("kept", "")
    assert late.proposed_code == "missing_date"


def test_proposal_is_taken_over_by_one_press(
    about: Project, editor_client: Client, editor: User
) -> None:
    searched(about, found("undated", published=""))
    cleaned(about)
    (row,) = records(about)
    page = editor_client.get(reverse("screening", args=[about.slug])).content.decode()
    assert "as-proposed" in page
    assert "No date" in page

    sent = {"state": row.proposed_state, "code": row.proposed_code, "base_version": row.version,
            "level": row.proposed_facts["level"]}  # fmt: skip
    editor_client.post(reverse("record-screen", args=[about.slug, row.pk]), sent)

    (row,) = records(about)
    assert (row.state, row.level, row.reason_code, row.by) == ("down", "D1", "missing_date", editor)
    assert Source.objects.count() == 0


def test_cleaning_again_changes_nothing(about: Project) -> None:
    searched(about, found("a"), found("undated", published="", snippet=LONG.replace("68", "52")))
    cleaned(about)
    before = [row.proposed_facts for row in records(about)]
    searched(about, found("a"))

    assert cleaned(about).result["changed"] <= 1
    assert [row.proposed_facts for row in records(about)] == before
