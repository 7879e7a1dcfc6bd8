"""What is asked and what came back, as plain values that know nothing of httpx."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .decoding import to_text

HIDDEN = "***"
HEAD_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret that a request carries. Sent to the first host only, and never shown."""

    name: str  # of the header or of the query parameter
    value: str = field(repr=False)
    place: Literal["header", "query"] = "header"


@dataclass(frozen=True, slots=True)
class Request:
    """One thing to ask. ``url`` holds no credential, so that it may be kept and shown."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)
    credentials: tuple[Credential, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Hop:
    """One answer on the way: the address asked, without secrets, and its status."""

    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of any status, read to its end and with its content encoding undone."""

    status: int
    url: str  # of the last hop, without secrets
    headers: tuple[tuple[str, str], ...]  # names in lower case, in order, may repeat
    body: bytes = field(repr=False)
    hops: tuple[Hop, ...] = ()
    coding: str = ""  # "gzip" where the body came so
    wire_bytes: int = 0  # read from sockets, over all hops
    seconds: float = 0.0
    address: str = ""  # numeric, of the last host dialled; empty for a connection used again
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        """Whether the status says success. The body may still tell of an error."""
        return 200 <= self.status < 300

    def header(self, name: str) -> str:
        """Give a header; several of one name joined by ", "; "" where there is none."""
        return ", ".join(value for each, value in self.headers if each == name.lower())

    def text(self) -> str:
        """Read the body as text; never fails, whatever character set was declared."""
        return to_text(self.body, self.header("content-type"))

    def json(self) -> Any:
        """Read the body as JSON, raw line ends in strings allowed. Raises ValueError."""
        try:
            return json.loads(self.text(), strict=False, parse_constant=_no_constant)
        except RecursionError:
            raise ValueError("nested too deeply") from None

    def head(self, characters: int = HEAD_CHARACTERS) -> str:
        """Give the beginning of the body for a record, without the secrets it may echo."""
        return redact(self.text()[: characters + 200], self.secrets)[:characters]


def redact(text: str, secrets: Iterable[str]) -> str:
    """Hide secrets in a text, also as they are written in an address."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")
