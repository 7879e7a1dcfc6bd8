"""What a source is known by: its canonical address, its DOI, its identifiers. Pure."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sources.canonical import canonical_url
from sources.identifiers import ADDRESSES, NAMED_FIELDS, TEXTS, Identifier, identifiers_of

MAX_VALUE = 300  # characters of an identifier that are stored
_READ = NAMED_FIELDS | ADDRESSES | TEXTS


@dataclass(frozen=True, slots=True)
class Identity:
    """The fields by which one source is recognised in two records."""

    canonical_url: str
    canonical_key: str  # SHA-256 of it; empty where there is no address
    doi: str
    identifiers: tuple[Identifier, ...]


def identity_of(fields: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> Identity:
    """Read who a source is from its fields; ``more`` are keys of a file that no format names.

    The first field that states a DOI wins, so that one of its own should come first.
    """
    texts = {name: value for name, value in fields.items() if isinstance(value, str) and value}
    for name, value in (more or {}).items():
        if name in _READ and name not in texts and isinstance(value, str | int):
            texts[name] = str(value)
    canonical = canonical_url(texts.get("url", ""))
    found = tuple(each for each in identifiers_of(texts) if len(each.value) <= MAX_VALUE)
    return Identity(
        canonical_url=canonical,
        canonical_key=hashlib.sha256(canonical.encode()).hexdigest() if canonical else "",
        doi=next((each.value for each in found if each.scheme == "doi"), ""),
        identifiers=found,
    )


def row_fields(row: Any) -> dict[str, Any]:
    """Give the fields of a stored source that tell who it is, its own DOI first.

    A DOI that was itself read from another field is left to be read again.
    """
    given = row.given or {}
    derived = "doi" in given.get(DERIVED, ())
    return {
        "doi": "" if derived else given.get("doi") or row.doi,
        "url": row.url,
        "raw_url": given.get("raw_url"),
        "title": row.title,
        "evidence_locator": row.evidence_locator,
        "notes": row.notes,
    }


def row_more(row: Any) -> dict[str, Any]:
    """Give the further keys of a stored source that may name it."""
    return {**(row.key_data or {}), **(row.extra or {})}


# Under this key, which no line has, ``given`` lists what we read from other fields than their own.
DERIVED = ""
