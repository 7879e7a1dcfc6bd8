"""Numbers, amounts and dates of English and Chinese texts: read, and compared. Pure."""

from collections import Counter

from sources.quantities.model import (
    Comparator,
    Kind,
    LedgerRow,
    Note,
    Origin,
    Quantity,
    Relation,
    Side,
)

__all__ = [
    "Comparator",
    "Kind",
    "LedgerRow",
    "Note",
    "Origin",
    "Quantity",
    "Relation",
    "Side",
    "ledger",
    "number_values",
    "parse_quantities",
]


def parse_quantities(text: str) -> tuple[Quantity, ...]:
    """Read every number, amount and date of a text, in order."""
    raise NotImplementedError


def number_values(text: str) -> Counter[str]:
    """Count the number values of a text, as written, units ignored."""
    raise NotImplementedError


def ledger(claim_text: str, passage_text: str, context_text: str = "") -> tuple[LedgerRow, ...]:
    """Pair every number of a claim with the best one of its source."""
    raise NotImplementedError
