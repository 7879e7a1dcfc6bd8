"""Sources of a project are scored in the database, again and again, and nothing decided is lost."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sources.actions import edit_project, project_content
from sources.assessing import Ground, assess_project, assess_sources
from sources.models import (
    Dimension,
    Job,
    Journal,
    Override,
    Project,
    Score,
    Source,
    SourceFinding,
    SourceIdentifier,
    Subject,
    User,
)
from sources.tasks import score_sources
from tests.factories import JobFactory, SourceFactory

pytestmark = pytest.mark.django_db

NEJM: dict[str, Any] = {
    "venue": "NEJM",
    "doi": "10.1056/x",
    "title": "A randomized trial of X",
    "published_at": "2025-02-14",
    "access_status": "opened_original",
}


@pytest.fixture
def project(project: Project) -> Project:
    project.as_of = date(2026, 4, 20)
    project.topic_type = "clinical"
    project.save()
    return project


@pytest.fixture
def source(project: Project) -> Source:
    return SourceFactory(project=project, external_id="S-1", **NEJM)


def override(source: Source, by: User, field: str, value: str, **more: Any) -> Override:
    base = more.pop("base", "")
    return Override.objects.create(
        source=source, field=field, value=value, base=base, reason="As I read it.", by=by, **more
    )


def codes(source: Source) -> set[str]:
    rows = source.findings.filter(state=SourceFinding.State.OPEN)
    return set(rows.values_list("code", flat=True))


def test_score_is_kept_with_its_marks_and_versions(project: Project, source: Source) -> None:
    outcome = assess_project(project)

    source.refresh_from_db()
    score = source.scores.get()
    assert (outcome.done, outcome.scores) == (1, 1)
    assert (score.raw, score.value, score.tier, score.band) == (
        Decimal("8.5"), Decimal(10), 1, "core",
    )  # fmt: skip
    assert score.marks["authority"]["rule"] == "authority_band"
    assert score.marks["authority"]["value"] == "3.0"
    assert score.marks["tier"]["rule"] == score.tier_rule == "journal_row"
    assert score.marks["kind"] == {"value": "article", "content": "original_study"}
    assert (score.rubric_version, score.topic_type, score.as_of) == (
        "1", "clinical", date(2026, 4, 20),
    )  # fmt: skip
    assert score.tables_version > 0
    assert (source.score, source.score_raw, source.tier, source.band) == (
        Decimal(10), Decimal("8.5"), 1, "core",
    )  # fmt: skip
    assert codes(source) == {"unknown_coi"}


def test_scoring_again_changes_nothing(project: Project, source: Source) -> None:
    assess_project(project)

    again = assess_project(project)

    assert (again.done, again.scores, again.changed) == (1, 0, set())
    assert source.scores.count() == 1


def test_other_facts_give_another_score_and_the_old_one_stays(
    project: Project, source: Source
) -> None:
    assess_project(project)
    Source.objects.filter(pk=source.pk).update(dead_link=True)

    outcome = assess_project(project)

    source.refresh_from_db()
    assert outcome.changed == {source.pk}
    assert list(source.scores.order_by("pk").values_list("current", "raw")) == [
        (False, Decimal("8.5")), (True, Decimal("7.0")),
    ]  # fmt: skip
    assert source.score == Decimal("8.4")


def test_other_table_gives_another_score(project: Project) -> None:
    source = SourceFactory(project=project, **{**NEJM, "venue": "JCO"})
    assess_project(project)
    row = Journal.objects.get(title="Journal of Clinical Oncology")
    row.impact_factor = Decimal("42.1")
    row.save()

    assess_project(project)

    marks = source.scores.get(current=True).marks
    assert marks["authority"]["facts"]["impact_factor"] == "42.100"
    assert source.scores.count() == 2


def test_table_row_that_touches_no_source_leaves_the_scores(
    project: Project, source: Source
) -> None:
    assess_project(project)
    Journal.objects.create(title="Journal of Something Else", impact_factor=Decimal(3))

    assert assess_project(project).scores == 0


def test_other_day_or_topic_of_the_project_gives_another_score(
    project: Project, source: Source
) -> None:
    assess_project(project)
    project.as_of = date(2035, 1, 1)
    project.save()

    assert assess_project(project).scores == 1
    assert source.scores.get(current=True).marks["recency"]["value"] == "0.0"


def test_identifiers_are_facts_unless_a_title_told_them(project: Project) -> None:
    source = SourceFactory(project=project, url="https://example.net/a", source_type="paper")
    SourceIdentifier.objects.create(source=source, scheme="pmid", value="1", found_in="title")
    assess_project(project)
    before = source.scores.get(current=True).tier

    SourceIdentifier.objects.create(source=source, scheme="pmid", value="2", found_in="pmid")
    assess_project(project)

    assert (before, source.scores.get(current=True).tier) == (4, 1)


def test_topic_of_a_dimension_stands_above_the_project_s(project: Project) -> None:
    Dimension.objects.create(project=project, external_id="d2", topic_type="mechanism")
    old = {**NEJM, "published_at": "2018-01-01"}
    near = SourceFactory(project=project, used_in=["d2"], **old)
    far = SourceFactory(project=project, **old)

    assess_project(project)

    assert near.scores.get().marks["recency"]["value"] == "2.0"
    assert near.scores.get().topic_type == "mechanism"
    assert far.scores.get().marks["recency"]["value"] == "0.0"


def test_project_without_a_date_counts_to_the_day_it_began(project: Project) -> None:
    project.as_of = None

    assert Ground.of(project).as_of == project.created_at.date()


def test_stated_score_that_differs_is_a_finding(project: Project) -> None:
    near = SourceFactory(project=project, stated={"score": 9.97}, **NEJM)
    far = SourceFactory(project=project, stated={"score": "8.6"}, **NEJM)

    assess_project(project)

    assert "score_mismatch" not in codes(near)
    finding = far.findings.get(code="score_mismatch")
    assert finding.params == {"stated": "8.6", "ours": "10"}
    far.refresh_from_db()
    assert far.open_findings == 1


def test_score_that_an_override_explains_is_no_mismatch(project: Project, editor: User) -> None:
    source = SourceFactory(project=project, stated={"score": 5.5}, **NEJM)
    override(source, editor, "tier", "2")
    override(source, editor, "authority", "0", base="3.0")

    assess_project(project)

    assert "score_mismatch" not in codes(source)


def test_override_stands_in_the_effective_values_alone(
    project: Project, source: Source, editor: User
) -> None:
    override(source, editor, "authority", "0.5", base="3.0")
    override(source, editor, "tier", "3", base="1")

    assess_project(project)

    source.refresh_from_db()
    score = source.scores.get()
    assert (score.value, score.tier, score.marks["authority"]["value"]) == (Decimal(10), 1, "3.0")
    assert (source.score, source.tier, source.band) == (Decimal(6), 3, "corroborate")


def test_override_whose_base_moved_is_kept_and_marked(
    project: Project, source: Source, editor: User
) -> None:
    row = override(source, editor, "verifiability", "2.0", base="1.5")
    assess_project(project)
    row.refresh_from_db()
    before = row.base_changed

    Source.objects.filter(pk=source.pk).update(dead_link=True)
    assess_project(project)
    row.refresh_from_db()

    assert (before, row.base_changed, row.state) == (False, True, Override.State.ACTIVE)
    source.refresh_from_db()
    assert source.score == Decimal("10")


def test_base_that_comes_back_is_no_longer_marked(
    project: Project, source: Source, editor: User
) -> None:
    row = override(source, editor, "verifiability", "2.0", base="1.50", base_changed=True)

    assess_project(project)

    row.refresh_from_db()
    assert not row.base_changed


def test_waiting_and_ended_overrides_count_nothing(
    project: Project, source: Source, editor: User
) -> None:
    override(source, editor, "authority", "0", state=Override.State.WAITING)
    override(source, editor, "tier", "4", state=Override.State.ENDED)

    assess_project(project)

    source.refresh_from_db()
    assert (source.score, source.tier) == (Decimal(10), 1)


def test_type_and_access_that_a_person_set_are_what_the_rubric_reads(
    project: Project, source: Source, editor: User
) -> None:
    override(source, editor, "type", "narrative_review")
    override(source, editor, "access_status", "snippet_only")

    assess_project(project)

    source.refresh_from_db()
    score = source.scores.get()
    assert score.marks["primacy"]["rule"] == "narrative_review"
    assert score.marks["kind"]["content"] == "original_study"
    assert source.band == "discovery"


def test_value_that_no_rule_knows_is_passed_over(
    project: Project, source: Source, editor: User
) -> None:
    override(source, editor, "authority", "much")
    override(source, editor, "tier", "9")
    override(source, editor, "coi", "7")

    assess_project(project)

    source.refresh_from_db()
    assert (source.tier, source.score_raw) == (1, Decimal("9.5"))


def test_decision_on_a_finding_survives(project: Project, source: Source, editor: User) -> None:
    assess_project(project)
    source.findings.update(state="dismissed", decision="dismissed", decided_by=editor)
    Source.objects.filter(pk=source.pk).update(
        disclosure="None declared", funding_statement="No funding."
    )
    assess_project(project)
    gone = source.findings.get().state

    Source.objects.filter(pk=source.pk).update(disclosure="")
    assess_project(project)

    finding = source.findings.get()
    assert (gone, finding.state, finding.facts_changed) == ("outdated", "dismissed", False)


def test_findings_of_other_works_stay(project: Project, source: Source) -> None:
    SourceFinding.objects.create(
        source=source, code="corrected", fingerprint="f", severity="warning"
    )

    assess_project(project)

    source.refresh_from_db()
    assert "corrected" in codes(source)
    assert source.open_findings == 1


def test_signal_of_an_evaluated_company_is_raised(project: Project) -> None:
    Subject.objects.create(project=project, kind="company", name="Acme", domains=["acme.example"])
    source = SourceFactory(project=project, url="https://news.acme.example/1")

    assess_project(project)

    source.refresh_from_db()
    assert "coi_company_host" in codes(source)
    assert source.open_findings == 1


def test_strong_conflict_of_a_file_counts_until_a_person_answers(project: Project) -> None:
    marked = {**NEJM, "conflict_of_interest": "Ghostwritten by the maker", "stated": {"score": 3.0}}
    source = SourceFactory(project=project, **marked)
    assess_project(project)
    source.refresh_from_db()
    before = (source.score, source.band)

    Source.objects.filter(pk=source.pk).update(coi_form={"tie": "none", "funding": "public"})
    assess_project(project)
    source.refresh_from_db()

    assert before == (Decimal(3), "discovery")
    assert source.score == Decimal(10)


def test_only_the_named_sources_are_scored(project: Project, source: Source) -> None:
    other = SourceFactory(project=project, **NEJM)

    assess_sources(project, [other.pk])

    assert not source.scores.exists()
    assert other.scores.exists()


def test_sources_of_another_project_are_left_alone(project: Project, source: Source) -> None:
    other = SourceFactory()

    assess_sources(project, [other.pk, source.pk])
    assess_project(project)

    assert not other.scores.exists()


def test_job_scores_the_project_and_queues_what_follows(project: Project, source: Source) -> None:
    job = JobFactory(project=project, kind="scoring", task="sources.tasks.score_sources")

    score_sources(job.pk)

    job.refresh_from_db()
    assert (job.state, job.result) == (
        Job.State.DONE, {"sources": 1, "scores": 1, "changed": 1},
    )  # fmt: skip
    waiting = set(Job.objects.filter(state=Job.State.QUEUED).values_list("task", flat=True))
    assert waiting == {"search.tasks.admit_sources", "reviews.tasks.check_claims_of_sources"}


def test_job_that_changes_nothing_queues_nothing(project: Project, source: Source) -> None:
    assess_project(project)
    Job.objects.all().delete()
    job = JobFactory(project=project, kind="scoring", task="sources.tasks.score_sources")

    score_sources(job.pk)

    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "queued"),
    [({"topic_type": "policy"}, 1), ({"as_of": date(2027, 1, 1)}, 1), ({"title": "Other"}, 0)],
)
def test_settings_that_ages_count_by_queue_scoring(
    project: Project, source: Source, lead: User, fields: dict[str, Any], queued: int
) -> None:
    edit_project(project=project, seen=project_content(project), fields=fields, by=lead)

    assert Job.objects.filter(task="sources.tasks.score_sources").count() == queued


def test_project_without_sources_queues_nothing(project: Project, lead: User) -> None:
    other = {"topic_type": "policy"}
    edit_project(project=project, seen=project_content(project), fields=other, by=lead)

    assert not Job.objects.exists()


def test_job_without_a_project_fails_in_words(db: None) -> None:
    job = JobFactory(project=None, kind="scoring", task="sources.tasks.score_sources")

    score_sources(job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "project" in job.error


@pytest.mark.parametrize("count", [3, 40])
def test_number_of_queries_does_not_grow_with_the_sources(project: Project, count: int) -> None:
    SourceFactory.create_batch(count, project=project, **NEJM)

    with CaptureQueriesContext(
        connection,
    ) as first:
        assess_project(project)
    with CaptureQueriesContext(connection) as again:
        assess_project(project)

    assert len(first) <= 45
    assert len(again) <= 26


def test_part_by_part_gives_the_same(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    SourceFactory.create_batch(7, project=project, **NEJM)
    monkeypatch.setattr("sources.assessing.CHUNK", 2)

    outcome = assess_project(project)

    assert (outcome.done, outcome.scores, len(outcome.changed)) == (7, 7, 7)
    assert Score.objects.filter(current=True).count() == 7


def test_odd_values_of_old_rows_do_no_harm(project: Project) -> None:
    source = SourceFactory(
        project=project,
        authors="Jane Doe",
        used_in="ch01",
        extra=["odd"],
        given={},
        stated=["odd"],
        coi_form=["odd"],
        published_at="?\u2028???",
    )

    assess_project(project)

    assert source.scores.exists()


def test_job_may_name_the_sources(project: Project, source: Source) -> None:
    other = SourceFactory(project=project, **NEJM)
    job = JobFactory(
        project=project,
        kind="scoring",
        task="sources.tasks.score_sources",
        args={"sources": [other.pk]},
    )

    score_sources(job.pk)

    assert (source.scores.exists(), other.scores.exists()) == (False, True)
