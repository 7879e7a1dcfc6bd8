"""What a reviewer may do, what is refused, and what undo gives back."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from reviews import actions
from reviews.actions import ActionRefused, Conflict, DefectInput, NotAllowed, VerdictInput
from reviews.models import Assessment, Claim, Defect, Draft, Finding, Snooze, Verdict
from sources.models import AuditEvent, Project, User
from sources.recording import broken_events
from tests.factories import ClaimFactory, EvidenceFactory, FindingFactory
from workbench.lib import context


@pytest.fixture
def claim(project: Project) -> Claim:
    claim = ClaimFactory(project=project, external_id="d1.c1")
    EvidenceFactory(claim=claim)
    return claim


def give(claim: Claim, by: User, decision: str = "pass", **given: object) -> Verdict:
    base = given.pop("base_version", 0)
    return actions.give_verdict(
        claim=claim, given=VerdictInput(decision, **given), by=by, base_version=base
    )


def in_request(request_id: str) -> None:
    context.request_id.set(request_id)


@pytest.fixture(autouse=True)
def _no_request_after() -> object:
    yield
    context.request_id.set("")


def test_a_verdict_is_recorded_with_its_event_and_settles_the_claim(
    claim: Claim, reviewer: User
) -> None:
    give(claim, reviewer, note="matches table 2")

    claim.refresh_from_db()
    event = AuditEvent.objects.get(project=claim.project, action="verdict.given")
    assert claim.state == Claim.State.DONE
    assert (event.actor, event.object_id) == ("reviewer", "d1.c1")
    assert event.new["decision"] == "pass"


def test_an_outsider_may_give_no_verdict(claim: Claim, outsider: User) -> None:
    with pytest.raises(NotAllowed):
        give(claim, outsider)

    assert not Verdict.objects.exists()


def test_revise_needs_a_defect(claim: Claim, reviewer: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        give(claim, reviewer, "revise")

    assert refused.value.code == "defect-missing"


def test_a_hard_defect_forbids_pass_and_cannot_judge(claim: Claim, reviewer: User) -> None:
    for decision in ("pass", "cannot_judge"):
        with pytest.raises(ActionRefused) as refused:
            give(claim, reviewer, decision, defects=(DefectInput("H1"),))

        assert refused.value.code == "hard-defect"


def test_a_suggestion_may_stand_beside_a_pass(claim: Claim, reviewer: User) -> None:
    give(claim, reviewer, defects=(DefectInput("S1", text="no age limit"),))

    assert Defect.objects.get().severity == Defect.Severity.SUGGESTION


def test_h2_is_hard_for_a_key_claim_and_a_suggestion_elsewhere(
    claim: Claim, reviewer: User
) -> None:
    give(claim, reviewer, "revise", defects=(DefectInput("H2"),))
    assert Defect.objects.get().severity == "suggestion"

    actions.mark_key(claim=claim, is_key=True, reason="named by a key finding", by=reviewer)
    give(claim, reviewer, "revise", defects=(DefectInput("H2"),), base_version=2)

    assert Defect.objects.get().severity == "hard"


def test_another_severity_than_the_rules_needs_a_reason(claim: Claim, reviewer: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        give(claim, reviewer, "revise", defects=(DefectInput("H1", severity="suggestion"),))

    assert refused.value.code == "reason-missing"


def test_pass_with_open_red_checks_asks_for_a_reason_for_each(claim: Claim, reviewer: User) -> None:
    first, second = FindingFactory(claim=claim), FindingFactory(claim=claim)

    with pytest.raises(ActionRefused) as refused:
        give(claim, reviewer, dismissals={first.pk: "rounded in the source"})

    assert refused.value.code == "red-checks"
    assert refused.value.details["findings"] == [second.pk]
    first.refresh_from_db()
    assert first.state == Finding.State.OPEN


def test_pass_dismisses_the_red_checks_it_was_given_reasons_for(
    claim: Claim, reviewer: User
) -> None:
    finding = FindingFactory(claim=claim)

    give(claim, reviewer, dismissals={finding.pk: "rounded in the source"})

    finding.refresh_from_db()
    claim.refresh_from_db()
    assert (finding.state, finding.reason) == ("dismissed", "rounded in the source")
    assert claim.open_errors == 0


def test_a_confirmed_error_forbids_pass(claim: Claim, reviewer: User) -> None:
    finding = FindingFactory(claim=claim)
    actions.decide_finding(finding=finding, state="confirmed", by=reviewer)

    with pytest.raises(ActionRefused) as refused:
        give(claim, reviewer)

    assert refused.value.code == "confirmed-finding"


def test_a_claim_that_only_weak_sources_carry_needs_an_outcome(
    claim: Claim, reviewer: User
) -> None:
    evidence = claim.evidence.get()
    actions.assess_evidence(evidence=evidence, by=reviewer, support="full", trust="weak_untrusted")

    with pytest.raises(ActionRefused) as refused:
        give(claim, reviewer)
    actions.assess_evidence(evidence=evidence, by=reviewer, outcome="verified")
    give(claim, reviewer)

    assert refused.value.code == "weak-unverified"
    assert Verdict.objects.get().decision == "pass"


def test_a_save_from_an_old_page_conflicts_and_changes_nothing(
    claim: Claim, reviewer: User
) -> None:
    first = give(claim, reviewer, note="mine")

    with pytest.raises(Conflict) as conflict:
        give(claim, reviewer, "cannot_judge", base_version=0)

    assert conflict.value.current == first
    assert Verdict.objects.get().note == "mine"


def test_verdicts_of_two_reviewers_are_two_rows_and_a_difference_shows(
    claim: Claim, reviewer: User, second_reviewer: User
) -> None:
    give(claim, reviewer)
    give(claim, second_reviewer, "revise", defects=(DefectInput("H3"),))

    claim.refresh_from_db()
    assert Verdict.objects.count() == 2
    assert claim.state == Claim.State.CONFLICT


def test_a_new_verdict_withdraws_the_defects_it_names_no_more(claim: Claim, reviewer: User) -> None:
    first = give(claim, reviewer, "revise", defects=(DefectInput("H1"), DefectInput("H6")))

    give(claim, reviewer, "revise", defects=(DefectInput("H6"),), base_version=first.version)

    assert Defect.objects.filter(withdrawn=False).get().code == "H6"
    assert Defect.objects.filter(withdrawn=True).get().code == "H1"


def test_a_finding_is_dismissed_only_with_a_reason(claim: Claim, reviewer: User) -> None:
    finding = FindingFactory(claim=claim)

    with pytest.raises(ActionRefused):
        actions.decide_finding(finding=finding, state="dismissed", reason=" ", by=reviewer)

    finding.refresh_from_db()
    assert finding.state == Finding.State.OPEN


def test_an_outdated_finding_cannot_be_decided(claim: Claim, reviewer: User) -> None:
    finding = FindingFactory(claim=claim, state=Finding.State.OUTDATED)

    with pytest.raises(ActionRefused):
        actions.decide_finding(finding=finding, state="confirmed", by=reviewer)


def test_a_passage_outside_the_snapshot_is_refused(claim: Claim, reviewer: User) -> None:
    evidence = claim.evidence.get()

    with pytest.raises(ActionRefused) as refused:
        actions.assess_evidence(evidence=evidence, by=reviewer, start=0, end=100_000)

    assert refused.value.code == "passage-outside"
    assert not Assessment.objects.exists()


def test_assessing_writes_the_named_fields_only(claim: Claim, reviewer: User) -> None:
    evidence = claim.evidence.get()
    actions.assess_evidence(evidence=evidence, by=reviewer, support="partial", aspects=["number"])

    actions.assess_evidence(evidence=evidence, by=reviewer, trust="trusted_primary")

    mine = Assessment.objects.get()
    assert (mine.support, mine.trust, mine.aspects) == ("partial", "trusted_primary", ["number"])


def test_a_snooze_needs_a_later_day_and_gives_way_to_a_verdict(
    claim: Claim, reviewer: User
) -> None:
    with pytest.raises(ActionRefused):
        actions.snooze_claim(claim=claim, until=timezone.localdate(), by=reviewer)
    tomorrow = timezone.localdate() + timedelta(days=1)
    actions.snooze_claim(claim=claim, until=tomorrow, by=reviewer)

    give(claim, reviewer)

    assert not Snooze.objects.exists()


def test_undo_takes_back_all_of_one_request(claim: Claim, reviewer: User) -> None:
    finding = FindingFactory(claim=claim)
    in_request("first-request")
    give(claim, reviewer, dismissals={finding.pk: "rounded"}, defects=(DefectInput("S2"),))
    in_request("second-request")

    actions.undo(project=claim.project, request_id="first-request", by=reviewer)

    claim.refresh_from_db()
    finding.refresh_from_db()
    assert claim.state == Claim.State.OPEN
    assert Verdict.objects.get().decision == ""
    assert finding.state == Finding.State.OPEN
    assert Defect.objects.get().withdrawn


def test_undo_gives_the_earlier_verdict_back(claim: Claim, reviewer: User) -> None:
    in_request("first-request")
    first = give(claim, reviewer, note="first")
    in_request("second-request")
    give(claim, reviewer, "cannot_judge", note="second", base_version=first.version)

    actions.undo(project=claim.project, request_id="second-request", by=reviewer)

    again = Verdict.objects.get()
    assert (again.decision, again.note) == ("pass", "first")


def test_undo_is_done_once_and_only_by_its_author(
    claim: Claim, reviewer: User, second_reviewer: User
) -> None:
    in_request("first-request")
    give(claim, reviewer)
    in_request("second-request")

    with pytest.raises(ActionRefused):
        actions.undo(project=claim.project, request_id="first-request", by=second_reviewer)
    actions.undo(project=claim.project, request_id="first-request", by=reviewer)
    with pytest.raises(ActionRefused) as refused:
        actions.undo(project=claim.project, request_id="first-request", by=reviewer)

    assert refused.value.code == "undone-already"


def test_undo_refuses_where_the_row_was_changed_since(claim: Claim, reviewer: User) -> None:
    in_request("first-request")
    first = give(claim, reviewer)
    in_request("second-request")
    give(claim, reviewer, note="a second thought", base_version=first.version)

    with pytest.raises(Conflict):
        actions.undo(project=claim.project, request_id="first-request", by=reviewer)

    assert Verdict.objects.get().note == "a second thought"


def test_undo_of_a_snooze_brings_the_earlier_date_back(claim: Claim, reviewer: User) -> None:
    today = timezone.localdate()
    in_request("first-request")
    actions.snooze_claim(claim=claim, until=today + timedelta(days=1), by=reviewer)
    in_request("second-request")
    actions.snooze_claim(claim=claim, until=today + timedelta(days=9), by=reviewer)

    actions.undo(project=claim.project, request_id="second-request", by=reviewer)
    assert Snooze.objects.get().until == today + timedelta(days=1)
    actions.undo(project=claim.project, request_id="first-request", by=reviewer)

    assert not Snooze.objects.exists()


def test_a_verdict_forgets_its_draft(claim: Claim, reviewer: User) -> None:
    actions.save_draft(
        claim=claim, slot="verdict", body={"note": "half"}, form_version=0, by=reviewer
    )

    give(claim, reviewer)

    assert not Draft.objects.exists()


def test_an_empty_draft_is_forgotten(claim: Claim, reviewer: User) -> None:
    for body in ({"note": "half"}, {"note": ""}):
        actions.save_draft(claim=claim, slot="verdict", body=body, form_version=0, by=reviewer)

    assert not Draft.objects.exists()


def test_every_action_extends_one_unbroken_chain(claim: Claim, reviewer: User) -> None:
    give(claim, reviewer)
    actions.snooze_claim(claim=claim, until=date(2999, 1, 1), by=reviewer)

    assert list(broken_events(claim.project)) == []


def test_an_altered_event_is_named(claim: Claim, reviewer: User) -> None:
    give(claim, reviewer)
    actions.snooze_claim(claim=claim, until=date(2999, 1, 1), by=reviewer)

    AuditEvent.objects.filter(number=1).update(actor="somebody else")

    assert [number for number, _what in broken_events(claim.project)] == [1]


def test_a_removed_event_is_named(claim: Claim, reviewer: User) -> None:
    give(claim, reviewer)
    actions.snooze_claim(claim=claim, until=date(2999, 1, 1), by=reviewer)

    AuditEvent.objects.filter(number=2).delete()

    assert list(broken_events(claim.project))
