"""Keep each claim's place in the audit: its state, its counts, what its list row shows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Verdict
from workbench.lib.prepared import Given, prepared
from workbench.lib.rows import rewrite

CHUNK = 500
FEW = 8  # claims that are written one by one: sooner done than reading and writing them whole
KEPT = ("state", "open_errors", "open_warnings", "hard_defects", "summary")
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
    """Bring the kept fields of claims up to date. Seven to fourteen queries for each 500 claims."""
    ids = sorted(set(claim_ids))
    for at in range(0, len(ids), CHUNK):
        _refresh_chunk(ids[at : at + CHUNK])


def _refresh_chunk(ids: list[int]) -> None:
    verdicts: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    for claim, decision, stale in _verdicts(claims=ids):
        verdicts[claim].append((decision, stale))
    findings: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for claim, check, severity in _findings(claims=ids):
        findings[claim].append((check, severity))
    hard = Counter(claim for (claim,) in _hard_defects(claims=ids))
    trust: dict[int, str] = dict(_trust(claims=ids))
    rows: dict[int, list[dict[str, str]]] = defaultdict(list)
    for pk, claim, grade, proposal in _evidence(claims=ids):
        rows[claim].append({"grade": grade, "trust": trust.get(pk, ""), "proposed": proposal})
    changed: dict[int, tuple[Any, ...]] = {}
    for pk, *kept in _kept(claims=ids):
        raised = Counter(severity for _, severity in findings[pk])
        now = (
            state_of(verdicts[pk]),
            raised["error"],
            raised["warning"],
            hard[pk],
            _summary(findings[pk], rows[pk], verdicts[pk]),
        )
        if now != tuple(kept):
            changed[pk] = now
    _write(changed)


def _write(changed: Mapping[int, tuple[Any, ...]]) -> None:
    if len(changed) <= FEW:
        for pk, values in changed.items():
            Claim.objects.filter(pk=pk).update(**dict(zip(KEPT, values, strict=True)))
        return
    claims = list(Claim.objects.filter(pk__in=changed))
    for claim in claims:
        for name, value in zip(KEPT, changed[claim.pk], strict=True):
            setattr(claim, name, value)
    rewrite(Claim, claims, KEPT)


@prepared
def _verdicts(claims: Given) -> QuerySet[Any, Any]:
    rows = Verdict.objects.filter(claim__in=claims)
    return rows.order_by().values_list("claim", "decision", "stale")


@prepared
def _findings(claims: Given) -> QuerySet[Any, Any]:
    rows = Finding.objects.filter(claim__in=claims, state=Finding.State.OPEN)
    return rows.order_by("pk").values_list("claim", "check_id", "severity")


@prepared
def _hard_defects(claims: Given) -> QuerySet[Any, Any]:
    rows = Defect.objects.filter(claim__in=claims, withdrawn=False, state=Defect.State.OPEN)
    return rows.filter(severity=Defect.Severity.HARD).order_by().values_list("claim")


@prepared
def _trust(claims: Given) -> QuerySet[Any, Any]:
    """Give (evidence, trust class), the last to judge last: in the list his class is shown."""
    rows = Assessment.objects.filter(evidence__claim__in=claims, stale=False).exclude(trust="")
    return rows.order_by("updated_at").values_list("evidence", "trust")


@prepared
def _evidence(claims: Given) -> QuerySet[Any, Any]:
    rows = Evidence.objects.filter(claim__in=claims, current=True).order_by("position")
    return rows.values_list("pk", "claim", "grade", "trust_proposal")


@prepared
def _kept(claims: Given) -> QuerySet[Any, Any]:
    return Claim.objects.filter(pk__in=claims).order_by().values_list("pk", *KEPT)


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
