"""Search sources: from the text of a query to the sources that it keeps."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from reviews.models import Evidence
from reviews.queries import conditions as ask
from reviews.queries.reading import TooManyStars
from reviews.queries.source_fields import SOURCE_SPECS, SOURCES_BY_NAME
from sources.models import (
    Override,
    Project,
    Snapshot,
    Source,
    SourceFinding,
    SourceIdentifier,
)
from workbench.lib.querylang import Op, Query, Term, parse


@dataclass(frozen=True, slots=True)
class SourceSearch:
    """A query of sources that was read."""

    query: Query
    project: Project

    def sources(self) -> QuerySet[Source]:
        """Give the sources that match, in no order."""
        found = Source.objects.for_project(self.project)
        for term in self.query.terms:
            found = found.filter(_condition(term))
        return found

    def without(self, term: Term) -> "SourceSearch":
        """Give the search without one of its terms."""
        return SourceSearch(self.query.without_term(term), self.project)


def search_sources(project: Project, text: str) -> SourceSearch:
    """Read a query. Raises QueryError, which points at the character that is wrong."""
    query = parse(text, SOURCE_SPECS)
    for term in query.terms:
        if term.field == "host" and any(v.count("*") > ask.HOST_STARS for v in term.values):
            raise TooManyStars(term.field, term.start)
    return SourceSearch(query, project)


def to_blame(found: SourceSearch) -> list[Term]:
    """Give the terms of an empty search without which it would find something."""
    terms = found.query.terms
    if len(terms) < 2:
        return list(terms)
    return [term for term in terms if found.without(term).sources().exists()]


def _condition(term: Term) -> Q:
    if term.field is None:
        asked = _word(term.value)
    else:
        field = SOURCES_BY_NAME[term.field]
        asked = _ANSWERS[field.name](term.op, field.stored(term.values))
    return ~asked if term.negated else asked


def _any(conditions: Iterable[Q]) -> Q:
    found = Q(pk__in=[])
    for each in conditions:
        found |= each
    return found


def _word(value: str) -> Q:
    return Q(title__icontains=value) | Q(external_id__icontains=value) | Q(doi__icontains=value)


def _number(column: str) -> Callable[[Op, list[str]], Q]:
    return lambda op, values: _any(ask.number(column, op, value) for value in values)


def _column(*names: str) -> Callable[[Op, list[str]], Q]:
    return lambda _op, values: _any(ask.by_column(name, values) for name in names)


def _text(*names: str) -> Callable[[Op, list[str]], Q]:
    def asked(op: Op, values: list[str]) -> Q:
        if op is Op.LIKE:
            return _any(ask.by_column(name, values) for name in names)
        way = "iexact" if op is Op.EXACT else "icontains"
        return _any(Q(**{f"{name}__{way}": value}) for name in names for value in values)

    return asked


def _cited(**more: object) -> Q:
    rows = Evidence.objects.filter(source=OuterRef("pk"), current=True, claim__current=True, **more)
    return Q(Exists(rows))


def _overrides(state: str) -> Q:
    return Q(Exists(Override.objects.filter(source=OuterRef("pk"), state=state)))


_IS: dict[str, Callable[[], Q]] = {
    "admitted": lambda: Q(status=Source.Status.ADMITTED),
    "candidate": lambda: Q(status=Source.Status.CANDIDATE),
    "rejected": lambda: Q(status=Source.Status.REJECTED),
    "scored": lambda: Q(score__isnull=False),
    "unscored": lambda: Q(score__isnull=True),
    "used": _cited,
    "unused": lambda: ~_cited(),
    "key": lambda: _cited(claim__is_key=True),
    "dead": lambda: Q(dead_link=True),
    "overridden": lambda: _overrides(Override.State.ACTIVE),
    "waiting": lambda: _overrides(Override.State.WAITING),
    "blacklisted": lambda: ~Q(blacklist=""),
    "open": lambda: Q(open_findings__gt=0),
}


def _snapshots() -> Q:
    rows = Snapshot.objects.filter(
        project=OuterRef("project"), normalized_url=OuterRef("normalized_url")
    )
    return ~Q(normalized_url="") & Q(Exists(rows))


_HAS: dict[str, Callable[[], Q]] = {
    "override": lambda: _overrides(Override.State.ACTIVE),
    "snapshot": _snapshots,
    "doi": lambda: ~Q(doi=""),
    "receipt": lambda: ~Q(receipt_ids=[]),
    "coi": lambda: ~Q(conflict_of_interest=""),
    "cluster": lambda: Q(cluster__isnull=False),
    "finding": lambda: Q(open_findings__gt=0),
}


def _finding(_op: Op, values: list[str]) -> Q:
    rows = SourceFinding.objects.filter(
        ask.by_column("code", values), source=OuterRef("pk"), state=SourceFinding.State.OPEN
    )
    return Q(Exists(rows))


def _identifier(_op: Op, values: list[str]) -> Q:
    rows = SourceIdentifier.objects.filter(ask.by_column("value", values), source=OuterRef("pk"))
    return Q(Exists(rows)) | ask.by_column("doi", values)


def _import(_op: Op, values: list[str]) -> Q:
    return Q(batch__in=[int(value) for value in values if re.fullmatch("[0-9]{1,18}", value)])


_ANSWERS: dict[str, Callable[[Op, list[str]], Q]] = {
    "is": lambda _op, values: _any(_IS[value]() for value in values),
    "has": lambda _op, values: _any(_HAS[value]() for value in values),
    "score": _number("score"),
    "tier": _number("tier"),
    "year": _number("year"),
    "band": _column("band"),
    "type": _column("type", "source_type"),
    "access": _column("access_status"),
    "retraction": _column("retraction"),
    "finding": _finding,
    "host": ask.by_source_host,
    "cluster": _column("cluster__name"),
    "identifier": _identifier,
    "venue": _text("venue"),
    "text": _text("title", "abstract"),
    "import": _import,
}
