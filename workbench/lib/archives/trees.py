"""A read-only tree of files, whatever it lies in."""

import hashlib
import io
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from workbench.lib.notices import Notice, shown
from workbench.lib.texts import Text

from .names import common_folder, is_ignored, refuse_duplicates
from .refusals import ArchiveError, Refusal

type Kind = Literal["directory", "zip", "tar", "file"]

CHUNK = 256 * 1024
NAMES_SHOWN = 3

IGNORED = Text(
    en="Files that an operating system adds, skipped: {count} ({names}).",
    zh="已跳过操作系统自动添加的 {count} 个文件：{names}。",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a tree may ask of its reader."""

    entries: int = 20_000  # files and folders
    entry_bytes: int = 64 * 2**20  # of one file, inflated
    total_bytes: int = 2**30  # of all files, inflated
    ratio: int = 250  # inflated to packed, looked at past ratio_from
    ratio_from: int = 2**20  # bytes; small files of white space inflate a lot and harm nobody


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a tree: its path below the root, and its size in bytes."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Member:
    """One file as its container knows it; ``key`` finds it there again."""

    path: str
    size: int
    key: object


class Container(ABC):
    """What holds the files: gives a raw stream for each member."""

    kind: Kind
    faults: tuple[type[Exception], ...]  # what its reader raises where content is not readable
    notices: tuple[Notice, ...] = ()

    @abstractmethod
    def members(self) -> list[Member]:
        """Give the members, checked as far as their headers allow."""

    @abstractmethod
    def stream(self, member: Member) -> BinaryIO:
        """Open the content of a member."""

    @abstractmethod
    def refusal(self, error: Exception, member: str) -> ArchiveError:
        """Give the refusal that one of the ``faults`` means."""


class Tree:
    """The files of a directory, an archive or a single file, read-only and bounded.

    Not for use by several threads at once.
    """

    def __init__(
        self, path: Path, container: Container, limits: Limits, keep_top: frozenset[str]
    ) -> None:
        self._path = path
        self._container = container
        members = container.members()
        kept = [member for member in members if not is_ignored(member.path)]
        refuse_duplicates([member.path for member in kept])
        _refuse_sizes(kept, limits)
        if not kept:
            raise ArchiveError(Refusal.EMPTY)
        root = common_folder([member.path for member in kept])
        self.root = "" if root in keep_top else root
        cut = len(self.root) + 1 if self.root else 0
        self._members = {m.path[cut:]: m for m in sorted(kept, key=lambda m: m.path)}
        self.notices = (*container.notices, *_ignored(members))

    @property
    def kind(self) -> Kind:
        """Give what holds the files: directory, zip, tar or file."""
        return self._container.kind

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Give the files, sorted by path."""
        return tuple(Entry(path, member.size) for path, member in self._members.items())

    def without(self, paths: Collection[str]) -> "Tree":
        """Give a view of the same tree that does not have some of the files."""
        view = copy(self)
        view._members = {p: m for p, m in self._members.items() if p not in paths}  # noqa: SLF001
        return view

    def __contains__(self, path: object) -> bool:
        return path in self._members

    def open(self, path: str) -> io.BufferedReader:
        """Open a file for reading; a fault found on the way raises ArchiveError."""
        member = self._members.get(path)
        if member is None:
            raise ArchiveError(Refusal.ABSENT, path)
        with self._refusing(member):
            stream = self._container.stream(member)
        return io.BufferedReader(_Bounded(stream, member, self), CHUNK)

    def read(self, path: str) -> bytes:
        """Give the bytes of a file, checked against the size and sum that were declared."""
        with self.open(path) as stream:
            return stream.read()

    def check(self) -> None:
        """Read every file once, so that damage shows before anything is used."""
        for path in self._members:
            with self.open(path) as stream:
                while stream.read(CHUNK):
                    pass

    def digest(self) -> str:
        """Give a SHA-256: of the file's bytes; of a directory, of its sorted paths and hashes.

        A directory's manifest is a line ``<sha256 of the content>  <path>`` for each file.
        """
        if self.kind != "directory":
            with self._path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        manifest = hashlib.sha256()
        for path in self._members:
            with self.open(path) as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            manifest.update(f"{content}  {path}\n".encode())
        return manifest.hexdigest()

    @contextmanager
    def _refusing(self, member: Member) -> Iterator[None]:
        try:
            yield
        except ArchiveError:
            raise
        except self._container.faults as error:
            raise self._container.refusal(error, member.path) from error


class _Bounded(io.RawIOBase):
    """Gives exactly the bytes that were declared, or an ArchiveError."""

    def __init__(self, stream: BinaryIO, member: Member, tree: Tree) -> None:
        self._stream = stream
        self._member = member
        self._left = member.size
        self._tree = tree

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview[int]") -> int:  # type: ignore[override]
        # One byte past the declared size is asked for, to find a stream that is longer.
        with self._tree._refusing(self._member):  # noqa: SLF001
            data = self._stream.read(min(len(buffer), self._left + 1))
        if len(data) > self._left or (not data and self._left):
            raise ArchiveError(Refusal.SIZE_LIES, self._member.path)
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _refuse_sizes(members: Iterable[Member], limits: Limits) -> None:
    total = 0
    for member in members:
        if member.size > limits.entry_bytes:
            raise ArchiveError(Refusal.ENTRY_TOO_LARGE, member.path, limit=limits.entry_bytes)
        total += member.size
        if total > limits.total_bytes:
            raise ArchiveError(Refusal.TOTAL_TOO_LARGE, member.path, limit=limits.total_bytes)


def _ignored(members: list[Member]) -> tuple[Notice, ...]:
    paths = [member.path for member in members if is_ignored(member.path)]
    if not paths:
        return ()
    names = ", ".join(shown(path) for path in paths[:NAMES_SHOWN])
    more = ", …" if len(paths) > NAMES_SHOWN else ""
    return (Notice("ignored_files", IGNORED, {"count": len(paths), "names": names + more}),)
