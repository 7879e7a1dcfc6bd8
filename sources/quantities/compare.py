"""What a number of a claim is to a number of its source."""

from decimal import Decimal
from typing import NamedTuple

from sources.quantities.model import Note, Quantity, Relation
from sources.quantities.units import COUNT, SHARE, TEMPERATURE, to_base, unit_of

HALF = Decimal("0.5")
NEAR = Decimal("0.05")  # an approximation is never further off than this share of the value
PLAIN = ("", COUNT)


class Match(NamedTuple):
    """How two quantities agree; the lower ``rank``, then ``distance``, the better."""

    relation: Relation
    note: Note
    rank: int
    distance: Decimal = Decimal(0)


_RANKS: dict[Relation, int] = {"equal": 0, "converted": 2, "rounded": 4, "different": 6}


def _match(relation: Relation, note: Note = "", distance: Decimal = Decimal(0)) -> Match:
    return Match(relation, note, _RANKS[relation] + (1 if note else 0), distance)


def compare(claim: Quantity, passage: Quantity) -> Match | None:
    """Decide the relation of two quantities; None where they speak of different things.

    Currencies are never converted, percent and percentage points are different things, and a
    figure that is more precise than its source is different from it. Text.md section 5.
    """
    dated = claim.kind in _DATED
    if dated or passage.kind in _DATED:
        return _dates(claim, passage)
    if claim.kind in _PAIRS and passage.kind in _PAIRS:
        return _pairs(claim, passage)
    if passage.kind in _PAIRS and claim.value is not None:
        return _end_of_range(claim, passage)
    if claim.value is None or passage.value is None:
        return None
    return _scalars(claim, passage)


_DATED = ("date", "quarter", "time")
_PAIRS = ("range", "interval")


def _dates(claim: Quantity, passage: Quantity) -> Match | None:
    if "time" in (claim.kind, passage.kind):
        if claim.kind != passage.kind:
            return None
        return (
            _match("equal") if claim.value == passage.value else _different("value", claim, passage)
        )
    quarterly = "quarter" in (claim.kind, passage.kind)
    ours, theirs = _pieces(claim, quarterly), _pieces(passage, quarterly)
    if ours is None or theirs is None:
        return None
    shared = [(a, b) for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None]
    if not shared:
        return None
    alike = sum(a == b for a, b in shared)
    if alike < len(shared):
        partly = alike > 0 or (claim.kind == passage.kind == "quarter")
        return _match("different", "value", Decimal(len(shared) - alike)) if partly else None
    if ours == theirs:
        return _match("equal")
    # The claim may say less than its source ("in 2024"), but not more.
    less = all(a is None or a == b for a, b in zip(ours, theirs, strict=True))
    return _match("rounded", "precision") if less else _match("different", "precision", Decimal(1))


def _pieces(quantity: Quantity, quarterly: bool) -> tuple[int | None, ...] | None:
    if quantity.kind not in (*_DATED, "year"):
        return None
    quarter = quantity.quarter
    if quarterly and quarter is None and quantity.month is not None:
        quarter = (quantity.month + 2) // 3
    return (quantity.year, quarter, quantity.month, quantity.day)


def _pairs(claim: Quantity, passage: Quantity) -> Match | None:
    units = _units(claim, passage)
    if units is None or None in (claim.low, claim.high, passage.low, passage.high):
        return None
    relation, note = units
    sides = [
        _values(claim, passage, claim.low or Decimal(0), passage.low or Decimal(0)),
        _values(claim, passage, claim.high or Decimal(0), passage.high or Decimal(0)),
    ]
    if relation == "different":
        return _match(relation, note) if all(side == "equal" for side in sides) else None
    if "different" in sides:
        gap = _gap(claim, passage, claim.low, passage.low) + _gap(
            claim, passage, claim.high, passage.high
        )
        return _match("different", "value", gap) if gap < 4 else None
    worst = max(sides, key=lambda side: _RANKS[side])
    return _match(worst, note)


def _end_of_range(claim: Quantity, passage: Quantity) -> Match | None:
    """Judge one value of the claim by a range: one of its ends says less than the range."""
    units = _units(claim, passage)
    if units is None or units[0] == "different" or passage.kind == "interval":
        return None
    ends = (passage.low or Decimal(0), passage.high or Decimal(0))
    hit = any(_values(claim, passage, claim.value or Decimal(0), end) == "equal" for end in ends)
    return _match("rounded", "range") if hit else None


def _scalars(claim: Quantity, passage: Quantity) -> Match | None:
    if (claim.kind == "p_value") != (passage.kind == "p_value") and claim.value != passage.value:
        return None
    if claim.name and passage.name and claim.name != passage.name:
        return _match("different", "name", Decimal(1)) if claim.value == passage.value else None
    units = _units(claim, passage)
    if units is None:
        return None
    _, note = units
    ours, theirs = claim.value or Decimal(0), passage.value or Decimal(0)
    if note in ("currency", "unit") and units[0] == "different":
        # The right figure under a wrong unit is a mistake; another figure is another thing.
        return _match("different", note) if _figure(claim) == _figure(passage) else None
    value = _values(claim, passage, ours, theirs)
    if value != "different":
        return _qualified(claim, passage, value, note)
    turned = _turned(claim, passage)
    if turned is not None:
        return turned
    telling = bool(claim.unit) or claim.precision > 1
    if telling and _figure(claim) == _figure(passage) and _form(claim) != _form(passage):
        return _match("different", "unit")
    return _different("value", claim, passage)


def _units(claim: Quantity, passage: Quantity) -> tuple[Relation, Note] | None:
    ours, theirs = unit_of(claim.unit).dimension, unit_of(passage.unit).dimension
    if ours == theirs or (ours in PLAIN and theirs in PLAIN):
        return "equal", ""
    if ours.startswith("currency") and theirs.startswith("currency"):
        return "different", "currency"
    if not theirs:
        return "equal", "unit"  # a table keeps its unit in the head of the column
    if not ours and theirs != SHARE:
        return "equal", "unit"
    return "different", "unit"


def _values(claim: Quantity, passage: Quantity, ours: Decimal, theirs: Decimal) -> Relation:
    bare = not claim.unit or not passage.unit
    a = ours if bare else to_base(ours, claim.unit)
    b = theirs if bare else to_base(theirs, passage.unit)
    if claim.direction == "down" or passage.direction == "down":
        a, b = (abs(a), abs(b)) if (a < 0) != (b < 0) else (a, b)
    if a == b:
        same = claim.scale == passage.scale if bare else _form(claim) == _form(passage)
        return "equal" if same else "converted"
    gap = abs(a - b)
    mine, other = _tolerance(claim, a, bare), _tolerance(passage, b, bare)
    if _form(claim) != _form(passage) and claim.unit != passage.unit and not bare:
        exact = claim.quantum is None or passage.quantum is None
        if gap <= (max(mine, other) if exact else min(max(mine, other), abs(a) * NEAR)):
            return "converted" if not (claim.approximate or passage.approximate) else "rounded"
        return "different"
    if gap <= mine and (claim.approximate or mine > other):
        return "rounded"
    return "different"


def _tolerance(quantity: Quantity, base: Decimal, bare: bool) -> Decimal:
    """Give half of the last digit written, in the base unit; more for an approximation."""
    if quantity.quantum is None:
        exact = Decimal(0)
    elif bare or unit_of(quantity.unit).dimension == TEMPERATURE:
        exact = quantity.quantum * HALF
    else:
        exact = quantity.quantum * unit_of(quantity.unit).factor * HALF
    if not quantity.approximate:
        return exact
    return max(exact, min(_loose(quantity, base), abs(base) * NEAR))


def _loose(quantity: Quantity, base: Decimal) -> Decimal:
    # 约 500 speaks of hundreds: its final zeros are no digits.
    if quantity.quantum is None or not base:
        return abs(base) * NEAR
    stripped = base.normalize().as_tuple().exponent
    return Decimal(10) ** (stripped if isinstance(stripped, int) else 0) * HALF


def _qualified(claim: Quantity, passage: Quantity, relation: Relation, note: Note) -> Match:
    if _opposed(claim, passage):
        return _match("different", "direction")
    if claim.comparator != passage.comparator:
        alike = claim.comparator[0] == passage.comparator[0]
        return _match("rounded" if alike else "different", "comparator")
    if passage.approximate and not claim.approximate:
        return _match("rounded" if relation == "equal" else relation, "approximate")
    return _match(relation, note)


def _opposed(claim: Quantity, passage: Quantity) -> bool:
    ours, theirs = _way(claim), _way(passage)
    return bool(ours and theirs) and ours != theirs


def _way(quantity: Quantity) -> str:
    if quantity.value is not None and quantity.value < 0 and quantity.kind == "percent":
        return "down"
    return quantity.direction


def _turned(claim: Quantity, passage: Quantity) -> Match | None:
    """Judge a bound of the claim by an exact value of the source: "over 500" for 537."""
    if claim.value is None or passage.value is None:
        return None
    a, b = to_base(claim.value, claim.unit), to_base(passage.value, passage.unit)
    if claim.kind == "p_value":
        return _p_values(claim, passage)
    if passage.comparator != "=" or claim.comparator == "=" or not a:
        return None
    holds = b > a if claim.comparator[0] == ">" else b < a
    close = abs(b - a) <= 2 * _loose(claim, a)
    return _match("rounded", "comparator") if holds and close else None


def _p_values(claim: Quantity, passage: Quantity) -> Match:
    below = claim.comparator[0] == "<" and passage.comparator[0] in "<="
    if below and (passage.value or 0) < (claim.value or 0):
        return _match("rounded", "comparator")
    return _match("different", "value" if claim.comparator == passage.comparator else "comparator")


def _different(note: Note, claim: Quantity, passage: Quantity) -> Match | None:
    gap = _gap(claim, passage, claim.value, passage.value)
    named = bool(claim.name) and claim.name == passage.name
    united = bool(claim.unit) and unit_of(claim.unit).dimension == unit_of(passage.unit).dimension
    if min(claim.precision, passage.precision) >= 3 and gap < 2 * NEAR:
        united = True  # 1,240 for 1,204: too like to be another thing, whatever is counted
    if claim.kind == "year" or passage.kind == "year":
        return None
    if named or claim.kind == passage.kind == "p_value" or claim.kind == passage.kind == "time":
        return _match("different", note, gap)
    return _match("different", note, gap) if united and gap < 2 else None


def _gap(
    claim: Quantity, passage: Quantity, ours: Decimal | None, theirs: Decimal | None
) -> Decimal:
    """Give how far two values are apart, as a share of the smaller one."""
    if ours is None or theirs is None:
        return Decimal(9)
    a, b = abs(to_base(ours, claim.unit)), abs(to_base(theirs, passage.unit))
    low, high = min(a, b), max(a, b)
    return (high - low) / low if low else Decimal(9)


def _figure(quantity: Quantity) -> Decimal | None:
    return None if quantity.value is None else (quantity.value / quantity.scale).normalize()


def _form(quantity: Quantity) -> tuple[str, Decimal]:
    unit = quantity.unit
    return ("" if unit_of(unit).dimension == COUNT else unit, quantity.scale)
