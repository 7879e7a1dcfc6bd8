"""The one door to the network: ask, follow redirects, bring back an answer or a reason."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ssl import SSLContext
from types import TracebackType
from typing import Self
from urllib.parse import quote

import httpcore
import httpx

from .decoding import coding_of, read_body
from .errors import HttpError, PermanentHttpError, TransientHttpError
from .guard import GuardedBackend, Meter
from .messages import Hop, Request, Response, redact
from .policy import Limits, Policy, checked_url, port_of
from .resolving import Resolver, system_resolver
from .transport import GuardedTransport, tls_context

USER_AGENT = "EvidenceWorkbench/0.1"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEEP_METHOD = frozenset({307, 308})
_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization"})
# The first class that fits names the reason.
_FAULTS: tuple[tuple[type[httpx.TransportError], str, type[HttpError]], ...] = (
    (httpx.ReadTimeout, "read-time", TransientHttpError),
    (httpx.TimeoutException, "connect-time", TransientHttpError),
    (httpx.LocalProtocolError, "bad-request", PermanentHttpError),
    (httpx.UnsupportedProtocol, "scheme", PermanentHttpError),
    (httpx.RemoteProtocolError, "protocol", PermanentHttpError),
    (httpx.ReadError, "cut", TransientHttpError),
    (httpx.TransportError, "no-connection", TransientHttpError),
)
# How httpcore and h11 say that an answer ended too soon, or never began.
_CUT = ("peer closed connection", "server disconnected")


class Door:
    """Fetch over the guard, one request at a time, each judged and counted on its own.

    No cookie, proxy, cache or environment takes part. ``keep`` lets connections to one host serve
    several fetches. ``transport`` replaces the network as a whole, ``backend`` only its sockets,
    ``resolver`` its names: tests use them, and everything else of the door stays as it is.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        keep: bool = False,
        tls: SSLContext | None = None,
        resolver: Resolver = system_resolver,
        backend: httpcore.NetworkBackend | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._policy = policy or Policy()
        self._limits = limits or Limits()
        self._user_agent = user_agent
        self._meter = Meter(self._limits)
        self._lock = threading.Lock()
        self._transport: httpx.BaseTransport = transport or GuardedTransport(
            GuardedBackend(self._policy, self._meter, resolver, backend),
            tls or tls_context(),
            keep=keep,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that were kept."""
        self._transport.close()

    def fetch(self, request: Request, limits: Limits | None = None) -> Response:
        """Ask, follow redirects, read the answer to its end; any status is an answer.

        Raises PermanentHttpError where asking again would end the same, TransientHttpError where
        it may not. Neither their texts nor the addresses of the answer hold a credential.
        """
        secrets = _secrets(request)
        with self._lock:
            self._meter.start(limits or self._limits)
            try:
                return self._walk(request, secrets)
            except HttpError as fault:
                detail, host = redact(fault.detail, secrets), redact(fault.host, secrets)
                raise type(fault)(fault.code, detail, host=host) from None

    def _walk(self, request: Request, secrets: tuple[str, ...]) -> Response:
        began, limits = time.monotonic(), self._meter.limits
        url = checked_url(request.url, self._policy, limits)
        step = _Step(url, request.method, request.body)
        hops: list[Hop] = []
        seen: set[tuple[str, str]] = set()
        while True:
            seen.add((step.method, str(step.url)))
            with self._asked(step, request, trusted=_origin(step.url) == _origin(url)) as answer:
                hops.append(Hop(redact(str(step.url), secrets), answer.status_code))
                if answer.status_code not in _REDIRECTS:
                    body, coding = self._body(answer)
                    break
                location = answer.headers.get("location", "")
            if len(hops) > limits.redirects:
                raise PermanentHttpError("too-many-redirects", host=step.url.host)
            step = self._next(step, hops[-1].status, location)
            if (step.method, str(step.url)) in seen:
                raise PermanentHttpError("redirect-loop", host=step.url.host)
        return Response(
            status=answer.status_code,
            url=hops[-1].url,
            headers=tuple((name.lower(), value) for name, value in answer.headers.multi_items()),
            body=body,
            hops=tuple(hops),
            coding=coding,
            wire_bytes=self._meter.wire,
            seconds=time.monotonic() - began,
            address=self._meter.address,
            secrets=secrets,
        )

    @contextmanager
    def _asked(self, step: "_Step", request: Request, *, trusted: bool) -> Iterator[httpx.Response]:
        host = step.url.host
        try:
            sent = self._built(step, request, trusted=trusted)
            self._meter.in_head, self._meter.head = True, 0
            answer = self._transport.handle_request(sent)
            self._meter.in_head = False
            try:
                yield answer
            finally:
                answer.close()
        except httpx.TransportError as fault:
            raise _ours(fault, host) from None
        except HttpError as fault:
            raise type(fault)(fault.code, fault.detail, host=fault.host or host) from None

    def _built(self, step: "_Step", request: Request, *, trusted: bool) -> httpx.Request:
        headers = {"accept": "*/*", "accept-encoding": "gzip, deflate"}
        headers["user-agent"] = self._user_agent
        for name, value in request.headers.items():
            if trusted or name.lower() not in _PRIVATE:
                headers[name.lower()] = value
        query = step.url.query
        for each in request.credentials if trusted else ():
            if each.place == "header":
                headers[each.name.lower()] = each.value
            else:
                pair = f"{quote(each.name, safe='')}={quote(each.value, safe='')}".encode()
                query = query + b"&" + pair if query else pair
        url = step.url.copy_with(query=query) if query else step.url
        limits = self._meter.limits
        timeout = {"connect": limits.connect_s, "read": limits.read_s, "write": limits.read_s}
        try:
            return httpx.Request(
                step.method,
                url,
                headers=headers,
                content=step.body or None,
                extensions={"timeout": {**timeout, "pool": limits.connect_s}},
            )
        except (httpx.InvalidURL, UnicodeError, ValueError, TypeError) as fault:
            raise PermanentHttpError("bad-request", type(fault).__name__) from None

    def _body(self, answer: httpx.Response) -> tuple[bytes, str]:
        coding = coding_of(answer.headers.get("content-encoding", ""))
        length = answer.headers.get("content-length", "")
        most = self._meter.limits.wire_bytes if coding else self._meter.limits.body_bytes
        if length.isascii() and length.isdigit() and int(length[:20]) > most:
            raise PermanentHttpError("body-bytes", f"{length[:20]} announced")
        assert isinstance(answer.stream, httpx.SyncByteStream)  # noqa: S101  # for the types
        return read_body(answer.stream, coding, self._meter), coding

    def _next(self, step: "_Step", status: int, location: str) -> "_Step":
        host = step.url.host
        location = location.strip(" ").replace(" ", "%20")
        if not location:
            raise PermanentHttpError("redirect-nowhere", host=host)
        if "\\" in location.split("?", 1)[0] or any(ord(c) < 32 or ord(c) == 127 for c in location):
            raise PermanentHttpError("bad-redirect", host=host)
        try:
            target = str(step.url.join(location))
        except (httpx.InvalidURL, UnicodeError, ValueError):
            raise PermanentHttpError("bad-redirect", host=host) from None
        url = checked_url(target, self._policy, self._meter.limits)
        if step.method == "GET" or status not in _KEEP_METHOD:
            return _Step(url, "GET", b"")
        if _origin(url) != _origin(step.url):
            raise PermanentHttpError("redirect-of-post", host=url.host)
        return _Step(url, step.method, step.body)


@dataclass(frozen=True, slots=True)
class _Step:
    """What is asked next."""

    url: httpx.URL
    method: str
    body: bytes


def _origin(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, port_of(url)


def _secrets(request: Request) -> tuple[str, ...]:
    """Give every form in which a credential of the request may be echoed, the longest first."""
    forms = set()
    for each in request.credentials:
        for value in (each.value, each.value.rsplit(" ", 1)[-1]):
            forms |= {value, quote(value, safe=""), quote(value)}
    return tuple(sorted(forms - {""}, key=len, reverse=True))


def _ours(fault: httpx.TransportError, host: str) -> HttpError:
    code, kind = next((code, kind) for each, code, kind in _FAULTS if isinstance(fault, each))
    said = str(fault)
    if code == "protocol" and said.lower().startswith(_CUT):
        code, kind = "cut", TransientHttpError
    return kind(code, said, host=host)
