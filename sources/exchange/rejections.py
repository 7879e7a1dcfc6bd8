"""Lines of rejected_sources.jsonl, read and written. Pure. Formats section 3.

A line is a source as far as it was known, and why it was turned away.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from sources.canonical import canonical_url
from sources.exchange import rules
from sources.exchange.keys import ORDER, Json, id_text, read_names, read_text
from sources.exchange.lines import line_hash
from workbench.lib.problems import Log

OWN = ("rejection_rule", "rejection_reason", "search_receipt_ids", "rejected_at", "rejected_by")
# Of one that was opened again: facts of ours that the format has no key for.
REOPENED = ("reopened_at", "reopened_by", "reopen_reason")
_LIMITS = {"rule": 40, "rejected_by": 150, "external_id": 500}
_MOST_SCORE = Decimal(999)


@dataclass(slots=True)
class RejectionLine:
    """One line, read. ``columns`` are values of the model's fields of those names."""

    number: int
    file: str
    columns: dict[str, Any]
    canonical_url: str
    raw: Mapping[str, Json]

    @property
    def key(self) -> tuple[str, str]:
        """Tell it from other rejections: the source, and the rule that turned it away."""
        return rejection_key(
            self.columns["external_id"], self.columns["url"], self.columns["title"],
            self.columns["rule"],
        )  # fmt: skip


def rejection_key(external_id: str, url: str, title: str, rule: str) -> tuple[str, str]:
    """Give what a rejection is about, and its rule."""
    return external_id or canonical_url(url) or url or title, rule


def read_rejection(
    raw: Mapping[str, Json], *, number: int, file: str, log: Log
) -> RejectionLine | None:
    """Read one line; None, with an error in the log, where it turns nothing away."""
    rule = read_text(raw.get("rejection_rule")).value.strip()
    if not rule or len(rule) > _LIMITS["rule"]:
        log.error(rules.NO_RULE, file, line=number, path="rejection_rule", skips="rejections")
        return None
    name = "" if isinstance(raw.get("id"), bool | list | dict | None) else id_text(raw["id"])
    url = (read_text(raw.get("url")).value or read_text(raw.get("raw_url")).value).strip()
    title = read_text(raw.get("title")).value
    doi = read_text(raw.get("doi")).value
    if not (name or url or title or doi) or len(name) > _LIMITS["external_id"]:
        log.error(rules.EMPTY_SOURCE, file, line=number, skips="rejections")
        return None
    by = read_text(raw.get("rejected_by")).value
    columns = {
        "external_id": name,
        "url": url,
        "title": title or (doi if not url else ""),
        "rule": rule,
        "reason": read_text(raw.get("rejection_reason")).value,
        "receipt_ids": read_names(raw.get("search_receipt_ids")).value,
        "score": _score(raw.get("score")),
        "rejected_at": _time(raw, "rejected_at", number, file, log),
        "rejected_by": by if len(by) <= _LIMITS["rejected_by"] else "",
        "reopened_at": _time(raw, "reopened_at", number, file, log),
        "reopen_reason": read_text(raw.get("reopen_reason")).value,
        "record": dict(raw),
        "content_hash": line_hash(raw),
    }
    return RejectionLine(number, file, columns, canonical_url(url), raw)


def _score(raw: Json) -> Decimal | None:
    try:
        value = Decimal(str(raw)) if isinstance(raw, int | float | str) and raw != "" else None
    except InvalidOperation:
        return None
    if value is None or not value.is_finite() or abs(value) > _MOST_SCORE:
        return None
    return value.quantize(Decimal("0.001"))


def _time(raw: Mapping[str, Json], name: str, number: int, file: str, log: Log) -> datetime | None:
    text = read_text(raw.get(name)).value.strip()
    if not text:
        return None
    moment = read_time(text)
    if moment is None:
        log.notice(rules.TIME_UNREAD, file, line=number, path=name, found=text)
    elif write_time(moment) != text:
        read = write_time(moment)
        log.notice(rules.TIME_READ, file, line=number, path=name, found=text, read=read)
    return moment


def read_time(text: str) -> datetime | None:
    """Read a time of ISO 8601; without a zone it is UTC. None for anything else."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:  # a zone that leads out of the calendar
        return None


def write_time(moment: datetime) -> str:
    """Write a time as files have it: ``2026-02-03T09:14:00Z``, with a fraction if it has one."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


# The source's fields, then why it was turned away. Formats section 3.
LINE_ORDER = (*(name for name in ORDER if name not in {"score", *OWN}), "score", *OWN)

# What a row of the model gives.
ROW = (
    "external_id", "title", "url", "rule", "reason", "receipt_ids", "score", "rejected_at",
    "rejected_by", "record", "content_hash", "extra", "state", "reopened_at", "reopen_reason",
)  # fmt: skip


def rejection_line(row: Mapping[str, Any], source: Mapping[str, Json] | None) -> dict[str, Json]:
    """Give the line of a rejection: as it came, or as the source stands with why.

    ``source`` is the line of its source where it is known and the rejection came by no file.
    """
    if row["record"]:
        line = dict(row["record"])
        line |= {} if _is_open_in(line) else _reopened(row)
        return _ordered(line)
    line = dict(source or {})
    if not source:
        about = {"id": row["external_id"], "url": row["url"], "raw_url": row["url"]}
        line = {name: value for name, value in {**about, "title": row["title"]}.items() if value}
    if "score" not in line and row["score"] is not None:
        line["score"] = float(row["score"].quantize(Decimal("0.1")))
    for name in OWN:
        line.pop(name, None)
    line["rejection_rule"] = row["rule"]
    line["rejection_reason"] = row["reason"]
    line["search_receipt_ids"] = list(row["receipt_ids"])
    line["rejected_at"] = write_time(row["rejected_at"])
    line["rejected_by"] = row["rejected_by"]
    return _ordered({**line, **row["extra"], **_reopened(row)})


def _ordered(line: Mapping[str, Json]) -> dict[str, Json]:
    """Put the keys in the order of the format, unknown ones last: a database may not keep it."""
    return {name: line[name] for name in LINE_ORDER if name in line} | dict(line)


def _is_open_in(line: Mapping[str, Json]) -> bool:
    return bool(line.get("reopened_at"))


def _reopened(row: Mapping[str, Any]) -> dict[str, Json]:
    if row["reopened_at"] is None:
        return {}
    return {"reopened_at": write_time(row["reopened_at"]), "reopen_reason": row["reopen_reason"]}
