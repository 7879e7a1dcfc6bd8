"""Locating, checking and what stays of human decisions when it is done again."""

from typing import Any

from reviews import actions
from reviews.checking import check_claims, forget
from reviews.models import Claim, Evidence, Finding
from sources.models import Project, Snapshot, User
from sources.texts import blobs
from tests.factories import ClaimFactory, EvidenceFactory, SnapshotFactory, SourceFactory

TEXT = (
    "Background. Drug X was studied in 812 patients with advanced disease at 41 sites.\n\n"
    "Results. In the intention-to-treat population, median overall survival was 21.4 months "
    "(95% CI 18.9–24.0) with X and 16.2 months with chemotherapy (hazard ratio 0.68; P=0.07). "
    "Serious adverse events occurred in 34% of patients.\n\n"
    "Discussion. X may be associated with longer survival. " + "More data are needed. " * 20
)


def make(project: Project, text: str, snippet: str, **evidence: Any) -> Evidence:
    source = SourceFactory(
        project=project,
        url=f"https://trials.nejm.org/{project.sources.count()}",
        quality="primary",
        title="A trial of drug X",
    )
    snapshot = SnapshotFactory(project=project, normalized_url=source.url, text=TEXT)
    claim = ClaimFactory(project=project, text=text)
    return EvidenceFactory(
        claim=claim, source=source, snapshot=snapshot, snippet=snippet, **evidence
    )


def checked(evidence: Evidence) -> Evidence:
    check_claims(evidence.claim.project)
    evidence.refresh_from_db()
    evidence.claim.refresh_from_db()
    return evidence


def findings(claim: Claim, check: str) -> list[Finding]:
    return list(claim.findings.filter(check_id=check).order_by("pk"))


def test_a_sound_claim_is_located_and_raises_no_error(project: Project) -> None:
    evidence = make(
        project,
        "Median overall survival was 21.4 months with drug X.",
        "median overall survival was 21.4 months",
    )

    checked(evidence)

    assert evidence.grade == "exact"
    assert TEXT[evidence.start : evidence.end] == "median overall survival was 21.4 months"
    assert evidence.claim.open_errors == 0
    assert evidence.claim.risk is not None
    assert evidence.claim.checked_at is not None


def test_an_altered_number_shows_in_ledger_check_and_list_row(project: Project) -> None:
    evidence = make(
        project,
        "Median overall survival was 24.1 months with drug X.",
        "median overall survival was 21.4 months",
    )

    checked(evidence)

    assert [row["relation"] for row in evidence.ledger] == ["different"]
    assert findings(evidence.claim, "number-ledger")[0].severity == "error"
    assert evidence.claim.summary["checks"]["number-ledger"] == "error"
    assert evidence.claim.open_errors == 1


def test_a_quote_with_an_altered_number_is_not_located(project: Project) -> None:
    evidence = make(
        project, "Median survival was 31.4 months.", "median overall survival was 31.4 months"
    )

    checked(evidence)

    assert evidence.grade in {"partial", "absent"}
    assert findings(evidence.claim, "quote-grade")


def test_what_is_missing_in_an_abstract_cannot_be_checked_there(project: Project) -> None:
    evidence = make(project, "Hair loss was seen in 9%.", "hair loss in 9% of all patients")
    evidence.snapshot.depth = Snapshot.Depth.ABSTRACT_ONLY
    evidence.snapshot.save()

    checked(evidence)

    assert (evidence.grade, evidence.grade_reason) == ("not_checkable", "depth:abstract_only")


def test_evidence_without_snapshot_is_not_checkable_and_counts_no_risk(project: Project) -> None:
    claim = ClaimFactory(project=project)
    evidence = EvidenceFactory(claim=claim, snapshot=None, snapshot_ref="")

    checked(evidence)

    assert (evidence.grade, evidence.grade_reason) == ("not_checkable", "no-snapshot")
    assert evidence.claim.risk is None
    assert evidence.claim.risk_order == -1.0


def test_a_missing_blob_is_said_and_stops_nothing_else(project: Project) -> None:
    lost = make(project, "Serious events occurred in 34%.", "Serious adverse events")
    lost.snapshot.content_hash = "0" * 64
    lost.snapshot.save()
    other = make(
        project, "Serious adverse events occurred in 34% of patients.", "Serious adverse events"
    )

    checked(lost)
    other.refresh_from_db()

    assert lost.grade_reason.startswith("snapshot-unreadable")
    assert other.grade == "exact"


def test_a_second_run_has_nothing_to_do(project: Project) -> None:
    make(project, "Median overall survival was 24.1 months.", "overall survival was 21.4 months")
    first = check_claims(project)

    second = check_claims(project)

    assert first == {"located": 1, "checked": 1}
    assert second == {"located": 0, "checked": 0}


def test_a_dismissal_survives_recomputation(project: Project, reviewer: User) -> None:
    evidence = make(
        project, "Median overall survival was 24.1 months.", "overall survival was 21.4 months"
    )
    checked(evidence)
    finding = findings(evidence.claim, "number-ledger")[0]
    actions.decide_finding(finding=finding, state="dismissed", reason="other arm", by=reviewer)

    forget(project)
    check_claims(project)

    finding.refresh_from_db()
    assert (finding.state, finding.reason, finding.facts_changed) == (
        "dismissed",
        "other arm",
        False,
    )
    assert Finding.objects.filter(fingerprint=finding.fingerprint).count() == 1


def test_a_finding_that_holds_no_more_is_outdated_and_comes_back_as_decided(
    project: Project, reviewer: User
) -> None:
    evidence = make(
        project, "Median overall survival was 24.1 months.", "overall survival was 21.4 months"
    )
    checked(evidence)
    finding = findings(evidence.claim, "number-ledger")[0]
    actions.decide_finding(finding=finding, state="dismissed", reason="other arm", by=reviewer)

    Claim.objects.update(text="Median overall survival was 21.4 months.")
    forget(project)
    check_claims(project)
    finding.refresh_from_db()
    after_mending = (finding.state, finding.reason)
    Claim.objects.update(text="Median overall survival was 24.1 months.")
    forget(project)
    check_claims(project)

    finding.refresh_from_db()
    assert after_mending == ("outdated", "other arm")
    assert finding.state == "dismissed"


def test_offsets_are_code_points_beside_characters_outside_the_first_plane(
    project: Project,
) -> None:
    text = "𠮷野家😀 " + TEXT
    source = SourceFactory(project=project)
    snapshot = SnapshotFactory(project=project, normalized_url=source.url, text=text)
    claim = ClaimFactory(project=project, text="34% had serious adverse events.")
    evidence = EvidenceFactory(
        claim=claim, source=source, snapshot=snapshot, snippet="Serious adverse events occurred"
    )

    checked(evidence)

    assert text[evidence.start : evidence.end] == "Serious adverse events occurred"


def test_query_count_does_not_grow_with_claims(
    project: Project, django_assert_max_num_queries: Any
) -> None:
    for number in range(40):
        make(project, f"Serious adverse events occurred in {number}%.", "Serious adverse events")

    # One snapshot with one text, its claims, and one chunk of checks.
    assert blobs().exists(Snapshot.objects.first().content_hash)
    check_claims(project)
    forget(project)
    with django_assert_max_num_queries(400):
        check_claims(project)


def test_the_same_evidence_given_twice_is_proposed_for_twice(project: Project) -> None:
    claim = ClaimFactory(project=project)
    first = EvidenceFactory(claim=claim)
    EvidenceFactory(
        claim=claim,
        source=first.source,
        snapshot=first.snapshot,
        content_hash=first.content_hash,
    )

    check_claims(project)

    one, two = Evidence.objects.order_by("position")
    assert one.support_proposal != ""
    assert (one.support_proposal, one.proposal_reasons) == (
        two.support_proposal,
        two.proposal_reasons,
    )
