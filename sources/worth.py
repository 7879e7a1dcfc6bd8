"""What a source would be worth with other values in the place of computed ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from .models import Override, Score, Source
from .scoring.bands import band_of, final_score
from .scoring.marks import DIMENSIONS


@dataclass(frozen=True, slots=True)
class Worth:
    """The effective numbers of a source; ``score`` is unrounded."""

    raw: Decimal
    score: Decimal
    tier: int
    band: str


def worth_of(source: Source, score: Score, values: Mapping[str, str]) -> Worth:
    """Give the effective numbers; ``values`` are the active overrides by field."""
    computed = {name: Decimal(str(score.marks[name]["value"])) for name in DIMENSIONS}
    points = [Decimal(values[n]) if n in values else computed[n] for n in DIMENSIONS]
    raw, tier = sum(points, Decimal(0)), int(values.get("tier", score.tier))
    final = final_score(raw, tier=tier, strong_coi=source.strong_coi)
    snippet_only = values.get("access_status", source.access_status) == "snippet_only"
    return Worth(raw, final, tier, band_of(final, tier=tier, snippet_only=snippet_only))


def active_values(source: Source) -> dict[str, str]:
    """Give the values of the source's active overrides by field. One query."""
    rows = Override.objects.filter(source=source, state=Override.State.ACTIVE)
    return dict(rows.values_list("field", "value"))
