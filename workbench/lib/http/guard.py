"""The network backend under httpx: judges who is dialled, counts every byte and second.

The host that is judged is the host that httpcore is about to dial, so there is one reading of the
address, not two; the number that was judged is the number that is dialled, so a name cannot change
its mind between; and it happens for every connection, hence for every redirect.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from ssl import SSLCertVerificationError, SSLContext
from typing import Any

import httpcore

from .addresses import Address, parse
from .errors import PermanentHttpError, TransientHttpError
from .policy import Limits, Policy, fold_host
from .resolving import Resolver, resolve


@dataclass(slots=True)
class Meter:
    """What is left to the fetch that runs now. Connections that are kept count on the next one."""

    limits: Limits
    deadline: float = 0.0  # of time.monotonic()
    wire: int = 0  # bytes read
    head: int = 0  # bytes read since the request was sent
    in_head: bool = False
    address: str = ""  # dialled last

    def start(self, limits: Limits) -> None:
        """Begin a fetch."""
        self.limits, self.deadline = limits, time.monotonic() + limits.total_s
        self.wire, self.head, self.in_head, self.address = 0, 0, False, ""

    def remaining(self) -> float:
        """Give the seconds that are left. Raises TransientHttpError where there are none."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TransientHttpError("total-time", f"more than {self.limits.total_s:g} s")
        return left

    def within(self, timeout: float | None) -> float:
        """Give a time-out that ends no later than the fetch."""
        left = self.remaining()
        return left if timeout is None else min(timeout, left)

    def count(self, size: int) -> None:
        """Note bytes that came. Raises PermanentHttpError where it is too many."""
        self.wire += size
        if self.wire > self.limits.wire_bytes:
            raise PermanentHttpError("wire-bytes", f"more than {self.limits.wire_bytes}")
        if self.in_head:
            self.head += size
            if self.head > self.limits.head_bytes:
                raise PermanentHttpError("head-bytes", f"more than {self.limits.head_bytes}")


class GuardedStream(httpcore.NetworkStream):
    """A connection whose every read and write is counted, headers and interim answers too."""

    def __init__(self, inner: httpcore.NetworkStream, meter: Meter) -> None:
        self._inner, self._meter = inner, meter

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            data = self._inner.read(max_bytes, timeout=self._meter.within(timeout))
        except httpcore.ReadTimeout:
            self._meter.remaining()  # says so where it was the whole fetch that took too long
            raise
        self._meter.count(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout=self._meter.within(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        within = self._meter.within(timeout)
        try:
            secured = self._inner.start_tls(ssl_context, server_hostname, within)
        except httpcore.ConnectError as fault:
            host = server_hostname or ""
            if isinstance(fault.__cause__, SSLCertVerificationError):
                reason = fault.__cause__.verify_message
                raise PermanentHttpError("certificate", reason, host=host) from None
            raise TransientHttpError("tls", str(fault), host=host) from None
        return GuardedStream(secured, self._meter)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore.NetworkBackend):
    """Dial only whom the policy lets us speak to."""

    def __init__(
        self,
        policy: Policy,
        meter: Meter,
        resolver: Resolver,
        inner: httpcore.NetworkBackend | None = None,
    ) -> None:
        self._policy, self._meter, self._resolver = policy, meter, resolver
        self._inner = inner or httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        name = fold_host(host)
        if not name or any(c <= " " or c in "%\x7f" for c in host):
            raise PermanentHttpError("bad-host", name[:80])
        self._policy.check_port(name, port)
        found = self._look_up(name, port)
        for address in found:  # one that is not public refuses them all: split answers are a trick
            self._policy.check_address(name, port, address)
        fault: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in _in_turn(found)[: self._meter.limits.addresses]:
            try:
                return self._dial(name, port, address, timeout, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as refused:
                self._meter.remaining()
                fault = refused
        code = "connect-time" if isinstance(fault, httpcore.ConnectTimeout) else "no-connection"
        raise TransientHttpError(code, str(fault or ""), host=name) from None

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        raise PermanentHttpError("bad-host", "a socket of this machine")

    def _look_up(self, name: str, port: int) -> list[Address]:
        numeric = parse(name)
        if numeric is not None:
            return [numeric]
        seconds = self._meter.within(self._meter.limits.resolve_s)
        texts = resolve(name, port, seconds=seconds, resolver=self._resolver)
        found = [parse(text) for text in texts]
        if None in found:
            raise PermanentHttpError("bad-host", "its address is no number", host=name)
        return [address for address in found if address is not None]

    def _dial(
        self,
        name: str,
        port: int,
        address: Address,
        timeout: float | None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None,
    ) -> GuardedStream:
        self._meter.address = str(address)
        stream = self._inner.connect_tcp(
            str(address),
            port,
            timeout=self._meter.within(timeout),
            socket_options=socket_options,
        )
        peer = stream.get_extra_info("server_addr")
        reached = parse(str(peer[0])) if peer else None
        if reached != address:
            stream.close()
            raise PermanentHttpError("peer", f"dialled {address}, reached {reached}", host=name)
        return GuardedStream(stream, self._meter)


def _in_turn(found: list[Address]) -> list[Address]:
    """Give IPv4 and IPv6 in turn: where one of them leads nowhere, the other is tried soon."""
    four: list[Address] = [address for address in found if address.version == 4]
    six: list[Address] = [address for address in found if address.version == 6]
    turns: list[Address] = []
    while four or six:
        turns += four[:1] + six[:1]
        four, six = four[1:], six[1:]
    return turns
