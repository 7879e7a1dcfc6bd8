"""Keep each claim's place in the audit: its state, its counts, what its list row shows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from workbench.lib.rows import rewrite

from .models import Assessment, Claim, Defect, Evidence, Finding, Verdict

CHUNK = 500
_RANK = {"error": 0, "warning": 1, "info": 2}


def state_of(verdicts: Sequence[tuple[str, bool]]) -> str:
    """Give a claim's state from its (decision, stale) pairs, withdrawn ones left out."""
    given = [(decision, stale) for decision, stale in verdicts if decision]
    if not given:
        return Claim.State.OPEN
    if any(stale for _, stale in given):
        return Claim.State.STALE
    if len({decision for decision, _ in given}) > 1:
        return Claim.State.CONFLICT
    return Claim.State.DONE


def refresh(claim_ids: Iterable[int]) -> None:
    """Bring the kept fields of claims up to date. Six queries for each 500 claims."""
    ids = sorted(set(claim_ids))
    for at in range(0, len(ids), CHUNK):
        _refresh_chunk(ids[at : at + CHUNK])


def _refresh_chunk(ids: list[int]) -> None:
    verdicts: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    for claim, decision, stale in Verdict.objects.filter(claim__in=ids).values_list(
        "claim", "decision", "stale"
    ):
        verdicts[claim].append((decision, stale))
    findings: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for claim, check, severity in (
        Finding.objects.filter(claim__in=ids, state=Finding.State.OPEN)
        .order_by("pk")
        .values_list("claim", "check_id", "severity")
    ):
        findings[claim].append((check, severity))
    hard: dict[int, int] = defaultdict(int)
    for (claim,) in Defect.objects.filter(
        claim__in=ids, withdrawn=False, severity=Defect.Severity.HARD, state=Defect.State.OPEN
    ).values_list("claim"):
        hard[claim] += 1
    rows: dict[int, list[dict[str, str]]] = defaultdict(list)
    # The last to judge wins the row of the list; the claim's page shows everybody.
    trust = dict(
        Assessment.objects.filter(evidence__claim__in=ids)
        .exclude(trust="")
        .order_by("updated_at")
        .values_list("evidence", "trust")
    )
    for pk, claim, grade, proposal in (
        Evidence.objects.filter(claim__in=ids, current=True)
        .order_by("position")
        .values_list("pk", "claim", "grade", "trust_proposal")
    ):
        rows[claim].append({"grade": grade, "trust": trust.get(pk, ""), "proposed": proposal})
    claims = list(Claim.objects.filter(pk__in=ids))
    for each in claims:
        each.state = state_of(verdicts[each.pk])
        each.open_errors = sum(s == "error" for _, s in findings[each.pk])
        each.open_warnings = sum(s == "warning" for _, s in findings[each.pk])
        each.hard_defects = hard[each.pk]
        each.summary = _summary(findings[each.pk], rows[each.pk], verdicts[each.pk])
    rewrite(Claim, claims, ("state", "open_errors", "open_warnings", "hard_defects", "summary"))


def _summary(
    findings: list[tuple[str, str]],
    evidence: list[dict[str, str]],
    verdicts: list[tuple[str, bool]],
) -> dict[str, Any]:
    checks: dict[str, str] = {}
    for check, severity in findings:
        if check not in checks or _RANK[severity] < _RANK[checks[check]]:
            checks[check] = severity
    given = [decision for decision, _ in verdicts if decision]
    return {
        "checks": dict(sorted(checks.items(), key=lambda pair: (_RANK[pair[1]], pair[0]))),
        "evidence": evidence,
        "slots": len(given),
        "differ": len(set(given)) > 1,
    }
