"""Accept a notice for one source, take it back; start a check; the clock starts what is due."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from sources import tasks
from sources.actions.errors import ActionRefused
from sources.actions.retractions import (
    acknowledge_notice,
    start_check,
    take_back_acknowledgement,
)
from sources.models import (
    AuditEvent,
    Job,
    NoticeAcknowledgement,
    Project,
    ProviderPause,
    RetractionCheck,
    RetractionRecord,
    Source,
    User,
)
from sources.noticing.scheduling import TASK, due_projects, queue_check, queue_due
from sources.noticing.settling import open_retractions
from tests.factories import ProjectFactory

from .providers import TRIAL
from .works import NEW, a_source, brought

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(project: Project) -> Source:
    found = a_source(project, TRIAL, external_id="S-7")
    brought(NEW)
    found.refresh_from_db()
    return found


@pytest.fixture
def notice(source: Source) -> RetractionRecord:
    return RetractionRecord.objects.get(record_key="90018")


def test_acknowledged_notice_is_accepted_with_its_reason(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    acknowledge_notice(source=source, notice=notice, reason="cited as an example", by=editor)

    finding = source.findings.get(code="retracted")
    source.refresh_from_db()
    assert (finding.state, finding.reason) == ("confirmed", "cited as an example")
    assert source.retraction == "retracted"
    assert source.open_findings == 0
    assert open_retractions(source.project) == {}
    event = AuditEvent.objects.get(action="notice.acknowledged")
    assert (event.object_id, event.reason) == ("S-7", "cited as an example")
    assert event.new is not None
    assert event.new["notice"] == "10.5555/trial.2010.note"


def test_acknowledgement_holds_for_one_source_of_one_project(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    other = a_source(ProjectFactory(), TRIAL)
    brought(NEW)

    acknowledge_notice(source=source, notice=notice, reason="cited as an example", by=editor)

    assert set(open_retractions(other.project)) == {other.pk}


def test_acknowledgement_is_taken_back(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    made = acknowledge_notice(source=source, notice=notice, reason="by mistake", by=editor)

    take_back_acknowledgement(acknowledgement=made, reason="wrong paper", by=editor)

    made.refresh_from_db()
    source.refresh_from_db()
    assert made.ended_at is not None
    assert source.findings.get(code="retracted").state == "open"
    assert source.open_findings == 1
    assert set(open_retractions(source.project)) == {source.pk}
    event = AuditEvent.objects.get(action="notice.acknowledgement_ended")
    assert event.old is not None
    assert event.old["reason"] == "by mistake"
    acknowledge_notice(source=source, notice=notice, reason="after all", by=editor)


def test_admission_follows_an_acknowledgement(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    Job.objects.all().delete()

    acknowledge_notice(source=source, notice=notice, reason="an example", by=editor)

    assert Job.objects.filter(task="search.tasks.admit_sources").exists()


def test_acknowledgement_needs_a_reason(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    with pytest.raises(ActionRefused) as stopped:
        acknowledge_notice(source=source, notice=notice, reason="  x ", by=editor)

    assert stopped.value.code == "reason-missing"


def test_notice_is_acknowledged_once_and_taken_back_once(
    source: Source, notice: RetractionRecord, editor: User
) -> None:
    made = acknowledge_notice(source=source, notice=notice, reason="an example", by=editor)
    with pytest.raises(ActionRefused) as twice:
        acknowledge_notice(source=source, notice=notice, reason="an example", by=editor)
    take_back_acknowledgement(acknowledgement=made, reason="no more", by=editor)
    with pytest.raises(ActionRefused) as ended:
        take_back_acknowledgement(acknowledgement=made, reason="no more", by=editor)

    assert (twice.value.code, ended.value.code) == ("done-already", "ended-already")


def test_notice_of_another_work_cannot_be_acknowledged(source: Source, editor: User) -> None:
    other = RetractionRecord.objects.get(record_key="90022")

    with pytest.raises(ActionRefused) as stopped:
        acknowledge_notice(source=source, notice=other, reason="an example", by=editor)

    assert stopped.value.code == "not-its-notice"
    assert not NoticeAcknowledgement.objects.exists()


def test_reviewers_and_outsiders_acknowledge_nothing(
    source: Source, notice: RetractionRecord, reviewer: User, outsider: User, lead: User
) -> None:
    made = acknowledge_notice(source=source, notice=notice, reason="an example", by=lead)
    for person in (reviewer, outsider):
        with pytest.raises(ActionRefused):
            acknowledge_notice(source=source, notice=notice, reason="an example", by=person)
        with pytest.raises(ActionRefused):
            take_back_acknowledgement(acknowledgement=made, reason="an example", by=person)
        with pytest.raises(ActionRefused):
            start_check(project=source.project, by=person)


# --- Starting ---------------------------------------------------------------------------------


def test_check_is_started_once_while_it_runs(project: Project, editor: User) -> None:
    first = start_check(project=project, by=editor)
    again = start_check(project=project, by=editor)
    Job.objects.filter(pk=first.pk).update(state="done")
    later = start_check(project=project, by=editor)

    assert first.pk == again.pk != later.pk
    assert (first.kind, first.args, first.created_by) == (
        "retractions",
        {"everything": True},
        editor,
    )
    assert AuditEvent.objects.filter(action="retractions.check_started").count() == 2


def asked(source: Source, provider: str, days: float, outcome: str = "nothing") -> None:
    RetractionCheck.objects.create(
        source=source,
        provider=provider,
        asked_for=f"doi:{source.doi}",
        outcome=outcome,
        asked_at=timezone.now() - timedelta(days=days),
    )


@pytest.mark.parametrize(
    ("doi", "pmids", "provider", "days", "outcome", "due"),
    [
        ("10.5555/a", (), "", 0, "", True),
        ("10.5555/a", (), "crossref", 1, "nothing", False),
        ("10.5555/a", (), "crossref", 8, "nothing", True),
        ("10.5555/a", (), "crossref", 0.01, "failed", False),
        ("10.5555/a", (), "crossref", 1, "failed", True),
        ("10.5555/a", (), "pubmed", 1, "nothing", True),
        ("", ("7",), "", 0, "", True),
        ("", ("7",), "pubmed", 1, "nothing", False),
        ("", (), "", 0, "", False),
    ],
)
def test_clock_finds_projects_with_works_that_are_due(
    project: Project,
    doi: str,
    pmids: tuple[str, ...],
    provider: str,
    days: float,
    outcome: str,
    due: bool,
) -> None:
    source = a_source(project, doi, *pmids)
    if provider:
        asked(source, provider, days, outcome)

    assert list(due_projects()) == ([project] if due else [])


def test_clock_queues_one_job_a_project(project: Project) -> None:
    for place in (project, ProjectFactory()):
        a_source(place, "10.5555/a")
        a_source(place, "10.5555/b")

    assert (queue_due(), queue_due()) == (2, 0)
    job = Job.objects.get(project=project, task=TASK)
    assert (job.args, job.created_by) == ({"everything": False}, None)


def test_clock_leaves_providers_alone_that_rest(project: Project) -> None:
    a_source(project, "10.5555/a")
    until = timezone.now() + timedelta(hours=1)
    ProviderPause.objects.create(provider="crossref", until=until, reason="rate-limit")

    assert queue_due() == 0


def test_clock_asks_nobody_where_it_is_switched_off(project: Project, settings: Settings) -> None:
    settings.RETRACTION_DAYS = 0
    a_source(project, "10.5555/a")

    tasks.queue_retraction_checks()

    assert not Job.objects.exists()


def test_second_wish_gives_the_check_that_waits(project: Project) -> None:
    job, is_new = queue_check(project, by=None, everything=False)
    again, is_new_again = queue_check(project, by=None, everything=True)

    assert (is_new, is_new_again, again.pk) == (True, False, job.pk)


def test_tasks_do_the_jobs_that_name_them(project: Project, settings: Settings) -> None:
    source = a_source(project, TRIAL)
    brought(NEW)
    Source.objects.update(retraction="not_asked")
    job = Job.objects.create(project=project, kind="retractions", task="")

    tasks.match_notices(job.pk)

    source.refresh_from_db()
    job.refresh_from_db()
    assert (source.retraction, job.result) == ("retracted", {"changed": 1})
    for task in ("sources.tasks.match_notices", TASK, "sources.tasks.import_notices"):
        assert callable(getattr(tasks, task.rsplit(".", 1)[1]))
    assert "sources.tasks.match_notices" in settings.SOURCE_FOLLOW_UPS["clusters"]
