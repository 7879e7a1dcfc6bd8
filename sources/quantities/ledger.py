"""The number ledger: each number of a claim beside the best one of its source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from itertools import pairwise

from sources.quantities.compare import Match, compare
from sources.quantities.grammar import parse_quantities
from sources.quantities.model import LedgerRow, Origin, Quantity, Side

_LONGEST = 40
_SHORT = Context(prec=12)
MAX_PAIRS = 400_000  # compared for one claim; the nearest numbers of a longer source come first


@dataclass(frozen=True, slots=True)
class _Candidate:
    quantity: Quantity
    origin: Origin
    key: tuple[str, int]


def ledger(claim_text: str, passage_text: str, context_text: str = "") -> tuple[LedgerRow, ...]:
    """Pair every number of a claim with the best one of its passage, else of its context.

    Rows stand in the order of the claim. A number of the source may answer for several equal ones
    of the claim, but stands as the other side of a difference only if it answers for none.
    """
    claims = parse_quantities(claim_text)
    if not claims:
        return ()
    with localcontext(prec=50):
        passage = _candidates(passage_text, "passage")
        context = _candidates(context_text, "context")
        limit = max(50, MAX_PAIRS // len(claims))
        agreed = [_agreeing(claim, passage[:limit], context[:limit]) for claim in claims]
        used = {found[0].key for found in agreed if found is not None}
        rows = []
        for claim, found in zip(claims, agreed, strict=True):
            best = found or _differing(claim, passage[:limit], context[:limit], used)
            rows.append(_row(claim, best))
    return tuple(rows)


_TO = re.compile(r"\s*(?:to|and|至|到|和)\s*")


def _candidates(text: str, origin: Origin) -> list[_Candidate]:
    found = parse_quantities(text)
    ranges = [
        joined
        for low, high in pairwise(found)
        if _TO.fullmatch(text, low.end, high.start) and (joined := _joined(text, low, high))
    ]
    return [_Candidate(q, origin, (origin, q.start)) for q in (*found, *ranges)]


def _joined(text: str, low: Quantity, high: Quantity) -> Quantity | None:
    # "from 3 to 5 years" may be a change or a range; a claim's range may rest on it.
    if low.value is None or high.value is None or low.kind == "year" or low.value >= high.value:
        return None
    if low.unit and low.unit != high.unit:
        return None
    raw = text[low.start : high.end]
    return replace(
        high, start=low.start, raw=raw, kind="range", value=None, low=low.value, high=high.value
    )


type _Found = tuple[_Candidate, Match]


def _agreeing(
    claim: Quantity, passage: Sequence[_Candidate], context: Sequence[_Candidate]
) -> _Found | None:
    for candidates in (passage, context):
        best = _best(claim, candidates)
        if best is not None and best[1].relation != "different":
            return best
    return None


def _differing(
    claim: Quantity,
    passage: Sequence[_Candidate],
    context: Sequence[_Candidate],
    used: set[tuple[str, int]],
) -> _Found | None:
    for candidates in (passage, context):
        free = [c for c in candidates if c.key not in used]
        best = _best(claim, free)
        if best is not None:
            used.add(best[0].key)
            return best
    return None


def _best(claim: Quantity, candidates: Sequence[_Candidate]) -> _Found | None:
    best: _Found | None = None
    for candidate in candidates:
        match = compare(claim, candidate.quantity)
        if match is None:
            continue
        if best is None or (match.rank, match.distance) < (best[1].rank, best[1].distance):
            best = (candidate, match)
            if match.rank == 0:
                break
    return best


def _row(claim: Quantity, found: _Found | None) -> LedgerRow:
    if found is None:
        return LedgerRow(side(claim), None, "missing", "", "")
    candidate, match = found
    return LedgerRow(
        side(claim), side(candidate.quantity), match.relation, match.note, candidate.origin
    )


def side(quantity: Quantity) -> Side:
    """Give a quantity as one side of a row."""
    return Side(
        raw=quantity.raw,
        start=quantity.start,
        end=quantity.end,
        kind=quantity.kind,
        value=normal_value(quantity),
        unit=quantity.unit,
    )


def normal_value(quantity: Quantity) -> str:
    """Give the value in its normal form: "41.6", "0.72..0.91", "2024-03-05"."""
    if quantity.kind in ("date", "quarter", "year"):
        return quantity.iso
    if quantity.kind in ("range", "interval"):
        return f"{_plain(quantity.low)}..{_plain(quantity.high)}"
    return _plain(quantity.value)


def _plain(value: Decimal | None) -> str:
    if value is None:
        return ""
    if len(value.as_tuple().digits) > _LONGEST:
        value = _SHORT.plus(value)  # 三分之二 has no last digit
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
