"""What a row of a site table says, as history keeps it and as other works compare it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .models import Domain, Journal, Publisher, Subject, TableChange, User
from .models.tables import TableRow

FIELDS: Mapping[type[TableRow], tuple[str, ...]] = {
    Journal: (
        "title", "issns", "aliases", "impact_factor", "impact_year", "impact_source",
        "authority_band", "tier", "note",
    ),
    Publisher: ("name", "aliases", "publisher_class", "tier", "authority", "note"),
    Domain: (
        "host", "path_prefix", "with_subdomains", "publisher", "publisher_class", "tier",
        "authority", "source_type", "note",
    ),
    Subject: ("project", "kind", "name", "aliases", "domains", "note"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row as it was and as it is; None where there is none."""

    table: str
    row_key: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None


def content_of(row: TableRow) -> dict[str, Any]:
    """Give what an admin may change of a row, as plain values. A query for a name unread yet."""
    return {name: _plain(getattr(row, name)) for name in FIELDS[type(row)]}


def key_of(row: TableRow) -> str:
    """Give the natural key of a row, which stays when the row is gone."""
    match row:
        case Journal():
            return row.title[:400]
        case Publisher():
            return row.name[:400]
        case Domain():
            return (row.host + row.path_prefix)[:400]
        case Subject():
            return f"{row.project.slug} {row.kind} {row.name}"[:400]
    raise TypeError(type(row).__name__)


def change_of(
    row: TableRow, old: dict[str, Any] | None, *, removed: bool = False
) -> RowChange | None:
    """Give the change of a row against what it said before; None where it says the same."""
    new = None if removed else content_of(row)
    if new == old:
        return None
    return RowChange(type(row)._meta.model_name or "", key_of(row), old, new)


def write_changes(
    changes: Iterable[RowChange], *, by: User | None, reason: str = "", batch_id: str = ""
) -> int:
    """Append changes to the history of the tables, in the caller's transaction; give how many."""
    rows = [
        TableChange(
            table=each.table,
            row_key=each.row_key,
            old=each.old,
            new=each.new,
            reason=reason,
            by=by,
            batch_id=batch_id,
        )
        for each in changes
    ]
    TableChange.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, str | int | list | bool) or value is None:
        return value
    slug = getattr(value, "slug", None)
    return slug if isinstance(slug, str) else str(value)
