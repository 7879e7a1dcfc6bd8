"""What an import of record files knows while it runs: its batch, its log, its counts."""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sources.models import ImportBatch, Project
from sources.recording import Entry, record
from sources.texts import blobs
from workbench.lib.problems import Log

MAPS = {
    "new": "created",
    "changed": "changed",
    "same": "unchanged",
    "kept": "skipped",
}


@dataclass(slots=True)
class Bringing:
    """One import, or its dry run: without a batch nothing is written."""

    project: Project | None  # None: a dry run for a project that does not exist yet
    log: Log
    batch: ImportBatch | None = None
    keep_old: bool = False
    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {
            name: Counter() for name in ("created", "changed", "unchanged", "skipped")
        }
    )
    entries: int = 0  # of the audit trail, written so far
    kept: dict[str, list[str]] = field(default_factory=dict)  # kind → blobs of what rows were
    changed_sources: set[int] = field(default_factory=set)
    urls: set[str] = field(default_factory=set)  # normal addresses that something was said of

    def tally(self, kind: str, state: str, number: int = 1) -> None:
        """Count records of a kind under what happens to them."""
        if number and state in MAPS:  # a conflict is an error, and counted as one
            self.counts[MAPS[state]][kind] += number

    def keep(self, kind: str, rows: Mapping[str, Any]) -> None:
        """Keep what rows were, by primary key, so that the import can be taken back."""
        if rows:
            data = json.dumps(rows, ensure_ascii=False, default=str).encode()
            self.kept.setdefault(kind, []).append(blobs().put(zlib.compress(data, 1)))

    def tell(self, entries: Iterable[Entry]) -> None:
        """Write entries of the audit trail in the transaction of the import."""
        found = list(entries)
        if found and self.batch is not None:
            record(self.batch.project, found, by=self.batch.by, batch_id=str(self.batch.key))
            self.entries += len(found)


def kept_rows(names: Iterable[str]) -> Iterable[dict[str, Any]]:
    """Give what ``keep`` kept, a part at a time."""
    for name in names:
        yield json.loads(zlib.decompress(blobs().get(name)))
