"""What a number in a text is, and what comparing two of them gives."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Literal, cast

type Kind = Literal[
    "number",
    "percent",
    "percentage_point",
    "currency",
    "measure",  # a number with a unit: 21.4 months, 416 MWh, 14 个
    "year",
    "date",
    "time",  # of the day; its value is minutes after midnight
    "quarter",
    "range",
    "interval",  # of confidence
    "p_value",
    "ratio",  # HR 0.68
    "ordinal",
]
type Comparator = Literal["<", "<=", "=", ">", ">=", "≈"]
type Relation = Literal["equal", "converted", "rounded", "different", "missing"]
type Note = Literal[
    "",
    "value",
    "unit",
    "currency",
    "comparator",
    "direction",
    "name",
    "range",
    "precision",
    "approximate",
]
type Origin = Literal["passage", "context", ""]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, amount or date as read from a text.

    ``start`` and ``end`` are code points of the text given, half-open. ``value`` is in ``unit``
    with its multiplier applied (3.8 billion is 3.8e9); a percentage keeps its figure (63.5). It is
    None for ranges, intervals, dates and quarters, which use the fields below it.
    """

    start: int
    end: int
    raw: str
    kind: Kind
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    unit: str = ""  # canonical: "%", "pp", "USD", "month", "kWh"; empty for a bare number
    scale: Decimal = Decimal(1)  # multiplier in ``value``: 1e9 for "3.8 billion"
    comparator: Comparator = "="
    approximate: bool = False
    precision: int = 0  # significant digits written
    quantum: Decimal | None = None  # what one in the last digit written is worth
    name: str = ""  # label beside it: HR, OR, RR, IF, IQR, "95% CI"
    direction: Literal["", "up", "down"] = ""  # of the change that it measures
    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None

    @property
    def iso(self) -> str:
        """Give a date as ISO 8601 writes it, cut to what is known; empty for the rest."""
        if self.quarter is not None:
            return f"{self.year:04d}-Q{self.quarter}" if self.year else f"Q{self.quarter}"
        if self.month is None:
            return "" if self.year is None else f"{self.year:04d}"
        year = "-" if self.year is None else f"{self.year:04d}"
        day = "" if self.day is None else f"-{self.day:02d}"
        return f"{year}-{self.month:02d}{day}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a row: the words, their place in their own text, and how they were read."""

    raw: str
    start: int
    end: int
    kind: str
    value: str = ""  # normal form: "41.6", "0.72..0.91", "2024-03-05"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A number of the claim beside the nearest one of the source."""

    claim: Side
    passage: Side | None  # None exactly when the relation is missing
    relation: Relation
    note: Note = ""  # what differs; empty for equal
    origin: Origin = "passage"  # the text that ``passage`` is a span of; empty when missing

    def to_json(self) -> dict[str, object]:
        """Give the row as plain values that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> "LedgerRow":
        """Read a row that ``to_json`` wrote."""
        passage = data["passage"]
        return cls(
            claim=_side(data["claim"]),
            passage=None if passage is None else _side(passage),
            relation=cast("Relation", data["relation"]),
            note=cast("Note", data.get("note", "")),
            origin=cast("Origin", data.get("origin", "passage")),
        )


def _side(data: object) -> Side:
    return Side(**cast("dict[str, object]", data))  # type: ignore[arg-type]
