"""Undo one's own last action: a new event, nothing is erased."""

from datetime import date
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Assessment, Claim, Defect, Finding, Snooze, Verdict
from sources.models import AuditEvent, Project, User
from sources.recording import Entry, record

from .errors import ActionRefused, Conflict
from .rows import content, entry, require

_MODELS: dict[str, type[models.Model]] = {
    "verdict": Verdict,
    "assessment": Assessment,
    "finding": Finding,
    "defect": Defect,
    "claim": Claim,
    "snooze": Snooze,
}
UNDONE = "action.undone"


def _empty(kind: str) -> dict[str, Any]:
    """What a row is set to when the action that made it is undone."""
    if kind == "defect":
        return {"withdrawn": True}
    if kind == "verdict":
        return {"decision": "", "stale": False, "stale_reason": ""}
    return {"support": "", "trust": "", "aspects": [], "start": None, "end": None, "outcome": ""}


def _claim_of(row: models.Model) -> int | None:
    if isinstance(row, Claim):
        return row.pk
    if isinstance(row, Assessment):
        return row.evidence.claim_id
    claim: int | None = row.claim_id  # type: ignore[attr-defined]
    return claim


def _restore(event: AuditEvent) -> tuple[int | None, Entry] | None:
    """Put one row back as it was before ``event``; give its claim and the new event."""
    kind, new = event.object_type, dict(event.new or {})
    manager = _MODELS[kind]._default_manager
    row = manager.filter(pk=new["pk"]).first()
    if row is None:
        return None
    claim = _claim_of(row)
    before = content(row)
    after = {k: v for k, v in new.items() if k not in {"pk", "version"}}
    if before != after:
        raise Conflict(row)
    if kind == "snooze" and event.old is None:
        change = entry(UNDONE, row, event.object_id, old=before, new={})
        row.delete()
        return claim, change
    values = dict(event.old) if event.old is not None else _empty(kind)
    if kind == "snooze":
        values["until"] = date.fromisoformat(values["until"])
    if hasattr(row, "version") and kind != "claim":
        values["version"] = row.version + 1
    manager.filter(pk=row.pk).update(**values)
    row.refresh_from_db()
    return claim, entry(UNDONE, row, event.object_id, old=before, new=content(row))


@transaction.atomic
def undo(*, project: Project, request_id: str, by: User) -> list[AuditEvent]:
    """Take back everything that one request of the user changed.

    Raises ActionRefused where there is nothing to undo, Conflict where a row was changed since.
    """
    require(by, "review", project)
    # Locks the chain first, so that two presses of "undo" come one after the other.
    record(project, [], by=by)
    done = AuditEvent.objects.filter(project=project, request_id=request_id, user=by)
    events = [e for e in done.order_by("-number") if e.object_type in _MODELS and e.new]
    if not events or any(e.action == UNDONE for e in events):
        raise ActionRefused("nothing-to-undo", _("There is nothing of yours to undo here."))
    already = AuditEvent.objects.filter(
        project=project, action="request.undone", object_id=request_id
    )
    if already.exists():
        raise ActionRefused("undone-already", _("This was undone already."))
    restored = [r for r in map(_restore, events) if r is not None]
    entries = [change for _claim, change in restored]
    entries.append(Entry("request.undone", "request", request_id))
    recorded = record(project, entries, by=by)
    standing.refresh({claim for claim, _change in restored if claim is not None})
    return recorded
