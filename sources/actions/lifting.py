"""Lift a hit of the blacklist for one source, and take that back. Rulebook section 4."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources.blacklisting import is_lifted, lifts_of, settle_source
from sources.following import HITS, STANDING, follow
from sources.models import BlacklistHit, BlacklistLift, BlacklistRule, Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record

from .errors import ActionRefused, require

MIN_REASON = 3  # characters: enough for 是原文


@transaction.atomic
def lift_hit(*, hit: BlacklistHit, reason: str, by: User) -> BlacklistLift:
    """Say that a hit does not hold for this source, with a reason.

    It covers all rules of the kind that hold now; a rule made later hits again.
    """
    source = hit.source
    require(can(by, "review", source.project))
    reason = reason.replace("\x00", "").strip()
    if len(reason) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    hold_chain(source.project)
    hit.refresh_from_db()
    rule = hit.rule
    if not hit.current:
        raise ActionRefused("no-hit", _("This rule does not hit the source any longer."))
    if hit.effect == BlacklistRule.Effect.ALLOW:
        raise ActionRefused("no-restriction", _("This rule lets the source pass: nothing to lift."))
    lifts = lifts_of([source.pk]).get(source.pk, {})
    if is_lifted(rule.kind, rule.activated_at, lifts):
        raise ActionRefused("lifted", _("This hit is lifted already."))
    lift = BlacklistLift.objects.create(
        source=source, kind=rule.kind, rule=rule, reason=reason, by=by
    )
    new = {"hit": rule.kind, "rule": rule.pk, "pattern": rule.pattern, "pk": lift.pk}
    _tell(source, Entry("source.hit_lifted", "source", source.external_id, new=new, reason=reason),
          by)  # fmt: skip
    return lift


@transaction.atomic
def end_lift(*, lift: BlacklistLift, by: User) -> None:
    """Take a lift back; the hit stands again."""
    source = lift.source
    require(can(by, "review", source.project))
    hold_chain(source.project)
    lift.refresh_from_db()
    if lift.ended_at is not None:
        raise ActionRefused("conflict", _("This was taken back already."))
    if lift.by_id != by.pk and not can(by, "edit_sources", source.project):
        raise ActionRefused("not-own", _("An editor or the person who lifted it may undo that."))
    lift.ended_at = timezone.now()
    lift.save(update_fields=["ended_at"])
    old = {"hit": lift.kind, "rule": lift.rule_id, "pk": lift.pk}
    _tell(source, Entry("source.lift_ended", "source", source.external_id, old=old), by)


def _tell(source: Source, entry: Entry, by: User) -> None:
    """Write the event, what it makes of the source, and queue what follows."""
    before = source.blacklist
    entries = [entry]
    if settle_source(source):
        entries.append(
            Entry(
                "source.blacklisted" if source.blacklist else "source.blacklist_cleared",
                "source",
                source.external_id,
                old={"blacklist": before},
                new={"blacklist": source.blacklist},
            )
        )
    record(source.project, entries, by=by)
    follow(source.project, HITS, STANDING, by=by)
