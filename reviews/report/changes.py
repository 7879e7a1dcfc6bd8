"""Compare two versions of a report: which defects were closed, which are new. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviews.report.defects import OPEN, defect_key


@dataclass(frozen=True, slots=True)
class Changes:
    """Defects by key, from one version of a report to the next."""

    closed: tuple[str, ...]
    new: tuple[str, ...]
    verdict_before: str

    @property
    def is_empty(self) -> bool:
        return not (self.closed or self.new)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Changes:
    """Give what happened to the open defects between two heads of reports."""
    old, now = _open(before), _open(after)
    return Changes(
        closed=tuple(key for key in old if key not in now),
        new=tuple(key for key in now if key not in old),
        verdict_before=str(before["verdict"]),
    )


def _open(head: Mapping[str, Any]) -> dict[str, None]:
    return {defect_key(row): None for row in head["defects"] if row["state"] == OPEN}
