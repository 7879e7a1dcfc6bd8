"""Addresses that people use to reach what is inside: judged by whom the door dials."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpcore
import httpx
import pytest

from workbench.lib.http import Door, HttpError, Request
from workbench.lib.http.addresses import is_public, parse
from workbench.lib.http.resolving import system_resolver

from .servers import redirect

PUBLIC = "93.184.215.14"
# What only a real name server could tell; every other name is taken to be of the outside world.
INSIDE = {"ip6-localhost", "ip6-loopback", "localtest.me", "lvh.me", "rebind.test", "metadata"}
INSIDE_ENDS = (".nip.io", ".internal", ".local", ".svc", "localhost", ".tencentyun.com")
INSIDE_WORDS = ("instance-data", "postgres", "worker", "intranet", "wpad", "foo", "rancher")


def resolver(host: str, port: int) -> list[str]:
    """Names by the tables above; whatever the system reads as a number is that number."""
    name = host.rstrip(".").lower()
    if name in INSIDE or name.endswith(INSIDE_ENDS) or name.startswith(INSIDE_WORDS):
        return ["10.0.0.1"]
    if name == "metadata.packet.net":
        return ["192.80.8.124", "10.0.0.1"]
    if not any(c.isalpha() for c in name.replace("0x", "")):
        return system_resolver(host, port)
    if name.startswith("0x"):
        return system_resolver(host, port)
    return [PUBLIC]


class Noting(httpcore.NetworkBackend):
    """Sockets that note whom they reach and what is sent there."""

    def __init__(self, answer: bytes = b"") -> None:
        self.reached: list[tuple[str, int]] = []
        self.sent = b""
        self._answer = answer

    def connect_tcp(self, host: str, port: int, *args: Any, **more: Any) -> Any:
        self.reached.append((host, port))
        return _Stream(self, host, self._answer)


class _Stream(httpcore.NetworkStream):
    def __init__(self, sockets: Noting, peer: str, answer: bytes) -> None:
        self._sockets, self._peer, self._answer = sockets, peer, answer

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        answer, self._answer = self._answer, b""
        return answer

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._sockets.sent += buffer

    def close(self) -> None:
        pass

    def start_tls(self, *args: Any, **more: Any) -> httpcore.NetworkStream:
        return self

    def get_extra_info(self, info: str) -> Any:
        return (self._peer, 0) if info == "server_addr" else None


def lines(shared: Path) -> list[dict[str, str]]:
    path = shared / "real" / "hostile" / "ssrf.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tried(url: str, answer: bytes = b"") -> Noting:
    sockets = Noting(answer)
    with Door(backend=sockets, resolver=resolver) as door, suppress(HttpError):
        door.fetch(Request(url))
    return sockets


def inside(sockets: Noting) -> list[str]:
    found = [parse(host) for host, _port in sockets.reached]
    return [str(address) for address in found if address is None or not is_public(address)]


@pytest.mark.shared
def test_no_address_of_the_lists_reaches_the_inside(shared: Path) -> None:
    leaks = [
        (row["id"], row["url"])
        for row in lines(shared)
        if row["category"] != "redirect" and inside(tried(row["url"]))
    ]

    assert leaks == []


@pytest.mark.shared
def test_address_to_deny_is_dialled_nowhere(shared: Path) -> None:
    # A fragment or query with an @ in it belongs to the public host before it.
    harmless = {"http://example.com#@127.0.0.1/", "http://example.com?@127.0.0.1/"}
    reached = [
        (row["id"], row["url"])
        for row in lines(shared)
        if row["expect"].startswith("deny")
        and row["category"] != "redirect"
        and row["url"] not in harmless
        and tried(row["url"]).reached
    ]

    assert reached == []


@pytest.mark.shared
def test_address_to_allow_is_dialled(shared: Path) -> None:
    # Outside 2000::/3, and so nobody's: security.md is stricter than the list it came from.
    unassigned = "http://[64:ff9c::1]/"
    missed = [
        row["url"]
        for row in lines(shared)
        if row["expect"] == "allow" and row["url"] != unassigned and not tried(row["url"]).reached
    ]

    assert missed == []
    assert tried(unassigned).reached == []


@pytest.mark.shared
def test_no_line_is_smuggled_into_a_request(shared: Path) -> None:
    for row in lines(shared):
        if row["category"] != "crlf":
            continue
        head = tried(row["url"]).sent.split(b"\r\n\r\n")[0]
        names = [line.split(b":")[0].lower() for line in head.split(b"\r\n")[1:]]

        assert b"x-injected" not in names, row
        assert names.count(b"host") <= 1, row
        assert b"set" not in names, row


@pytest.mark.shared
def test_redirects_of_the_list_end_outside_or_nowhere(shared: Path) -> None:
    wrong = []
    for row in lines(shared):
        if row["category"] != "redirect":
            continue
        status = int(row["note"].split()[-1])
        sockets = tried("http://example.com/", redirect(row["url"], status))
        asked = sockets.sent.count(b" HTTP/1.1\r\n")
        if inside(sockets) or (row["expect"] == "deny" and asked > 1):
            wrong.append((row["id"], row["url"]))

    assert wrong == []


def test_metadata_of_a_cloud_is_not_asked_for() -> None:
    sockets = tried("http://169.254.169.254/latest/meta-data/")

    assert (sockets.reached, sockets.sent) == ([], b"")


def test_these_sockets_do_reach_what_is_public() -> None:
    sockets = tried("https://example.com/x")

    assert sockets.reached == [(PUBLIC, 443)]
    assert sockets.sent.startswith(b"GET /x HTTP/1.1\r\nHost: example.com\r\n")
    assert issubclass(httpx.HTTPTransport, httpx.BaseTransport)
