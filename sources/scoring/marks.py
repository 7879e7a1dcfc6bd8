"""What every dimension of the score gives: points, the rule, the facts that it read. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from workbench.lib.texts import Text

DIMENSIONS = ("authority", "recency", "primacy", "verifiability", "coi")  # keys of formats.md

# Rulebook section 2: least and most points of each dimension.
RANGES: Mapping[str, tuple[Decimal, Decimal]] = {
    "authority": (Decimal(0), Decimal(3)),
    "recency": (Decimal(0), Decimal(2)),
    "primacy": (Decimal(0), Decimal(2)),
    "verifiability": (Decimal(0), Decimal(2)),
    "coi": (Decimal(-1), Decimal(1)),
}

_TENTH = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class Mark:
    """Points of one dimension. ``rule`` and ``more`` are names whose words stand in ``words``."""

    points: Decimal
    rule: str
    facts: Mapping[str, str] = field(default_factory=dict)  # fill the words of the rule
    more: tuple[str, ...] = ()  # what would give more
    unknown: bool = False  # a fact was missing, so that the lower value was given

    def to_json(self) -> dict[str, object]:
        """Give the mark as a ``Score`` keeps it; decimals are strings."""
        return {
            "value": shown(self.points),
            "rule": self.rule,
            "facts": dict(self.facts),
            "more": list(self.more),
            "unknown": self.unknown,
        }


@dataclass(frozen=True, slots=True)
class Raised:
    """What the rubric raises for a person. It never decides."""

    code: str  # its words stand in ``words.FINDINGS``
    params: Mapping[str, str] = field(default_factory=dict)
    place: str = ""  # tells two findings of one code apart


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a dimension's table: the points it gives, and its words."""

    points: str  # as a reader sees them; "–" where they are computed
    text: Text


@lru_cache(maxsize=1_000)
def shown(number: Decimal) -> str:
    """Give points or a score as people see them: one decimal, half up."""
    return str(number.quantize(_TENTH, ROUND_HALF_UP))
