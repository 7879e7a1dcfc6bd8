"""The site's tables as the rubric reads them, kept in memory until somebody changes a row."""

from datetime import datetime
from threading import Lock

from django.db.models import Count, Max

from .models import Domain, Journal, Project, Publisher, Subject, TableChange
from .models.tables import TableRow
from .scoring.facts import DomainRow, JournalRow, PublisherRow, SubjectRow, Tables

# How many rows a table has and when one was last changed: other rows, other signature.
type Signature = tuple[tuple[int, datetime | None], ...]

_SITE_TABLES: tuple[type[TableRow], ...] = (Journal, Publisher, Domain)
_lock = Lock()
_kept: tuple[Signature, Tables] | None = None


def load_tables(project: Project | None = None) -> Tables:
    """Give the tables of the site, and what the project evaluates.

    Four small queries, and one a table where a row was changed since.
    """
    subjects = _subjects(project) if project is not None else ()
    return _site_tables().beside(subjects, tables_version())


def tables_version() -> int:
    """Give the number of the last change of any table: the version that a score rests on."""
    return TableChange.objects.aggregate(last=Max("pk"))["last"] or 0


def _site_tables() -> Tables:
    global _kept
    signature = _signature()
    with _lock:
        if _kept is not None and _kept[0] == signature:
            return _kept[1]
    tables = Tables(_journals(), _publishers(), _domains())
    with _lock:
        _kept = (signature, tables)
    return tables


def _signature() -> Signature:
    found = []
    for model in _SITE_TABLES:
        row = model._default_manager.aggregate(rows=Count("pk"), last=Max("changed_at"))
        found.append((row["rows"], row["last"]))
    return tuple(found)


def _journals() -> tuple[JournalRow, ...]:
    return tuple(
        JournalRow(
            title=row.title,
            issns=tuple(row.issns),
            aliases=tuple(row.aliases),
            impact_factor=row.impact_factor,
            impact_year=row.impact_year,
            authority_band=row.authority_band,
            tier=row.tier,
        )
        for row in Journal.objects.order_by("pk")
    )


def _publishers() -> tuple[PublisherRow, ...]:
    return tuple(
        PublisherRow(
            name=row.name,
            publisher_class=row.publisher_class,
            aliases=tuple(row.aliases),
            tier=row.tier,
            authority=row.authority,
        )
        for row in Publisher.objects.order_by("pk")
    )


def _domains() -> tuple[DomainRow, ...]:
    rows = Domain.objects.select_related("publisher").order_by("pk")
    return tuple(
        DomainRow(
            host=row.host,
            publisher_class=row.publisher_class,
            path_prefix=row.path_prefix,
            with_subdomains=row.with_subdomains,
            publisher=row.publisher.name if row.publisher else "",
            tier=row.tier,
            authority=row.authority,
            source_type=row.source_type,
        )
        for row in rows
    )


def _subjects(project: Project) -> tuple[SubjectRow, ...]:
    return tuple(
        SubjectRow(
            kind=row.kind, name=row.name, aliases=tuple(row.aliases), domains=tuple(row.domains)
        )
        for row in Subject.objects.filter(project=project).order_by("pk")
    )
