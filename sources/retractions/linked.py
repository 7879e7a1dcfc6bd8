"""Statements from records that link works and notices as MEDLINE does. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sources.dois import fold_doi

from .dates import from_citation
from .reftypes import Link, is_notice_type, is_retracted_type
from .statements import IS_NOTICE, TITLE_HINT, Reading, Severity, Statement, key_of, severity_of
from .titles import says_notice, says_retracted

_DOI = re.compile(r"\bdoi:\s*(10\.\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LinkedTo:
    """One link of a record: what it says, the other record, and the words."""

    link: Link
    pmid: str
    citation: str
    stated_as: str


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says of itself."""

    provider: str
    pmid: str
    doi: str
    date: str
    title: str
    journal: str
    links: tuple[LinkedTo, ...]
    types: tuple[tuple[str, str], ...]  # names and identifiers of its publication types
    told: bool = True

    @property
    def name(self) -> str:
        return self.pmid or self.doi


def reading_of(record: Record) -> Reading:
    """Give every statement of a record, about itself and about others; none without an id."""
    if not record.name:
        return Reading(told=record.told)
    inward = [_inward(record, each) for each in record.links if each.link.inward]
    outward = [_outward(record, each) for each in record.links if not each.link.inward]
    statements = [*inward, *(each for each in outward if each is not None)]
    statements += _by_type(record, inward)
    return Reading(record.doi, record.pmid, tuple(_once(statements)), record.told)


def _inward(record: Record, to: LinkedTo) -> Statement:
    found = _DOI.search(to.citation)
    notice_doi = fold_doi(found[1]) if found else ""
    return Statement(
        provider=record.provider,
        key=key_of(record.name, record.name, to.pmid or to.citation, to.link.nature),
        nature=to.link.nature,
        stated_as=to.stated_as[:200],
        doi=record.doi,
        pmid=record.pmid,
        date=from_citation(to.citation),
        notice_doi=notice_doi,
        notice_pmid=to.pmid,
        title=record.title,
        journal=record.journal,
        told_by=record.name,
        raw={"citation": to.citation},
    )


def _outward(record: Record, to: LinkedTo) -> Statement | None:
    if not to.pmid:
        return None  # the work is known by its citation only
    return Statement(
        provider=record.provider,
        key=key_of(record.name, to.pmid, record.name, to.link.nature),
        nature=to.link.nature,
        stated_as=to.stated_as[:200],
        pmid=to.pmid,
        date=record.date,
        notice_doi=record.doi,
        notice_pmid=record.pmid,
        told_by=record.name,
        raw={"citation": to.citation},
    )


def _by_type(record: Record, inward: Iterable[Statement]) -> list[Statement]:
    retracted = any(each.severity is Severity.RETRACTION for each in inward)
    named = next((name for name, ui in record.types if is_retracted_type(name, ui)), None)
    if named is not None:
        return [] if retracted else [_own(record, "retraction", named)]
    outward = any(
        each.link.notice and not each.link.inward and severity_of(each.link.nature)
        for each in record.links
    )
    kind = next((name for name, ui in record.types if is_notice_type(name, ui)), "")
    if kind or outward or says_notice(record.title):
        return [_own(record, IS_NOTICE, kind or record.title, hint=True)]
    if says_retracted(record.title) and not retracted:
        return [_own(record, TITLE_HINT, record.title, hint=True)]
    return []


def _own(record: Record, nature: str, stated_as: str, *, hint: bool = False) -> Statement:
    return Statement(
        provider=record.provider,
        key=key_of(record.name, record.name, "", nature),
        nature=nature,
        stated_as=stated_as[:200],
        doi=record.doi,
        pmid=record.pmid,
        title=record.title,
        journal=record.journal,
        told_by=record.name,
        second_opinion=hint,
    )


def _once(statements: Iterable[Statement]) -> Iterable[Statement]:
    return {each.key: each for each in statements}.values()
