"""A folder of queues in which a file is a message: no server, and nothing lost to a kill.

A message is written aside and renamed into its queue, claimed by renaming it into the folder of
the claiming process, and removed when it is done. Each claiming process holds a lock that the
system frees with it; whoever finds such a lock free puts the claims behind it back.
"""

import hashlib
import heapq
import itertools
import json
import logging
import os
import shutil
import threading
import time
import uuid
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .locks import FileLock

log = logging.getLogger(__name__)

type Binding = tuple[str, str, str]  # routing key, pattern, queue

LOWEST_PRIORITY, HIGHEST_PRIORITY = 0, 9
BATCH = 100  # names remembered from one listing of a queue
SWEEP_EVERY = 10.0  # seconds between looks for dead processes while there is nothing to do
STALE_WRITE = 3600.0  # seconds after which a half-written message has no writer any more
NAME_BYTES = 255

_AGAIN = ".again"
_SUFFIX = ".msg"


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that is ours until it is done or given back."""

    tag: str
    data: bytes
    again: bool  # it was claimed before, and not finished


@dataclass(frozen=True, slots=True)
class _Owner:
    folder: Path
    lock: FileLock


class SpoolFolder:
    """The queues below one folder. Safe for several threads, processes and forks.

    With ``fsync`` a message also survives the loss of power, at the price of waiting for the disk
    at each one. Without it a message survives the end of every process, but not of the machine.
    """

    def __init__(self, root: Path, *, fsync: bool = False) -> None:
        self._ready = root / "ready"
        self._writing = root / "writing"
        self._owners = root / "owners"
        self._exchanges = root / "exchanges"
        self._broken = root / "broken"
        self._fsync = fsync
        self._numbers = itertools.count()
        self._backlog: dict[str, deque[str]] = {}
        self._claims: dict[str, tuple[str, Path]] = {}
        self._bindings: dict[str, Binding] = {}
        self._owner: _Owner | None = None
        self._owning = threading.RLock()
        self._swept = 0.0
        for folder in (root, self._ready, self._writing, self._owners, self._exchanges):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def put(self, queue: str, data: bytes, *, priority: int = LOWEST_PRIORITY) -> None:
        """Publish a message: it is in the queue whole, or not at all."""
        rank = HIGHEST_PRIORITY - min(max(priority, LOWEST_PRIORITY), HIGHEST_PRIORITY)
        number = next(self._numbers) % 10**6
        name = f"{rank}-{time.time_ns():020d}-{number:06d}-{uuid.uuid4().hex}{_SUFFIX}"
        temporary = self._writing / name
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                if self._fsync:
                    stream.flush()
                    os.fsync(stream.fileno())
            self._move(temporary, self._queue_folder(queue), name)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise

    def claim(self, queue: str) -> Claim | None:
        """Take the next message of a queue: highest priority first, then oldest."""
        backlog = self._backlog.setdefault(queue, deque())
        for listing in (False, True):
            if listing:
                backlog.extend(self._next_names(queue))
            while backlog:
                try:
                    name = backlog.popleft()
                except IndexError:
                    break
                if (claim := self._take(queue, name)) is not None:
                    return claim
        if time.monotonic() - self._swept > SWEEP_EVERY:
            self.put_back_dead()
        return None

    def done(self, tag: str) -> None:
        """Forget a claimed message for good."""
        if (claimed := self._claims.pop(tag, None)) is not None:
            claimed[1].unlink(missing_ok=True)

    def give_back(self, tag: str) -> None:
        """Put a claimed message back to its place in the queue."""
        if (claimed := self._claims.pop(tag, None)) is not None:
            queue, path = claimed
            if (name := self._put_back(path, self._queue_folder(queue))) is not None:
                # Names listed earlier stand behind it; a new listing would come after them.
                self._backlog.setdefault(queue, deque()).appendleft(name)

    def set_aside(self, tag: str) -> None:
        """Move a claimed message that nobody can read out of the way, and keep it."""
        if (claimed := self._claims.pop(tag, None)) is not None:
            self._move(claimed[1], self._broken, claimed[1].name)

    def size(self, queue: str) -> int:
        """Give the number of messages that wait in a queue."""
        return len(_names(self._queue_folder(queue)))

    def purge(self, queue: str) -> int:
        """Remove the messages that wait in a queue; give their number."""
        folder, count = self._queue_folder(queue), 0
        for name in _names(folder):
            with suppress(FileNotFoundError):
                (folder / name).unlink()
                count += 1
        return count

    def declare(self, queue: str, *, temporary: bool = False) -> None:
        """Make a queue; a temporary one goes when the process that declared it is gone."""
        if temporary:
            # Owning first: the sweep that comes with it must not find the new queue's namesake.
            mark = self._own().folder / "temporary" / _safe(queue)
            mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            mark.touch(0o600)
        self._queue_folder(queue).mkdir(mode=0o700, parents=True, exist_ok=True)

    def has(self, queue: str) -> bool:
        """Tell whether a queue was made."""
        return self._queue_folder(queue).is_dir()

    def drop(self, queue: str) -> None:
        """Remove a queue with its messages and bindings."""
        self._backlog.pop(queue, None)
        self._drop(_safe(queue))
        if self._owner is not None:
            (self._owner.folder / "temporary" / _safe(queue)).unlink(missing_ok=True)
            with suppress(OSError):  # absent, or a claim is still in it
                (self._owner.folder / "claims" / _safe(queue)).rmdir()

    def bind(self, exchange: str, binding: Binding) -> None:
        """Bind a queue to an exchange, for every process."""
        name, text = _binding_file(binding)
        folder = self._exchange_folder(exchange)
        if (folder / name).exists():
            return
        temporary = self._writing / f"{name}-{uuid.uuid4().hex}"
        temporary.write_text(text, "utf-8")
        self._move(temporary, folder, name)

    def unbind(self, exchange: str, binding: Binding) -> None:
        """Remove a binding; one that is not there is no error."""
        (self._exchange_folder(exchange) / _binding_file(binding)[0]).unlink(missing_ok=True)

    def bindings(self, exchange: str) -> list[Binding]:
        """Give the bindings of an exchange, in a stable order."""
        folder = self._exchange_folder(exchange)
        found = (self._binding(folder / name) for name in sorted(_listed(folder)))
        return [binding for binding in found if binding is not None]

    def put_back_dead(self) -> int:
        """Put back what dead processes had claimed; give the number of messages."""
        self._swept = time.monotonic()
        count = 0
        for name in _listed(self._owners):
            path = self._owners / name
            mine = self._owner is not None and self._owner.lock.path == path
            if path.suffix != ".lock" or mine:
                continue
            if (lock := FileLock.take(path)) is not None:
                count += self._bury(path.with_suffix(""))
                lock.remove()
        self._remove_stale_writes()
        if count:
            log.warning("messages of dead workers put back", extra={"messages": count})
        return count

    def forked(self) -> None:
        """Begin anew in a copy of the process: its parent's lock and claims are not its own."""
        self._owning = threading.RLock()
        if self._owner is not None:
            self._owner.lock.forget()
            self._owner = None
        self._claims.clear()
        self._backlog.clear()

    def _own(self) -> _Owner:
        with self._owning:
            if self._owner is None:
                self._owner = self._new_owner()
                self.put_back_dead()
            return self._owner

    def _new_owner(self) -> _Owner:
        lock = None
        while lock is None:
            path = self._owners / f"{os.getpid()}-{uuid.uuid4().hex}"
            lock = FileLock.take(path.with_suffix(".lock"), create=True)
        path.mkdir(mode=0o700)
        return _Owner(path, lock)

    def _next_names(self, queue: str) -> list[str]:
        return heapq.nsmallest(BATCH, _names(self._queue_folder(queue)))

    def _take(self, queue: str, name: str) -> Claim | None:
        path = self._own().folder / "claims" / _safe(queue) / name
        try:
            self._move(self._queue_folder(queue) / name, path.parent, name)
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        tag = name.removesuffix(_SUFFIX)
        self._claims[tag] = (queue, path)
        return Claim(tag, data, again=_AGAIN in name)

    def _move(self, source: Path, folder: Path, name: str) -> None:
        try:
            source.replace(folder / name)
        except FileNotFoundError:
            if folder.is_dir():
                raise
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            source.replace(folder / name)

    def _put_back(self, path: Path, folder: Path) -> str | None:
        name = path.name.partition(".")[0] + _AGAIN + _SUFFIX
        try:
            self._move(path, folder, name)
        except FileNotFoundError:
            return None
        return name

    def _bury(self, dead: Path) -> int:
        count = 0
        for path in (dead / "claims").glob("*/*" + _SUFFIX):
            count += self._put_back(path, self._ready / path.parent.name) is not None
        for mark in (dead / "temporary").glob("*"):
            others = self._owners.glob(f"*/temporary/{_escaped(mark.name)}")
            if all(other == mark for other in others):
                self._drop(mark.name)
        shutil.rmtree(dead, ignore_errors=True)
        return count

    def _drop(self, safe: str) -> None:
        for path in self._exchanges.glob("*/*"):
            binding = self._binding(path)
            if binding is not None and _safe(binding[2]) == safe:
                path.unlink(missing_ok=True)
        shutil.rmtree(self._ready / safe, ignore_errors=True)

    def _binding(self, path: Path) -> Binding | None:
        # The name is the hash of the content, so what was read once is right for ever.
        if (known := self._bindings.get(path.name)) is not None:
            return known
        try:
            key, pattern, queue = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError, TypeError):
            return None
        binding = (str(key), str(pattern), str(queue))
        self._bindings[path.name] = binding
        return binding

    def _remove_stale_writes(self) -> None:
        for path in self._writing.iterdir():
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > STALE_WRITE:
                    path.unlink()

    def _queue_folder(self, queue: str) -> Path:
        return self._ready / _safe(queue)

    def _exchange_folder(self, exchange: str) -> Path:
        return self._exchanges / _safe(exchange)


def _safe(name: str) -> str:
    # The prefix keeps ".." and the device names of Windows from being what they say.
    safe = "q-" + quote(name, safe="@")
    if len(safe) > NAME_BYTES:
        raise ValueError(f"the name of a queue or exchange is too long: {name[:40]}…")
    return safe


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _names(folder: Path) -> list[str]:
    return [name for name in _listed(folder) if name.endswith(_SUFFIX)]


def _listed(folder: Path) -> list[str]:
    # Queues may be long, and this is the hot path: names only, no Path for each.
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except FileNotFoundError:
        return []


def _binding_file(binding: Binding) -> tuple[str, str]:
    text = json.dumps(binding)
    return hashlib.sha256(text.encode()).hexdigest(), text
