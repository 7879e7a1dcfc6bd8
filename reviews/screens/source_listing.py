"""What the list of sources shows: rows, chips, counts. The queries do not grow with the rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, TextChoices
from django.utils.translation import gettext as _

from reviews.models import Evidence
from reviews.queries.source_search import SourceSearch
from sources.models import Band, BlacklistRule, Override, Project, Source
from sources.scoring.marks import shown
from workbench.lib.keyset import Page, SortKey, Turn, page
from workbench.lib.querylang import Op, Term

PAGE = 50
SHOWN_COUNT = 10_000  # counts above are shown as "10k+" and counted exactly on request
CHIPS = ("admitted", "candidate", "rejected", "blacklisted", "open", "dead")
DEFAULT_SORT = "-score"

_PK = SortKey("pk")
SORTS: Mapping[str, tuple[SortKey, ...]] = {
    "-score": (SortKey("score_order", descending=True, kind=Decimal), _PK),
    "score": (SortKey("score_order", kind=Decimal), _PK),
    "id": (SortKey("external_id", kind=str), _PK),
    "-id": (SortKey("external_id", descending=True, kind=str), _PK),
    "-added": (SortKey("pk", descending=True),),
    "added": (_PK,),
}
_COLUMNS = (
    "pk",
    "external_id",
    "title",
    "url",
    "venue",
    "year",
    "tier",
    "score",
    "band",
    "status",
    "access_status",
    "retraction",
    "blacklist",
    "dead_link",
    "open_findings",
    "cluster__name",
)


_NOTICES = {"retracted": "defect", "concern": "attention", "corrected": "attention"}
_STATUS = {"rejected": "defect", "admitted": "located", "candidate": "unknown"}


def known(sort: str) -> str:
    """Give a sort's name, the default for one that is not known."""
    return sort if sort in SORTS else DEFAULT_SORT


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source of the list."""

    pk: int
    id: str
    title: str
    url: str
    venue: str
    year: int | None
    tier: int | None
    score: str  # one decimal, or empty
    band: str  # its word
    states: tuple[tuple[str, str], ...]  # (kind of chip, word)
    access: str  # its word
    findings: int
    cluster: str
    claims: int
    overridden: bool
    waiting: bool


@dataclass(slots=True)
class SourceCounts:
    """Sources of the project behind each chip, and how many the query keeps."""

    project: int = 0
    matched: int = 0
    more: bool = False
    chips: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceChip:
    """A part of the list by one press: it writes the query."""

    name: str
    count: int
    query: str
    active: bool


def source_page(found: SourceSearch, sort: str, turn: Turn) -> tuple[list[SourceRow], Page]:
    """Give a page of sources in an order, with what its rows need. Three queries."""
    paged = page(found.sources(), SORTS[known(sort)], turn, size=PAGE, columns=_COLUMNS)
    return rows_of(paged.rows), paged


def rows_of(values: list[dict[str, Any]]) -> list[SourceRow]:
    """Make rows, with the number of claims and the overrides of each. Two queries."""
    pks = [each["pk"] for each in values]
    cited = Evidence.objects.filter(source__in=pks, current=True, claim__current=True)
    claims = dict(cited.order_by().values_list("source").annotate(n=Count("claim", distinct=True)))
    states: dict[int, set[str]] = {}
    living = Override.objects.filter(
        source__in=pks, state__in=[Override.State.ACTIVE, Override.State.WAITING]
    )
    for pk, state in living.order_by().values_list("source", "state"):
        states.setdefault(pk, set()).add(state)
    return [_row(each, claims.get(each["pk"], 0), states.get(each["pk"], set())) for each in values]


def _row(values: Mapping[str, Any], claims: int, overrides: set[str]) -> SourceRow:
    return SourceRow(
        pk=values["pk"],
        id=values["external_id"],
        title=values["title"],
        url=values["url"],
        venue=values["venue"],
        year=values["year"],
        tier=values["tier"],
        score="" if values["score"] is None else shown(values["score"]),
        band=word_of(Band, values["band"]),
        states=tuple(states_of(values)),
        access=word_of(Source.AccessStatus, values["access_status"]),
        findings=values["open_findings"],
        cluster=values["cluster__name"] or "",
        claims=claims,
        overridden=Override.State.ACTIVE in overrides,
        waiting=Override.State.WAITING in overrides,
    )


def word_of(choices: type[TextChoices], value: str) -> str:
    """Give the word of a stored value; the value itself where nobody named it."""
    return str(choices(value).label) if value in choices.values else value


def states_of(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Say where a source stands as chips: kind and word, the gravest first."""
    standing = values["retraction"]
    if standing in _NOTICES:
        yield _NOTICES[standing], word_of(Source.Standing, standing)
    if values["blacklist"]:
        yield "defect", word_of(BlacklistRule.Kind, values["blacklist"])
    if values["dead_link"]:
        yield "stale", _("Dead link")
    yield _STATUS[values["status"]], word_of(Source.Status, values["status"])


def source_counts(found: SourceSearch, *, exact: bool = False) -> SourceCounts:
    """Count the sources of the project by chip, and those of the query. Two queries."""
    counted = _chip_counts(found.project)
    total = counted.pop("project")
    sources = found.sources().order_by()
    if not found.query.terms:
        matched, more = total, False
    elif exact:
        matched, more = sources.count(), False
    else:
        n = sources.values("pk")[: SHOWN_COUNT + 1].count()
        matched, more = min(n, SHOWN_COUNT), n > SHOWN_COUNT
    return SourceCounts(total, matched, more, counted)


def _chip_counts(project: Project) -> dict[str, int]:
    parts = {
        "project": Count("pk"),
        **{s: Count("pk", filter=Q(status=s)) for s in Source.Status.values},
        "blacklisted": Count("pk", filter=~Q(blacklist="")),
        "open": Count("pk", filter=Q(open_findings__gt=0)),
        "dead": Count("pk", filter=Q(dead_link=True)),
    }
    return Source.objects.for_project(project).aggregate(**parts)


def source_chips(found: SourceSearch, counts: SourceCounts) -> list[SourceChip]:
    """Give the chips with their counts and the query that each writes."""
    terms = {name: Term("is", Op.IS, (name,)) for name in CHIPS}
    chosen = {name for name, term in terms.items() if term in found.query.terms}
    made = []
    for name, term in terms.items():
        query = found.query
        for other in chosen:
            query = query.without_term(terms[other])
        if name not in chosen:
            query = query.with_term(term)
        made.append(SourceChip(name, counts.chips[name], query.to_text(), name in chosen))
    return made
