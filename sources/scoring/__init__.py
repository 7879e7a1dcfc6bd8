"""The score of a source: pure rules, versioned. Rulebook section 2, docs/scoring.md."""

from .bands import admits, band_of, final_score, rounded
from .facts import DomainRow, JournalRow, PublisherRow, SourceFacts, SubjectRow, Tables
from .marks import DIMENSIONS, RANGES, Mark, Raised, shown
from .rubric import RUBRIC, VERSION, Overrides, Rubric, ScoreCard, Totals

__all__ = [
    "DIMENSIONS",
    "RANGES",
    "RUBRIC",
    "VERSION",
    "DomainRow",
    "JournalRow",
    "Mark",
    "Overrides",
    "PublisherRow",
    "Raised",
    "Rubric",
    "ScoreCard",
    "SourceFacts",
    "SubjectRow",
    "Tables",
    "Totals",
    "admits",
    "band_of",
    "final_score",
    "rounded",
    "shown",
]
