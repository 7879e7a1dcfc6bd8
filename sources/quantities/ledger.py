"""The number ledger: each number of a claim beside the best one of its source."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from sources.quantities.compare import Match, compare
from sources.quantities.grammar import parse_quantities
from sources.quantities.model import LedgerRow, Origin, Quantity, Side

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


def _candidates(text: str, origin: Origin) -> list[_Candidate]:
    return [_Candidate(q, origin, (origin, q.start)) for q in parse_quantities(text)]


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
    rounded = value if abs(value.normalize().adjusted()) < 40 else +value
    text = format(rounded.quantize(Decimal("1e-12")) if _endless(rounded) else rounded, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _endless(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent < -40
