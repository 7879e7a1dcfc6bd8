"""Hits of the blacklist for a page: with the facts that fired, and who lifted them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from sources.blacklist.judging import FACTS, Fact
from sources.blacklisting import is_lifted
from sources.models import BlacklistHit, BlacklistLift, BlacklistRule, Source

_CHIPS = {"block": "defect", "downrank": "attention", "warn": "attention", "allow": "located"}


@dataclass(frozen=True, slots=True)
class HitRow:
    """A rule that hits a source now."""

    hit: BlacklistHit
    why: tuple[str, ...]  # the facts that fired, in the reader's language
    chip: str
    lift: BlacklistLift | None = None  # under which it does not count

    @property
    def can_be_lifted(self) -> bool:
        """Whether there is something to lift."""
        return self.lift is None and self.hit.effect != BlacklistRule.Effect.ALLOW


def hit_row(hit: BlacklistHit, lift: BlacklistLift | None = None) -> HitRow:
    """Give a hit with the facts that fired, in words."""
    return HitRow(hit, tuple(_facts(hit.matched)), _CHIPS[hit.effect], lift)


def hits_of_source(source: Source) -> list[HitRow]:
    """Give the rules that hit a source, with their lifts. Two queries.

    What counts comes first, the gravest of it at the top.
    """
    hits = source.blacklist_hits.filter(current=True).select_related("rule")
    lifts: dict[str, BlacklistLift] = {}
    for lift in source.blacklist_lifts.filter(ended_at=None).select_related("by").order_by("at"):
        lifts[lift.kind] = lift
    rows = [hit_row(hit, _lift_of(hit, lifts)) for hit in hits]
    order = list(_CHIPS)
    return sorted(rows, key=lambda row: (bool(row.lift), order.index(row.hit.effect), row.hit.pk))


def _lift_of(hit: BlacklistHit, lifts: Mapping[str, BlacklistLift]) -> BlacklistLift | None:
    rule = hit.rule
    covered = is_lifted(rule.kind, rule.activated_at, {k: lift.at for k, lift in lifts.items()})
    return lifts[rule.kind] if covered else None


def _facts(matched: Mapping[str, Any]) -> Iterator[str]:
    language = get_language() or "en"
    for fact in matched.get("facts", ()):
        if isinstance(fact, dict) and fact.get("code") in FACTS:
            try:
                yield Fact(fact["code"], fact.get("params") or {}).render(language)
            except KeyError:  # a fact of an older version, with other values
                yield str(fact["code"])
    if not matched.get("facts") and matched.get("address"):
        yield str(matched["address"])
