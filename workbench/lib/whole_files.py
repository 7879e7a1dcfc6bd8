"""Files that appear only when they are complete, and are still there after the power failed."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def written_whole(
    target: Path, *, prefix: str = "", install: Callable[[Path, Path], object] = os.replace
) -> Iterator[IO[bytes]]:
    """Give a stream for a file that takes its name when the block ends; a failure leaves nothing.

    ``prefix`` begins the name that it has until then; ``install`` gives it the final one. Its bytes
    have reached the disk by then, its name after ``flush_folder``.
    """
    handle, name = tempfile.mkstemp(prefix=prefix or f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        install(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Let the names in a folder reach the disk."""
    # Windows cannot open a folder; there the rename itself is written through.
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
