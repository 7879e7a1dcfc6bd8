"""What is said of retracted, corrected and doubted works: parsers of five providers, one verdict.

Each parser turns a body into ``Reading``s of ``Statement``s; ``verdict`` weighs them. Pure.
"""

from .statements import (
    NotAnswered,
    Notice,
    Reading,
    Severity,
    Standing,
    Statement,
    Verdict,
    notices,
    timing,
    verdict,
)

__all__ = [
    "NotAnswered",
    "Notice",
    "Reading",
    "Severity",
    "Standing",
    "Statement",
    "Verdict",
    "notices",
    "timing",
    "verdict",
]
