"""Write the audit trail, and prove it. Append-only, chained by hash for each project."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from workbench.lib import context
from workbench.lib.prepared import Given, prepared
from workbench.lib.turns import take_turn

from .models import AuditChain, AuditEvent, Project, User

ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened, before it has its place in the chain."""

    action: str
    object_type: str
    object_id: str
    old: Any = None
    new: Any = None
    reason: str = ""
    rule_version: str = ""


def event_hash(event: AuditEvent) -> str:
    """Hash everything that an event says, with the hash of the one before it."""
    said = {
        "number": event.number,
        "at": _stamp(event.at),
        "client_at": _stamp(event.client_at),
        "actor": event.actor,
        "action": event.action,
        "object": [event.object_type, event.object_id],
        "old": event.old,
        "new": event.new,
        "reason": event.reason,
        "rule_version": event.rule_version,
        "request_id": event.request_id,
        "batch_id": event.batch_id,
        "previous": event.previous_hash,
    }
    text = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def hold_chain(project: Project) -> None:
    """Let nobody else change what the project's chain tells until the transaction ends.

    Called before anything is read or written: whoever took rows first, and then waited for the
    chain, could wait for one who has the chain and waits for those rows. Who comes first is first.
    """
    take_turn("chain", project.pk)


@transaction.atomic
def record(
    project: Project, entries: Iterable[Entry], *, by: User | None, batch_id: str = ""
) -> list[AuditEvent]:
    """Append events to the project's chain, in the caller's transaction."""
    take_turn("chain", project.pk)
    chain = _end(project) or AuditChain.objects.create(project=project)
    now = timezone.now()
    events = []
    for entry in entries:
        chain.length += 1
        event = AuditEvent(
            project=project,
            number=chain.length,
            at=now,
            client_at=context.client_time.get(),
            user=by,
            actor=by.get_username() if by else ENGINE,
            action=entry.action,
            object_type=entry.object_type,
            object_id=entry.object_id[:300],
            old=entry.old,
            new=entry.new,
            reason=entry.reason,
            rule_version=entry.rule_version,
            request_id=context.request_id.get(),
            batch_id=batch_id,
            previous_hash=chain.last_hash,
        )
        event.hash = chain.last_hash = event_hash(event)
        events.append(event)
    AuditEvent.objects.bulk_create(events, batch_size=500)
    chain.save(update_fields=["length", "last_hash"])
    return events


def _end(project: Project) -> AuditChain | None:
    for length, last_hash in _ends(project=project.pk):
        return AuditChain(project=project, length=length, last_hash=last_hash)
    return None


@prepared
def _ends(project: Given) -> QuerySet[Any, Any]:
    chains = AuditChain.objects.select_for_update().filter(project=project)
    return chains.values_list("length", "last_hash")


def broken_events(project: Project) -> Iterator[tuple[int, str]]:
    """Yield (number, what is wrong) for every event that does not fit its chain."""
    chain = AuditChain.objects.filter(project=project).first()
    expected, previous = 1, "0" * 64
    for event in AuditEvent.objects.filter(project=project).order_by("number").iterator():
        if event.number != expected:
            yield expected, "missing"
            expected = event.number
        if event.hash != event_hash(event):
            yield event.number, "altered"
        elif event.previous_hash != previous:
            yield event.number, "not linked to the one before"
        previous, expected = event.hash, expected + 1
    if chain is not None and (chain.length != expected - 1 or chain.last_hash != previous):
        yield expected, "the chain ends elsewhere"
