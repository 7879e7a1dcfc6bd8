"""Assessments that an import overtook: marked, shown, not counted, cleared by judging again."""

from pathlib import Path

import pytest
from django.test import Client

from reviews.actions import ActionRefused, ClaimChanged, assess_evidence, imports, undo
from reviews.actions.verdicts import VerdictInput, give_verdict
from reviews.models import Assessment, Claim, Evidence
from sources.models import AuditEvent, Project, User
from tests.factories import AssessmentFactory, ClaimFactory, EvidenceFactory
from workbench.lib.context import request_id

from .bringing import bring, changed_report, row
from .posting import post
from .report_files import document, report
from .screens import shown


def assessed(project: Project, by: User, name: str = "d1.c1", position: int = 1) -> Assessment:
    item = Evidence.objects.get(claim__external_id=name, position=position, current=True)
    return AssessmentFactory(evidence=item, reviewer=by)


@pytest.fixture
def stale(project: Project, reviewer: User) -> Assessment:
    """An assessment of one's own that an import made stale."""
    project.sealed_share = 0
    project.save()
    claim = ClaimFactory(project=project, external_id="d1.c1")
    return AssessmentFactory(
        evidence=EvidenceFactory(claim=claim),
        reviewer=reviewer,
        stale=True,
        stale_reason="Import 7 changed the text of this claim.",
    )


def test_an_assessment_becomes_stale_where_the_text_of_its_claim_changes(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    of_changed = assessed(project, reviewer, "d1.c1")
    of_same = assessed(project, reviewer, "d1.c2")

    batch = bring(project, changed_report(tmp_path / "b"))

    of_changed.refresh_from_db()
    of_same.refresh_from_db()
    assert (of_changed.stale, of_same.stale) == (True, False)
    assert str(batch.pk) in of_changed.stale_reason
    assert of_changed.version == 2
    event = AuditEvent.objects.get(action="assessment.stale")
    assert (event.object_id, event.new["reviewer"]) == ("d1.c1#1", "reviewer")
    assert batch.report["stale_assessments"] == 1


def test_an_assessment_stays_where_something_else_of_the_claim_changes(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    mine = assessed(project, reviewer, "d1.c1")
    made = document()
    made["claims"][0]["topic_tag"] = "harbours"

    bring(project, report(tmp_path / "b", made))

    mine.refresh_from_db()
    assert row(project, "d1.c1").version == 2
    assert not mine.stale


def test_an_assessment_becomes_stale_where_its_evidence_loses_its_source(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    of_lost = assessed(project, reviewer, "d1.c1", 2)
    of_kept = assessed(project, reviewer, "d1.c1", 1)
    made = document()
    del made["sources"][1]

    bring(project, report(tmp_path / "b", made))

    of_lost.refresh_from_db()
    of_kept.refresh_from_db()
    assert (of_lost.stale, of_kept.stale) == (True, False)
    assert "source" in of_lost.stale_reason


def test_undo_of_the_import_makes_the_assessment_stand_again(
    project: Project, reviewer: User, editor: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    mine = assessed(project, reviewer)
    batch = bring(project, changed_report(tmp_path / "b"))

    imports.undo_import(batch=batch, by=editor)

    mine.refresh_from_db()
    assert (mine.stale, mine.stale_reason, mine.version) == (False, "", 3)


def test_undo_of_the_import_is_refused_once_the_evidence_was_judged_again(
    project: Project, reviewer: User, editor: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    mine = assessed(project, reviewer)
    batch = bring(project, changed_report(tmp_path / "b"))
    evidence = Evidence.objects.get(pk=mine.evidence_id)
    assess_evidence(evidence=evidence, by=reviewer, support="partial")

    with pytest.raises(ActionRefused) as refused:
        imports.undo_import(batch=batch, by=editor)

    (obstacle,) = refused.value.details["obstacles"]
    assert (obstacle.kind, obstacle.claim, obstacle.by) == ("assessment", "d1.c1", "reviewer")


def test_a_stale_assessment_is_shown_as_such_with_its_reason(
    stale: Assessment, reviewer_client: Client
) -> None:
    page = shown(reviewer_client, stale.evidence.claim)

    assert "Your assessment is stale." in page
    assert "Import 7 changed the text of this claim." in page
    assert 'data-unconfirmed="2"' in page
    assert "choices confirmed" not in page


def test_judging_again_clears_it_even_with_the_same_value(
    stale: Assessment, reviewer_client: Client
) -> None:
    answer = post(
        reviewer_client, "evidence-assess", stale.evidence_id, support="full", base_version="1"
    )

    stale.refresh_from_db()
    assert "Your assessment is stale." not in answer.content.decode()
    assert (stale.stale, stale.stale_reason) == (False, "")
    assert AuditEvent.objects.get(action="evidence.assessed").old["stale"] is True


def test_a_note_alone_does_not_clear_it(stale: Assessment, reviewer: User) -> None:
    assess_evidence(evidence=stale.evidence, by=reviewer, note="see table 2")
    assess_evidence(evidence=stale.evidence, by=reviewer, trust="weak_untrusted")

    stale.refresh_from_db()
    assert stale.stale


def test_undo_of_judging_again_makes_it_stale_again(stale: Assessment, reviewer: User) -> None:
    token = request_id.set("judged-again")
    try:
        assess_evidence(evidence=stale.evidence, by=reviewer, support="none")
    finally:
        request_id.reset(token)

    undo(project=stale.evidence.claim.project, request_id="judged-again", by=reviewer)

    stale.refresh_from_db()
    assert (stale.support, stale.stale) == ("full", True)
    assert stale.stale_reason.startswith("Import 7")


def test_undo_works_on_events_from_before_assessments_could_be_stale(
    stale: Assessment, reviewer: User
) -> None:
    project = stale.evidence.claim.project
    token = request_id.set("long-ago")
    try:
        assess_evidence(evidence=stale.evidence, by=reviewer, support="none")
    finally:
        request_id.reset(token)
    event = AuditEvent.objects.get(action="evidence.assessed")
    for said in (event.old, event.new):
        for name in ("stale", "stale_reason", "claim_version"):
            said.pop(name, None)
    event.save()

    undo(project=project, request_id="long-ago", by=reviewer)

    stale.refresh_from_db()
    assert stale.support == "full"


def test_nobody_assesses_a_text_that_an_import_changed_meanwhile(
    stale: Assessment, reviewer: User, reviewer_client: Client
) -> None:
    Claim.objects.update(version=2)
    values = {"support": "full", "base_version": "1", "claim_version": "1"}

    answer = post(reviewer_client, "evidence-assess", stale.evidence_id, **values)

    stale.refresh_from_db()
    assert answer.status_code == 409
    assert stale.stale
    with pytest.raises(ClaimChanged):
        assess_evidence(evidence=stale.evidence, by=reviewer, support="full", claim_version=1)


def test_a_stale_verification_does_not_let_a_weak_claim_pass(
    stale: Assessment, reviewer: User
) -> None:
    Assessment.objects.update(trust="weak_untrusted", outcome="verified")

    with pytest.raises(ActionRefused) as refused:
        give_verdict(claim=stale.evidence.claim, given=VerdictInput("pass"), by=reviewer)

    assert refused.value.code == "weak-unverified"


def test_lists_searches_and_reports_take_a_stale_assessment_for_none(
    stale: Assessment, reviewer: User, reviewer_client: Client
) -> None:
    Evidence.objects.update(support_proposal="none", trust_proposal="weak_untrusted")

    full = reviewer_client.get("/p/nsclc/claims/", {"q": "support:full"}).content.decode()
    none = reviewer_client.get("/p/nsclc/claims/", {"q": "support:none"}).content.decode()

    assert 'data-id="d1.c1"' not in full
    assert 'data-id="d1.c1"' in none
