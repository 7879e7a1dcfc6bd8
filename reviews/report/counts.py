"""Count an audit as its report states it: each share with its numbers. Metrics section 3. Pure."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from reviews.report.records import ClaimRecord, EvidenceRecord

QUOTED = frozenset({"direct", "numeric"})
FOUND = frozenset({"exact", "normalised"})
EQUAL = frozenset({"equal", "converted"})
# A capture of these depths holds no text that could carry or refute anything.
UNUSABLE = frozenset({"paywall", "error_page", "captcha", "too_short", "no_text"})


@dataclass(slots=True)
class Tally:
    """Counts over the claims of one review, added up one claim at a time."""

    claims: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    evidence: Counter[str] = field(default_factory=Counter)
    quotes: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    not_checkable: Counter[str] = field(default_factory=Counter)  # reason -> evidence
    pairs: Counter[str] = field(default_factory=Counter)

    def add(self, claim: ClaimRecord) -> None:
        """Count a claim and all that belongs to it."""
        given = [v for v in claim.verdicts if v.decision]
        self.claims["total"] += 1
        self.claims[claim.state] += 1
        self.claims["audited"] += bool(given)
        self.claims["hard"] += any(
            d.severity == "hard" and d.state == "open" for d in claim.defects
        )
        self.verdicts[final_verdict(claim)] += 1
        if len(given) > 1:
            self.pairs["double"] += 1
            self.pairs["same"] += len({v.decision for v in given}) == 1
        for finding in claim.findings:
            self.findings[finding.state] += 1
            self.findings["open_errors"] += finding.state == "open" and finding.severity == "error"
        for item in claim.evidence:
            self._add_evidence(item)
        self._add_numbers(claim)

    def _add_evidence(self, item: EvidenceRecord) -> None:
        self.evidence["total"] += 1
        standing = [a for a in item.assessments if not a.stale]
        self.evidence["assessed"] += any(a.support or a.trust for a in standing)
        self.evidence["unconfirmed"] += not any(a.support for a in standing) and bool(
            item.support_proposal or item.trust_proposal
        )
        self.evidence["unusable"] += item.depth in UNUSABLE
        self.evidence["abstract_only"] += item.depth == "abstract_only"
        self.evidence["without_snapshot"] += not item.version_ref
        self.evidence["version_not_fixed"] += bool(item.version_ref and not item.snapshot_ref)
        if item.grade == "not_checkable":
            self.evidence["not_checkable"] += 1
            self.not_checkable[item.grade_reason or "unknown"] += 1
        if item.quote_type in QUOTED:
            self.quotes["total"] += 1
            self.quotes[_of_quote(item)] += 1
            self.quotes["interleaved"] += item.grade == "interleaved"

    def _add_numbers(self, claim: ClaimRecord) -> None:
        best: dict[tuple[int, int], str] = {}
        for item in claim.evidence:
            looked = item.grade in FOUND
            for start, end, relation in item.numbers:
                said = "not_checked" if not looked else "equal" if relation in EQUAL else "differs"
                held = best.get((start, end), "not_checked")
                best[start, end] = min(held, said, key=_RANK.index)
        self.numbers["total"] += len(best)
        self.numbers.update(best.values())

    def to_json(self) -> dict[str, Any]:
        """Give every count, zeros too, so that nothing seems not to exist."""
        return {
            "claims": _all(self.claims, "total", "audited", "open", "done", "stale", "conflict")
            | {"with_hard_defect": self.claims["hard"]},
            "verdicts": _all(self.verdicts, *FINAL),
            "evidence": _all(
                self.evidence,
                "total",
                "assessed",
                "unconfirmed",
                "unusable",
                "abstract_only",
                "without_snapshot",
                "version_not_fixed",
                "not_checkable",
            ),
            "not_checkable": dict(sorted(self.not_checkable.items())),
            "quotes": _all(
                self.quotes, "total", "found", "not_found", "not_checked", "interleaved"
            ),
            "numbers": _all(self.numbers, "total", "equal", "differs", "not_checked"),
            "findings": _all(
                self.findings, "open", "open_errors", "confirmed", "dismissed", "outdated"
            ),
            "double_review": _all(self.pairs, "double", "same"),
        }


FINAL = ("pass", "revise", "cannot_judge", "conflict", "stale", "open")
_RANK = ("equal", "differs", "not_checked")


def _of_quote(item: EvidenceRecord) -> str:
    if item.grade == "not_checkable":
        return "not_checked"
    return "found" if item.grade in FOUND else "not_found"


def final_verdict(claim: ClaimRecord) -> str:
    """Give what the reviewers agreed on, or why there is no such thing: open, stale, conflict."""
    if claim.state != "done":
        return claim.state
    return next((v.decision for v in claim.verdicts if v.decision), "open")


def _all(counts: Counter[str], *names: str) -> dict[str, int]:
    return {name: counts[name] for name in names}


def share(part: int, whole: int) -> str:
    """Give a share as people read it: ``82 % (41 of 50)``; a dash where there is nothing."""
    if not whole:
        return "–"
    percent = (200 * part + whole) // (2 * whole)
    if percent == 100 and part < whole:
        percent = 99  # rounding must not say "all" where one is missing
    if percent == 0 and part:
        percent = 1
    return f"{percent} %"
