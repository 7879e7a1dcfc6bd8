"""The score of a source: five marks, a tier, a weight, caps, a band. Pure. Rulebook section 2."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from .authority import authority, differing_figures
from .bands import band_of, final_score
from .coi import coi, signals
from .facts import SourceFacts, Tables
from .marks import DIMENSIONS, Mark, Raised
from .placing import place
from .primacy import primacy
from .recency import date_findings, recency
from .tiers import TierMark, tier_of
from .verifiability import verifiability

# Raised whenever the same facts and tables may give another score, reason or finding.
VERSION = "1"

TOLERANCE = Decimal("0.05")  # of a stated score: what rounding to one decimal explains


@dataclass(frozen=True, slots=True)
class Overrides:
    """What people put in the place of computed values."""

    points: Mapping[str, Decimal] = field(default_factory=dict)  # by dimension
    tier: int | None = None


NO_OVERRIDES = Overrides()


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers of a score. ``score`` is unrounded."""

    points: Mapping[str, Decimal]
    raw: Decimal
    tier: int
    score: Decimal
    band: str


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """A score with everything that it rests on."""

    marks: Mapping[str, Mark]
    tier: TierMark
    automatic: Totals
    effective: Totals  # with the overrides
    raised: tuple[Raised, ...]
    kind: str
    content: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """The rules of one version."""

    version: str = VERSION

    def score(
        self,
        facts: SourceFacts,
        tables: Tables,
        topics: tuple[str, ...],
        as_of: date,
        overrides: Overrides = NO_OVERRIDES,
    ) -> ScoreCard:
        """Score one source. ``topics``: the nearest topic types; the strictest of them counts."""
        found = place(facts, tables)
        marks = {
            "authority": authority(facts, found),
            "recency": recency(facts, topics, as_of),
            "primacy": primacy(facts, found),
            "verifiability": verifiability(facts, found),
            "coi": coi(facts, found),
        }
        tier = tier_of(facts, found)
        computed = {name: mark.points for name, mark in marks.items()}
        automatic = effective = _totals(computed, tier.tier, facts)
        if overrides is not NO_OVERRIDES and (overrides.points or overrides.tier):
            points = {name: overrides.points.get(name, computed[name]) for name in DIMENSIONS}
            effective = _totals(points, overrides.tier or tier.tier, facts)
        raised = (
            *(_unknown(name, mark) for name, mark in marks.items() if mark.unknown),
            *found.raised,
            *differing_figures(facts, found),
            *date_findings(facts, as_of),
            *signals(facts, found, tables),
        )
        return ScoreCard(
            marks, tier, automatic, effective, raised, found.kind.name, found.content.name
        )


RUBRIC = Rubric()


def _totals(points: Mapping[str, Decimal], tier: int, facts: SourceFacts) -> Totals:
    raw = sum(points.values(), Decimal(0))
    score = final_score(raw, tier=tier, strong_coi=facts.strong_coi)
    snippet_only = facts.access_status == "snippet_only"
    return Totals(points, raw, tier, score, band_of(score, tier=tier, snippet_only=snippet_only))


def _unknown(name: str, mark: Mark) -> Raised:
    return Raised(f"unknown_{name}", {"rule": mark.rule, **mark.facts})


def mismatch(stated: Decimal | None, score: Decimal) -> Raised | None:
    """Raise a stated score that differs from ours by more than rounding. Rulebook section 2."""
    if stated is None or abs(stated - score) <= TOLERANCE:
        return None
    return Raised("score_mismatch", {"stated": str(stated), "ours": str(score)})
