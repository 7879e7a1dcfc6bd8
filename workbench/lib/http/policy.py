"""What may be fetched: schemes, ports, named exceptions, and how much of what."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

import httpx

from .addresses import Address, has_zone, is_public
from .errors import PermanentHttpError

SCHEMES = frozenset({"http", "https"})
PORTS = frozenset({80, 443, 8080, 8443})
# Readers of addresses differ over ports such as "+80"; there is one reading of digits.
_PORT = re.compile(r"^[^/?#]*://[^/?#]*?:([^/?#:\]]*)(?:[/?#]|$)")
_HOST_NEVER = frozenset(b'%\\/?#@<>^|"`{} ;')


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large one fetch may be, all its redirects together."""

    total_s: float = 60.0  # from the first look-up to the last byte
    connect_s: float = 5.0  # for one address
    resolve_s: float = 5.0
    read_s: float = 15.0  # of silence
    redirects: int = 5
    head_bytes: int = 256 * 2**10  # status line, headers and 1xx answers before one body
    wire_bytes: int = 32 * 2**20  # everything read from sockets
    body_bytes: int = 30 * 2**20  # after its content encoding is undone
    ratio: int = 100  # body to wire, once the body is larger than 1 MiB
    addresses: int = 4  # dialled of one host
    url_chars: int = 8192


@dataclass(frozen=True, slots=True)
class Place:
    """A host that an operator names, at one port or at the usual ones."""

    host: str
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``host``, ``host:port``, ``[v6]`` or ``[v6]:port``. Raises ValueError."""
        try:
            url = httpx.URL(f"http://{text.strip()}/")
            host = fold_host(url.host)
        except (httpx.InvalidURL, UnicodeError) as fault:
            raise ValueError(f"{text!r} is no host or host:port") from fault
        bare = url.path == "/" and not (url.query or url.fragment or url.userinfo)
        if not host or not bare or "*" in host or _has_bad_character(url.raw_host):
            raise ValueError(f"{text!r} is no host or host:port")
        # An explicit 80 is dropped by the URL, as it is the scheme's own.
        return cls(host, 80 if text.strip().endswith(":80") else url.port)

    @classmethod
    def of_base(cls, base_url: str) -> Self:
        """Give the host and port that a configured base URL speaks to. Raises ValueError."""
        try:
            url = httpx.URL(base_url)
            host = fold_host(url.host)
        except (httpx.InvalidURL, UnicodeError) as fault:
            raise ValueError(f"{base_url!r} is no address") from fault
        if url.scheme not in SCHEMES or not host or url.userinfo:
            raise ValueError(f"{base_url!r} is no http or https address")
        return cls(host, port_of(url))


@dataclass(frozen=True, slots=True)
class Policy:
    """Whom we may speak to. Named places may lie anywhere; everybody else must be public."""

    allowed: frozenset[Place] = field(default_factory=frozenset)

    @classmethod
    def allowing(cls, places: Iterable[str], base_urls: Iterable[str] = ()) -> Self:
        """Give a policy from the operator's settings. Raises ValueError with the bad entry."""
        named = {Place.read(text) for text in places if text.strip()}
        return cls(frozenset(named | {Place.of_base(base) for base in base_urls}))

    def names(self, host: str, port: int) -> bool:
        """Tell whether the operator allows this place by name."""
        if Place(host, port) in self.allowed:
            return True
        return port in PORTS and Place(host) in self.allowed

    def check_port(self, host: str, port: int) -> None:
        """Raise PermanentHttpError where the port is none that we speak to."""
        if port not in PORTS and not self.names(host, port):
            raise PermanentHttpError("port", str(port), host=host)

    def check_address(self, host: str, port: int, address: Address) -> None:
        """Raise PermanentHttpError where the address is not public and the place not named."""
        if has_zone(address):
            raise PermanentHttpError("zone-id", str(address), host=host)
        if not is_public(address) and not self.names(host, port):
            raise PermanentHttpError("non-public-address", str(address), host=host)


def fold_host(host: str) -> str:
    """Give the form in which hosts are compared."""
    return host.rstrip(".").lower()


def port_of(url: httpx.URL) -> int:
    """Give the port that will be dialled."""
    return url.port or (443 if url.scheme == "https" else 80)


def checked_url(text: str, policy: Policy, limits: Limits) -> httpx.URL:
    """Read an address that we are asked to fetch. Raises PermanentHttpError.

    What this does not refuse may still be refused at the socket, where the address is known.
    """
    if len(text) > limits.url_chars:
        raise PermanentHttpError("url-too-long", f"{len(text)} characters")
    if any(ord(c) <= 32 or ord(c) == 127 for c in text):
        raise PermanentHttpError("bad-url", "blank or control character")
    if "\\" in text.split("?", 1)[0].split("#", 1)[0]:
        raise PermanentHttpError("bad-url", "backslash")
    try:
        url = httpx.URL(text)
        host = fold_host(url.host)  # decoding a broken xn-- label fails here, not above
    except (httpx.InvalidURL, UnicodeError, ValueError):
        # Without its cause, which may quote the address and a key in it.
        raise PermanentHttpError("bad-url", "cannot be read") from None
    if url.scheme not in SCHEMES:
        raise PermanentHttpError("scheme", url.scheme[:20])
    if url.userinfo:
        raise PermanentHttpError("user-info", host=host)
    port = _PORT.match(text)
    if port and port[1] and not (port[1].isascii() and port[1].isdigit()):
        raise PermanentHttpError("bad-url", "port")
    if not host or _has_bad_character(url.raw_host):
        raise PermanentHttpError("bad-host", host[:80])
    policy.check_port(host, port_of(url))
    return url.copy_with(fragment=None)


def _has_bad_character(raw_host: bytes) -> bool:
    return any(byte <= 32 or byte >= 127 or byte in _HOST_NEVER for byte in raw_host)
