"""Search claims: from the text of a query to the claims that it keeps."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from django.db.models import Q, QuerySet
from django.utils import timezone

from reviews.models import Claim
from reviews.queries import conditions as ask
from reviews.queries.conditions import Scope
from reviews.queries.fields import BY_NAME, SPECS
from sources.models import Project, User
from workbench.lib.notices import InputError
from workbench.lib.query_errors import Wrong
from workbench.lib.querylang import Query, QueryError, Term, parse
from workbench.lib.texts import Text

KINDS = ("factual", "interpretive", "projective")
POLARITIES = ("support", "refute", "neutral")
# Fields that say which claims are finished; without them "open" means: not done.
_TELLING = frozenset({"is", "stale", "verdict", "reviewer"})
_STARS = Text(
    en="A pattern of “{field}” takes at most {limit} stars.",
    zh="“{field}”的模式最多可用 {limit} 个 *。",
)


class TooManyStars(QueryError):
    """A pattern of a host that would be tried in too many ways."""

    def __init__(self, field: str, position: int) -> None:
        values = {"field": field, "limit": ask.HOST_STARS}
        InputError.__init__(self, "too_many_stars", _STARS, values)
        self.position = position


@dataclass(frozen=True, slots=True)
class Search:
    """A query that was read, for one user in one project."""

    query: Query
    scope: Scope

    @property
    def tells_state(self) -> bool:
        """Whether the query itself says which claims are finished."""
        return any(term.field in _TELLING for term in self.query.terms)

    @property
    def asks_machine(self) -> bool:
        """Whether some term asks what the machine found."""
        return any(
            term.field and BY_NAME[term.field].asks_machine(term.values)
            for term in self.query.terms
        )

    def claims(self) -> QuerySet[Claim]:
        """Give the claims of the current report that match, in no order."""
        found = self.scope.claims()
        for term in self.query.terms:
            found = found.filter(_condition(term, self.scope))
        if self.asks_machine and self.scope.project.sealed_share:
            # A list must not tell what the machine hides until the reviewer has judged.
            found = found.exclude(self.scope.sealed())
        return found

    def without(self, term: Term) -> "Search":
        """Give the search without one of its terms."""
        return Search(self.query.without_term(term), self.scope)


def search(project: Project, user: User, text: str) -> Search:
    """Read a query. Raises QueryError, which points at the character that is wrong."""
    scope = Scope(project, user, timezone.localdate())
    query = parse(text, SPECS)
    for term in query.terms:
        _refuse_unknown(term, scope)
    return Search(query, scope)


def to_blame(found: Search) -> list[Term]:
    """Give the terms of an empty search without which it would find something."""
    terms = found.query.terms
    if len(terms) < 2:
        return list(terms)
    return [term for term in terms if found.without(term).claims().exists()]


def _condition(term: Term, scope: Scope) -> Q:
    asked = ask.by_word(term.value) if term.field is None else _of_field(term, scope)
    return ~asked if term.negated else asked


def _of_field(term: Term, scope: Scope) -> Q:
    field = BY_NAME[str(term.field)]
    return _ANSWERS[field.name](scope, term, field.stored(term.values))


type _Answer = Callable[[Scope, Term, list[str]], Q]


def _column(name: str) -> _Answer:
    return lambda scope, term, values: ask.by_column(name, values)


_ANSWERS: dict[str, _Answer] = {
    "is": lambda scope, term, values: ask.by_state(scope, values),
    "kind": _column("kind"),
    "polarity": _column("polarity"),
    "check": lambda scope, term, values: ask.by_check(values),
    "trust": lambda scope, term, values: ask.by_judgement(scope, "trust", values),
    "support": lambda scope, term, values: ask.by_judgement(scope, "support", values),
    "grade": lambda scope, term, values: ask.by_grade(values),
    "risk": lambda scope, term, values: ask.by_risk(term.op, values),
    "reviewer": lambda scope, term, values: ask.by_reviewer(scope, values),
    "verdict": lambda scope, term, values: ask.by_verdict(scope, values),
    "defect": lambda scope, term, values: ask.by_defect(scope, values),
    "dimension": _column("dimension__external_id"),
    "section": _column("dimension__external_id"),
    "topic": _column("topic_tag"),
    "kq": lambda scope, term, values: ask.by_question(values),
    "host": lambda scope, term, values: ask.by_host(scope, term.op, values),
    "source": lambda scope, term, values: ask.by_source(scope, values),
    "import": lambda scope, term, values: ask.by_import(values),
    "text": lambda scope, term, values: ask.by_text(term.op, values),
    "has": lambda scope, term, values: ask.by_possession(scope, values),
    "stale": lambda scope, term, values: ask.by_staleness(values),
    "score": lambda scope, term, values: ask.by_number_of_source("score", term.op, values),
    "tier": lambda scope, term, values: ask.by_number_of_source("tier", term.op, values),
    "round": lambda scope, term, values: ask.by_round(scope, term.op, values),
}


def _refuse_unknown(term: Term, scope: Scope) -> None:
    """Point at a kind, polarity or person that the project does not know. At most one query."""
    if term.field == "kind":
        _refuse(term, KINDS, lambda v: scope.claims().filter(kind__iexact=v).exists())
    elif term.field == "polarity":
        _refuse(term, POLARITIES, lambda v: scope.claims().filter(polarity__iexact=v).exists())
    elif term.field == "host" and any(v.count("*") > ask.HOST_STARS for v in term.values):
        raise TooManyStars(term.field, term.start)
    elif term.field == "reviewer":
        _refuse(term, ("me",), _knows_person(scope), near=_members(scope))


def _refuse(
    term: Term,
    usual: tuple[str, ...],
    known: Callable[[str], bool],
    near: Callable[[], tuple[str, ...]] | None = None,
) -> None:
    for value in term.values:
        if value.casefold() in usual or "*" in value or known(value):
            continue
        choices = (*usual, *(near() if near else ()))
        values = {"field": str(term.field), "value": value}
        at = term.start + 1 * term.negated + len(str(term.field)) + 1
        closest = get_close_matches(value.casefold(), choices, n=1)
        if closest:
            raise QueryError(Wrong.UNKNOWN_CHOICE_NEAR, at, **values, near=closest[0])
        raise QueryError(Wrong.UNKNOWN_CHOICE, at, **values, choices=", ".join(choices))


def _knows_person(scope: Scope) -> Callable[[str], bool]:
    def known(name: str) -> bool:
        people = User.objects.filter(username__iexact=name)
        return people.filter(
            Q(memberships__project=scope.project) | Q(verdicts__claim__project=scope.project)
        ).exists()

    return known


def _members(scope: Scope) -> Callable[[], tuple[str, ...]]:
    def names() -> tuple[str, ...]:
        people = User.objects.filter(memberships__project=scope.project)
        return tuple(people.order_by("username").values_list("username", flat=True).distinct()[:50])

    return names
