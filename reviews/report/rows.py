"""Rows of a review as plain values: what its JSON holds and its pages show. Pure."""

from dataclasses import asdict
from typing import Any

from reviews.report.counts import EQUAL, FOUND, QUOTED, final_verdict
from reviews.report.defects import cut, merge
from reviews.report.records import AssessmentRecord, ClaimRecord, EvidenceRecord, FindingRecord

PASSAGE = 300  # characters


def claim_row(claim: ClaimRecord) -> dict[str, Any]:
    """Give a claim with its verdicts, evidence and decided findings."""
    return {
        "id": claim.id,
        "dimension": claim.dimension,
        "origin": claim.origin,
        "version": claim.version,
        "text": claim.text,
        "kind": claim.kind,
        "is_key": claim.is_key,
        "state": claim.state,
        "verdict": final_verdict(claim),
        "verdicts": [asdict(v) for v in claim.verdicts if v.decision],
        "evidence": [_evidence(item) for item in claim.evidence],
        "findings": [_finding(f) for f in claim.findings if f.state != "outdated"],
        "defects": [f"{row['code']} {row['severity']} {row['state']}" for row in _merged(claim)],
        "shares": _shares(claim),
    }


def _merged(claim: ClaimRecord) -> list[dict[str, Any]]:
    return merge(claim.defects, claim.evidence) if claim.defects else []


def _evidence(item: EvidenceRecord) -> dict[str, Any]:
    return {
        "position": item.position,
        "source": item.source,
        "url": item.url,
        "quote_type": item.quote_type,
        "snapshot_ref": item.snapshot_ref,
        "version_ref": item.version_ref,
        "version_fixed": bool(item.snapshot_ref),
        "depth": item.depth,
        "grade": item.grade,
        "grade_reason": item.grade_reason,
        "start": item.start,
        "end": item.end,
        "passage": cut(item.passage, PASSAGE),
        "proposed": {"support": item.support_proposal, "trust": item.trust_proposal},
        "assessments": [_assessment(a) for a in item.assessments],
    }


def _assessment(given: AssessmentRecord) -> dict[str, Any]:
    return asdict(given) | {"aspects": list(given.aspects)}


def standing_assessments(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Give what people said of the evidence of a claim's row, what went stale left out.

    Rows of older reports do not say it.
    """
    given = (a for item in row["evidence"] for a in item["assessments"])
    return [a for a in given if not a.get("stale")]


def _finding(finding: FindingRecord) -> dict[str, Any]:
    row = asdict(finding)
    if finding.state == "open":
        for name in ("reason", "decided_by", "decided_at"):
            del row[name]
    return row


def _shares(claim: ClaimRecord) -> dict[str, list[int]]:
    """Give (found, all) of the quotes and (equal, all) of the numbers, for the claims table."""
    quotes = [item for item in claim.evidence if item.quote_type in QUOTED]
    numbers: dict[tuple[int, int], bool] = {}
    for item in claim.evidence:
        for start, end, relation in item.numbers:
            equal = item.grade in FOUND and relation in EQUAL
            numbers[start, end] = numbers.get((start, end), False) or equal
    return {
        "quotes": [sum(item.grade in FOUND for item in quotes), len(quotes)],
        "numbers": [sum(numbers.values()), len(numbers)],
    }


def verification_rows(claim: ClaimRecord) -> list[dict[str, Any]]:
    """Give every standing outcome of an independent verification (A4) of a claim's evidence."""
    return [
        {
            "claim": claim.id,
            "evidence": item.position,
            "url": item.url,
            "source": item.source,
            "snapshot_ref": item.version_ref or item.snapshot_ref,
            "access": "cache_reused",  # a review opens what is stored; it fetches nothing live
            "step": "A4",
            "outcome": given.outcome,
            "note": given.outcome_note,
            "reviewer": given.reviewer,
            "at": given.at,
        }
        for item in claim.evidence
        for given in item.assessments
        if given.outcome and not given.stale
    ]


def unfixed_rows(claim: ClaimRecord) -> list[str]:
    """Name the evidence whose file left the version open, so that one was chosen."""
    return [
        f"{claim.id} #{item.position}"
        for item in claim.evidence
        if item.version_ref and not item.snapshot_ref
    ]
