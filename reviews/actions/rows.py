"""Save one judgement under its version, and say in the audit trail what it was and is."""

from typing import Any

from django.db import models

from sources.models import Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain

from .errors import Conflict, NotAllowed

# What an undo restores: the fields that people set, for each kind of row.
FIELDS: dict[str, tuple[str, ...]] = {
    "verdict": (
        "decision",
        "provisional",
        "note",
        "claim_version",
        "stale",
        "stale_reason",
        "active_ms",
    ),
    "assessment": (
        "support",
        "trust",
        "aspects",
        "start",
        "end",
        "outcome",
        "outcome_note",
        "note",
    ),
    "finding": ("state", "decision", "reason", "facts_changed", "decided_by_id"),
    "defect": (
        "severity",
        "severity_reason",
        "text",
        "action",
        "state",
        "state_reason",
        "withdrawn",
    ),
    "claim": ("is_key", "key_reason"),
    "snooze": ("until", "note"),
}


def require(by: User, action: str, project: Project) -> None:
    """Raise NotAllowed unless the user may do ``action`` in the project."""
    if not can(by, action, project):
        raise NotAllowed


def begin(by: User, action: str, project: Project) -> None:
    """Raise NotAllowed unless the user may; else hold the project's chain for the transaction."""
    require(by, action, project)
    hold_chain(project)


def content(row: models.Model) -> dict[str, Any]:
    """Give the fields of a row that an undo would restore, as plain values."""
    kind = row._meta.model_name or ""
    values = {name: getattr(row, name) for name in FIELDS[kind]}
    return {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in values.items()}


def save_row(
    row: models.Model, *, base_version: int | None, values: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Write ``values`` if the row still has ``base_version``; give (old, new) for the trail.

    Raises Conflict with the row as it stands now. ``base_version`` None writes in any case.
    """
    manager = type(row)._default_manager
    version = row.version if base_version is None else base_version  # type: ignore[attr-defined]
    old = content(row)
    written = manager.filter(pk=row.pk, version=version).update(**values, version=version + 1)
    row.refresh_from_db()
    if not written:
        raise Conflict(row)
    return old, content(row) | {"version": version + 1}


def entry(
    action: str,
    row: models.Model,
    label: str,
    *,
    old: dict[str, Any] | None,
    new: dict[str, Any],
    reason: str = "",
    rule_version: str = "",
) -> Entry:
    """Describe one change; ``label`` is the public id of the claim it belongs to."""
    return Entry(
        action=action,
        object_type=row._meta.model_name or "",
        object_id=label,
        old=old,
        new={**new, "pk": row.pk},
        reason=reason,
        rule_version=rule_version,
    )
