"""The keys of a line of sources.jsonl: their order, and how each is read and written. Pure.

Formats section 1. A value that is not written as we would write it is read as what it says; the
writing is kept beside the reading, and goes out again as long as the reading stands.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from sources.dois import fold_doi
from sources.exchange import rules
from workbench.lib.json_output import to_json
from workbench.lib.problems import Rule

type Json = Any

ORDER = (
    "id", "tier", "score", "type", "source_type", "url", "raw_url", "canonical_url", "doi", "title",
    "authors", "year", "venue", "impact_factor", "accessed_at", "abstract", "key_data", "used_in",
    "authority", "recency", "primacy", "verifiability", "coi", "conflict_of_interest",
    "blacklist_checked", "retraction_checked", "search_receipt_ids", "access_status",
    "evidence_locator", "independence_cluster", "dead_link", "failure_reason", "notes",
)  # fmt: skip
# Facts of ours that the format has no key for; they follow it.
OURS = ("published_at", "quality", "topic_type", "funding_statement", "disclosure", "strong_coi")

# What a file states and we compute: kept apart, shown beside ours, never taken for ours.
SCORED = ("tier", "score", "authority", "recency", "primacy", "verifiability", "coi")
BESIDE = (*SCORED, "independence_cluster")  # stated ones that differ stand beside ours
STATED = frozenset({*SCORED, "blacklist_checked", "retraction_checked", "independence_cluster"})
IMPORTED = "imported_"  # before the name of a stated value that differs from ours

VOCABULARY: Mapping[str, frozenset[str]] = {
    "type": frozenset({"journal", "trial", "regulatory", "patent", "report", "news"}),
    "source_type": frozenset(
        {"paper", "regulator", "trial_registry", "patent", "filing", "database", "consulting",
         "media", "other"}
    ),
    "access_status": frozenset(
        {"opened_original", "opened_abstract", "paywalled", "failed", "snippet_only"}
    ),
    "topic_type": frozenset(
        {"market", "regulatory", "clinical", "mechanism", "policy", "historical"}
    ),
}  # fmt: skip
_LIMITS = {"type": 40, "source_type": 40, "access_status": 20, "topic_type": 12, "quality": 100,
           "accessed_at": 100, "published_at": 100}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """What a value says, and the rule that tells how it was read; None for "as written"."""

    value: Any
    rule: Rule | None = None


def id_text(raw: Json) -> str:
    """Give an id as text; 42 and 42.0 are "42"."""
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    return str(raw).strip()


def read_text(raw: Json) -> Read:
    """Read a text; numbers and structures as their JSON."""
    if isinstance(raw, str):
        return Read(raw)
    if raw is None:
        return Read("")
    return Read(to_json(raw), rules.READ_AS_TEXT)


def _limited(limit: int) -> Callable[[Json], Read]:
    def read(raw: Json) -> Read:
        found = read_text(raw)
        return Read("", rules.TOO_LONG) if len(found.value) > limit else found

    return read


def _word(known: frozenset[str], limit: int, *, free: bool) -> Callable[[Json], Read]:
    def read(raw: Json) -> Read:
        found = read_text(raw)
        word = found.value.strip().lower().replace(" ", "_").replace("-", "_")
        if not word or word in known:
            return Read(word, rules.WORD_FOLDED if word != found.value else None)
        kept = found.value if free and len(found.value) <= limit else ""
        return Read(kept, rules.UNKNOWN_WORD)

    return read


_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")


def read_year(raw: Json) -> Read:
    """Read a year: a number, or the first year of a text such as "2024年" or "2024-05"."""
    if raw is None or raw == "":
        return Read(None)
    if isinstance(raw, bool | list | dict):
        return Read(None, rules.YEAR_UNREAD)
    if isinstance(raw, int | float):
        whole = int(raw) if raw == int(raw) else 0
        return Read(whole) if 1000 <= whole <= 9999 else Read(None, rules.YEAR_UNREAD)
    found = _YEAR.search(raw)
    return Read(int(found[1]), rules.YEAR_IS_TEXT) if found else Read(None, rules.YEAR_UNREAD)


_NUMBER = re.compile(r"\s*(\d{1,4}(?:\.\d{1,12})?)\s*\Z")


def read_figure(raw: Json) -> Read:
    """Read an impact factor, to three decimals."""
    if raw is None or raw == "":
        return Read(None)
    text = str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else raw
    found = _NUMBER.match(text) if isinstance(text, str) else None
    if found is None:
        return Read(None, rules.NUMBER_UNREAD)
    try:
        value = Decimal(found[1]).quantize(Decimal("0.001"))
    except InvalidOperation:
        return Read(None, rules.NUMBER_UNREAD)
    return Read(value, rules.NUMBER_IS_TEXT if isinstance(raw, str) else None)


_YES = frozenset({"true", "yes", "y", "1", "是"})
_NO = frozenset({"false", "no", "n", "0", "", "否"})


def read_flag(raw: Json) -> Read:
    """Read a yes or no, also as a word or a number."""
    if isinstance(raw, bool):
        return Read(raw)
    if raw is None:
        return Read(False)
    word = str(raw).strip().lower() if isinstance(raw, str | int) else None
    if word in _YES or word in _NO:
        return Read(word in _YES, rules.FLAG_IS_TEXT)
    return Read(False, rules.FLAG_UNREAD)


def read_object(raw: Json) -> Read:
    """Read an object; anything else is kept as written and says nothing."""
    if isinstance(raw, dict):
        return Read(raw)
    return Read({}) if raw is None else Read({}, rules.OBJECT_UNREAD)


_SEMICOLONS = re.compile(r"\s*[;；\n|]\s*")
_ANDS = re.compile(r"\s*(?:、|，|,?\s+and\s+|\s+&\s+)\s*")
_COMMAS = re.compile(r"\s*,\s*")
_NAMES = re.compile(r"[,;，；、\s]+")


def read_authors(raw: Json) -> Read:
    """Read authors: a list of names, or one text of them however it parts them."""
    if isinstance(raw, list):
        names = [name for each in raw if (name := _name_of(each))]
        return Read(names, None if names == raw else rules.AUTHORS_READ)
    if raw is None:
        return Read([])
    if not isinstance(raw, str):
        return Read([], rules.AUTHORS_READ)
    return Read(split_authors(raw), rules.AUTHORS_ARE_TEXT if raw.strip() else None)


def split_authors(text: str) -> list[str]:
    """Part a text of names; commas part them only where that leaves whole names."""
    parts = _SEMICOLONS.split(text)
    if len(parts) == 1:
        parts = _ANDS.split(text)
        if all("," in part for part in parts) or len(parts) == 1:
            names = _COMMAS.split(text)
            # "Smith J, Lee K" are two; "Smith, John" is one.
            if len(names) > 1 and all(" " in name.strip() for name in names):
                parts = names
    return [part.strip() for part in parts if part.strip()]


def _name_of(value: Json) -> str:
    if isinstance(value, dict):
        family, first = value.get("family"), value.get("given")
        whole = value.get("name") or ", ".join(str(p) for p in (family, first) if p)
        return str(whole) if whole else to_json(value)
    return value if isinstance(value, str) else "" if value is None else to_json(value)


def read_names(raw: Json) -> Read:
    """Read a list of ids; one text of several is parted."""
    if isinstance(raw, list):
        names = [name for each in raw if (name := _name_of(each).strip())]
        return Read(names, None if names == raw else rules.LIST_READ)
    if raw is None:
        return Read([])
    text = read_text(raw).value
    names = [name for name in _NAMES.split(text) if name]
    return Read(names, rules.LIST_IS_TEXT if names else None)


def read_doi(raw: Json) -> Read:
    """Read a DOI, folded."""
    text = read_text(raw).value
    doi = fold_doi(text)
    if doi == text:
        return Read(doi)
    if not doi:
        return Read("", rules.DOI_UNREAD if text.strip() else None)
    return Read(doi, rules.DOI_FOLDED)


@dataclass(frozen=True, slots=True)
class Key:
    """One key: the column that it fills, how it is read, and what stands for "nothing"."""

    name: str
    column: str
    read: Callable[[Json], Read]
    empty: Any = ""


def _text(name: str, column: str = "") -> Key:
    return Key(name, column or name, _limited(_LIMITS[name]) if name in _LIMITS else read_text)


def _coded(name: str) -> Key:
    free = name in {"type", "source_type"}  # the others decide what a source may carry
    return Key(name, name, _word(VOCABULARY[name], _LIMITS[name], free=free))


# Keys that stand on their own; id, addresses and stated values are read together, in ``lines``.
KEYS: Mapping[str, Key] = {
    key.name: key
    for key in (
        _coded("type"), _coded("source_type"), Key("doi", "doi", read_doi), _text("title"),
        Key("authors", "authors", read_authors, []), Key("year", "year", read_year, None),
        _text("venue"), Key("impact_factor", "impact_factor", read_figure, None),
        _text("accessed_at"), _text("abstract"), Key("key_data", "key_data", read_object, {}),
        Key("used_in", "used_in", read_names, []), _text("conflict_of_interest"),
        Key("search_receipt_ids", "receipt_ids", read_names, []), _coded("access_status"),
        _text("evidence_locator"), Key("dead_link", "dead_link", read_flag, False),
        _text("failure_reason"), _text("notes"), _text("published_at"), _text("quality"),
        _coded("topic_type"), _text("funding_statement"), _text("disclosure"),
        Key("strong_coi", "strong_coi", read_flag, False),
    )
}  # fmt: skip
KNOWN = frozenset({*ORDER, *OURS, *(IMPORTED + name for name in BESIDE)})


def written(value: Any) -> Json:
    """Give the JSON that we write for a value of ours."""
    return float(value) if isinstance(value, Decimal) else value


def is_as_written(raw: Json, value: Any, empty: Any) -> bool:
    """Tell whether we would write a value exactly as it was given, and not leave it out."""
    ours = written(value)
    return value != empty and type(ours) is type(raw) and ours == raw


SHOWN_NAMES = 4  # of a list, in a message


def told(raw: Json, value: Any) -> dict[str, object]:
    """Give what a message says of a value: as found, as read, and how many there are."""
    count, read = 1, str(value)
    if isinstance(value, list):
        count = len(value)
        read = " · ".join(value[:SHOWN_NAMES]) + (" …" if count > SHOWN_NAMES else "")
    elif isinstance(value, Decimal):
        read = f"{value.normalize():f}"
    found = raw if isinstance(raw, str) else to_json(raw)
    return {"found": found, "read": read, "count": count}
