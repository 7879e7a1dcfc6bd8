"""A quantity from the amount that was read and the words that stand around it."""

import re

from sources.quantities.amounts import Amount
from sources.quantities.context import around, direction, name_before, p_value_before
from sources.quantities.model import Comparator, Kind, Quantity
from sources.quantities.units import POINTS, unit_of

_DECADE = re.compile(r"(?:'?s|年代)(?![A-Za-z])")
_COUNTED = re.compile(
    r" (?:\w+ ){0,1}(?:patients|participants|people|persons|cases|women|men|samples|calls|units)\b"
)
_COUNTING = re.compile(r"[约近~≈±超]$|bout $|over $|than $|=\s?$")
_PLUS_MINUS = re.compile(r"[±]\s?$")
_RATIOS = ("HR", "OR", "RR", "IRR")
_UNDIRECTED = ("year", "ordinal", "p_value")


def looks_like_year(amount: Amount) -> bool:
    """Tell whether an amount has the form of a year: four plain digits, 1800 to 2100."""
    return (
        amount.written == "digits" and not amount.unit and not amount.ordinal
        and amount.scale == 1 and amount.quantum == 1 and amount.digits == 4
        and 1800 <= amount.value <= 2100 and amount.end - amount.start == 4
    )  # fmt: skip


def decade_at(text: str, end: int) -> int:
    """Give the end of the "s" that makes a year a decade; 0 if there is none."""
    found = _DECADE.match(text, end)
    return found.end() if found else 0


def share_unit(low: Amount, high: Amount) -> None:
    """Give both ends of "3-5 million" and "$3-5" what one of them carries."""
    if not low.unit or low.prefixed:
        if low.scale == 1 and high.scale != 1:
            low.times(high.scale)
        low.unit = low.unit or high.unit
    if not high.unit:
        high.unit = low.unit


def scalar(original: str, text: str, amount: Amount, floor: int) -> Quantity:
    """Build a quantity of one value; ``text`` is ``original`` folded."""
    decade = decade_at(text, amount.end) if looks_like_year(amount) else 0
    amount.end = decade or amount.end
    kind = kind_of(text, amount)
    near = around(text, amount.start, amount.end, floor)
    start, comparator, name = near.start, near.comparator, ""
    if amount.over and comparator == "=":
        comparator = ">"
    if kind not in ("year", "percent", "ordinal"):
        kind, comparator, name, start = _named(text, amount, kind, comparator, start, floor)
    turn = "" if kind in _UNDIRECTED else direction(text, start, near.end, floor)
    return Quantity(
        start, near.end, original[start : near.end], kind, amount.value,
        unit="decade" if decade else amount.unit, scale=amount.scale, comparator=comparator,
        approximate=near.approximate, precision=amount.digits, quantum=amount.quantum, name=name,
        direction=turn if name not in _RATIOS else "",
        year=int(amount.value) if kind == "year" else None,
    )  # fmt: skip


def _named(
    text: str, amount: Amount, kind: Kind, comparator: Comparator, start: int, floor: int
) -> tuple[Kind, Comparator, str, int]:
    if _PLUS_MINUS.search(text[max(floor, start - 2) : start]):
        return kind, comparator, "±", start
    p_value = None if amount.unit else p_value_before(text, amount.start, floor)
    if p_value is not None:
        return "p_value", p_value[0], "p", p_value[1]
    name, begin = name_before(text, start, floor)
    if name in _RATIOS and kind == "number":
        kind = "ratio"
    return kind, comparator, name, min(start, begin)


def kind_of(text: str, amount: Amount) -> Kind:
    """Tell what kind of quantity an amount is."""
    dimension = unit_of(amount.unit).dimension
    if amount.ordinal:
        return "ordinal"
    if amount.unit in ("%", "‰"):
        return "percent"
    if dimension == POINTS:
        return "percentage_point"
    if dimension.startswith("currency") and "/" not in dimension:
        return "currency"
    if amount.unit in ("fraction", "tenth"):
        return "ratio"
    if amount.unit:
        return "measure"
    if looks_like_year(amount) and not _COUNTED.match(text, amount.end):
        counting = _COUNTING.search(text[max(0, amount.start - 6) : amount.start])
        return "number" if counting else "year"
    return "number"


def pair(
    original: str, text: str, low: Amount, high: Amount, floor: int, name: str = ""
) -> Quantity:
    """Build a range, or with the name of a confidence level an interval."""
    share_unit(low, high)
    start = low.start
    near = around(text, start, high.end, floor)
    label = name
    if not name:
        label, start = name_before(text, start, floor)
    if near.approximate:
        start = min(start, near.start)
    return Quantity(
        start, high.end, original[start : high.end],
        "interval" if label.endswith("CI") else "range",
        low=low.value, high=high.value, unit=high.unit, scale=high.scale,
        approximate=near.approximate, precision=max(low.digits, high.digits),
        quantum=high.quantum, name=label,
        direction=direction(text, start, high.end, floor),
    )  # fmt: skip
