"""Change routes and profiles. Admins alone; each change is kept in the history of tables."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from search.models import Profile, Route
from sources.actions.errors import require
from sources.models import User
from sources.table_rows import RowChange, write_changes

FIELDS: dict[type[Route | Profile], tuple[str, ...]] = {
    Route: ("slug", "name", "name_zh", "mode", "first", "then", "specialized", "strict",
            "position", "note"),
    Profile: ("slug", "name", "name_zh", "routes", "language", "position", "note"),
}  # fmt: skip


def content_of(row: Route | Profile) -> dict[str, Any]:
    """Give what an admin may change of a row."""
    return {name: getattr(row, name) for name in FIELDS[type(row)]}


@transaction.atomic
def save_row(*, row: Route | Profile, by: User) -> RowChange | None:
    """Save a route or profile as it is given; None where it says what it said before."""
    require(by.is_admin)
    stored = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()
    old = content_of(stored) if stored is not None else None
    new = content_of(row)
    if new == old:
        return None
    row.changed_by, row.version = by, stored.version + 1 if stored is not None else 1
    row.save()
    change = _change(row, old, new)
    write_changes([change], by=by)
    return change


@transaction.atomic
def remove_rows(*, rows: Sequence[Route | Profile], by: User) -> int:
    """Take routes or profiles away; their history stays. Give how many."""
    require(by.is_admin)
    changes = [_change(row, content_of(row), None) for row in rows]
    for row in rows:
        row.delete()
    write_changes(changes, by=by)
    return len(rows)


def _change(
    row: Route | Profile, old: dict[str, Any] | None, new: dict[str, Any] | None
) -> RowChange:
    return RowChange(type(row)._meta.model_name or "", row.slug, old, new)
