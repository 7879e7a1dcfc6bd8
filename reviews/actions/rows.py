"""Save one judgement under its version, and say in the audit trail what it was and is."""

from typing import Any

from django.db import models

from reviews.models import Claim
from sources.models import Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain
from workbench.lib.prepared import Given, prepared

from .errors import ClaimChanged, Conflict, NotAllowed

ROWS = 300  # written by one statement

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
        "claim_version",
        "stale",
        "stale_reason",
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


def check_seen(claim: Claim, version: int) -> None:
    """Read the claim again, now that the chain is held; raise ClaimChanged if it is not as seen."""
    rows = _stands(claim=claim.pk)  # none, if its import was undone
    if rows:
        claim.version, claim.is_key = rows[0]
    if not rows or claim.version != version:
        raise ClaimChanged


@prepared
def _stands(claim: Given) -> models.QuerySet[Any, Any]:
    return Claim.objects.filter(pk=claim).order_by().values_list("version", "is_key")


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
    if not written:
        row.refresh_from_db()
        raise Conflict(row)
    for name, value in (values | {"version": version + 1}).items():
        setattr(row, name, value)
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
