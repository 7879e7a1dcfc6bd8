"""Give a verdict with its defects, put a claim off. Rulebook section 7."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews import standing
from reviews.defects import BY_CODE
from reviews.models import Assessment, Claim, Defect, Draft, Finding, Snooze, Verdict
from sources.models import User
from sources.recording import Entry, record
from workbench.lib.prepared import Given, prepared

from .deciding import dismiss_many
from .errors import ActionRefused, Conflict
from .rows import ROWS, begin, check_seen, content, entry, save_row


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
    red = _red(claim=claim.pk)
    confirmed = [pk for pk, state in red if state == Finding.State.CONFIRMED]
    if confirmed:
        raise ActionRefused(
            "confirmed-finding",
            _("A confirmed error stands against the claim: choose “revise”, or reopen it."),
            findings=confirmed,
        )
    still_open = [pk for pk, state in red if state == Finding.State.OPEN]
    unanswered = [pk for pk in still_open if not given.dismissals.get(pk, "").strip()]
    if unanswered:
        message = ngettext(
            "%d red check: dismiss it with a reason, or revise.",
            "%d red checks: dismiss each with a reason, or revise.",
            len(unanswered),
        )
        raise ActionRefused("red-checks", message % len(unanswered), findings=unanswered)
    _check_weak(claim, by)
    return list(claim.findings.filter(pk__in=still_open).order_by("pk")) if still_open else []


@prepared
def _red(claim: Given) -> QuerySet[Any, Any]:
    rows = Finding.objects.filter(claim=claim, severity=Finding.Severity.ERROR)
    return rows.order_by("pk").values_list("pk", "state")


def _check_weak(claim: Claim, by: User) -> None:
    """A claim that only weak evidence carries needs an outcome of verification (A4)."""
    support = {Assessment.Support.FULL, Assessment.Support.PARTIAL}
    carrying = [row for row in _judged(claim=claim.pk, reviewer=by.pk) if row[0] in support]
    weak = [row for row in carrying if row[1] == Assessment.Trust.WEAK_UNTRUSTED]
    if not weak or len(weak) < len(carrying):
        return
    outcomes = {outcome for _support, _trust, outcome, stale in weak if not stale}
    good = {Assessment.Outcome.VERIFIED, Assessment.Outcome.PARTIALLY_VERIFIED}
    if Assessment.Outcome.CONTRADICTED in outcomes:
        raise ActionRefused("contradicted", _("Verification contradicted the claim: revise it."))
    if not outcomes & good:
        raise ActionRefused(
            "weak-unverified",
            _("Only weak sources carry this claim: record an independent verification, or revise."),
        )


@prepared
def _judged(claim: Given, reviewer: Given) -> QuerySet[Any, Any]:
    rows = Assessment.objects.filter(evidence__claim=claim, evidence__current=True)
    mine = rows.filter(reviewer=reviewer)
    return mine.order_by().values_list("support", "trust", "outcome", "stale")


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
    if mine is not None:
        old, new = save_row(mine, base_version=base_version, values=values)
        return mine, entry("verdict.changed", mine, claim.external_id, old=old, new=new)
    if base_version:
        raise Conflict(None)
    mine = _first_verdict(claim, by, values)
    new = content(mine) | {"version": mine.version}
    return mine, entry("verdict.given", mine, claim.external_id, old=None, new=new)


def _first_verdict(claim: Claim, by: User, values: dict[str, Any]) -> Verdict:
    try:
        with transaction.atomic():
            # Version 1 is that of a row in which nothing is decided yet.
            return Verdict.objects.create(claim=claim, reviewer=by, version=2, **values)
    except IntegrityError:  # revealed in another tab meanwhile
        raise Conflict(Verdict.objects.get(claim=claim, reviewer=by)) from None


def _save_defects(claim: Claim, given: VerdictInput, by: User) -> list[Entry]:
    """Make the reviewer's defects on the claim the given ones; drop the others, never erase."""
    wanted = {item.code: item for item in given.defects}
    entries = []
    held = [pk for (pk,) in _defects(claim=claim.pk, reviewer=by.pk)]
    for row in Defect.objects.filter(pk__in=held) if held else ():
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


@prepared
def _defects(claim: Given, reviewer: Given) -> QuerySet[Any, Any]:
    rows = Defect.objects.filter(claim=claim, reviewer=reviewer, withdrawn=False)
    return rows.order_by().values_list("pk")


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
    check_seen(claim, claim.version if claim_version is None else claim_version)
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
    begin(by, "review", claim.project)
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
    begin(by, "review", project)
    if until <= timezone.localdate():
        raise ActionRefused("date-past", _("Choose a day after today."))
    pks = [claim.pk for claim in claims]
    held = {row.claim_id: row for row in Snooze.objects.filter(claim__in=pks, reviewer=by)}
    old = {pk: content(row) for pk, row in held.items()}
    rows = [held.get(pk) or Snooze(claim_id=pk, reviewer=by) for pk in pks]
    for row in rows:
        row.until = until
    Snooze.objects.bulk_create([row for row in rows if row.pk is None], batch_size=ROWS)
    Snooze.objects.bulk_update(held.values(), ("until",), batch_size=ROWS)
    entries = [
        entry("claim.snoozed", row, claim.external_id, old=old.get(claim.pk), new=content(row))
        for claim, row in zip(claims, rows, strict=True)
    ]
    record(project, entries, by=by, batch_id=batch_id)
    return len(entries)
