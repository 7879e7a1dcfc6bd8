"""What the list of claims shows: rows, chips, counts. The queries do not grow with the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast

from reviews.models import Assessment, Claim, Snooze, Verdict
from reviews.queries.reading import Search
from reviews.screens.ordering import Order
from reviews.screens.row_words import Row, RowWords
from reviews.sealing import is_sealed
from sources.models import Project, User
from workbench.lib.prepared import Given, prepared
from workbench.lib.querylang import Op, Term
from workbench.lib.showing import language_of

PAGE = 50
SHOWN_COUNT = 10_000  # counts above are shown as "10k+" and counted exactly on request
SHOWN_TEXT = 300  # characters of a claim in a row of two lines
SAMPLE = 100  # characters that tell the language of a claim
# One query of plain values: fifty model instances would cost as much as the rest of the page.
_FIELDS = (
    "pk",
    "external_id",
    "text",
    "is_key",
    "state",
    "version",
    "risk",
    "risk_terms",
    "open_errors",
    "open_warnings",
    "summary",
    "section",
)
type Values = dict[str, Any]


@dataclass(slots=True)
class Counts:
    """Claims of the project behind each chip, and how many the query keeps."""

    NAMES: ClassVar[tuple[str, ...]] = ("open", "stale", "conflict", "mine", "later")

    project: int = 0
    matched: int = 0
    more: bool = False  # there are more than ``matched``, which stopped counting
    chips: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Listing:
    """One page of the list."""

    rows: list[Row]
    counts: Counts
    previous: str = ""  # mark of the first row, if rows stand before it
    next: str = ""  # mark of the last row, if rows stand after it


@dataclass(frozen=True, slots=True)
class Turn:
    """Where in the list a page begins: at the start, after or before a mark, or at the end."""

    after: str = ""
    before: str = ""
    last: bool = False


def listing(found: Search, sort: str, turn: Turn, *, exact: bool = False) -> Listing:
    """Give a page of claims in an order, with what its rows need. Three or four queries."""
    order = Order.named(sort, found.scope.user, found.scope.project)
    values, before, after = _page(found.claims(), order, turn)
    scope = found.scope
    return Listing(
        rows_of(scope.project, scope.user, values, today=scope.today),
        counts(found, exact=exact),
        order.mark(values[0]) if before and values else "",
        order.mark(values[-1]) if after and values else "",
    )


def _page(claims: QuerySet[Claim], order: Order, turn: Turn) -> tuple[list[Values], bool, bool]:
    """Give the claims of a page, and whether others stand before and after them."""
    if turn.last or turn.before:
        back = order.turned()
        place = back.read_mark(turn.before)
        rows = _values(back.after(claims, place) if place else back.over(claims), back)
        if len(rows) > PAGE or turn.last:
            return rows[:PAGE][::-1], len(rows) > PAGE, place is not None
    place = order.read_mark(turn.after)
    rows = _values(order.after(claims, place) if place else order.over(claims), order)
    return rows[:PAGE], place is not None, len(rows) > PAGE


def _values(claims: QuerySet[Claim], order: Order) -> list[Values]:
    names = dict.fromkeys((*_FIELDS, *(key.name for key in order.keys)))
    return list(claims.annotate(section=F("dimension__external_id")).values(*names)[: PAGE + 1])


def values_of(claim: Claim) -> Values:
    """Give the values that a row is made of, for one claim."""
    section = claim.dimension.external_id if claim.dimension else ""
    return {name: getattr(claim, name) for name in _FIELDS if name != "section"} | {
        "section": section
    }


def rows_of(project: Project, user: User, claims: Sequence[Values], *, today: date) -> list[Row]:
    """Make rows of claims, with what is the user's own: verdict, day, trust. One query."""
    own = _own([claim["pk"] for claim in claims], user, today)
    words = RowWords.now()
    share = project.sealed_share
    rows = []
    for claim in claims:
        seen = claim["pk"] in own.judged
        sealed = not seen and is_sealed(project.slug, claim["external_id"], share)
        rows.append(_row(claim, words, own, sealed=sealed))
    return rows


@dataclass(slots=True)
class _Own:
    """What the user has to do with the claims of a page."""

    judged: set[int] = field(default_factory=set)  # or revealed: no longer sealed
    due: dict[int, date] = field(default_factory=dict)
    trust: dict[tuple[int, int], str] = field(default_factory=dict)  # by claim and position


@prepared
def _own_rows(claims: Given, user: Given, today: Given) -> QuerySet[Any, Any]:
    """Ask for all of it at once: a page is mostly waiting for its queries."""
    said = CharField()
    verdicts = Verdict.objects.filter(claim__in=claims, reviewer=user)
    judged = verdicts.exclude(decision="", revealed_at=None).values_list(
        "claim", Value(0), Value("judged", said), Value("", said)
    )
    snoozes = Snooze.objects.filter(claim__in=claims, reviewer=user, until__gt=today)
    due = snoozes.values_list("claim", Value(0), Value("due", said), Cast("until", said))
    assessed = Assessment.objects.filter(
        evidence__claim__in=claims, evidence__current=True, reviewer=user, stale=False
    )
    trust = assessed.exclude(trust="").values_list(
        "evidence__claim", "evidence__position", Value("trust", said), "trust"
    )
    return judged.order_by().union(due.order_by(), trust.order_by(), all=True).order_by()


def _own(pks: Sequence[int], user: User, today: date) -> _Own:
    own = _Own()
    if not pks:
        return own
    for claim, position, kind, value in _own_rows(claims=list(pks), user=user.pk, today=today):
        if kind == "judged":
            own.judged.add(claim)
        elif kind == "due":
            own.due[claim] = date.fromisoformat(value)
        else:
            own.trust[claim, position] = value
    return own


def _row(
    claim: Values,
    words: RowWords,
    own: _Own,
    *,
    sealed: bool,
) -> Row:
    text, summary = claim["text"], claim["summary"]
    pairs = [
        (own.trust.get((claim["pk"], number), ""), "" if sealed else item.get("proposed", ""))
        for number, item in enumerate(summary.get("evidence", ()), start=1)
    ]
    risk = "–" if sealed or claim["risk"] is None else f"{claim['risk']:.2f}"
    return Row(
        id=claim["external_id"],
        text=text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT] + "…",
        language=language_of(text[:SAMPLE]) or "en",
        section=claim["section"] or "",
        key=claim["is_key"],
        checks=words.checks(claim, sealed=sealed),
        trust=words.trust(pairs),
        slots=words.slots(summary),
        risk=risk,
        terms={} if sealed else claim["risk_terms"],
        due=own.due.get(claim["pk"]),
        sealed=sealed,
    )


# --- Counts and chips -------------------------------------------------------------------------


def counts(found: Search, *, exact: bool = False) -> Counts:
    """Count the claims of the project by chip, and those of the query. One or two queries."""
    scope = found.scope
    rows: dict[str, int] = dict(
        _counted(project=scope.project.pk, user=scope.user.pk, today=scope.today)
    )
    project = sum(rows.get(state, 0) for state in Claim.State.values)
    chips = {name: rows.get(name, 0) for name in Counts.NAMES}
    known = _known_count(found, project, chips)
    if known is not None:
        more = known > SHOWN_COUNT and not exact
        return Counts(project, min(known, SHOWN_COUNT) if more else known, more, chips)
    claims = found.claims().order_by()
    if exact:
        return Counts(project, claims.count(), more=False, chips=chips)
    matched = claims.values("pk")[: SHOWN_COUNT + 1].count()
    return Counts(project, min(matched, SHOWN_COUNT), matched > SHOWN_COUNT, chips)


@prepared
def _counted(project: Given, user: Given, today: Given) -> QuerySet[Any, Any]:
    """Give (state, claims) of the project, and what is the user's own as "mine" and "later"."""
    claims = Claim.objects.for_project(project)
    # Of rows, not of keys: then PostgreSQL too counts in the index alone.
    by_state = claims.order_by().values_list("state").annotate(rows=Count("*"))
    # Not a join: a database may begin it with every claim instead of the user's own rows.
    here = Q(Exists(claims.filter(pk=OuterRef("claim"))))
    mine = Verdict.objects.filter(here, reviewer=user).exclude(decision="")
    later = Snooze.objects.filter(here, reviewer=user, until__gt=today)
    return by_state.union(_under("mine", mine), _under("later", later), all=True).order_by()


def _under(name: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """Give (name, count), or nothing where there are no rows."""
    named = rows.order_by().annotate(chip=Value(name, CharField())).values("chip")
    counted: QuerySet[Any, Any] = named.annotate(rows=Count("*"))
    return counted.values_list("chip", "rows")


def _known_count(found: Search, project: int, chips: Mapping[str, int]) -> int | None:
    """Give the count of a query that asks for everything or for one chip; None for others."""
    match found.query.terms:
        case ():
            return project
        case (Term(field="is", values=(name,), negated=False),):
            return chips.get(name)
    return None


@dataclass(frozen=True, slots=True)
class Chip:
    """A part of the list by one press: it writes the query."""

    name: str
    count: int
    query: str  # with the chip's term, or without it where it holds
    active: bool


def chips(found: Search, counted: Mapping[str, int]) -> list[Chip]:
    """Give the chips with their counts and the query that each writes."""
    terms = {name: Term("is", Op.IS, (name,)) for name in Counts.NAMES}
    chosen = {name for name, term in terms.items() if term in found.query.terms}
    made = []
    for name, term in terms.items():
        query = found.query
        for other in chosen:
            query = query.without_term(terms[other])
        if name not in chosen:
            query = query.with_term(term)
        made.append(Chip(name, counted.get(name, 0), query.to_text(), name in chosen))
    return made
