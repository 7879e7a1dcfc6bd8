"""Whom the door dials: names, numbers, ports. Judged at the socket."""

import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

import httpcore
import httpx
import pytest

from workbench.lib.http import Door, HttpError, Limits, PermanentHttpError, Policy, Request
from workbench.lib.http import TransientHttpError as Transient
from workbench.lib.http.guard import GuardedBackend

from .servers import ok, saying, serving
from .sockets import PUBLIC, Leading, Refusing, answering


def dialled(url: str, *answers: Sequence[str], policy: Policy | None = None) -> list[Any]:
    sockets = Refusing()
    with (
        Door(policy, backend=sockets, resolver=answering(*answers or [[PUBLIC]])) as door,
        pytest.raises(HttpError),
    ):
        door.fetch(Request(url))
    return sockets.dialled


def refused(url: str, *answers: Sequence[str], policy: Policy | None = None) -> HttpError:
    with (
        Door(policy, backend=Refusing(), resolver=answering(*answers or [[PUBLIC]])) as door,
        pytest.raises(HttpError) as stopped,
    ):
        door.fetch(Request(url))
    return stopped.value


# --- Names ------------------------------------------------------------------------------------


def test_number_that_was_judged_is_the_number_that_is_dialled() -> None:
    assert dialled("http://example.org/", [PUBLIC]) == [(PUBLIC, 80)]


def test_one_private_answer_refuses_the_host() -> None:
    fault = refused("http://split.example/", [PUBLIC, "10.0.0.7"])

    assert (type(fault), fault.code) == (PermanentHttpError, "non-public-address")
    assert dialled("http://split.example/", [PUBLIC, "10.0.0.7"]) == []


def test_name_that_changes_its_mind_is_judged_again_for_each_connection() -> None:
    seen: list[str] = []

    def twice(host: str, port: int) -> list[str]:
        seen.append(host)
        return [PUBLIC] if len(seen) == 1 else ["127.0.0.1"]

    with serving(saying(ok(b"first"))) as served:
        sockets = Leading(served.port, honest=True)
        with Door(backend=sockets, resolver=twice) as door:
            first = door.fetch(Request("http://rebind.example/"))
            with pytest.raises(PermanentHttpError) as stopped:
                door.fetch(Request("http://rebind.example/"))

    assert (first.body, first.address) == (b"first", PUBLIC)
    assert stopped.value.code == "non-public-address"
    assert served.connections == 1


def test_peer_that_is_not_the_address_dialled_is_hung_up_on() -> None:
    with serving(saying(ok(b"never"))) as served:
        sockets = Leading(served.port, honest=False)
        with (
            Door(backend=sockets, resolver=answering([PUBLIC])) as door,
            pytest.raises(PermanentHttpError) as stopped,
        ):
            door.fetch(Request("http://example.org/"))

    assert stopped.value.code == "peer"
    assert served.heads == []


def test_resolver_that_takes_too_long_is_left_behind() -> None:
    let_go = threading.Event()

    def slow(host: str, port: int) -> list[str]:
        let_go.wait(5)
        return [PUBLIC]

    began = time.monotonic()
    with (
        Door(limits=Limits(resolve_s=0.1), resolver=slow) as door,
        pytest.raises(Transient) as stopped,
    ):
        door.fetch(Request("http://example.org/"))
    let_go.set()

    assert stopped.value.code == "look-up-time"
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name not known"), PermanentHttpError, "no-such-host"),
        (socket.gaierror(socket.EAI_AGAIN, "Try again"), Transient, "look-up"),
        (UnicodeError("label too long"), PermanentHttpError, "bad-host"),
        (ValueError("embedded null"), PermanentHttpError, "bad-host"),
    ],
)
def test_failed_look_up_says_whether_to_try_again(
    error: Exception, kind: type[HttpError], code: str
) -> None:
    def failing(host: str, port: int) -> list[str]:
        raise error

    with Door(resolver=failing) as door, pytest.raises(HttpError) as stopped:
        door.fetch(Request("http://example.org/"))

    assert (type(stopped.value), stopped.value.code) == (kind, code)
    assert stopped.value.host == "example.org"


def test_host_without_an_address_is_not_there() -> None:
    assert refused("http://empty.example/", []).code == "no-such-host"


def test_answer_that_is_no_number_is_refused() -> None:
    assert refused("http://odd.example/", ["not-a-number"]).code == "bad-host"


def test_zone_in_an_answer_is_refused_even_for_a_named_host() -> None:
    policy = Policy.allowing(["printer.example"])

    assert refused("http://printer.example/", ["fe80::1%2"], policy=policy).code == "zone-id"


def test_four_addresses_are_tried_in_turns_of_both_kinds() -> None:
    four = [f"93.184.215.{n}" for n in range(1, 5)]
    six = [f"2606:4700::{n}" for n in range(1, 5)]

    tried = dialled("https://example.org/", six + four)

    assert [host for host, _ in tried] == [four[0], six[0], four[1], six[1]]
    assert {port for _, port in tried} == {443}


def test_system_resolver_reads_old_spellings_of_loopback() -> None:
    with Door(backend=Refusing()) as door, pytest.raises(PermanentHttpError) as stopped:
        door.fetch(Request("http://0x7f.1/"))

    assert stopped.value.code == "non-public-address"


# --- Places an operator names -----------------------------------------------------------------


def test_named_place_is_dialled_and_nothing_beside_it() -> None:
    policy = Policy.allowing(["127.0.0.1:8765", "intranet.example", "[::1]:9000"])
    inside = [["10.0.0.7"]]

    assert dialled("http://127.0.0.1:8765/", policy=policy) == [("127.0.0.1", 8765)]
    assert dialled("http://[::1]:9000/", policy=policy) == [("::1", 9000)]
    assert dialled("http://Intranet.Example./", *inside, policy=policy) == [("10.0.0.7", 80)]
    assert dialled("https://intranet.example:8443/", *inside, policy=policy) == [("10.0.0.7", 8443)]
    assert refused("http://127.0.0.1/", policy=policy).code == "non-public-address"
    assert refused("http://127.0.0.1:8766/", policy=policy).code == "port"
    assert refused("http://intranet.example:22/", *inside, policy=policy).code == "port"
    assert refused("http://www.intranet.example/", *inside, policy=policy).code == (
        "non-public-address"
    )
    assert refused("http://localhost:8765/", ["127.0.0.1"], policy=policy).code == "port"


def test_place_named_at_port_80_is_that_port_only() -> None:
    policy = Policy.allowing(["intranet.example:80"])

    assert dialled("http://intranet.example/", ["10.0.0.7"], policy=policy)
    assert refused("https://intranet.example/", ["10.0.0.7"], policy=policy).code == (
        "non-public-address"
    )


def test_configured_base_url_allows_its_own_host_and_port() -> None:
    policy = Policy.allowing([], ["http://127.0.0.1:9911/crossref", "https://api.example.org"])

    assert dialled("http://127.0.0.1:9911/crossref/works", policy=policy) == [("127.0.0.1", 9911)]
    assert refused("http://127.0.0.1:9912/", policy=policy).code == "port"


@pytest.mark.parametrize(
    "entry", ["http://a.example", "a.example/x", "a b", "user@a.example", ":80", "[::1", "a:b", "*"]
)
def test_entry_that_is_no_place_is_refused_by_name(entry: str) -> None:
    with pytest.raises(ValueError) as stopped:
        Policy.allowing([entry])

    assert repr(entry) in str(stopped.value)


@pytest.mark.parametrize("base", ["", "api.example.org", "ftp://a.example", "http://u:p@a.example"])
def test_base_url_that_is_no_http_address_is_refused(base: str) -> None:
    with pytest.raises(ValueError):
        Policy.allowing([], [base])


# --- How httpx is held ------------------------------------------------------------------------


def test_private_pool_of_the_transport_is_the_one_that_httpx_uses() -> None:
    # If this fails after an upgrade of httpx, no address is judged any more: see transport.py.
    sockets = Refusing()
    door = Door(backend=sockets, resolver=answering([PUBLIC]))
    transport = door._transport

    assert isinstance(transport, httpx.HTTPTransport)
    assert isinstance(httpx.HTTPTransport(trust_env=False)._pool, httpcore.ConnectionPool)
    assert isinstance(transport._pool._network_backend, GuardedBackend)
    with pytest.raises(HttpError):
        door.fetch(Request("http://example.org/"))
    assert sockets.dialled == [(PUBLIC, 80)]


def test_sockets_of_this_machine_are_never_opened() -> None:
    backend = GuardedBackend(Policy(), None, answering([PUBLIC]))  # type: ignore[arg-type]

    with pytest.raises(PermanentHttpError):
        backend.connect_unix_socket("/run/socket")
