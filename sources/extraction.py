"""Extract in a child process that may be killed: pages from outside cost any time and memory.

A child is kept for many pages, since loading the libraries takes half a second; it is ended when
a page broke it, after some hundred pages, and with this process. Security, "Fetching".
"""

import atexit
import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path

from django.conf import settings

from sources.extracting import Extracted, kind_of

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[1]
PAGES = 300  # of one child: what libraries leak ends with it
MOST_ANSWER = 64 * 2**20  # bytes of an answer
# Of a slow page only the text is asked for, which takes a fraction of that.
REASONS = {
    "time": "the text could not be extracted in time",
    "memory": "the text could not be extracted in the memory there is",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one extraction may cost."""

    seconds: float = 90.0  # by the clock: a busy machine takes its time, so the next one counts
    cpu: int = 25  # seconds
    memory: int = 768 * 2**20  # bytes beyond what the libraries take


class _Broken(Exception):
    """The child gave no answer; its text says what broke it."""


class Extractor:
    """Children that extract, as many as are asked at once. Safe for several threads."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._idle: deque[_Child] = deque()
        self._owner = os.getpid()

    def extract(self, body: bytes, content_type: str = "", url: str = "") -> Extracted:
        """Extract a body; never raises for what the body is. Without a text, the reason says why.

        What breaks a child is asked for once more without its article.
        """
        for plain in (False, True):
            try:
                return self._asked(body, content_type, url, plain=plain)
            except _Broken as fault:
                log.warning("extraction broke", extra={"why": str(fault), "plain": plain})
                why = str(fault)
        reason = REASONS.get(why, f"the text could not be extracted ({why})")
        return Extracted(kind_of(body, content_type), reason=reason)

    def close(self) -> None:
        """End the children that wait; those of the process that we were forked from are its own."""
        while self._idle and self._owner == os.getpid():
            self._idle.pop().end()

    def _asked(self, body: bytes, content_type: str, url: str, *, plain: bool) -> Extracted:
        child = self._child()
        bounds = replace(self.bounds, seconds=self.bounds.seconds / (2 if plain else 1))
        try:
            found = child.ask(body, content_type, url, plain=plain, bounds=bounds)
        except BaseException:
            child.end()
            raise
        if child.pages >= PAGES:
            child.end()
        else:
            self._idle.append(child)
        return found

    def _child(self) -> "_Child":
        if self._owner != os.getpid():
            # Forked: the children are another process's, and not ours to end.
            self._idle, self._owner = deque(), os.getpid()
        while True:
            try:
                child = self._idle.pop()
            except IndexError:
                return _Child()
            if child.lives:
                return child
            child.end()


@dataclass(slots=True)
class _Child:
    """One process that extracts, one body at a time."""

    pages: int = 0
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            [sys.executable, "-I", "-c", _START, str(ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            cwd=ROOT,
            start_new_session=True,  # Ctrl-C is for us, who then end it
        )

    @property
    def lives(self) -> bool:
        return self.process.poll() is None

    def ask(
        self, body: bytes, content_type: str, url: str, *, plain: bool, bounds: Bounds
    ) -> Extracted:
        self.pages += 1
        asked = {
            "size": len(body), "type": content_type[:500], "url": url, "plain": plain,
            "memory": bounds.memory, "seconds": bounds.cpu,
        }  # fmt: skip
        answer = self._exchange(json.dumps(asked).encode("ascii") + b"\n", body, bounds.seconds)
        if "found" not in answer:
            raise _Broken(answer.get("fault", "no answer"))
        return Extracted.read(answer["found"])

    def _exchange(self, head: bytes, body: bytes, seconds: float) -> dict[str, dict[str, object]]:
        """Send and wait on another thread, so that a child that reads nothing cannot hold us."""
        answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert self.process.stdin is not None  # noqa: S101  # for the types
        assert self.process.stdout is not None  # noqa: S101
        into, out = self.process.stdin, self.process.stdout

        def exchange() -> None:
            try:
                into.write(head)
                into.write(body)
                into.flush()
                answers.put(out.readline(MOST_ANSWER))
            except (OSError, ValueError):
                answers.put(b"")

        ends = time.monotonic() + seconds
        threading.Thread(target=exchange, name="extraction", daemon=True).start()
        try:
            line = answers.get(timeout=max(0.01, ends - time.monotonic()))
        except queue.Empty:
            raise _Broken("time") from None
        if not line.endswith(b"\n"):
            raise _Broken(self._death())
        answer: dict[str, dict[str, object]] = json.loads(line)
        return answer

    def _death(self) -> str:
        """Tell what ended the child: the clock of its processor, or the system for its memory."""
        try:
            code = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "answer too long"
        return {-24: "time", -9: "memory"}.get(code, f"process ended with {code}")

    def end(self) -> None:
        """End it for good."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # what it did not read is lost with it
        self.process.wait()


# Isolated from the environment and the current folder; only our own code is added.
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from sources.extracting.serving import serve; serve()"
)
_PASSED = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ")


def _environment() -> dict[str, str]:
    """Give what an interpreter needs; no key and no setting of ours is in it.

    A dictionary is loaded from a file in the folder for temporary ones, which anybody may write to:
    the child has a folder of ours instead.
    """
    folder = Path(settings.DATA_DIR) / "extraction"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    return passed | {"TMPDIR": str(folder)}


EXTRACTOR = Extractor()
atexit.register(EXTRACTOR.close)
