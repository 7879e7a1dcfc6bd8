"""Enter one source that no file brought: a result that was kept, an address that was given."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models.functions import Length

from sources.exchange.lines import read_line
from sources.importing.sources import put_identifiers
from sources.models import Project, Source
from sources.recording import Entry, record
from workbench.lib.problems import Log

NAMED = "src_{:03d}"
_NUMBERED = r"^src_[0-9]{1,9}$"


def next_id(project: Project) -> str:
    """Give the next free id of a project's sources; its chain must be held."""
    numbered = Source.objects.filter(project=project, external_id__regex=_NUMBERED)
    longest = numbered.annotate(length=Length("external_id")).order_by("-length", "-external_id")
    last = longest.values_list("external_id", flat=True).first()
    return NAMED.format(int(last.removeprefix("src_")) + 1 if last else 1)


def enter(project: Project, fields: Mapping[str, Any], *, origin: str, by: Any) -> Source:
    """Make a candidate of fields as sources.jsonl names them, in the caller's transaction.

    Formats section 1. The project's chain must be held. Raises ValueError for what has neither
    address, DOI nor title.
    """
    named = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    line = read_line({"id": next_id(project), **named}, number=1, file=origin, log=Log())
    if line is None or not any(line.columns.get(name) for name in ("url", "doi", "title")):
        raise ValueError("A source needs an address, a DOI or a title.")
    title = line.columns.get("title", "")
    source = Source.objects.create(
        project=project,
        external_id=line.id,
        raw_id=line.id,
        origin=origin,
        titles=[title] if title else [],
        content_hash=line.line_hash,
        **line.columns,
    )
    put_identifiers([(source.pk, line.identifiers)])
    new = {"title": source.title, "url": source.url, "receipts": list(source.receipt_ids)}
    record(project, [Entry("source.entered", "source", source.external_id, new=new)], by=by)
    return source


def add_receipts(source: Source, receipts: Iterable[str]) -> bool:
    """Name further receipts of a source; True if that is new. In the caller's transaction."""
    named = [str(each) for each in source.receipt_ids]
    more = [each for each in receipts if each not in named]
    if not more:
        return False
    source.receipt_ids = [*source.receipt_ids, *more]
    source.version += 1
    source.save(update_fields=["receipt_ids", "version"])
    return True
