"""Change rows of the site's tables. Admins alone; each change is kept, and what follows queued."""

import uuid
from collections.abc import Sequence

from django.db import transaction

from sources import rescoring
from sources.models import Job, Publisher, User
from sources.models.tables import TableRow
from sources.table_rows import RowChange, change_of, content_of, write_changes

from .errors import require


@transaction.atomic
def save_row(*, row: TableRow, by: User, reason: str = "") -> RowChange | None:
    """Save a row of a table as it is given; None where it says what it said before."""
    require(by.is_admin)
    stored = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()
    old = content_of(stored) if stored is not None else None
    row.changed_by, row.version = by, stored.version + 1 if stored is not None else 1
    row.save()
    change = change_of(row, old)
    if change is not None:
        write_changes([change], by=by, reason=reason)
        rescoring.ask(rescoring.Touched.by([row, *([stored] if stored else [])]), by=by)
    return change


@transaction.atomic
def remove_rows(*, rows: Sequence[TableRow], by: User, reason: str = "") -> int:
    """Take rows out of a table for good; their history stays. Give how many."""
    require(by.is_admin)
    changes = [change_of(row, content_of(row), removed=True) for row in rows]
    touched = rescoring.Touched.by(rows)
    for row in rows:
        if isinstance(row, Publisher):
            changes += _untie(row, by)
        row.delete()
    write_changes([each for each in changes if each], by=by, reason=reason)
    rescoring.ask(touched, by=by)
    return len(rows)


@transaction.atomic
def note_import(
    *, changes: Sequence[RowChange], rows: Sequence[TableRow], name: str, by: User
) -> Job | None:
    """Keep what an import changed in the history, and queue what follows.

    In the transaction of the import; ``rows`` as they are now, ``name`` of the file.
    """
    require(by.is_admin)
    if not changes:
        return None
    write_changes(changes, by=by, reason=name, batch_id=uuid.uuid4().hex)
    return rescoring.ask(rescoring.Touched.by(rows), by=by)


def _untie(publisher: Publisher, by: User) -> list[RowChange | None]:
    """Take a publisher's name from its hosts; each is a change of its own."""
    found = []
    for domain in publisher.domains.select_related("publisher"):
        old = content_of(domain)
        domain.publisher, domain.changed_by = None, by
        domain.version += 1
        domain.save()
        found.append(change_of(domain, old))
    return found
