"""Servers of this machine that answer as they should not, each for the length of a block."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from workbench.lib.http import Door, Limits, Policy

HOST = "127.0.0.1"
type Answer = Callable[[socket.socket], None]


@dataclass
class Served:
    """Where a server listens, and what it was asked."""

    port: int
    heads: list[str] = field(default_factory=list)
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/"

    @property
    def place(self) -> str:
        return f"{HOST}:{self.port}"

    def door(self, **limits: float) -> Door:
        """A door that may speak to this server, and waits no longer than a test should."""
        quick = {"total_s": 2.0, "read_s": 2.0, "connect_s": 1.0} | limits
        return Door(Policy.allowing([self.place]), limits=Limits(**quick))


@contextmanager
def serving(answer: Answer, tls: ssl.SSLContext | None = None) -> Iterator[Served]:
    """Let ``answer`` speak to everybody who connects, once the head of a request has come."""
    listener = socket.create_server((HOST, 0))
    served = Served(listener.getsockname()[1])
    over = threading.Event()

    def one(raw: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), raw:
            raw.settimeout(5)
            spoken = tls.wrap_socket(raw, server_side=True) if tls else raw
            while head := _head(spoken):
                served.heads.append(head)
                answer(spoken)
                if answer is not STAYING:
                    break
            if tls:
                spoken.close()

    def accept() -> None:
        while not over.is_set():
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            served.connections += 1
            threading.Thread(target=one, args=(raw,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        over.set()
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(timeout=2)


def _head(spoken: socket.socket) -> str:
    got = b""
    while b"\r\n\r\n" not in got:
        piece = spoken.recv(4096)
        if not piece:
            return ""
        got += piece
    return got.decode("latin-1")


def saying(*parts: bytes) -> Answer:
    """Send parts as they are, and close."""

    def answer(spoken: socket.socket) -> None:
        for part in parts:
            spoken.sendall(part)

    return answer


def dripping(start: bytes, drip: bytes = b"x", pause: float = 0.02) -> Answer:
    """Send a start, then a little again and again, until the other side has had enough."""

    def answer(spoken: socket.socket) -> None:
        spoken.sendall(start)
        while True:
            spoken.sendall(drip)
            time.sleep(pause)

    return answer


def endless(start: bytes, block: bytes) -> Answer:
    """Send a start, then the same block as fast as it goes, without end."""

    def answer(spoken: socket.socket) -> None:
        spoken.sendall(start)
        while True:
            spoken.sendall(block)

    return answer


def resetting(start: bytes) -> Answer:
    """Send a start, then break the connection off."""

    def answer(spoken: socket.socket) -> None:
        spoken.sendall(start)
        time.sleep(0.05)
        spoken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00" + b"\x00" * 4)
        spoken.close()

    return answer


def silent(spoken: socket.socket) -> None:
    """Take the request, and say nothing."""
    time.sleep(3)


def _stay(spoken: socket.socket) -> None:
    spoken.sendall(ok(b"still here", close=False))


STAYING: Answer = _stay


def ok(body: bytes, *headers: str, close: bool = True) -> bytes:
    """An answer as it should be."""
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers]
    lines += ["Connection: close"] if close else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(target: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()


def by_path(answers: dict[str, bytes], seen: Callable[[], str]) -> Answer:
    """Answer by the path of the request that ``seen`` gives."""

    def answer(spoken: socket.socket) -> None:
        spoken.sendall(answers[seen().split(" ")[1]])

    return answer


def joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(parts)
