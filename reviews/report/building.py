"""Build a review from records, a claim at a time: its head, and a row for each claim. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reviews.report.counts import Tally
from reviews.report.defects import merge, verdict_of
from reviews.report.records import ClaimRecord, Scope
from reviews.report.rows import claim_row, unfixed_rows, verification_rows

SCHEMA_VERSION = "1.0"


@dataclass(slots=True)
class Builder:
    """Adds up one review. ``add`` gives the claim's row; ``head`` everything else."""

    scope: Scope
    tool: str
    tally: Tally = field(default_factory=Tally)
    _defects: list[dict[str, Any]] = field(default_factory=list)
    _log: list[dict[str, Any]] = field(default_factory=list)
    _unfixed: list[str] = field(default_factory=list)
    _checks: set[tuple[str, int]] = field(default_factory=set)

    def add(self, claim: ClaimRecord) -> dict[str, Any]:
        """Count a claim and give its row."""
        self.tally.add(claim)
        self._defects += merge(claim.defects, claim.evidence)
        self._log += verification_rows(claim)
        self._unfixed += unfixed_rows(claim)
        self._checks.update((f.check, f.check_version) for f in claim.findings)
        return claim_row(claim)

    def head(self) -> dict[str, Any]:
        """Give all but the claims: verdict, defects, log, counts, versions."""
        defects = merge(self.scope.defects) + self._defects
        return {
            "schema_version": SCHEMA_VERSION,
            "scope": self.scope.name,
            "dimension": self.scope.dimension,
            "evidence_file": self.scope.evidence_file,
            "language": self.scope.language,
            "question": self.scope.question,
            "verdict": verdict_of(defects),
            "counts": self.tally.to_json(),
            "defects": defects,
            "verification": self._log,
            "version_not_fixed": self._unfixed,
            "versions": {"tool": self.tool, "checks": self._versions()},
        }

    def _versions(self) -> dict[str, list[int]]:
        """Give the versions of each check that stand behind findings, else the one in force."""
        found: dict[str, set[int]] = {name: set() for name in self.scope.checks}
        for name, version in self._checks:
            found.setdefault(name, set()).add(version)
        return {
            name: sorted(versions) or [self.scope.checks[name]]
            for name, versions in sorted(found.items())
        }


def json_lines(head: dict[str, Any], rows: Iterator[str]) -> Iterator[str]:
    """Give one JSON object, a line for each key and each row; ``rows`` are JSON already."""
    yield "{\n"
    for key, value in head.items():
        if isinstance(value, list) and value:
            items = ",\n  ".join(compact(item) for item in value)
            yield f"{compact(key)}: [\n  {items}\n],\n"
        else:
            yield f"{compact(key)}: {compact(value)},\n"
    yield '"claims": ['
    separator = "\n  "
    for row in rows:
        yield separator + row
        separator = ",\n  "
    yield "\n]\n}\n"


def pages_of(data: bytes, size: int) -> list[tuple[int, int]]:
    """Give first byte and length of each ``size`` claims in JSON that ``json_lines`` wrote."""
    # Lists have their items indented, so that only the key itself stands at the start of a line.
    at = data.index(b'\n"claims": [') + len(b'\n"claims": [')
    end = data.rindex(b"\n]\n}\n")
    found = []
    while at < end:
        start, rows = at + 1, 0
        while rows < size and at < end:
            line = data.find(b"\n", at + 1, end)
            at, rows = (line if line != -1 else end), rows + 1
        length = at - start
        found.append((start, length - (data[at - 1 : at] == b",")))
    return found


def compact(value: object) -> str:
    """Give a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
