"""Numbers, amounts and dates of English and Chinese texts: read, and compared. Pure."""

from sources.quantities.grammar import parse_quantities
from sources.quantities.ledger import ledger
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
from sources.quantities.values import number_values

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
