"""Directories and single files as containers; no link is ever followed."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, cast

from .names import clean_name
from .refusals import ArchiveError, Refusal
from .trees import Container, Limits, Member

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NONBLOCK", 0)  # a pipe put in a file's place must not block us


class _OnDisk(Container):
    """Regular files that lie on a disk by themselves."""

    faults = (OSError,)

    def stream(self, member: Member) -> BinaryIO:
        """Open the very file that was listed; a file put in its place is refused."""
        place, device, inode = cast("tuple[Path, int, int]", member.key)
        stream = os.fdopen(os.open(place, _FLAGS), "rb", buffering=0)
        facts = os.fstat(stream.fileno())
        if not stat.S_ISREG(facts.st_mode) or (facts.st_dev, facts.st_ino) != (device, inode):
            stream.close()
            raise ArchiveError(Refusal.CHANGED, member.path)
        return cast("BinaryIO", stream)

    def refusal(self, error: Exception, member: str) -> ArchiveError:
        """Give the refusal of a file that cannot be read."""
        return unreadable(member, error)


class Folder(_OnDisk):
    """A directory; every member is a regular file inside it."""

    kind = "directory"

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        self._limits = limits

    def members(self) -> list[Member]:
        """Walk the directory; raise ArchiveError at a link or a special file."""
        found: list[Member] = []
        seen = 0
        waiting = [self._path]
        while waiting:
            try:
                inside = list(os.scandir(waiting.pop()))
            except OSError as error:
                raise unreadable(self._path.name, error) from error
            seen += len(inside)
            if seen > self._limits.entries:
                raise ArchiveError(Refusal.TOO_MANY_ENTRIES, limit=self._limits.entries)
            for entry in inside:
                name = Path(entry.path).relative_to(self._path).as_posix()
                path = clean_name(name)
                if entry.is_symlink() or entry.is_junction():
                    raise ArchiveError(Refusal.LINK, name)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                    continue
                found.append(self._file(path, Path(entry.path)))
        return found

    def _file(self, path: str, place: Path) -> Member:
        try:
            facts = place.lstat()
        except OSError as error:
            raise unreadable(path, error) from error
        if not stat.S_ISREG(facts.st_mode):
            raise ArchiveError(Refusal.SPECIAL_FILE, path)
        return Member(path, facts.st_size, (place, facts.st_dev, facts.st_ino))


class SingleFile(_OnDisk):
    """One file, as a tree of one entry under its own name."""

    kind = "file"

    def __init__(self, path: Path) -> None:
        self._path = path

    def members(self) -> list[Member]:
        """Give the one member."""
        facts = self._path.stat()
        name = clean_name(self._path.name)
        return [Member(name, facts.st_size, (self._path, facts.st_dev, facts.st_ino))]


def unreadable(member: str, error: Exception) -> ArchiveError:
    """Give the refusal of something that the system does not let us read."""
    why = getattr(error, "strerror", None) or type(error).__name__
    return ArchiveError(Refusal.UNREADABLE, member, why=why)
