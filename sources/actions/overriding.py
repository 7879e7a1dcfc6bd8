"""Put a value in the place of a computed one, sign as the second person, take it back."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources.models import Cluster, Override, Project, Score, Source, User
from sources.override_work import apply, close, end, put, tell
from sources.permissions import can
from sources.recording import hold_chain
from sources.scoring.kinds import KINDS
from sources.scoring.marks import DIMENSIONS, RANGES
from sources.worth import active_values, worth_of

from .errors import ActionRefused, require

MIN_REASON = 15  # characters without a coded reason. Screens (c)
MIN_TEXT = 3  # beside a coded one
# Rulebook section 2 names what may be wrong with a computed value.
REASON_CODES = ("reprint", "wrong_publisher", "wrong_date", "wrong_type", "method", "conflict")
ALONE = Decimal(1)  # points that one person who is no admin may change
_ACTIVE, _WAITING = Override.State.ACTIVE, Override.State.WAITING
NO_CLUSTER = "-"
# Fields whose automatic value may change while an override stands.
COMPUTED = frozenset({*DIMENSIONS, Override.Field.TIER, Override.Field.TYPE})


@dataclass(frozen=True, slots=True)
class OverrideInput:
    """What the form asks for; ``value`` as typed."""

    field: str
    value: str
    reason: str
    reason_code: str = ""
    link: str = ""
    until: date | None = None


def checked_value(field: str, value: str, project: Project) -> str:
    """Give a value in its one form. Raises ActionRefused where the field cannot hold it."""
    value = value.strip()
    if field in DIMENSIONS:
        return _points(field, value)
    if field == Override.Field.TIER:
        if value not in {"1", "2", "3", "4"}:
            raise ActionRefused("bad-value", _("A tier is 1, 2, 3 or 4."))
        return value
    if field == Override.Field.ACCESS_STATUS:
        known = value in Source.AccessStatus.values
    elif field == Override.Field.TYPE:
        known = value in KINDS
    elif field == Override.Field.CLUSTER:
        known = value == NO_CLUSTER or Cluster.objects.filter(project=project, name=value).exists()
    else:
        raise ActionRefused("bad-field", _("This field cannot be overridden."))
    if not known:
        raise ActionRefused("bad-value", _("“%s” is none of the values of this field.") % value)
    return value


def _points(field: str, value: str) -> str:
    least, most = RANGES[field]
    try:
        points = Decimal(value.replace(",", "."))
    except InvalidOperation:
        points = Decimal("NaN")
    exact = points.is_finite() and least <= points <= most
    if not exact or points != points.quantize(Decimal("0.01")):
        raise ActionRefused(
            "bad-value",
            _("Give points from %(least)s to %(most)s, two decimals at most.")
            % {"least": least, "most": most},
        )
    return str(points.normalize() if points else Decimal(0)) if points % 1 else str(int(points))


def base_of(source: Source, score: Score | None, field: str) -> str:
    """Give the automatic value that an override would stand before."""
    if field == Override.Field.CLUSTER:
        return source.cluster.name if source.cluster else NO_CLUSTER
    if field == Override.Field.ACCESS_STATUS:
        return source.access_status
    if field == Override.Field.TYPE:
        return source.source_type or source.type
    if score is None:
        raise ActionRefused("not-scored", _("This source is not scored yet. Try again later."))
    if field == Override.Field.TIER:
        return str(score.tier)
    return str(score.marks[field]["value"])


def needs_second(source: Source, score: Score | None, field: str, value: str, by: User) -> bool:
    """Tell whether a change is too large for one person alone: more than a point. Screens (c)."""
    if by.is_admin or score is None or field not in {*DIMENSIONS, Override.Field.TIER}:
        return False
    before = active_values(source)
    old = worth_of(source, score, before)
    new = worth_of(source, score, {**before, field: value})
    moved = abs(new.score - old.score)
    if field in DIMENSIONS:
        moved = max(moved, abs(Decimal(value) - Decimal(str(score.marks[field]["value"]))))
    return moved > ALONE


def _checked(given: OverrideInput) -> str:
    reason = given.reason.strip()
    if given.reason_code and given.reason_code not in REASON_CODES:
        raise ActionRefused("bad-reason", _("Choose one of the reasons of the list."))
    least = MIN_TEXT if given.reason_code else MIN_REASON
    if len(reason) < least:
        raise ActionRefused("reason-missing", _("Say why, in at least %d characters.") % least)
    if given.until is not None and given.until < timezone.localdate():
        raise ActionRefused("bad-date", _("The last day of the override is past already."))
    return reason


@transaction.atomic
def override_source(
    *, source: Source, given: OverrideInput, by: User, base_version: int | None = None
) -> Override:
    """Put a value in the place of a computed one; a large change waits for a second person."""
    project = source.project
    require(can(by, "override", project))
    reason = _checked(given)
    value = checked_value(given.field, given.value, project)
    hold_chain(project)
    source.refresh_from_db()
    if base_version is not None and source.version != base_version:
        raise ActionRefused("conflict", _("This source was changed in the meantime. Look again."))
    score = Score.objects.filter(source=source, current=True).first()
    standing = {
        row.state: row
        for row in Override.objects.select_for_update().filter(
            source=source, field=given.field, state__in=[_ACTIVE, _WAITING]
        )
    }
    base = standing[_ACTIVE].base if _ACTIVE in standing else base_of(source, score, given.field)
    if _ACTIVE in standing and standing[_ACTIVE].value == value:
        raise ActionRefused("same-value", _("This value stands already."))
    waits = needs_second(source, score, given.field, value, by)
    for state, row in standing.items():
        if state == _WAITING or not waits:
            close(row)
    override = Override.objects.create(
        source=source,
        field=given.field,
        value=value,
        base=base,
        reason=reason,
        reason_code=given.reason_code,
        link=given.link.strip()[:2000],
        until=given.until,
        state=_WAITING if waits else _ACTIVE,
        by=by,
    )
    action = "source.override_proposed" if waits else "source.overridden"
    old = standing[_ACTIVE].value if _ACTIVE in standing else base
    tell(override, action, old=old, new=value, reason=reason, by=by)
    if not waits:
        apply(source, given.field, value)
    return override


@transaction.atomic
def sign_override(*, override: Override, reason: str = "", by: User) -> None:
    """Let a waiting override stand, as the second person."""
    source = _second(override, by)
    active = Override.objects.filter(source=source, field=override.field, state=_ACTIVE).first()
    if active is not None:
        close(active)
    put(override, state=_ACTIVE, second_by=by, second_at=timezone.now(), second_reason=reason)
    old = active.value if active else override.base
    tell(override, "source.override_signed", old=old, new=override.value, reason=reason, by=by)
    apply(source, override.field, override.value)


@transaction.atomic
def refuse_override(*, override: Override, reason: str, by: User) -> None:
    """Turn a waiting override down, as the second person, with a reason."""
    if len(reason.strip()) < MIN_TEXT:
        raise ActionRefused("reason-missing", _("Say why."))
    _second(override, by)
    put(
        override,
        state=Override.State.REFUSED,
        second_by=by,
        second_at=timezone.now(),
        second_reason=reason.strip(),
        ended_at=timezone.now(),
    )
    tell(override, "source.override_refused", old=override.value, new=None, reason=reason, by=by)


def _second(override: Override, by: User) -> Source:
    source = override.source
    require(can(by, "second_signature", source.project))
    hold_chain(source.project)
    override.refresh_from_db()
    if override.state != _WAITING:
        raise ActionRefused("conflict", _("This override waits no longer."))
    if override.by_id == by.pk:
        raise ActionRefused("own-override", _("The second person must be another one."))
    return source


@transaction.atomic
def end_override(*, override: Override, by: User, base_version: int | None = None) -> None:
    """Take an override back; the computed value stands again."""
    source = override.source
    require(can(by, "override", source.project))
    hold_chain(source.project)
    override.refresh_from_db()
    if override.state not in {_ACTIVE, _WAITING}:
        raise ActionRefused("conflict", _("This override has ended already."))
    if base_version is not None and override.version != base_version:
        raise ActionRefused("conflict", _("This override was changed in the meantime."))
    if override.by_id != by.pk and not can(by, "edit_sources", source.project):
        raise ActionRefused("not-own", _("An editor or the person who made it may undo it."))
    end(override, by=by)


@transaction.atomic
def keep_override(*, override: Override, by: User) -> None:
    """Confirm an override whose automatic value has changed since."""
    source = override.source
    require(can(by, "override", source.project))
    hold_chain(source.project)
    override.refresh_from_db()
    if override.state != _ACTIVE or not override.base_changed:
        raise ActionRefused("conflict", _("There is nothing to confirm any longer."))
    score = Score.objects.filter(source=source, current=True).first()
    base = override.base
    if override.field in COMPUTED:
        base = base_of(source, score, override.field)
    old = override.base
    put(override, base=base, base_changed=False)
    tell(override, "source.override_kept", old=old, new=base, by=by)
