"""Find what is said of the works that sources are: by DOI and PMID, exact ones only."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from sources.identifiers import ADDRESSES, NAMED_FIELDS
from sources.models import NoticeProvider, Project, RetractionRecord, Source, SourceIdentifier
from sources.retractions import Statement

from .records import to_statement

_BATCH = 500
# A PMID in a note or a title may be another work's.
_OWN_FIELDS = NAMED_FIELDS | ADDRESSES

type Records = dict[int, list[RetractionRecord]]  # what is said today, by source


@dataclass(frozen=True, slots=True)
class Work:
    """A source as providers know it."""

    source: int
    doi: str
    pmids: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether anybody can be asked about it at all."""
        return bool(self.doi or self.pmids)

    @property
    def pmid(self) -> str:
        """Its PMID; where it has several, there is no telling which."""
        return self.pmids[0] if len(self.pmids) == 1 else ""


def asked_for(work: Work, provider: str) -> str:
    """Name what a provider is asked about; "" where it cannot be asked.

    A check holds only as long as the source is still known by this name.
    """
    by_pmid = f"pmid:{work.pmid}" if work.pmid else ""
    by_doi = f"doi:{work.doi}" if work.doi else ""
    if provider in {NoticeProvider.CROSSREF, NoticeProvider.OPENALEX}:
        return by_doi
    if provider in {NoticeProvider.PUBMED, NoticeProvider.EUROPE_PMC}:
        return by_pmid or by_doi
    return by_doi or by_pmid


def works_of(project: Project, source_ids: Collection[int] | None = None) -> list[Work]:
    """Give the sources of a project, or some of them, as works. Two queries for 500 of them."""
    rows = Source.objects.for_project(project)
    if source_ids is None:
        found = list(rows.order_by("pk").values_list("pk", "doi"))
    else:
        keys = sorted(source_ids)
        parts = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        found = [
            pair for part in parts for pair in rows.filter(pk__in=part).values_list("pk", "doi")
        ]
    pmids = _pmids([pk for pk, _doi in found])
    return [Work(pk, doi, tuple(pmids.get(pk, ()))) for pk, doi in sorted(found)]


def _pmids(keys: Sequence[int]) -> dict[int, list[str]]:
    """Give PMIDs by source. By lists of keys: a join makes PostgreSQL guess badly after imports."""
    pmids: dict[int, list[str]] = defaultdict(list)
    for at in range(0, len(keys), _BATCH):
        rows = SourceIdentifier.objects.filter(
            source__in=keys[at : at + _BATCH], scheme="pmid", found_in__in=_OWN_FIELDS
        )
        for source, value in rows.order_by("source_id", "value").values_list("source_id", "value"):
            pmids[source].append(value)
    return pmids


def records_of(works: Sequence[Work]) -> Records:
    """Give what is said of each work today, by source; those of whom nothing is said are absent.

    Two queries for 500 works.
    """
    by_doi: dict[str, list[int]] = defaultdict(list)
    by_pmid: dict[str, list[int]] = defaultdict(list)
    for work in works:
        if work.doi:
            by_doi[work.doi].append(work.source)
        for pmid in work.pmids:
            by_pmid[pmid].append(work.source)
    found: dict[int, dict[int, RetractionRecord]] = defaultdict(dict)
    for record in _records("doi", by_doi):
        for source in by_doi[record.doi]:
            found[source][record.pk] = record
    for record in _records("pmid", by_pmid):
        for source in by_pmid[record.pmid]:
            found[source][record.pk] = record
    return {source: list(records.values()) for source, records in found.items()}


def as_statements(records: Records) -> dict[int, list[Statement]]:
    """Give what is said of each work as statements, by source."""
    return {source: [to_statement(record) for record in each] for source, each in records.items()}


def sources_named(dois: Iterable[str], pmids: Iterable[str]) -> dict[int, set[int]]:
    """Give the sources, by project, that are one of these works."""
    found: dict[int, set[int]] = defaultdict(set)
    for part in _parts(dois):
        rows = Source.objects.filter(doi__in=part)
        for project, source in rows.values_list("project", "pk"):
            found[project].add(source)
    for part in _parts(pmids):
        named = SourceIdentifier.objects.filter(
            scheme="pmid", value__in=part, found_in__in=_OWN_FIELDS
        )
        for project, source in named.values_list("source__project", "source"):
            found[project].add(source)
    return found


def _records(field: str, values: Iterable[str]) -> Iterable[RetractionRecord]:
    for part in _parts(values):
        standing = Q(withdrawn_at=None, **{f"{field}__in": part})
        yield from RetractionRecord.objects.filter(standing).order_by("pk")


def _parts(values: Iterable[str]) -> Iterable[list[str]]:
    listed = sorted(set(values))
    for at in range(0, len(listed), _BATCH):
        yield listed[at : at + _BATCH]
