"""Records that were read and wait to be written: on disk, a thousand at a time."""

import pickle
import tempfile
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import IO

CHUNK = 1_000  # records held in memory at once; also rows of one statement


class Staging[T]:
    """A list that lies in a temporary file of this process. Use as a context."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self.count = 0

    def __enter__(self) -> "Staging[T]":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def fill(self, records: Iterable[T]) -> None:
        """Put all records aside."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="records-")  # noqa: SIM115  closed on exit
        for part in batched(records, CHUNK):
            pickle.dump(part, self._file, pickle.HIGHEST_PROTOCOL)
            self.count += len(part)

    def parts(self) -> Iterator[tuple[T, ...]]:
        """Give the records in their order, up to ``CHUNK`` at once; may be asked again."""
        if self._file is None:
            return
        self._file.seek(0)
        left = self.count
        while left:
            part = pickle.load(self._file)  # noqa: S301  written by this process a moment ago
            left -= len(part)
            yield part
