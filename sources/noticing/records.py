"""Statements as rows, and rows as statements."""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from sources.models import RetractionRecord
from sources.retractions import Statement

BATCH = 500
# What a row takes from a statement, all but its key.
FIELDS = (
    "doi",
    "pmid",
    "title",
    "journal",
    "nature",
    "stated_as",
    "noticed_on",
    "notice_doi",
    "notice_pmid",
    "reasons",
    "second_opinion",
    "raw",
    "content_hash",
    "retrieved_at",
    "withdrawn_at",
)
_TOLD_BY, _ASSERTED_BY = "told_by", "asserted_by"


@dataclass(slots=True)
class Kept:
    """What writing statements changed: the works that are concerned."""

    dois: set[str] = field(default_factory=set)
    pmids: set[str] = field(default_factory=set)
    changed: int = 0

    def concerns(self, record: RetractionRecord) -> None:
        """Note a record whose work must be judged anew."""
        self.changed += 1
        self.dois |= {record.doi} - {""}
        self.pmids |= {record.pmid} - {""}


def to_record(statement: Statement, *, now: datetime) -> RetractionRecord:
    """Make the row of a statement; not saved."""
    raw = dict(statement.raw)
    raw[_TOLD_BY], raw[_ASSERTED_BY] = statement.told_by, list(statement.asserted_by)
    return RetractionRecord(
        provider=statement.provider,
        record_key=statement.key,
        doi=statement.doi,
        pmid=statement.pmid,
        title=statement.title,
        journal=statement.journal[:500],
        nature=statement.nature,
        stated_as=statement.stated_as[:200],
        noticed_on=statement.date,
        notice_doi=statement.notice_doi,
        notice_pmid=statement.notice_pmid,
        reasons=list(statement.reasons),
        second_opinion=statement.second_opinion,
        raw=raw,
        content_hash=digest(statement),
        retrieved_at=now,
    )


def to_statement(record: RetractionRecord) -> Statement:
    """Give what a row says."""
    raw = dict(record.raw)
    return Statement(
        provider=record.provider,
        key=record.record_key,
        nature=record.nature,
        stated_as=record.stated_as,
        doi=record.doi,
        pmid=record.pmid,
        date=record.noticed_on,
        notice_doi=record.notice_doi,
        notice_pmid=record.notice_pmid,
        title=record.title,
        journal=record.journal,
        reasons=tuple(record.reasons),
        told_by=str(raw.pop(_TOLD_BY, "")),
        asserted_by=tuple(raw.pop(_ASSERTED_BY, ())),
        second_opinion=record.second_opinion,
        raw=raw,
    )


def digest(statement: Statement) -> str:
    """Hash everything that a statement says."""
    said = [getattr(statement, name) for name in Statement.__slots__]
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def said_of(record: RetractionRecord) -> dict[str, Any]:
    """Give what matters of a row, for the record of changes."""
    return {
        "nature": record.nature,
        "date": record.noticed_on,
        "doi": record.doi,
        "pmid": record.pmid,
        "notice_doi": record.notice_doi,
        "notice_pmid": record.notice_pmid,
        "reasons": list(record.reasons),
    }


def write(records: Sequence[RetractionRecord]) -> None:
    """Insert rows, or write over those of the same key; in order, so that none wait crosswise."""
    RetractionRecord.objects.bulk_create(
        sorted(records, key=lambda record: record.record_key),
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["provider", "record_key"],
        update_fields=FIELDS,
    )


def keep(
    provider: str,
    statements: Iterable[Statement],
    *,
    answered: Collection[str],
    now: datetime,
) -> Kept:
    """Write what a provider said, and mark what it says no more.

    ``answered`` are the records of the provider, by DOI or PMID, that were read whole: what they
    told before and do not tell now is withdrawn.
    """
    said = {each.key: _storable(each) for each in statements}
    known = {row.record_key: row for row in _known(provider, said.keys(), answered)}
    kept, rows = Kept(), []
    for key, statement in said.items():
        row, old = to_record(statement, now=now), known.get(key)
        if old is not None and old.withdrawn_at is None and old.content_hash == row.content_hash:
            continue
        kept.concerns(row)
        if old is not None:
            kept.concerns(old)
        rows.append(row)
    for key, old in known.items():
        told_by = old.raw.get(_TOLD_BY)
        if key not in said and old.withdrawn_at is None and told_by in answered:
            old.withdrawn_at = now
            kept.concerns(old)
            rows.append(old)
    write(rows)
    return kept


def _known(
    provider: str, keys: Collection[str], answered: Collection[str]
) -> Iterable[RetractionRecord]:
    names = list(answered)
    about = Q(doi__in=names) | Q(pmid__in=names) | Q(notice_doi__in=names)
    about |= Q(notice_pmid__in=names) | Q(record_key__in=list(keys))
    return RetractionRecord.objects.filter(about, provider=provider)


def _storable(statement: Statement) -> Statement:
    """Cut what a column cannot hold; DOIs are short enough already."""
    return replace(
        statement,
        title=statement.title[:5000],
        journal=statement.journal[:500],
        stated_as=statement.stated_as[:200],
    )
