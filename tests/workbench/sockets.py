"""Sockets and resolvers for the door that reach nobody, or only a server of this machine."""

from collections.abc import Callable, Sequence
from typing import Any

import httpcore

PUBLIC = "93.184.215.14"


class Refusing(httpcore.NetworkBackend):
    """Sockets that note whom they should dial, and reach nobody."""

    def __init__(self) -> None:
        self.dialled: list[tuple[str, int]] = []

    def connect_tcp(self, host: str, port: int, *args: Any, **more: Any) -> Any:
        self.dialled.append((host, port))
        raise httpcore.ConnectError("refused")


class Leading(httpcore.NetworkBackend):
    """Sockets that reach a server of this machine, whomever they should dial."""

    def __init__(self, port: int, *, honest: bool) -> None:
        self.port, self.honest = port, honest

    def connect_tcp(self, host: str, port: int, *args: Any, **more: Any) -> Any:
        stream = httpcore.SyncBackend().connect_tcp("127.0.0.1", self.port, *args, **more)
        return _Claiming(stream, host) if self.honest else stream


class _Claiming(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, peer: str) -> None:
        self._inner, self._peer = inner, peer
        self.read, self.write, self.close = inner.read, inner.write, inner.close

    def start_tls(self, *args: Any, **more: Any) -> httpcore.NetworkStream:
        return self._inner.start_tls(*args, **more)

    def get_extra_info(self, info: str) -> Any:
        return (self._peer, 1) if info == "server_addr" else self._inner.get_extra_info(info)


def answering(*answers: Sequence[str]) -> Callable[[str, int], Sequence[str]]:
    """A resolver that gives these answers in turn, the last one for ever."""
    left = list(answers)
    return lambda host, port: left.pop(0) if len(left) > 1 else left[0]
