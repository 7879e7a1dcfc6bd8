"""What the list of blacklist rules shows: rows, chips, counts. The queries do not grow."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import pgettext

from reviews.queries.rule_search import RuleSearch, due, idle
from sources.blacklist.patterns import readable_key
from sources.models import BlacklistHit, BlacklistRule
from workbench.lib.keyset import Page, SortKey, Turn, page
from workbench.lib.querylang import Op, Term

PAGE = 50
States = BlacklistRule.State
RECENT = timedelta(days=90)  # of the hits that a row counts
CHIPS = ("active", "draft", "waiting", "idle", "due", "off")
DEFAULT_SORT = "pattern"

_PK = SortKey("pk")
SORTS: Mapping[str, tuple[SortKey, ...]] = {
    "pattern": (SortKey("pattern_key", kind=str), _PK),
    "-pattern": (SortKey("pattern_key", descending=True, kind=str), _PK),
    "-hits": (SortKey("hits", descending=True), _PK),
    "hits": (SortKey("hits"), _PK),
    "-added": (SortKey("pk", descending=True),),
    "added": (_PK,),
}
_COLUMNS = (
    "pk", "kind", "scope", "pattern", "pattern_key", "effect", "level", "unless", "reason", "state",
    "owner__username", "ends_on", "review_on", "hits", "version",
)  # fmt: skip
EFFECTS = {"block": "defect", "downrank": "attention", "warn": "attention", "allow": "located"}
STATES = {"active": "located", "draft": "plain", "waiting": "attention", "off": "unknown"}


def known(sort: str) -> str:
    """Give a sort's name, the default for one that is not known."""
    return sort if sort in SORTS else DEFAULT_SORT


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule of the list, its words in the reader's language."""

    pk: int
    effect: str
    effect_word: str
    effect_chip: str
    scope: str
    kind: str
    pattern: str  # as written
    compared: str  # where it is compared as something else
    readable: str  # its host as readers write it, where that is another form
    unless: str
    reason: str
    owner: str
    until: date | None
    due: bool
    state: str
    state_word: str
    state_chip: str
    hits: int  # of late
    draft: bool


@dataclass(slots=True)
class RuleCounts:
    """Rules behind each chip, and how many the query keeps."""

    all: int = 0
    matched: int = 0
    chips: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleChip:
    """A part of the list by one press: it writes the query."""

    name: str
    count: int
    query: str
    active: bool


def rule_page(found: RuleSearch, sort: str, turn: Turn) -> tuple[list[RuleRow], Page]:
    """Give a page of rules in an order, with their hits of the last 90 days. Two queries."""
    paged = page(found.rules(), SORTS[known(sort)], turn, size=PAGE, columns=_COLUMNS)
    hits = hits_of([row["pk"] for row in paged.rows])
    return [_row(row, hits.get(row["pk"], 0), found.today) for row in paged.rows], paged


def hits_of(rules: list[int]) -> dict[int, int]:
    """Count the hits of the last 90 days by rule. One query."""
    since = timezone.now() - RECENT
    rows = BlacklistHit.objects.filter(rule__in=rules, at__gte=since).order_by()
    return dict(rows.values_list("rule").annotate(n=Count("pk")))


def _row(values: Mapping[str, Any], hits: int, today: date) -> RuleRow:
    state = values["state"]
    pattern, key = values["pattern"], values["pattern_key"]
    readable = readable_key(values["scope"], key)
    judged = values["scope"] == BlacklistRule.Scope.JUDGED
    return RuleRow(
        pk=values["pk"],
        effect=values["effect"],
        effect_word=_word(BlacklistRule.Effect, values["effect"]) + _level(values["level"]),
        effect_chip=EFFECTS[values["effect"]],
        scope=_word(BlacklistRule.Scope, values["scope"]),
        kind=_word(BlacklistRule.Kind, values["kind"]),
        pattern=_word(BlacklistRule.Kind, pattern) if judged else pattern,
        compared="" if judged or key in {pattern, readable} else key,
        readable="" if readable in {key, pattern} else readable,
        unless=_word(BlacklistRule.Unless, values["unless"]) if values["unless"] else "",
        reason=values["reason"],
        owner=values["owner__username"] or "",
        until=values["ends_on"],
        due=state == "active" and (values["review_on"] is None or values["review_on"] <= today),
        state=state,
        state_word=pgettext("rule", "Waits") if state == "waiting" else _word(States, state),
        state_chip=STATES[state],
        hits=hits,
        draft=state == BlacklistRule.State.DRAFT,
    )


def _level(level: str) -> str:
    return f" {level}" if level else ""


def _word(choices: Any, value: str) -> str:
    return str(choices(value).label) if value in choices.values else value


def rule_counts(found: RuleSearch) -> RuleCounts:
    """Count all rules by chip, and those of the query. Two queries."""
    parts = {
        "all": Count("pk"),
        **{each: Count("pk", filter=Q(state=each)) for each in BlacklistRule.State.values},
        "due": Count("pk", filter=due(found.today)),
        "idle": Count("pk", filter=idle(found.today)),
    }
    counted = BlacklistRule.objects.aggregate(**parts)
    total = counted.pop("all")
    matched = found.rules().count() if found.query.terms else total
    return RuleCounts(total, matched, counted)


def rule_chips(found: RuleSearch, counts: RuleCounts) -> list[RuleChip]:
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
        made.append(RuleChip(name, counts.chips.get(name, 0), query.to_text(), name in chosen))
    return made
