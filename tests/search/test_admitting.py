"""Sources of a project are admitted or turned away, each with a record of why."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from search.actions import rejecting as actions
from search.admitting import admit, decision_of
from search.models import Receipt
from search.sweeping import follow_sources
from search.tasks import admit_sources
from sources.actions.errors import ActionRefused
from sources.models import (
    AuditEvent,
    BlacklistHit,
    BlacklistRule,
    Job,
    NoticeAcknowledgement,
    Project,
    Rejection,
    RetractionRecord,
    Source,
    User,
)
from sources.recording import Entry, broken_events, record
from tests.factories import SourceFactory


def scored(project: Project, score: str | None = "6.0", **given: Any) -> Source:
    Receipt.objects.get_or_create(
        project=project, external_id="srch_0001", defaults={"content_hash": "0" * 64}
    )
    known = {"tier": 2, "band": "corroborate", "receipt_ids": ["srch_0001"]}
    value = None if score is None else Decimal(score)
    return SourceFactory(project=project, score=value, **{**known, **given})


def status_of(source: Source) -> str:
    source.refresh_from_db()
    return source.status


def test_source_is_admitted_with_its_receipts_on_record(project: Project) -> None:
    source = scored(project)

    admit(project)

    assert status_of(source) == "admitted"
    event = AuditEvent.objects.get(action="source.admitted")
    assert event.new == {"status": "admitted", "receipts": ["srch_0001"]}
    assert list(broken_events(project)) == []


def test_receipt_that_no_log_knows_is_none(project: Project) -> None:
    source = scored(project, receipt_ids=["srch_0404"])

    admit(project)

    assert status_of(source) == "candidate"
    assert decision_of(source).lacks == "needs_receipt"


def test_low_score_becomes_a_rejection_with_rule_reason_and_receipt(project: Project) -> None:
    source = scored(project, "3.960")

    answer = admit(project)

    found = Rejection.objects.get()
    assert status_of(source) == "rejected"
    assert (found.source, found.rule, found.rejected_by) == (source, "low_score", "engine")
    assert found.receipt_ids == ["srch_0001"]
    assert found.score == Decimal("3.96")
    assert "3.96" in found.reason
    assert answer["log"] == [f"LOW SCORE (3.96): {source.url}"]


def test_reason_is_in_the_language_of_the_project(project: Project) -> None:
    project.language = "zh-Hans"
    project.save()
    scored(project, "2.0")

    admit(project)

    assert "入库需 4.0" in Rejection.objects.get().reason


def test_second_run_changes_nothing(project: Project) -> None:
    for score in ("6", "3", None):
        scored(project, score)
    admit(project)
    events = AuditEvent.objects.count()

    assert admit(project)["changed"] == 0
    assert (AuditEvent.objects.count(), Rejection.objects.count()) == (events, 1)


def test_wakefield_is_rejected_with_both_notices(project: Project) -> None:
    doi = "10.1016/s0140-6736(97)11096-0"
    for provider, date, notice in (
        ("retraction_watch", "2010-02-06", "10.1016/S0140-6736(10)60175-4"),
        ("crossref", "2004-03-06", "10.1016/S0140-6736(04)15715-2"),
    ):
        RetractionRecord.objects.create(
            provider=provider, record_key=notice, doi=doi, nature="retraction", noticed_on=date,
            notice_doi=notice, retrieved_at=timezone.now(),
        )  # fmt: skip
    source = scored(project, "9.5", doi=doi, retraction="retracted")

    answer = admit(project)

    found = Rejection.objects.get()
    assert (status_of(source), found.rule) == ("rejected", "retracted")
    assert "60175-4" in found.reason
    assert "15715-2" in found.reason
    assert answer["log"] == [f"RETRACTED: {doi}"]


def test_acknowledged_retraction_does_not_turn_away(project: Project, lead: User) -> None:
    source = scored(project, doi="10.1000/x", retraction="retracted")
    notice = RetractionRecord.objects.create(
        provider="crossref", record_key="1", doi="10.1000/x", nature="retraction",
        retrieved_at=timezone.now(),
    )  # fmt: skip
    NoticeAcknowledgement.objects.create(
        source=source, notice=notice, reason="the subject of the report", by=lead
    )

    admit(project)

    assert status_of(source) == "admitted"


@pytest.mark.parametrize(
    ("effect", "status"),
    [("block", "rejected"), ("downrank", "admitted"), ("warn", "admitted")],
)
def test_only_a_rule_that_blocks_turns_away(project: Project, effect: str, status: str) -> None:
    source = scored(project, blacklist="blacklist_domain")
    rule = BlacklistRule.objects.create(
        kind="blacklist_domain", scope="host", pattern="farm.example", pattern_key="farm.example",
        effect=effect, reason="a farm", state="active",
    )  # fmt: skip
    BlacklistHit.objects.create(rule=rule, source=source, effect=effect)

    admit(project)

    assert status_of(source) == status
    if status == "rejected":
        assert Rejection.objects.get().facts["patterns"] == ["farm.example"]


def test_strong_conflict_stays_and_is_written_as_a_rejection(project: Project) -> None:
    source = scored(project, "3.0", strong_coi=True, conflict_of_interest="paid", band="discovery")

    admit(project)

    assert status_of(source) == "admitted"
    assert Rejection.objects.get().rule == "strong_coi"


def test_rejection_ends_when_its_rule_no_longer_holds(project: Project) -> None:
    source = scored(project, "3.0")
    admit(project)
    Source.objects.filter(pk=source.pk).update(score=Decimal(5))

    admit(project)

    assert status_of(source) == "admitted"
    assert Rejection.objects.get().state == "reopened"


def test_reopened_source_is_admitted_and_stays_so(project: Project, editor: User) -> None:
    source = scored(project, "3.0")
    admit(project)

    actions.reopen_rejection(
        rejection=Rejection.objects.get(), reason="the only one on it", by=editor
    )
    admit(project)

    assert status_of(source) == "admitted"
    assert Rejection.objects.get().reopened_by == editor


def test_reopened_source_is_turned_away_for_new_facts(project: Project, editor: User) -> None:
    source = scored(project, "3.0")
    admit(project)
    actions.reopen_rejection(rejection=Rejection.objects.get(), reason="why not", by=editor)
    Source.objects.filter(pk=source.pk).update(score=Decimal(2))

    admit(project)

    assert status_of(source) == "rejected"
    assert Rejection.objects.filter(state="standing").count() == 1


def test_reopening_is_taken_back(project: Project, editor: User) -> None:
    source = scored(project, "3.0")
    admit(project)
    actions.reopen_rejection(rejection=Rejection.objects.get(), reason="why not", by=editor)
    number = AuditEvent.objects.get(action="rejection.reopened").number

    actions.take_back(project=project, number=number, by=editor)

    assert status_of(source) == "rejected"
    assert Rejection.objects.get().state == "standing"
    with pytest.raises(ActionRefused, match="undone already"):
        actions.take_back(project=project, number=number, by=editor)


def test_source_turned_away_by_hand_stays_away_until_taken_back(
    project: Project, editor: User
) -> None:
    source = scored(project)
    actions.turn_away(source=source, reason="off the subject", by=editor)
    admit(project)
    assert status_of(source) == "rejected"

    number = AuditEvent.objects.get(action="rejection.made").number
    actions.take_back(project=project, number=number, by=editor)

    assert status_of(source) == "admitted"


def test_rejection_of_a_file_stands_until_a_person_opens_it(project: Project, editor: User) -> None:
    source = scored(project)
    held = Rejection.objects.create(
        project=project, source=source, rule="off_topic", rejected_at=timezone.now(),
        rejected_by="ana",
    )  # fmt: skip
    admit(project)
    assert status_of(source) == "rejected"

    actions.reopen_rejection(rejection=held, reason="on topic after all", by=editor)

    assert status_of(source) == "admitted"


def test_reopened_line_without_a_source_becomes_a_candidate(project: Project, editor: User) -> None:
    held = Rejection.objects.create(
        project=project, url="https://doi.org/10.1000/x", title="A paper", rule="off_topic",
        external_id="src_9", rejected_at=timezone.now(), rejected_by="ana",
    )  # fmt: skip

    source = actions.reopen_rejection(rejection=held, reason="on topic after all", by=editor)

    assert (source.external_id, source.status, source.doi) == ("src_9", "candidate", "10.1000/x")


def test_reviewers_may_not_and_a_reason_is_required(
    project: Project, editor: User, reviewer: User
) -> None:
    source = scored(project, "3.0")
    admit(project)
    held = Rejection.objects.get()

    with pytest.raises(ActionRefused, match="role"):
        actions.reopen_rejection(rejection=held, reason="why not", by=reviewer)
    with pytest.raises(ActionRefused, match="Say why"):
        actions.reopen_rejection(rejection=held, reason="", by=editor)
    with pytest.raises(ActionRefused, match="meantime"):
        actions.reopen_rejection(rejection=held, reason="why not", by=editor, base_version=9)
    with pytest.raises(ActionRefused, match="turned away already"):
        actions.turn_away(source=source, reason="why not", by=editor)
    with pytest.raises(ActionRefused, match="nothing of yours"):
        actions.take_back(project=project, number=1, by=editor)


def test_number_of_queries_does_not_grow_with_sources(project: Project) -> None:
    counts = []
    for _step in range(2):
        for score in ("6", "3", "2.5", None, "9") * 4:
            scored(project, score)
        Source.objects.update(status="candidate")
        with CaptureQueriesContext(connection) as queries:
            admit(project)
        counts.append(len(queries))

    assert counts[1] <= counts[0] + 1


def test_job_admits_and_lets_the_checks_of_claims_follow(project: Project, editor: User) -> None:
    source = scored(project)
    job = actions.admit_again(project=project, by=editor)

    admit_sources(job.pk)

    job.refresh_from_db()
    assert (status_of(source), job.state, job.result["admitted"]) == ("admitted", "done", 1)
    assert Job.objects.filter(task="reviews.tasks.check_claims_of_sources").exists()


def test_sweep_queues_admission_that_nobody_queued_and_only_once(project: Project) -> None:
    scored(project)
    record(project, [Entry("score.computed", "source", "S-1")], by=None)

    assert follow_sources() == 1
    assert follow_sources() == 0
    admit_sources(Job.objects.get(task="search.tasks.admit_sources").pk)
    assert follow_sources() == 0


def test_sweep_leaves_a_project_alone_where_people_only_judge(project: Project) -> None:
    record(project, [Entry("verdict.given", "verdict", "d1.c1")], by=None)
    record(project, [Entry("source.commented", "source", "S-1")], by=None)

    assert follow_sources() == 0
