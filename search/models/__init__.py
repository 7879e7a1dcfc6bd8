"""What is searched where, and what came of it."""

from .glossary import GlossaryTerm, terms_of
from .receipts import Call, Receipt, Result
from .routing import Profile, ProviderPace, Route, book_of
from .screening import Gap, Record, RecordKey

__all__ = [
    "Call",
    "Gap",
    "GlossaryTerm",
    "Profile",
    "ProviderPace",
    "Receipt",
    "Record",
    "RecordKey",
    "Result",
    "Route",
    "book_of",
    "terms_of",
]
