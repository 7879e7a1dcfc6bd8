"""The history of a rule of the blacklist: one change of a table for each thing that was done."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from .blacklist_index import TABLE
from .models import BlacklistRule, TableChange, User

FIELDS = (
    "kind", "scope", "pattern", "effect", "level", "unless", "reason", "evidence_link", "review_on",
    "ends_on", "state",
)  # fmt: skip
MAX_KEY = 400


def content(rule: BlacklistRule) -> dict[str, Any]:
    """Give what a person may set of a rule, as plain values."""
    values = {name: getattr(rule, name) for name in FIELDS}
    values = {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in values.items()}
    return values | {"owner": rule.owner.get_username() if rule.owner else ""}


def key_of(rule: BlacklistRule) -> str:
    """Give the name of a rule in the history: its number, then what it names."""
    return f"{rule.pk} {rule.kind}/{rule.scope}/{rule.pattern_key}"[:MAX_KEY]


def tell(
    rule: BlacklistRule,
    *,
    old: Mapping[str, Any] | None,
    new: Mapping[str, Any] | None,
    by: User | None,
    reason: str = "",
    batch_id: str = "",
) -> None:
    """Write one change; of two contents only what differs."""
    tell_all([(rule, old, new)], by=by, reason=reason, batch_id=batch_id)


def tell_all(
    changes: Iterable[tuple[BlacklistRule, Mapping[str, Any] | None, Mapping[str, Any] | None]],
    *,
    by: User | None,
    reason: str = "",
    batch_id: str = "",
) -> None:
    """Write many changes. One statement."""
    rows = []
    for rule, old, new in changes:
        if old is not None and new is not None:
            names = [name for name in new if old.get(name) != new[name]]
            old = {name: old[name] for name in names if name in old}
            new = {name: new[name] for name in names}
        rows.append(
            TableChange(
                table=TABLE,
                row_key=key_of(rule),
                old=dict(old) if old is not None else None,
                new=dict(new) if new is not None else None,
                reason=reason,
                by=by,
                batch_id=batch_id,
            )
        )
    TableChange.objects.bulk_create(rows, batch_size=500)


def history_of(rule: BlacklistRule) -> QuerySet[TableChange]:
    """Give the changes of a rule, the newest first."""
    changes = TableChange.objects.filter(table=TABLE, row_key__startswith=f"{rule.pk} ")
    return changes.select_related("by").order_by("-pk")
