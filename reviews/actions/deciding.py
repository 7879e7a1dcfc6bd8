"""Confirm, dismiss or reopen a finding; mark a claim as key."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Claim, Finding
from sources.models import User
from sources.recording import Entry, record

from .errors import ActionRefused
from .rows import begin, content, entry, save_row

MIN_REASON = 3  # characters: enough for 无关


def _change(finding: Finding, state: str, reason: str, by: User, base: int | None) -> Entry:
    if finding.state == Finding.State.OUTDATED:
        raise ActionRefused(
            "outdated", _("This finding no longer holds: its facts changed. Nothing to decide.")
        )
    if state == Finding.State.DISMISSED and len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why the finding does not hold."))
    decided = state != Finding.State.OPEN
    old, new = save_row(
        finding,
        base_version=base,
        values={
            "state": state,
            "decision": state if decided else "",
            "reason": reason.strip(),
            "decided_by": by if decided else None,
            "decided_at": timezone.now() if decided else None,
            "facts_changed": False,
        },
    )
    label = finding.claim.external_id
    return entry(f"finding.{state}", finding, label, old=old, new=new, reason=reason)


@transaction.atomic
def decide_finding(
    *, finding: Finding, state: str, reason: str = "", by: User, base_version: int | None = None
) -> Finding:
    """Set a finding to ``confirmed``, ``dismissed`` (with a reason) or back to ``open``."""
    begin(by, "review", finding.claim.project)
    if state not in {Finding.State.CONFIRMED, Finding.State.DISMISSED, Finding.State.OPEN}:
        raise ActionRefused("unknown-value", _("“%s” is no decision on a finding.") % state)
    change = _change(finding, state, reason, by, base_version)
    record(finding.claim.project, [change], by=by)
    standing.refresh([finding.claim_id])
    return finding


def dismiss_many(findings: list[Finding], reasons: dict[int, str], *, by: User) -> list[Entry]:
    """Dismiss each finding with its own reason; give the entries, not yet recorded."""
    return [
        _change(finding, Finding.State.DISMISSED, reasons[finding.pk], by, None)
        for finding in findings
    ]


@transaction.atomic
def mark_key(*, claim: Claim, is_key: bool, reason: str, by: User) -> Claim:
    """Mark a claim as a key claim, or take the mark away, with a reason. Rulebook section 1."""
    begin(by, "review", claim.project)
    if len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why this is, or is not, a key claim."))
    # Another tab may have marked it since it was read.
    claim.refresh_from_db(fields=["is_key", "key_reason"])
    old = content(claim)
    claim.is_key, claim.key_reason = is_key, reason.strip()
    claim.save(update_fields=["is_key", "key_reason"])
    label = claim.external_id
    change = entry("claim.marked", claim, label, old=old, new=content(claim), reason=reason)
    record(claim.project, [change], by=by)
    return claim
