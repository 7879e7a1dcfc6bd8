"""Lines of search_log.jsonl as receipts and back. Pure. Formats section 2."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from search import exchange_rules as rules
from sources.exchange.keys import Json, Read, id_text, is_as_written, read_names, read_text, told
from sources.exchange.lines import line_hash
from sources.exchange.rejections import read_time, write_time
from workbench.lib.problems import Log, Rule

ORDER = (
    "receipt_id", "timestamp", "tool", "mode", "query_or_url", "purpose", "result_count",
    "opened_urls", "status", "failure_reason", "route", "provider", "profile", "round", "language",
    "fallback_of",
)  # fmt: skip
VOCABULARY: Mapping[str, frozenset[str]] = {
    "tool": frozenset({"search-cli", "browser", "project-search", "other"}),
    "mode": frozenset({"academic", "scholar", "patents", "news", "extract", "general", "deep"}),
    "status": frozenset({"ok", "partial", "failed"}),
}
MAX_ID = 200
MAX_COUNT = 2_147_483_647
_TEXTS: Mapping[str, int | None] = {
    "tool": 40, "mode": 40, "query_or_url": None, "purpose": None, "status": 20,
    "failure_reason": None, "route": 40, "provider": 40, "profile": 80, "language": 35,
    "fallback_of": 200,
}  # fmt: skip
# What a row of the model gives.
ROW = ("external_id", "at", "result_count", "opened_urls", "round", *_TEXTS, "given", "extra")


@dataclass(slots=True)
class ReceiptLine:
    """One line, read. ``columns`` are values of the model's fields of those names."""

    number: int
    file: str
    id: str
    columns: dict[str, Any]
    content_hash: str
    raw: Mapping[str, Json]


def read_receipt(
    raw: Mapping[str, Json], *, number: int, file: str, log: Log
) -> ReceiptLine | None:
    """Read one line; None, with an error in the log, where it cannot be a receipt."""
    reader = _Reader(raw, number, file, log)
    name = reader.id()
    if not name:
        return None
    reader.read("timestamp", "at", _read_time, None)
    for key, limit in _TEXTS.items():
        reader.text(key, limit)
    reader.read("result_count", "result_count", _read_count, None)
    reader.read("opened_urls", "opened_urls", read_names, [])
    reader.read("round", "round", _read_round, None)
    extra = {key: value for key, value in raw.items() if key not in ORDER}
    columns = reader.columns | {"given": reader.given, "extra": extra}
    return ReceiptLine(number, file, name, columns, line_hash(raw), raw)


def receipt_line(row: Mapping[str, Any]) -> dict[str, Json]:
    """Give the line of a receipt, keys in the order of the format."""
    given = row["given"]
    found: dict[str, Json] = {"receipt_id": given.get("receipt_id", row["external_id"])}
    if row["at"] is not None:
        found["timestamp"] = write_time(row["at"])
    for name in (*_TEXTS, "opened_urls"):
        if row[name]:
            found[name] = row[name]
    for name in ("result_count", "round"):
        if row[name] is not None:
            found[name] = row[name]
    # A receipt is written once: what a file gave always stands.
    found |= given
    return {**{name: found[name] for name in ORDER if name in found}, **row["extra"]}


def _read_time(raw: Json) -> Read:
    if raw is None or raw == "":
        return Read(None)
    text = read_text(raw).value.strip()
    moment = read_time(text)
    if moment is None:
        return Read(None, rules.TIME_UNREAD)
    return Read(moment, None if write_time(moment) == raw else rules.TIME_READ)


def _read_count(raw: Json) -> Read:
    return _read_whole(raw, MAX_COUNT)


def _read_round(raw: Json) -> Read:
    return _read_whole(raw, 32_767)


def _read_whole(raw: Json, most: int) -> Read:
    if raw is None or raw == "":
        return Read(None)
    text = id_text(raw) if isinstance(raw, int | float | str) and not isinstance(raw, bool) else ""
    if not text.isdecimal() or not text.isascii() or len(text) > 10 or int(text) > most:
        return Read(None, rules.COUNT_UNREAD)
    is_number = isinstance(raw, int) and not isinstance(raw, bool)
    return Read(int(text), None if is_number else rules.COUNT_READ)


class _Reader:
    """Takes the keys of one line apart."""

    def __init__(self, raw: Mapping[str, Json], number: int, file: str, log: Log) -> None:
        self.columns: dict[str, Any] = {}
        self.given: dict[str, Json] = {}
        self._raw, self._number, self._file, self._log = raw, number, file, log

    def id(self) -> str:
        """Give the id; empty, with an error, where there is none."""
        raw = self._raw.get("receipt_id")
        name = "" if isinstance(raw, bool | list | dict | None) else id_text(raw)
        if not name or len(name) > MAX_ID:
            self._log.error(
                rules.NO_RECEIPT_ID, self._file, line=self._number, path="receipt_id",
                skips="receipts",
            )  # fmt: skip
            return ""
        if name != raw:
            self.given["receipt_id"] = raw
            self._note(rules.ID_READ, "receipt_id", raw, name)
        return name

    def text(self, name: str, limit: int | None) -> None:
        """Read a text; one that is too long for its field is kept as written alone."""
        raw = self._raw.get(name)
        found = read_text(raw)
        value, rule = found.value, found.rule
        if limit is not None and len(value) > limit:
            value, rule = "", rules.TOO_LONG
        elif name in VOCABULARY and value and value not in VOCABULARY[name]:
            rule = rules.UNKNOWN_WORD
        self._take(name, name, Read(value, rule), "")

    def read(self, name: str, column: str, read: Any, empty: Any) -> None:
        """Read a value by a function of its own."""
        self._take(name, column, read(self._raw.get(name)), empty)

    def _take(self, name: str, column: str, found: Read, empty: Any) -> None:
        self.columns[column] = found.value
        if name not in self._raw:
            return
        raw, written = self._raw[name], found.value
        if column == "at" and written is not None:
            written = write_time(written)
        if not is_as_written(raw, written, empty):
            self.given[name] = raw
        if found.rule is not None:
            self._note(found.rule, name, raw, written)

    def _note(self, rule: Rule, path: str, raw: Json, read: object) -> None:
        self._log.notice(rule, self._file, line=self._number, path=path, **told(raw, read))
