"""Locate, check and rate the claims of a project. May be killed at any moment and run again.

Only what has not been done since it last changed is done: evidence whose ``located_at`` is empty,
claims whose ``checked_at`` is empty. To do all of it anew, call ``forget`` first.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from reviews import locating, standing
from reviews.checks import CHECKS
from reviews.checks.base import Check, ClaimFacts
from reviews.checks.base import Finding as Raised
from reviews.facts import claims_with_facts, digest
from reviews.models import Claim, Evidence, Finding
from reviews.placing import place
from reviews.proposals import propose
from reviews.risk import Risk
from reviews.sealing import place_of
from sources.models import Project, Snapshot
from sources.running import Running
from workbench.lib.rows import rewrite

CHUNK = 500  # claims checked in one transaction
EVIDENCE_CHUNK = 1_000


def forget(project: Project, claim_ids: Iterable[int] | None = None) -> None:
    """Mark claims, or all of the project, as to be located and checked anew."""
    claims = Claim.objects.filter(project=project, current=True)
    if claim_ids is not None:
        claims = claims.filter(pk__in=list(claim_ids))
    Evidence.objects.filter(claim__in=claims, current=True).update(located_at=None)
    claims.update(checked_at=None, risk=None, risk_terms={}, passages=[])
    place(claims, project.sealed_share)


def check_claims(project: Project, *, running: Running | None = None) -> dict[str, int]:
    """Locate and check what waits for it; give how much was done.

    Progress goes through the stages ``locating`` and ``checking``.
    """
    located = _locate(project, running)
    checked = _check(project, running)
    return {"located": located, "checked": checked}


# --- Locating ---------------------------------------------------------------------------------


def _locate(project: Project, running: Running | None) -> int:
    waiting = Evidence.objects.filter(claim__project=project, current=True, located_at__isnull=True)
    total, done = waiting.count(), 0
    while True:
        bare = list(waiting.filter(snapshot__isnull=True).select_related("claim")[:EVIDENCE_CHUNK])
        if not bare:
            break
        locating.without_snapshot(bare)
        _save_located(bare, [], project.sealed_share)
        done += len(bare)
        _progress(running, "locating", done, total)
    snapshots = (
        waiting.filter(snapshot__isnull=False)
        .order_by("snapshot")
        .values_list("snapshot")
        .distinct()
    )
    for (pk,) in list(snapshots):
        done += _locate_snapshot(waiting, pk, project.sealed_share)
        _progress(running, "locating", done, total)
    return done


def _locate_snapshot(waiting: Any, pk: int, share: int) -> int:
    snapshot = Snapshot.objects.get(pk=pk)
    items = list(waiting.filter(snapshot=pk).select_related("claim", "source"))
    risks = list(locating.locate_in(snapshot, items))
    _save_located(items, risks, share)
    return len(items)


@transaction.atomic
def _save_located(
    items: Sequence[Evidence], risks: Sequence[locating.ClaimRisk], share: int
) -> None:
    rewrite(Evidence, items, locating.LOCATED_FIELDS)
    claims = Claim.objects.in_bulk({item.claim_id for item in items})
    by_claim = {each.claim: each.risk for each in risks}
    snapshot = items[0].snapshot_id if items else None
    changed = []
    for pk, claim in claims.items():
        claim.checked_at = None
        if pk in by_claim and _lower(by_claim[pk], claim):
            _set_risk(claim, by_claim[pk], snapshot, share)
        changed.append(claim)
    fields = ["checked_at", "risk", "risk_terms", "risk_order", "passages"]
    rewrite(Claim, changed, fields)


def _lower(risk: Risk, claim: Claim) -> bool:
    """A claim is as risky as its best source leaves it."""
    if claim.risk is None:
        return True
    return risk.value is not None and risk.value < claim.risk


def _set_risk(claim: Claim, risk: Risk, snapshot: int | None, share: int) -> None:
    claim.risk = risk.value
    claim.risk_order = place_of(claim.seal, share, risk.value)
    claim.risk_terms = dict(risk.terms)
    claim.passages = [
        {"snapshot": snapshot, "start": p.start, "end": p.end, "score": p.score}
        for p in risk.passages
        if p.score > 0
    ]


# --- Checking ---------------------------------------------------------------------------------


def _check(project: Project, running: Running | None) -> int:
    waiting = Claim.objects.filter(project=project, current=True, checked_at__isnull=True)
    total, done = waiting.count(), 0
    while chunk := list(waiting.order_by("pk")[:CHUNK]):
        _check_chunk(project, chunk)
        done += len(chunk)
        _progress(running, "checking", done, max(total, done))
    return done


def check_now(project: Project, claims: Sequence[Claim]) -> None:
    """Check some located claims at once, in the caller's transaction if there is one."""
    for at in range(0, len(claims), CHUNK):
        _check_chunk(project, list(claims[at : at + CHUNK]))


@transaction.atomic
def _check_chunk(project: Project, claims: list[Claim]) -> None:
    # Two jobs may check one claim at once; whoever comes second finds what the first one wrote.
    held = Claim.objects.select_for_update(no_key=True).filter(pk__in=[row.pk for row in claims])
    list(held.order_by("pk").values_list("pk"))
    proposals: list[Evidence] = []
    merge = FindingsMerge(claims)
    for claim, evidence, facts in claims_with_facts(project, claims):
        merge.add(claim, evidence, raised_by(CHECKS, facts))
        claim.sources_hash = digest(item.source for item in facts.evidence if item.source)
        for item, given in zip(facts.evidence, propose(facts), strict=True):
            row = evidence[item.key]
            row.support_proposal, row.trust_proposal = given.support, given.trust
            row.proposal_reasons = [{"en": r.en, "zh": r.zh} for r in given.reasons]
            proposals.append(row)
    merge.save()
    fields = ["support_proposal", "trust_proposal", "proposal_reasons"]
    rewrite(Evidence, proposals, fields)
    rewrite(Claim, claims, ["sources_hash"])
    ids = [claim.pk for claim in claims]
    standing.refresh(ids)
    Claim.objects.filter(pk__in=ids).update(checked_at=timezone.now())


def raised_by(checks: Iterable[Check], facts: ClaimFacts) -> list[tuple[Check, Raised]]:
    """Run checks over the facts of one claim."""
    return [(check, finding) for check in checks for finding in check.run(facts)]


def fingerprint(check: Check, finding: Raised) -> str:
    """Name a finding so that the same one is known again after a recomputation."""
    said = "\n".join((check.id, finding.code, finding.evidence_key, finding.place))
    return hashlib.sha256(said.encode()).hexdigest()[:40]


class FindingsMerge:
    """Fit newly raised findings to the stored ones of some claims; human decisions stay."""

    FIELDS = (
        "evidence",
        "check_version",
        "severity",
        "params",
        "place",
        "state",
        "facts_changed",
        "version",
    )

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.stored: dict[int, dict[str, Finding]] = defaultdict(dict)
        for finding in Finding.objects.filter(claim__in=claims):
            self.stored[finding.claim_id][finding.fingerprint] = finding
        self.new: list[Finding] = []
        self.changed: list[Finding] = []

    def add(
        self, claim: Claim, evidence: dict[str, Evidence], raised: list[tuple[Check, Raised]]
    ) -> None:
        """Take what one claim's checks raised now; what they raise no more is outdated."""
        stored = self.stored[claim.pk]
        seen: set[str] = set()
        for check, finding in raised:
            key = fingerprint(check, finding)
            if key in seen:
                continue
            seen.add(key)
            values = {
                "evidence": evidence.get(finding.evidence_key),
                "check_version": check.version,
                "severity": finding.severity,
                "params": dict(finding.params),
                "place": finding.place[:300],
            }
            if key in stored:
                self._update(stored[key], values)
            else:
                self.new.append(
                    Finding(
                        claim=claim,
                        fingerprint=key,
                        check_id=check.id,
                        code=finding.code,
                        **values,
                    )
                )
        for key, row in stored.items():
            if key not in seen and row.state != Finding.State.OUTDATED:
                row.state = Finding.State.OUTDATED
                row.version += 1
                self.changed.append(row)

    def _update(self, row: Finding, values: dict[str, Any]) -> None:
        other_facts = (row.params, row.severity) != (values["params"], values["severity"])
        returns = row.state == Finding.State.OUTDATED
        moved = row.evidence_id != (values["evidence"].pk if values["evidence"] else None)
        if not (other_facts or returns or moved or row.check_version != values["check_version"]):
            return
        for name, value in values.items():
            setattr(row, name, value)
        if returns:
            row.state = row.decision or Finding.State.OPEN
        if row.decision and other_facts:
            row.facts_changed = True
        row.version += 1
        self.changed.append(row)

    def save(self) -> None:
        Finding.objects.bulk_create(self.new, batch_size=500)
        rewrite(Finding, self.changed, self.FIELDS)


def _progress(running: Running | None, stage: str, done: int, total: int) -> None:
    if running is not None:
        running.progress(stage, done, total)
