"""What looking for a quote in a snapshot gives."""

from dataclasses import dataclass
from typing import Literal

type Grade = Literal[
    "exact", "normalised", "interleaved", "partial", "script", "absent", "not_checkable"
]
type Fold = Literal[
    "nfc",
    "white_space",
    "case",
    "quotes",
    "dashes",
    "zero_width",
    "ligature",
    "width",
    "soft_hyphen",
    "line_hyphen",
    "script",
]
type Flag = Literal[
    "equals_title", "too_short", "cut_start", "cut_end", "cut_number", "more_occurrences"
]
type Span = tuple[int, int]  # code points of the original text, half-open

GRADES: tuple[Grade, ...] = (
    "exact",
    "normalised",
    "interleaved",
    "partial",
    "script",
    "absent",
    "not_checkable",
)
LOCATED: frozenset[Grade] = frozenset({"exact", "normalised", "interleaved"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the quote and its passage differ.

    ``quote`` or ``passage`` is empty where the other side has something more; ``start`` and
    ``end`` bound ``passage`` in the snapshot.
    """

    quote: str
    passage: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MatchingPart:
    """The longest part of a quote that the snapshot holds: where in each of them."""

    quote_start: int
    quote_end: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Location:
    """Where a quote stands in a snapshot, how sure that is, and what had to be folded.

    ``start`` and ``end`` are None where there is no passage; ``numbers_equal`` is None then too.
    ``occurrences`` are best first and begin with (start, end). ``gaps`` are what an elided quote
    leaves out. ``edits`` counts the code points that a partial passage differs in; ``part`` and
    ``differences`` belong to partial passages only.
    """

    grade: Grade
    start: int | None = None
    end: int | None = None
    occurrences: tuple[Span, ...] = ()
    folded: tuple[Fold, ...] = ()
    numbers_equal: bool | None = None
    number_mismatch: bool = False
    flags: tuple[Flag, ...] = ()
    gaps: tuple[Span, ...] = ()
    edits: int | None = None
    part: MatchingPart | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def located(self) -> bool:
        """Tell whether the quote counts as located: exact, normalised or interleaved."""
        return self.grade in LOCATED

    @property
    def verbatim(self) -> bool:
        """Tell whether the snapshot holds the quote word for word."""
        return self.grade == "exact"


NOT_CHECKABLE = Location(grade="not_checkable")
