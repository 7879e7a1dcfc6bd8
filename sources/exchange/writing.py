"""Sources as lines of sources.jsonl, keys in the order of the format. Pure.

What a line gave in a writing of its own goes out as it came, as long as we still read it so. Our
scores stand under the plain names; a stated one that differs stands beside as ``imported_…``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from sources.exchange.keys import BESIDE, IMPORTED, KEYS, ORDER, OURS, SCORED, Json, id_text
from sources.identity import DERIVED, identity_of

MISMATCH = Decimal("0.05")  # rulebook section 2, ``score_mismatch``
_TENTH = Decimal("0.1")

# What a row of the model gives, in the order in which it is read.
ROW = (
    "external_id", "type", "source_type", "url", "canonical_url", "doi", "title", "authors", "year",
    "venue", "impact_factor", "accessed_at", "abstract", "key_data", "used_in",
    "conflict_of_interest", "receipt_ids", "access_status", "evidence_locator", "dead_link",
    "failure_reason", "notes", "published_at", "quality", "topic_type", "funding_statement",
    "disclosure", "strong_coi", "stated", "given", "extra", "line_hash", "retraction",
)  # fmt: skip
NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True)
class Ours:
    """What the workbench holds of a source beside its line: scores and what people set."""

    marks: Mapping[str, Decimal] = field(default_factory=dict)  # of SCORED; empty: not scored
    cluster: str = ""
    overrides: Mapping[str, str] = field(default_factory=dict)  # "access_status" → value


NOTHING = Ours()


def line_of(row: Mapping[str, Any], ours: Ours = NOTHING) -> dict[str, Json]:
    """Give the line of a source."""
    given, stated = row["given"], row["stated"]
    derived = given.get(DERIVED, ())
    found: dict[str, Json] = {"id": given.get("id", row["external_id"])}
    if id_text(found["id"]) != row["external_id"]:
        found["id"] = row["external_id"]
    _addresses(found, row, given, derived)
    _doi(found, row, given, derived)
    for name, column, empty in _ALONE:
        if (value := row[column]) != empty:
            found[name] = value
    found |= ours.overrides
    if row["impact_factor"] is not None:
        found["impact_factor"] = float(row["impact_factor"])
    found |= {
        name: raw
        for name, raw in given.items()
        if name in _OWN and _reads(name, raw, ours.overrides.get(name) or row[_OWN[name]])
    }
    _scores(found, stated, ours)
    for name in ("blacklist_checked", "retraction_checked", "independence_cluster"):
        if name in stated:
            found[name] = stated[name]
    if ours.cluster:
        theirs = stated.get("independence_cluster")
        if theirs and theirs != ours.cluster:
            found[IMPORTED + "independence_cluster"] = theirs
        found["independence_cluster"] = ours.cluster
    if row["retraction"] != NOT_ASKED:
        found["retraction_checked"] = True
    ordered = {name: found[name] for name in _PLACES if name in found}
    return {**ordered, **row["extra"]}


_ALONE = tuple((k.name, k.column, k.empty) for k in KEYS.values() if k.name != "doi")


_OWN = {name: column for name, column, _empty in _ALONE}


def _reads(name: str, raw: Json, value: Any) -> bool:
    """Tell whether what a line gave is still read as the value that stands."""
    if raw is None:  # as most of what is given, and quicker told
        return bool(value == KEYS[name].empty)
    return bool(KEYS[name].read(raw).value == value)


_PLACES = (
    *ORDER[: ORDER.index("conflict_of_interest")],
    *(IMPORTED + name for name in BESIDE),
    *ORDER[ORDER.index("conflict_of_interest") :],
    *OURS,
)


def _addresses(
    found: dict[str, Json], row: Mapping[str, Any], given: Mapping[str, Json], derived: Any
) -> None:
    url = row["url"]
    for name in ("url", "raw_url"):
        raw = given.get(name)
        # Of two addresses that differ only ``url`` is read.
        stands = name in given and (name == "raw_url" or str(raw or "").strip() in {url, ""})
        if stands:
            found[name] = raw
        elif url:
            found[name] = url
    if "canonical_url" in given:
        found["canonical_url"] = given["canonical_url"]
    elif row["canonical_url"] and "canonical_url" not in derived:
        found["canonical_url"] = row["canonical_url"]


def _doi(
    found: dict[str, Json], row: Mapping[str, Any], given: Mapping[str, Json], derived: Any
) -> None:
    if "doi" in derived:
        if "doi" in given:
            found["doi"] = given["doi"]
    elif "doi" in given and identity_of({"doi": given["doi"]}).doi == row["doi"]:
        found["doi"] = given["doi"]
    elif row["doi"]:
        found["doi"] = row["doi"]


def _scores(found: dict[str, Json], stated: Mapping[str, Json], ours: Ours) -> None:
    """Write what we computed, or what the file stated where that is the same or all there is."""
    for name in SCORED:
        mark = ours.marks.get(name)
        if mark is None or (name in stated and agrees(stated[name], mark)):
            if name in stated:
                found[name] = stated[name]
            continue
        found[name] = int(mark) if name == "tier" else float(_rounded(mark))
        if name in stated:
            found[IMPORTED + name] = stated[name]


def agrees(stated: Json, mark: Decimal) -> bool:
    """Tell whether a stated value is ours, as far as files show it."""
    try:
        said = Decimal(str(stated)) if not isinstance(stated, bool) else None
    except InvalidOperation:
        return False
    return said is not None and said.is_finite() and abs(said - mark) <= MISMATCH


def _rounded(mark: Decimal) -> Decimal:
    return mark.quantize(_TENTH, ROUND_HALF_UP)
