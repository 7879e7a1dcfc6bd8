"""Certificates: whom the door believes, and that secured bytes are counted too."""

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import trustme

from workbench.lib.http import Door, Limits, PermanentHttpError, Policy, Request
from workbench.lib.http import TransientHttpError as Transient
from workbench.lib.http.transport import tls_context

from .servers import ok, saying, serving
from .sockets import PUBLIC, Leading, answering


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def secured(authority: trustme.CA, name: str, **more: Any) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name, **more).configure_cert(context)
    return context


def trusting(authority: trustme.CA | None) -> ssl.SSLContext:
    context = httpx.create_ssl_context(verify=True, trust_env=False)
    if authority is not None:
        authority.configure_trust(context)
    return context


def fetch_over_tls(
    server: ssl.SSLContext, client: ssl.SSLContext, host: str = "secure.example"
) -> Iterator[bytes]:
    with serving(saying(ok(b"secret")), tls=server) as served:
        door = Door(
            Policy.allowing([]),
            tls=client,
            resolver=answering([PUBLIC]),
            backend=Leading(served.port, honest=True),
            limits=Limits(total_s=3),
        )
        with door:
            yield door.fetch(Request(f"https://{host}/")).body


def test_certificate_is_checked_against_the_name_that_was_asked(authority: trustme.CA) -> None:
    server = secured(authority, "secure.example")

    assert list(fetch_over_tls(server, trusting(authority))) == [b"secret"]


@pytest.mark.parametrize(
    ("name", "days", "known"),
    [("other.example", 9, True), ("secure.example", -1, True), ("secure.example", 9, False)],
    ids=["name", "expired", "authority"],
)
def test_certificate_that_does_not_hold_is_refused(
    authority: trustme.CA, name: str, days: int, known: bool
) -> None:
    ends = datetime.now(UTC) + timedelta(days=days)
    server = secured(authority, name, not_after=ends)

    with pytest.raises(PermanentHttpError) as stopped:
        list(fetch_over_tls(server, trusting(authority if known else None)))

    assert (stopped.value.code, stopped.value.host) == ("certificate", "secure.example")


def test_server_without_tls_gives_no_secure_connection() -> None:
    with serving(saying(b"HTTP/1.1 200 OK\r\n\r\n")) as served:
        door = Door(resolver=answering([PUBLIC]), backend=Leading(served.port, honest=True))
        with door, pytest.raises(Transient) as stopped:
            door.fetch(Request("https://plain.example/"), Limits(total_s=0.3))

    assert stopped.value.code in {"tls", "total-time", "connect-time"}


def test_tls_handshake_that_never_ends_is_cut_off() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sockets = Leading(listener.getsockname()[1], honest=True)
        with (
            Door(resolver=answering([PUBLIC]), backend=sockets) as door,
            pytest.raises(Transient),
        ):
            door.fetch(Request("https://mute.example/"), Limits(total_s=0.3))


def test_process_makes_one_tls_context() -> None:
    assert tls_context() is tls_context()
    assert tls_context().verify_mode is ssl.CERT_REQUIRED
    assert tls_context().check_hostname


def test_secured_connection_is_counted_too(authority: trustme.CA) -> None:
    server = secured(authority, "secure.example")
    with serving(saying(ok(b"x" * 5000)), tls=server) as served:
        sockets = Leading(served.port, honest=True)
        client = trusting(authority)
        with Door(tls=client, resolver=answering([PUBLIC]), backend=sockets) as door:
            answer = door.fetch(Request("https://secure.example/"))
            with pytest.raises(PermanentHttpError) as stopped:
                door.fetch(Request("https://secure.example/"), Limits(wire_bytes=2000))

    assert answer.wire_bytes > 5000
    assert stopped.value.code == "wire-bytes"
