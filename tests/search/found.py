"""Searches in tests: write a receipt with results, as if a provider had answered."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from search.asking import Answer
from search.models import Receipt, Record
from search.providers import Hit, Hits
from search.providers.base import Said
from search.receipts import Entered, write
from sources.models import Project

AT = datetime(2026, 2, 3, 9, 14, tzinfo=UTC)


def searched(
    project: Project,
    *hits: Hit,
    number: int | None = 1,
    is_lead: bool = False,
    said: Mapping[str, Any] | None = None,
    **given: Any,
) -> Receipt:
    """Write the receipt of a search that found these."""
    values = {
        "query": "drug x",
        "route": "pubmed",
        "provider": "pubmed",
        "language": "en",
        "links": {},
    }
    entered = Entered(
        at=AT, tool="project-search", mode="academic", round=number,
        is_lead=is_lead, **{**values, **given},
    )  # fmt: skip
    found = Hits(list(hits), said=Said(**(said or {})))
    return write(project, entered, Answer(found.cut(1_000), ()), by=None)


def hit(name: str = "a", **given: Any) -> Hit:
    """Give a result at an address of its own."""
    values = {"title": f"Study {name}", "url": f"https://journal.fi/{name}", "provider": "pubmed"}
    return Hit(**{**values, **given})


def records(project: Project) -> list[Record]:
    """Give all records of a project, the oldest first."""
    return list(Record.objects.filter(project=project).order_by("pk"))
