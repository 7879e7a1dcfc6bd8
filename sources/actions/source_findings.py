"""Confirm or dismiss what a check raised about a source, with a reason."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources import following
from sources.models import SourceFinding, User
from sources.permissions import can
from sources.raising import count_findings
from sources.recording import Entry, hold_chain, record

from .errors import ActionRefused, require

MIN_REASON = 3
_DECISIONS = frozenset({"confirmed", "dismissed", "open"})


@transaction.atomic
def decide_finding(
    *, finding: SourceFinding, state: str, reason: str, base_version: int, by: User
) -> None:
    """Set what a person thinks of a finding; "open" takes an earlier decision back."""
    source = finding.source
    require(can(by, "review", source.project))
    reason = reason.strip()
    if state not in _DECISIONS:
        raise ActionRefused("bad-state", _("A finding is confirmed, dismissed or open."))
    if state != "open" and len(reason) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    hold_chain(source.project)
    finding.refresh_from_db()
    if finding.version != base_version or finding.state == SourceFinding.State.OUTDATED:
        raise ActionRefused("conflict", _("This finding was changed in the meantime. Look again."))
    old = {"state": finding.state, "reason": finding.reason}
    finding.state = state
    finding.decision = "" if state == "open" else state
    finding.reason = "" if state == "open" else reason
    finding.facts_changed = False
    finding.decided_by = None if state == "open" else by
    finding.decided_at = None if state == "open" else timezone.now()
    finding.version += 1
    finding.save()
    count_findings([source.pk])
    new = {"state": state, "reason": finding.reason, "code": finding.code, "pk": finding.pk}
    entry = Entry(
        "source.finding_decided", "source", source.external_id, old=old, new=new, reason=reason
    )
    record(source.project, [entry], by=by)
    following.follow(source.project, following.STANDING)
