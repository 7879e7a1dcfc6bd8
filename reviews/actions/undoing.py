"""Undo one's own last action: a new event, nothing is erased."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Assessment, Claim, Defect, Finding, Snooze, Verdict
from sources.models import AuditEvent, Project, User
from sources.recording import Entry, record

from .errors import ActionRefused, Conflict
from .rows import FIELDS, begin, content, entry

_MODELS: dict[str, type[models.Model]] = {
    "verdict": Verdict,
    "assessment": Assessment,
    "finding": Finding,
    "defect": Defect,
    "claim": Claim,
    "snooze": Snooze,
}
UNDONE = "action.undone"
_FRESH = {"stale": False, "stale_reason": ""}


def _empty(kind: str) -> dict[str, Any]:
    """What a row is set to when the action that made it is undone."""
    if kind == "defect":
        return {"withdrawn": True}
    if kind == "verdict":
        return {"decision": "", **_FRESH}
    passage = {"start": None, "end": None}
    return {"support": "", "trust": "", "aspects": [], "outcome": "", **passage, **_FRESH}


def _claim_of(row: models.Model) -> int | None:
    if isinstance(row, Claim):
        return row.pk
    if isinstance(row, Assessment):
        return row.evidence.claim_id
    claim: int | None = row.claim_id  # type: ignore[attr-defined]
    return claim


class _Restoring:
    """The rows that one request changed: read at once, put back at once."""

    def __init__(self, events: Sequence[AuditEvent]) -> None:
        wanted: dict[str, set[int]] = defaultdict(set)
        for event in events:
            wanted[event.object_type].add(dict(event.new or {})["pk"])
        self._rows = {kind: _held(kind, pks) for kind, pks in wanted.items()}
        self._changed: dict[str, set[int]] = defaultdict(set)
        self._gone: set[int] = set()  # snoozes that the request made
        self.claims: set[int] = set()

    def restore(self, event: AuditEvent) -> Entry | None:
        """Set one row to what it was before the event; give the new event."""
        kind, new = event.object_type, dict(event.new or {})
        row = self._rows[kind].get(new["pk"])
        if row is None:
            return None
        before = content(row)
        after = {k: v for k, v in new.items() if k not in {"pk", "version"}}
        # An older event does not name the fields that came since.
        if before != {**before, **after}:
            raise Conflict(row)
        claim = _claim_of(row)
        if claim is not None:
            self.claims.add(claim)
        if kind == "snooze" and event.old is None:
            self._gone.add(row.pk)
            return entry(UNDONE, row, event.object_id, old=before, new={})
        values = dict(event.old) if event.old is not None else _empty(kind)
        if kind == "snooze":
            values["until"] = date.fromisoformat(values["until"])
        if hasattr(row, "version") and kind != "claim":
            values["version"] = row.version + 1
        for name, value in values.items():
            setattr(row, name, value)
        self._changed[kind].add(row.pk)
        return entry(UNDONE, row, event.object_id, old=before, new=content(row))

    def write(self) -> None:
        """Write what was restored."""
        for kind, pks in self._changed.items():
            rows = [self._rows[kind][pk] for pk in sorted(pks)]
            fields = [name.removesuffix("_id") for name in FIELDS[kind]]
            if hasattr(rows[0], "version") and kind != "claim":
                fields.append("version")
            _MODELS[kind]._default_manager.bulk_update(rows, fields, batch_size=200)
        Snooze.objects.filter(pk__in=self._gone).delete()


def _is_of_a_row(event: AuditEvent) -> bool:
    """Tell whether the event names the row that it changed, of a kind that can be put back."""
    return event.object_type in _MODELS and isinstance(event.new, dict) and "pk" in event.new


def _held(kind: str, pks: set[int]) -> dict[int, models.Model]:
    rows = _MODELS[kind]._default_manager.select_for_update(of=("self",)).filter(pk__in=pks)
    rows = rows.select_related("evidence") if kind == "assessment" else rows
    return {row.pk: row for row in rows}


@transaction.atomic
def undo(*, project: Project, request_id: str, by: User) -> list[AuditEvent]:
    """Take back everything that one request of the user changed.

    Raises ActionRefused where there is nothing to undo, Conflict where a row was changed since.
    """
    begin(by, "review", project)
    # What a job or a command did in the user's name carries no request: it is no action of the
    # screens, and cannot be taken back as one.
    done = AuditEvent.objects.filter(project=project, request_id=request_id, user=by)
    events = [e for e in done.order_by("-number") if _is_of_a_row(e)] if request_id else []
    if not events or any(e.action == UNDONE for e in events):
        raise ActionRefused("nothing-to-undo", _("There is nothing of yours to undo here."))
    already = AuditEvent.objects.filter(
        project=project, action="request.undone", object_id=request_id
    )
    if already.exists():
        raise ActionRefused("undone-already", _("This was undone already."))
    restoring = _Restoring(events)
    entries = [change for change in map(restoring.restore, events) if change is not None]
    restoring.write()
    entries.append(Entry("request.undone", "request", request_id))
    recorded = record(project, entries, by=by)
    standing.refresh(restoring.claims)
    return recorded
