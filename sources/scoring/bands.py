"""Weight, caps and bands of a score. Pure. Rulebook section 2.

Everything compares the unrounded score: 3.96 is not admitted, 7.96 is ``corroborate``.
"""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from workbench.lib.texts import Text

from .tiers import WEIGHT

CORE, CORROBORATE, REFERENCE, DISCOVERY = "core", "corroborate", "reference", "discovery"
BANDS: tuple[tuple[Decimal, str], ...] = (
    (Decimal(8), CORE),
    (Decimal(6), CORROBORATE),
    (Decimal(4), REFERENCE),
)
WORDS: Mapping[str, Text] = {
    CORE: Text("may carry a conclusion alone", "可单独支撑结论"),
    CORROBORATE: Text(
        "a conclusion needs at least two of different clusters", "结论需至少两个不同独立性簇的信源"
    ),
    REFERENCE: Text("never the only support", "不得作为唯一支撑"),
    DISCOVERY: Text("carries no conclusion", "不得支撑结论，仅入发现库"),
}
ADMITTED_FROM = Decimal(4)
MOST = Decimal(10)
STRONG_COI_MOST = Decimal("3.0")
_TENTH = Decimal("0.1")


def final_score(raw: Decimal, *, tier: int, strong_coi: bool = False) -> Decimal:
    """Give the score: weight of tier 1, at most 10, and at most 3 under a strong conflict.

    The weight is a gain: a sum below zero stays what it is.
    """
    weighted = max(raw, raw * WEIGHT) if tier == 1 else raw
    capped = min(MOST, weighted)
    return min(STRONG_COI_MOST, capped) if strong_coi else capped


def band_of(score: Decimal, *, tier: int, snippet_only: bool = False) -> str:
    """Give what a source may carry. Tier 4 and unread leads carry nothing, whatever the score."""
    if tier == 4 or snippet_only:
        return DISCOVERY
    return next((name for least, name in BANDS if score >= least), DISCOVERY)


def admits(score: Decimal) -> bool:
    """Tell whether a score is high enough for admission."""
    return score >= ADMITTED_FROM


def rounded(score: Decimal) -> Decimal:
    """Round for display and files: one decimal, half up."""
    return score.quantize(_TENTH, ROUND_HALF_UP)
