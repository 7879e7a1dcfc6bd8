"""Give a verdict with its defects, put a claim off. Rulebook section 7."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews import standing
from reviews.defects import BY_CODE
from reviews.models import Assessment, Claim, Defect, Draft, Finding, Snooze, Verdict
from sources.models import User
from sources.recording import Entry, record

from .deciding import dismiss_many
from .errors import ActionRefused, ClaimChanged, Conflict
from .rows import begin, content, entry, require, save_row


@dataclass(frozen=True, slots=True)
class DefectInput:
    """One defect as the reviewer filled it in."""

    code: str
    severity: str = ""  # empty: as proposed for the code
    severity_reason: str = ""
    text: str = ""
    action: str = ""
    evidence_id: int | None = None
    finding_id: int | None = None


@dataclass(frozen=True, slots=True)
class VerdictInput:
    """What a reviewer sends: the decision, its words, its defects."""

    decision: str
    note: str = ""
    defects: tuple[DefectInput, ...] = ()
    dismissals: dict[int, str] = field(default_factory=dict)  # finding pk -> reason
    active_ms: int = 0
    provisional: str = ""


def _severity(item: DefectInput, claim: Claim) -> str:
    code = BY_CODE.get(item.code)
    if code is None:
        raise ActionRefused("unknown-defect", _("“%s” is no defect code.") % item.code)
    proposed = code.severity(key_claim=claim.is_key)
    chosen = item.severity or proposed
    if chosen not in Defect.Severity.values:
        raise ActionRefused("unknown-value", _("“%s” is no severity.") % chosen)
    if chosen != proposed and not item.severity_reason.strip():
        raise ActionRefused(
            "reason-missing", _("%s: say why the severity differs from the rule.") % item.code
        )
    return chosen


def _check_seen(claim: Claim, version: int) -> None:
    """Read the claim again: what was read before the chain was held may be old by now."""
    claim.refresh_from_db(fields=["version", "is_key"])
    if claim.version != version:
        raise ClaimChanged


def _check_revise(given: VerdictInput) -> None:
    if not given.defects:
        raise ActionRefused(
            "defect-missing", _("“Revise” needs at least one defect: press a digit.")
        )


def _check_pass(claim: Claim, given: VerdictInput, by: User) -> list[Finding]:
    """Give the findings to dismiss; raise where a rule forbids to pass."""
    if given.defects:
        hard = [d.code for d in given.defects if _severity(d, claim) == Defect.Severity.HARD]
        if hard:
            raise ActionRefused(
                "hard-defect", _("%s is a hard defect: the claim must be revised.") % hard[0]
            )
    red = list(claim.findings.filter(severity=Finding.Severity.ERROR).order_by("pk"))
    confirmed = [f for f in red if f.state == Finding.State.CONFIRMED]
    if confirmed:
        raise ActionRefused(
            "confirmed-finding",
            _("A confirmed error stands against the claim: choose “revise”, or reopen it."),
            findings=[f.pk for f in confirmed],
        )
    still_open = [f for f in red if f.state == Finding.State.OPEN]
    unanswered = [f for f in still_open if not given.dismissals.get(f.pk, "").strip()]
    if unanswered:
        message = ngettext(
            "%d red check: dismiss it with a reason, or revise.",
            "%d red checks: dismiss each with a reason, or revise.",
            len(unanswered),
        )
        raise ActionRefused(
            "red-checks", message % len(unanswered), findings=[f.pk for f in unanswered]
        )
    _check_weak(claim, by)
    return still_open


def _check_weak(claim: Claim, by: User) -> None:
    """A claim that only weak evidence carries needs an outcome of verification (A4)."""
    mine = list(
        Assessment.objects.filter(evidence__claim=claim, evidence__current=True, reviewer=by)
    )
    support = {Assessment.Support.FULL, Assessment.Support.PARTIAL}
    carrying = [a for a in mine if a.support in support]
    weak = [a for a in carrying if a.trust == Assessment.Trust.WEAK_UNTRUSTED]
    if not weak or len(weak) < len(carrying):
        return
    outcomes = {a.outcome for a in weak}
    good = {Assessment.Outcome.VERIFIED, Assessment.Outcome.PARTIALLY_VERIFIED}
    if Assessment.Outcome.CONTRADICTED in outcomes:
        raise ActionRefused("contradicted", _("Verification contradicted the claim: revise it."))
    if not outcomes & good:
        raise ActionRefused(
            "weak-unverified",
            _("Only weak sources carry this claim: record an independent verification, or revise."),
        )


def _save_verdict(
    claim: Claim, given: VerdictInput, by: User, base_version: int
) -> tuple[Verdict, Entry]:
    mine = Verdict.objects.filter(claim=claim, reviewer=by).first()
    values: dict[str, Any] = {
        "decision": given.decision,
        "note": given.note.strip(),
        "claim_version": claim.version,
        "stale": False,
        "stale_reason": "",
        "active_ms": (mine.active_ms if mine else 0) + max(0, min(given.active_ms, 86_400_000)),
        "updated_at": timezone.now(),
    }
    if given.provisional and not (mine and mine.provisional):
        values["provisional"] = given.provisional
    created = mine is None
    if mine is None:
        if base_version:
            raise Conflict(None)
        mine, created = Verdict.objects.get_or_create(claim=claim, reviewer=by)
        base_version = mine.version if created else -1  # another tab was first
    old, new = save_row(mine, base_version=base_version, values=values)
    action = "verdict.given" if created else "verdict.changed"
    change = entry(action, mine, claim.external_id, old=None if created else old, new=new)
    return mine, change


def _save_defects(claim: Claim, given: VerdictInput, by: User) -> list[Entry]:
    """Make the reviewer's defects on the claim the given ones; drop the others, never erase."""
    wanted = {item.code: item for item in given.defects}
    entries = []
    for row in Defect.objects.filter(claim=claim, reviewer=by, withdrawn=False):
        item = wanted.pop(row.code, None)
        values = {"withdrawn": True} if item is None else _defect_values(item, claim)
        if all(getattr(row, name) == value for name, value in values.items()):
            continue
        old, new = save_row(row, base_version=None, values=values)
        action = "defect.withdrawn" if item is None else "defect.changed"
        entries.append(entry(action, row, claim.external_id, old=old, new=new))
    for item in wanted.values():
        row = Defect.objects.create(
            project_id=claim.project_id,
            claim=claim,
            dimension_id=claim.dimension_id,
            reviewer=by,
            code=item.code,
            **_defect_values(item, claim),
        )
        new = content(row) | {"version": row.version}
        entries.append(entry("defect.recorded", row, claim.external_id, old=None, new=new))
    return entries


def _defect_values(item: DefectInput, claim: Claim) -> dict[str, Any]:
    evidence = claim.evidence.filter(pk=item.evidence_id).first() if item.evidence_id else None
    finding = claim.findings.filter(pk=item.finding_id).first() if item.finding_id else None
    return {
        "severity": _severity(item, claim),
        "severity_reason": item.severity_reason.strip(),
        "text": item.text.strip(),
        "action": item.action.strip(),
        "evidence": evidence,
        "finding": finding,
    }


@transaction.atomic
def give_verdict(
    *,
    claim: Claim,
    given: VerdictInput,
    by: User,
    base_version: int = 0,
    claim_version: int | None = None,
) -> Verdict:
    """Record a reviewer's decision on a claim with its defects.

    ``base_version`` is the version of the reviewer's verdict that the page showed, 0 for none;
    ``claim_version`` that of the claim, None for the one given here.
    Raises ActionRefused where a rule forbids it (codes ``defect-missing``, ``hard-defect``,
    ``red-checks``, ``confirmed-finding``, ``weak-unverified``, ``contradicted``), Conflict where
    the verdict was saved elsewhere in between, ClaimChanged where an import changed the claim.
    Rulebook section 7.
    """
    begin(by, "review", claim.project)
    _check_seen(claim, claim.version if claim_version is None else claim_version)
    if given.decision not in Verdict.Decision.values:
        raise ActionRefused("unknown-value", _("“%s” is no verdict.") % given.decision)
    to_dismiss: list[Finding] = []
    if given.decision == Verdict.Decision.REVISE:
        _check_revise(given)
    elif given.decision == Verdict.Decision.PASS:
        to_dismiss = _check_pass(claim, given, by)
    elif any(_severity(d, claim) == Defect.Severity.HARD for d in given.defects):
        raise ActionRefused("hard-defect", _("A hard defect means the claim must be revised."))
    verdict, change = _save_verdict(claim, given, by, base_version)
    entries = [change, *_save_defects(claim, given, by)]
    entries += dismiss_many(to_dismiss, given.dismissals, by=by)
    Snooze.objects.filter(claim=claim, reviewer=by).delete()
    Draft.objects.filter(claim=claim, user=by, slot="verdict").delete()
    record(claim.project, entries, by=by)
    standing.refresh([claim.pk])
    return verdict


@transaction.atomic
def snooze_claim(*, claim: Claim, until: date, note: str = "", by: User) -> Snooze:
    """Put a claim off until a date: no verdict, and it leaves the reviewer's queue till then."""
    require(by, "review", claim.project)
    if until <= timezone.localdate():
        raise ActionRefused("date-past", _("Choose a day after today."))
    mine = Snooze.objects.filter(claim=claim, reviewer=by).first()
    old = content(mine) if mine else None
    row, _created = Snooze.objects.update_or_create(
        claim=claim, reviewer=by, defaults={"until": until, "note": note.strip()}
    )
    change = entry("claim.snoozed", row, claim.external_id, old=old, new=content(row))
    record(claim.project, [change], by=by)
    return row


@transaction.atomic
def snooze_many(*, claims: Sequence[Claim], until: date, by: User, batch_id: str) -> int:
    """Put many claims off at once, under one batch id that one undo takes back."""
    if not claims:
        return 0
    project = claims[0].project
    require(by, "review", project)
    if until <= timezone.localdate():
        raise ActionRefused("date-past", _("Choose a day after today."))
    standing_rows = {s.claim_id: s for s in Snooze.objects.filter(claim__in=claims, reviewer=by)}
    entries = []
    for claim in claims:
        row = standing_rows.get(claim.pk)
        old = content(row) if row else None
        row = row or Snooze(claim=claim, reviewer=by)
        row.until = until
        row.save()
        entries.append(entry("claim.snoozed", row, claim.external_id, old=old, new=content(row)))
    record(project, entries, by=by, batch_id=batch_id)
    return len(entries)
