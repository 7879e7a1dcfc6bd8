"""Locating a quote in the text of a snapshot."""

from sources.quotes.index import SnapshotIndex
from sources.quotes.locating import locate
from sources.quotes.location import (
    GRADES,
    LOCATED,
    NOT_CHECKABLE,
    Difference,
    Flag,
    Fold,
    Grade,
    Location,
    MatchingPart,
    Span,
)

__all__ = [
    "GRADES",
    "LOCATED",
    "NOT_CHECKABLE",
    "Difference",
    "Flag",
    "Fold",
    "Grade",
    "Location",
    "MatchingPart",
    "SnapshotIndex",
    "Span",
    "locate",
]
