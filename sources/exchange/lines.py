"""Lines of sources.jsonl as readings: columns, what was written otherwise, what is unknown."""

import hashlib
import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from sources.exchange import rules
from sources.exchange.keys import (
    BESIDE,
    IMPORTED,
    KEYS,
    KNOWN,
    STATED,
    Json,
    Key,
    Read,
    id_text,
    is_as_written,
    read_text,
    told,
)
from sources.identifiers import Identifier
from sources.identity import DERIVED, identity_of
from sources.source_cache import UrlError, normalize_url
from workbench.lib.json_output import to_json
from workbench.lib.problems import Log

MAX_ID = 500

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(slots=True)
class SourceLine:
    """One line, read. ``columns`` are values of the model's fields of those names."""

    number: int  # from 1
    file: str
    id: str  # the public one
    has_id: bool
    columns: dict[str, Any]
    identifiers: tuple[Identifier, ...]
    line_hash: str
    raw: Mapping[str, Json]
    partial: bool = False  # what it does not say is no statement


def line_hash(value: Mapping[str, Json]) -> str:
    """Give the hash by which the very same line is known again."""
    return hashlib.sha256(_encode(value).encode("utf-8", "surrogatepass")).hexdigest()


def read_line(
    raw: Mapping[str, Json], *, number: int, file: str, log: Log, partial: bool = False
) -> SourceLine | None:
    """Read one line; None, with an error in the log, where it cannot be a source.

    ``partial``: the line is of a format that says only some things; what it does not say is left
    out of ``columns``, so that it changes nothing.
    """
    reader = _Reader(raw, number, file, log)
    name, has_id = reader.id()
    if name is None:
        return None
    url = reader.address()
    reader.keys(partial)
    columns, given = reader.columns, reader.given
    fields = {
        "doi": given.get("doi") or columns.get("doi", ""),
        "url": url,
        "raw_url": given.get("raw_url"),
        "title": columns.get("title", ""),
        "evidence_locator": columns.get("evidence_locator", ""),
        "notes": columns.get("notes", ""),
    }
    identity = identity_of(fields, {**columns.get("key_data", {}), **reader.extra})
    _derive(columns, given, raw, identity.doi, identity.canonical_url)
    columns |= {
        "doi": identity.doi,
        "canonical_url": identity.canonical_url,
        "canonical_key": identity.canonical_key,
        "normalized_url": _normal(url),
        "given": given,
        "stated": reader.stated,
        "extra": reader.extra,
    }
    if not name:
        name = _name_by(identity.doi, identity.canonical_url or url, columns.get("title", ""))
        if not name:
            log.error(rules.EMPTY_SOURCE, file, line=number, skips="sources")
            return None
        log.notice(rules.ID_MISSING, file, line=number, path="id", id=name)
    if partial:
        _leave_unsaid(columns, raw)
    return SourceLine(
        number, file, name, has_id, columns, identity.identifiers, line_hash(raw), raw, partial
    )


def _derive(
    columns: dict[str, Any],
    given: dict[str, Any],
    raw: Mapping[str, Json],
    doi: str,
    canonical: str,
) -> None:
    """Note which of our readings the line did not state, so that they are not written into it."""
    derived = []
    if doi and columns.get("doi") != doi:
        if columns.get("doi"):  # as a preprint's version, or read by another rule
            given.setdefault("doi", raw.get("doi"))
        else:
            derived.append("doi")
    stated = raw.get("canonical_url")
    if "canonical_url" not in raw:
        if canonical:
            derived.append("canonical_url")
    elif stated != canonical or not canonical:
        given["canonical_url"] = stated
    if derived:
        given[DERIVED] = derived


# What a line of a partial format leaves unsaid stays as it is.
_ALWAYS = frozenset({"given", "stated", "extra"})
_OF_ADDRESS = frozenset({"url", "normalized_url", "canonical_url", "canonical_key"})


def _leave_unsaid(columns: dict[str, Any], raw: Mapping[str, Json]) -> None:
    said = {KEYS[name].column for name in raw if name in KEYS} | _ALWAYS
    if "url" in raw:
        said |= _OF_ADDRESS
    if columns["doi"]:
        said.add("doi")
    for name in columns.keys() - said:
        del columns[name]


def _name_by(doi: str, address: str, title: str) -> str:
    """Name a source without an id by what it is, so that the same one has the same name."""
    known = doi or address or " ".join(title.split()).lower()
    return f"s-{hashlib.sha256(known.encode('utf-8', 'replace')).hexdigest()[:10]}" if known else ""


def _normal(url: str) -> str:
    try:
        return normalize_url(url) if url else ""
    except UrlError:
        return ""


class _Reader:
    """Takes the keys of one line apart."""

    def __init__(self, raw: Mapping[str, Json], number: int, file: str, log: Log) -> None:
        self.raw = raw
        self.columns: dict[str, Any] = {}
        self.given: dict[str, Json] = {}
        self.stated: dict[str, Json] = {}
        self.extra: dict[str, Json] = {}
        self._number, self._file, self._log = number, file, log

    def id(self) -> tuple[str | None, bool]:
        """Give the id, empty where there is none; None where it cannot be one."""
        raw = self.raw.get("id")
        if raw is None or raw == "":
            return "", False
        if isinstance(raw, bool | list | dict):
            self._log.error(
                rules.BAD_ID, self._file, line=self._number, path="id", skips="sources",
                found=to_json(raw),
            )  # fmt: skip
            return None, True
        name = id_text(raw)
        if len(name) > MAX_ID:
            self._log.error(
                rules.LONG_ID, self._file, line=self._number, path="id", skips="sources",
                limit=MAX_ID,
            )  # fmt: skip
            return None, True
        if name != self.raw["id"]:
            self.given["id"] = self.raw["id"]
            if not isinstance(self.raw["id"], str):
                self._note(rules.ID_IS_NUMBER, "id", id=name)
        return name, bool(name)

    def address(self) -> str:
        """Read ``url`` and ``raw_url``, which mean the same."""
        url, raw_url = (self._address(name) for name in ("url", "raw_url"))
        address = url or raw_url
        self.columns["url"] = address
        for name, found in (("url", url), ("raw_url", raw_url)):
            if name in self.raw and (found != address or not found or self.raw[name] != found):
                self.given[name] = self.raw[name]
        if url and raw_url and url != raw_url:
            self._note(rules.TWO_ADDRESSES, "raw_url")
        if not address:
            self._note(rules.NO_ADDRESS, "url")
        elif not address.lower().startswith(("http://", "https://")):
            self._note(rules.ODD_ADDRESS, "url", found=address)
        return address

    def _address(self, name: str) -> str:
        return read_text(self.raw.get(name)).value.strip() if name in self.raw else ""

    def keys(self, partial: bool) -> None:
        """Read all that stands on its own, and part stated values and unknown keys from it."""
        for name, value in self.raw.items():
            if (key := KEYS.get(name)) is not None:
                if key.read is read_text and isinstance(value, str) and value:
                    self.columns[key.column] = value  # most values of most lines
                else:
                    self._key(key, value)
            elif name in STATED:
                self.stated.setdefault(name, value)
            elif name not in KNOWN:
                self.extra[name] = value
        for name in BESIDE:
            # An export of ours has our number under the plain name, and theirs beside it.
            if IMPORTED + name in self.raw:
                self.stated[name] = self.raw[IMPORTED + name]
        if not partial:
            for key in KEYS.values():
                if key.column not in self.columns:
                    self.columns[key.column] = copy(key.empty)

    def _key(self, key: Key, raw: Json) -> None:
        found: Read = key.read(raw)
        self.columns[key.column] = found.value
        if not is_as_written(raw, found.value, key.empty):
            self.given[key.name] = raw
        if found.rule is not None:
            self._note(found.rule, key.name, **told(raw, found.value))

    def _note(self, rule: Any, path: str, **values: object) -> None:
        self._log.notice(rule, self._file, line=self._number, path=path, **values)
