"""A lock on a file that the system frees when its process ends, however it ends."""

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A lock that is held; ``take`` gives one."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle

    @classmethod
    def take(cls, path: Path, *, create: bool = False) -> "FileLock | None":
        """Take the lock of a file without waiting; None if another holds it or it is gone."""
        flags = os.O_RDWR | (os.O_CREAT if create else 0)
        try:
            handle = os.open(path, flags, 0o600)
        except FileNotFoundError:
            return None
        lock = cls(path, handle)
        try:
            _lock(handle)
        except OSError:
            lock.forget()
            return None
        if not lock.is_in_place():
            # Removed and perhaps made anew between opening and locking: this is not the lock.
            lock.forget()
            return None
        return lock

    def is_in_place(self) -> bool:
        """Tell whether the path still names the locked file."""
        try:
            return os.path.samestat(os.fstat(self._handle), self.path.stat())
        except OSError:
            return False

    def forget(self) -> None:
        """Close the file; the lock ends if no copy of this process holds it too."""
        with suppress(OSError):
            os.close(self._handle)

    def remove(self) -> None:
        """Remove the file and end the lock."""
        with suppress(FileNotFoundError, PermissionError):
            self.path.unlink()
        self.forget()
        with suppress(FileNotFoundError, PermissionError):  # Windows removes only a closed file
            if sys.platform == "win32":
                self.path.unlink()
