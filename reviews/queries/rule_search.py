"""Search rules of the blacklist: from the text of a query to the rules that it keeps."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from reviews.queries import conditions as ask
from reviews.queries.reading import TooManyStars
from reviews.queries.rule_fields import RULE_SPECS, RULES_BY_NAME
from sources.blacklist.patterns import host_in_ascii
from sources.models import BlacklistHit, BlacklistRule, User
from workbench.lib.querylang import Op, Query, Term, parse

IDLE = timedelta(days=365)
SOON = timedelta(days=30)
_ADDRESSES = ("exact", "prefix", "host", "host_and_subdomains")
_HOST_PART = "[^/?:]{0,253}"
_ACTIVE = BlacklistRule.State.ACTIVE


@dataclass(frozen=True, slots=True)
class RuleSearch:
    """A query of rules that was read, for one administrator."""

    query: Query
    user: User
    today: date

    def rules(self) -> QuerySet[BlacklistRule]:
        """Give the rules that match, in no order."""
        found = BlacklistRule.objects.all()
        for term in self.query.terms:
            found = found.filter(self._condition(term))
        return found

    def without(self, term: Term) -> "RuleSearch":
        """Give the search without one of its terms."""
        return RuleSearch(self.query.without_term(term), self.user, self.today)

    def _condition(self, term: Term) -> Q:
        if term.field is None:
            asked = _word(term.value)
        else:
            field = RULES_BY_NAME[term.field]
            asked = _ANSWERS[field.name](self, term.op, field.stored(term.values))
        return ~asked if term.negated else asked


def search_rules(user: User, text: str) -> RuleSearch:
    """Read a query. Raises QueryError, which points at the character that is wrong."""
    query = parse(text, RULE_SPECS)
    for term in query.terms:
        if term.field == "host" and any(v.count("*") > ask.HOST_STARS for v in term.values):
            raise TooManyStars(term.field, term.start)
    return RuleSearch(query, user, timezone.localdate())


def to_blame(found: RuleSearch) -> list[Term]:
    """Give the terms of an empty search without which it would find something."""
    terms = found.query.terms
    if len(terms) < 2:
        return list(terms)
    return [term for term in terms if found.without(term).rules().exists()]


def idle(today: date) -> Q:
    """Keep active rules without a hit in a year: nothing is hit now, nothing was of late."""
    since = timezone.now() - IDLE
    current = BlacklistHit.objects.filter(rule=OuterRef("pk"), current=True)
    quiet = Q(last_hit_at__isnull=True) | Q(last_hit_at__lt=since)
    return Q(state=_ACTIVE, activated_at__lt=since) & quiet & ~Q(Exists(current))


def due(today: date) -> Q:
    """Keep active rules that somebody should look at again."""
    return Q(state=_ACTIVE) & (Q(review_on__lte=today) | Q(review_on__isnull=True))


# --- One function a field -------------------------------------------------------------------------

type _Answer = Callable[[RuleSearch, Op, list[str]], Q]


def _any(conditions: Iterable[Q]) -> Q:
    found = Q(pk__in=[])
    for each in conditions:
        found |= each
    return found


def _word(value: str) -> Q:
    named = Q(pattern__icontains=value) | Q(reason__icontains=value)
    return named | Q(pattern_key__icontains=_in_ascii(value))


def _is(found: RuleSearch, _op: Op, values: list[str]) -> Q:
    return _any(_standing(found, value) for value in values)


def _standing(found: RuleSearch, value: str) -> Q:
    match value:
        case "idle":
            return idle(found.today)
        case "due":
            return due(found.today)
        case "ending":
            return Q(state=_ACTIVE, ends_on__lte=found.today + SOON)
        case "mine":
            return Q(owner=found.user)
        case _:
            return Q(state=value)


def _host(_found: RuleSearch, op: Op, values: list[str]) -> Q:
    return Q(scope__in=_ADDRESSES) & _any(_of_host(op, value) for value in values)


def _of_host(op: Op, value: str) -> Q:
    host = _HOST_PART.join(re.escape(_in_ascii(part)) for part in re.split(r"\*+", value))
    if op is Op.CONTAINS:
        host = f"{_HOST_PART}{host}{_HOST_PART}"
    return Q(pattern_key__iregex=rf"^{host}([:/?]|$)")


def _in_ascii(text: str) -> str:
    """Give a part of a host name as rules are compared; other texts as they are."""
    if text.isascii():
        return text
    labels = (host_in_ascii(label) or label if label else label for label in text.split("."))
    return ".".join(labels)


def _text(name: str) -> _Answer:
    def asked(_found: RuleSearch, op: Op, values: list[str]) -> Q:
        if op is Op.LIKE:
            return ask.by_column(name, values)
        way = "iexact" if op is Op.EXACT else "icontains"
        return _any(Q(**{f"{name}__{way}": value}) for value in values)

    return asked


def _column(name: str) -> _Answer:
    return lambda _found, _op, values: Q(**{f"{name}__in": values})


def _owner(found: RuleSearch, _op: Op, values: list[str]) -> Q:
    names = [value for value in values if value != "me"]
    asked = ask.by_column("owner__username", names)
    return asked | Q(owner=found.user) if len(names) < len(values) else asked


def _hits(_found: RuleSearch, op: Op, values: list[str]) -> Q:
    return _any(_number("hits", op, Decimal(value)) for value in values)


def _number(name: str, op: Op, value: Decimal) -> Q:
    """Compare a whole number; a fraction equals none, but stands between two."""
    below = int(min(max(value, Decimal(-1)), Decimal(2**31 - 2)).to_integral_value(ROUND_FLOOR))
    whole = value == value.to_integral_value()
    match op:
        case Op.LESS:
            return Q(**{f"{name}__lt" if whole else f"{name}__lte": below})
        case Op.AT_MOST:
            return Q(**{f"{name}__lte": below})
        case Op.MORE:
            return Q(**{f"{name}__gt": below})
        case Op.AT_LEAST:
            return Q(**{f"{name}__gte" if whole else f"{name}__gt": below})
        case _:
            return Q(**{name: below}) if whole else Q(pk__in=[])


def _day(name: str) -> _Answer:
    """Compare a day with a year, a month or a day."""

    def asked(_found: RuleSearch, op: Op, values: list[str]) -> Q:
        return _any(_within(name, op, value) for value in values)

    return asked


def _within(name: str, op: Op, value: str) -> Q:
    first, after = _span(value)
    match op:
        case Op.LESS:
            return Q(**{f"{name}__lt": first})
        case Op.AT_MOST:
            return Q(**{f"{name}__lt": after})
        case Op.MORE:
            return Q(**{f"{name}__gte": after})
        case Op.AT_LEAST:
            return Q(**{f"{name}__gte": first})
        case _:
            return Q(**{f"{name}__gte": first, f"{name}__lt": after})


def _span(value: str) -> tuple[date, date]:
    """Give the first day of a year, month or day, and the first one after it."""
    parts = [int(part) for part in value.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    first = date(year, month, day)
    if len(parts) == 3:
        return first, first + timedelta(days=1) if first < date.max else first
    ends = (year + month // 12, month % 12 + 1) if len(parts) == 2 else (year + 1, 1)
    return first, date(*ends, 1) if ends[0] <= date.max.year else date.max


_ANSWERS: dict[str, _Answer] = {
    "is": _is,
    "effect": _column("effect"),
    "scope": _column("scope"),
    "kind": _column("kind"),
    "level": _column("level"),
    "unless": _column("unless"),
    "host": _host,
    "pattern": _text("pattern"),
    "reason": _text("reason"),
    "owner": _owner,
    "hits": _hits,
    "ends": _day("ends_on"),
    "review": _day("review_on"),
}
