"""All that an upload says, read once and held as records; texts stay where they are."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from workbench.lib.archives import Tree

from .problems import Log
from .records import (
    ClaimRecord,
    DimensionRecord,
    FileRecord,
    SnapshotKey,
    SnapshotRecord,
    SourceKey,
    SourceRecord,
)


class Spool:
    """Texts that came inside records, on disk until they are stored. Use as a context."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, data: bytes) -> tuple[int, int]:
        """Put bytes aside; gives their offset and length."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="texts-")  # noqa: SIM115  closed on exit
        offset = self._file.seek(0, 2)
        self._file.write(data)
        return offset, len(data)

    def read(self, place: tuple[int, int]) -> bytes:
        """Give bytes that were put aside."""
        if self._file is None:
            return b""
        self._file.seek(place[0])
        return self._file.read(place[1])


@dataclass(slots=True)
class Package:
    """An upload in our words, before anything is compared with the project."""

    tree: Tree
    spool: Spool
    name: str
    log: Log
    dialect: str = ""
    question: str = ""
    dimensions: list[DimensionRecord] = field(default_factory=list)
    sources: dict[SourceKey, SourceRecord] = field(default_factory=dict)
    snapshots: dict[SnapshotKey, SnapshotRecord] = field(default_factory=dict)
    claims: list[ClaimRecord] = field(default_factory=list)
    files: list[FileRecord] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=dict)  # file -> kind -> records
    listing: set[str] = field(default_factory=set)  # files whose list of sources was read

    def body(self, snapshot: SnapshotRecord) -> bytes:
        """Give the bytes of a snapshot's text."""
        if snapshot.spooled is not None:
            return self.spool.read(snapshot.spooled)
        return self.tree.read(snapshot.member)

    def bodies(self) -> Iterator[bytes]:
        """Yield the bytes of all that is kept, one at a time."""
        for snapshot in self.snapshots.values():
            yield self.body(snapshot)
        for file in self.files:
            yield self.tree.read(self.member(file.path))

    def member(self, path: str) -> str:
        """Give the name in the tree of a kept file; a single file has only one."""
        return self.tree.entries[0].path if self.tree.kind == "file" else path

    def shown(self, path: str) -> str:
        """Give the name under which people know a member."""
        return self.name if self.tree.kind == "file" else path

    def count(self, file: str, kind: str, number: int = 1) -> None:
        """Count records that a file brought."""
        self.counts.setdefault(file, Counter())[kind] += number
