"""Change many claims at once, under one batch id that one undo takes back.

A verdict is never given in bulk: each claim is decided on its own.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Claim, Finding
from sources.models import Project, User
from sources.recording import record

from .deciding import MIN_REASON
from .errors import ActionRefused
from .rows import ROWS, begin, content, entry


def _reason(text: str, message: str) -> str:
    if len(text.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", message)
    return text.strip()


@transaction.atomic
def dismiss_check_many(
    *,
    project: Project,
    claims: Sequence[Claim],
    check_id: str,
    reason: str,
    by: User,
    batch_id: str,
) -> int:
    """Dismiss the open findings of one check on many claims; give how many findings those were."""
    begin(by, "review", project)
    reason = _reason(reason, _("Say why the findings do not hold."))
    findings = list(
        Finding.objects.select_for_update(of=("self",))
        .filter(claim__in=claims, check_id=check_id, state=Finding.State.OPEN)
        .select_related("claim")
        .order_by("claim", "pk")
    )
    now, entries = timezone.now(), []
    for finding in findings:
        old = content(finding)
        finding.state = finding.decision = Finding.State.DISMISSED
        finding.reason, finding.decided_by, finding.decided_at = reason, by, now
        finding.facts_changed = False
        finding.version += 1
        new = content(finding) | {"version": finding.version}
        label = finding.claim.external_id
        entries.append(entry("finding.dismissed", finding, label, old=old, new=new, reason=reason))
    fields = ("state", "decision", "reason", "decided_by", "decided_at", "facts_changed", "version")
    Finding.objects.bulk_update(findings, fields, batch_size=ROWS)
    record(project, entries, by=by, batch_id=batch_id)
    standing.refresh({finding.claim_id for finding in findings})
    return len(findings)


@transaction.atomic
def mark_key_many(
    *,
    project: Project,
    claims: Sequence[Claim],
    is_key: bool,
    reason: str,
    by: User,
    batch_id: str,
) -> int:
    """Mark many claims as key claims, or take the mark away; give how many were changed."""
    begin(by, "review", project)
    reason = _reason(reason, _("Say why these are, or are not, key claims."))
    held = Claim.objects.select_for_update().filter(pk__in=[claim.pk for claim in claims])
    changed, entries = list(held.filter(is_key=not is_key).order_by("pk")), []
    for claim in changed:
        old = content(claim)
        claim.is_key, claim.key_reason = is_key, reason[:500]
        new = content(claim)
        change = entry("claim.marked", claim, claim.external_id, old=old, new=new, reason=reason)
        entries.append(change)
    Claim.objects.bulk_update(changed, ("is_key", "key_reason"), batch_size=ROWS)
    record(project, entries, by=by, batch_id=batch_id)
    return len(changed)
