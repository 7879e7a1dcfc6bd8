"""Merge what several reviewers recorded, and draw the verdict from it. Rulebook section 7. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any

from reviews.defects import BY_CODE
from reviews.report.records import DefectRecord, EvidenceRecord

PASSAGE = 300  # characters of the source that a defect quotes
HARD, SUGGESTION, OPEN = "hard", "suggestion", "open"


def merge(
    defects: Iterable[DefectRecord], evidence: Sequence[EvidenceRecord] = ()
) -> list[dict[str, Any]]:
    """Give one row for each claim and code, with what each reviewer said, in order."""
    groups: dict[tuple[str, str, str], list[DefectRecord]] = {}
    for defect in defects:
        key = (defect.claim, "" if defect.claim else defect.dimension, defect.code)
        groups.setdefault(key, []).append(defect)
    items = {each.position: each for each in evidence}
    return [_row(group, items) for group in groups.values()]


def _row(group: list[DefectRecord], evidence: dict[int, EvidenceRecord]) -> dict[str, Any]:
    first = group[0]
    standing = [d for d in group if d.state == OPEN] or group
    position = next((d.evidence for d in standing if d.evidence), None)
    title = BY_CODE[first.code].title if first.code in BY_CODE else None
    return {
        "claim": first.claim,
        "dimension": first.dimension,
        "code": first.code,
        "title": {"en": title.en, "zh": title.zh} if title else None,
        "severity": HARD if any(d.severity == HARD for d in standing) else SUGGESTION,
        "state": _state(group),
        "reviewers": list(dict.fromkeys(d.reviewer for d in group)),
        "evidence": position,
        **_place(evidence.get(position or 0)),
        "items": [_item(defect) for defect in group],
    }


def _state(group: list[DefectRecord]) -> str:
    """Open while one of them is; then resolved, unless all of them were rejected."""
    states = {d.state for d in group}
    for state in (OPEN, "resolved"):
        if state in states:
            return state
    return group[0].state


def _place(evidence: EvidenceRecord | None) -> dict[str, Any]:
    if evidence is None:
        return {"source": "", "snapshot_ref": "", "passage": "", "start": None, "end": None}
    return {
        "source": evidence.source,
        "snapshot_ref": evidence.version_ref or evidence.snapshot_ref,
        "passage": cut(evidence.passage or evidence.snippet, PASSAGE),
        "start": evidence.start,
        "end": evidence.end,
    }


def cut(text: str, limit: int) -> str:
    """Give the beginning of a text on one line, with a mark where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _item(defect: DefectRecord) -> dict[str, Any]:
    return {
        "id": defect.id,
        "version": defect.version,
        "reviewer": defect.reviewer,
        "at": defect.at,
        "severity": defect.severity,
        "severity_reason": defect.severity_reason,
        "text": defect.text,
        "action": defect.action,
        "state": defect.state,
        "state_reason": defect.state_reason,
        "evidence": defect.evidence,
    }


def verdict_of(defects: Iterable[dict[str, Any]]) -> str:
    """Give ``revise`` if a hard defect is open, else ``pass``. Nothing else decides."""
    hard = any(d["severity"] == HARD and d["state"] == OPEN for d in defects)
    return "revise" if hard else "pass"


def defect_key(row: dict[str, Any]) -> str:
    """Name a merged defect, the same in every version of a report."""
    return f"{row['claim'] or row['dimension']} {row['code']}"
