"""Let overrides take effect and end; end those whose last day is past."""

import logging
from datetime import date

from django.db import OperationalError, transaction
from django.utils import timezone

from . import following
from .assessing import assess_sources
from .models import Cluster, Override, Source, User
from .recording import Entry, hold_chain, record

log = logging.getLogger(__name__)

AT_ONCE = 1_000
_STANDING = (Override.State.ACTIVE, Override.State.WAITING)
# What the blacklist and the rubric read as a fact of the source, not as a mark.
_FACTS = frozenset({Override.Field.TYPE, Override.Field.ACCESS_STATUS})


def end_expired(today: date | None = None) -> int:
    """End the overrides whose last day is past; give how many. Each in a transaction of its own."""
    today, ended = today or timezone.localdate(), 0
    try:
        rows = Override.objects.filter(state__in=_STANDING, until__lt=today)
        for override in rows.select_related("source__project").order_by("source", "pk")[:AT_ONCE]:
            ended += _end_expired(override)
    except OperationalError as fault:
        log.warning("overrides not ended, the database is busy", extra={"fault": str(fault)})
    return ended


@transaction.atomic
def _end_expired(override: Override) -> bool:
    hold_chain(override.source.project)
    override.refresh_from_db(fields=["state", "version"])
    if override.state not in _STANDING:
        return False  # a person was faster
    end(override, by=None)
    return True


def end(override: Override, *, by: User | None) -> None:
    """End an override; the computed value stands again where it stood."""
    stood = override.state == Override.State.ACTIVE
    close(override)
    tell(override, "source.override_ended", old=override.value, new=override.base, by=by)
    if stood:
        apply(override.source, override.field, override.base)


def close(override: Override) -> None:
    """Write that an override has ended, whatever comes in its place."""
    put(override, state=Override.State.ENDED, ended_at=timezone.now())


def put(override: Override, **values: object) -> None:
    """Write fields of an override, and raise its version."""
    for name, value in {**values, "version": override.version + 1}.items():
        setattr(override, name, value)
    override.save(update_fields=[*values, "version"])


def apply(source: Source, field: str, value: str) -> None:
    """Let a value take effect, and queue what follows from it. The caller holds the chain."""
    source.refresh_from_db()  # it may have been read before the chain was held
    if field == Override.Field.CLUSTER:
        source.cluster = Cluster.objects.filter(project=source.project, name=value).first()
    elif field == Override.Field.ACCESS_STATUS:
        source.access_status = value
    source.version += 1
    source.save(update_fields=["cluster", "access_status", "version"])
    assess_sources(source.project, [source.pk])
    facts = [following.FACTS] if field in _FACTS else []
    following.follow(source.project, *facts, following.SOURCES, following.STANDING)


def tell(
    override: Override,
    action: str,
    *,
    old: object,
    new: object,
    by: User | None,
    reason: str = "",
) -> None:
    """Write what became of an override to the trail of its source."""
    source, name = override.source, override.field
    entry = Entry(
        action,
        "source",
        source.external_id,
        old={name: old},
        new={name: new, "pk": override.pk},
        reason=reason,
    )
    record(source.project, [entry], by=by)
