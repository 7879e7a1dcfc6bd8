"""What the door sends, what it brings back, and what it never tells."""

import json
import logging
import traceback
from typing import Any

import httpx
import pytest

from workbench.lib.http import (
    Credential,
    Door,
    HttpError,
    Limits,
    PermanentHttpError,
    Policy,
    Request,
    Response,
    TransientHttpError,
    redact,
)
from workbench.lib.http.policy import checked_url
from workbench.lib.http.words import WORDS

from .servers import STAYING, ok, redirect, saying, serving

KEY = "k-5f0c/9+d=e"
QUOTED = "k-5f0c%2F9%2Bd%3De"


def through(handler: Any, **more: Any) -> Door:
    """A door whose network is a function from request to answer."""
    return Door(transport=httpx.MockTransport(handler), **more)


def test_answer_of_any_status_is_an_answer() -> None:
    with through(lambda request: httpx.Response(404, text="Resource not found.")) as door:
        answer = door.fetch(Request("https://api.example.org/works/10.1/x"))

    assert (answer.status, answer.ok, answer.text()) == (404, False, "Resource not found.")
    assert answer.url == "https://api.example.org/works/10.1/x"


def test_request_carries_what_it_should_and_nothing_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NETRC", "/nonexistent")

    with serving(saying(ok(b"{}", "Set-Cookie: a=b"))) as served, served.door() as door:
        for _ in range(2):
            door.fetch(Request(served.url + "a%20b?q=%22x%22+y", headers={"Accept": "text/html"}))

    first, second = served.heads
    assert first.startswith("GET /a%20b?q=%22x%22+y HTTP/1.1\r\n")
    sent = dict(line.lower().split(": ", 1) for line in second.split("\r\n")[1:] if ": " in line)
    assert set(sent) - {"connection"} == {"host", "accept", "accept-encoding", "user-agent"}
    assert sent["host"] == served.place
    assert sent["accept"] == "text/html"
    assert sent["accept-encoding"] == "gzip, deflate"
    assert sent["user-agent"].startswith("evidenceworkbench/")


def test_post_sends_its_body() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"method": request.method, "got": request.read().decode()})

    with through(handler) as door:
        answer = door.fetch(Request("https://api.example.org/search", "POST", body=b'{"q": 1}'))

    assert answer.json() == {"method": "POST", "got": '{"q": 1}'}


def test_header_that_breaks_the_line_is_not_sent() -> None:
    with (
        serving(saying(ok(b""))) as served,
        served.door() as door,
        pytest.raises(PermanentHttpError) as stopped,
    ):
        door.fetch(Request(served.url, headers={"X-A": "a\r\nHost: evil.example"}))

    assert stopped.value.code == "bad-request"
    assert served.heads == []


def test_header_beyond_ascii_is_not_sent() -> None:
    with (
        through(lambda request: httpx.Response(200)) as door,
        pytest.raises(PermanentHttpError) as stopped,
    ):
        door.fetch(Request("https://api.example.org/", headers={"X-A": "晚期"}))

    assert stopped.value.code == "bad-request"


def test_kept_connection_serves_the_next_fetch_and_is_counted_anew() -> None:
    with serving(STAYING) as served:
        policy = Policy.allowing([served.place])
        with Door(policy, keep=True, limits=Limits(wire_bytes=200)) as door:
            answers = [door.fetch(Request(served.url)) for _ in range(5)]

    assert {answer.body for answer in answers} == {b"still here"}
    assert served.connections == 1
    assert [bool(answer.address) for answer in answers] == [True, False, False, False, False]


def test_connections_are_not_kept_unless_asked() -> None:
    with serving(STAYING) as served, served.door() as door:
        for _ in range(3):
            door.fetch(Request(served.url))

    assert served.connections == 3


# --- Redirects --------------------------------------------------------------------------------


def test_redirect_is_followed_and_each_step_is_told() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/end":
            return httpx.Response(200, text=str(request.url))
        return httpx.Response(301, headers={"Location": "/end#part"})

    with through(handler) as door:
        answer = door.fetch(Request("https://example.org/start"))

    assert [(hop.url, hop.status) for hop in answer.hops] == [
        ("https://example.org/start", 301),
        ("https://example.org/end", 200),
    ]
    assert answer.text() == answer.url == "https://example.org/end"


def test_redirect_with_blanks_is_read_as_browsers_do() -> None:
    left = [redirect("/a b"), ok(b"end")]
    with serving(lambda spoken: spoken.sendall(left.pop(0))) as served, served.door() as door:
        answer = door.fetch(Request(served.url))

    assert answer.url.endswith("/a%20b")


def test_see_other_turns_a_post_into_a_get() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(303, headers={"Location": "/same"})
        return httpx.Response(200, text=f"{request.method} {request.read()!r}")

    with through(handler) as door:
        answer = door.fetch(Request("https://example.org/same", "POST", body=b"x"))

    assert answer.text() == "GET b''"


def test_post_stays_a_post_at_its_own_host_and_goes_to_no_other() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/a":
            return httpx.Response(308, headers={"Location": "/b"})
        if request.url.path == "/b":
            return httpx.Response(200, content=request.read())
        return httpx.Response(307, headers={"Location": "https://other.example/"})

    with through(handler) as door:
        answer = door.fetch(Request("https://example.org/a", "POST", body=b"x"))
        with pytest.raises(PermanentHttpError) as stopped:
            door.fetch(Request("https://example.org/c", "POST", body=b"x"))

    assert answer.body == b"x"
    assert stopped.value.code == "redirect-of-post"


# --- Secrets ----------------------------------------------------------------------------------


def test_credentials_go_to_the_first_host_only() -> None:
    seen: list[tuple[str, str | None, str | None, str | None]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        key = request.url.params.get("api_key")
        header = request.headers.get("x-key")
        seen.append((request.url.host, key, header, request.headers.get("authorization")))
        target = {"/1": "/2", "/2": "https://other.example/3", "/3": "https://example.org/4"}
        if request.url.path in target:
            return httpx.Response(302, headers={"Location": target[request.url.path]})
        return httpx.Response(200)

    request = Request(
        "https://example.org/1",
        headers={"Authorization": "Basic abc"},
        credentials=(Credential("api_key", KEY, "query"), Credential("X-Key", KEY)),
    )
    with through(handler) as door:
        door.fetch(request)

    assert seen == [
        ("example.org", KEY, KEY, "Basic abc"),
        ("example.org", KEY, KEY, "Basic abc"),
        ("other.example", None, None, None),
        ("example.org", KEY, KEY, "Basic abc"),
    ]


def test_same_host_at_another_port_or_without_tls_gets_no_credential() -> None:
    seen: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("x-key"))
        place = ["http://example.org/2", "https://example.org:8443/3"]
        if len(seen) <= len(place):
            return httpx.Response(302, headers={"Location": place[len(seen) - 1]})
        return httpx.Response(200)

    with through(handler) as door:
        door.fetch(Request("https://example.org/1", credentials=(Credential("X-Key", KEY),)))

    assert seen == [KEY, None, None]


def test_secret_is_added_behind_the_query_as_it_is() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text=request.url.raw_path.decode())

    key = Credential("api_key", KEY, "query")
    with through(handler) as door:
        with_query = door.fetch(Request("https://a.example/x?q=a+b%20c", credentials=(key,)))
        without = door.fetch(Request("https://a.example/x", credentials=(key,)))

    assert with_query.text() == f"/x?q=a+b%20c&api_key={QUOTED}"
    assert without.text() == f"/x?api_key={QUOTED}"
    assert with_query.url == "https://a.example/x?q=a+b%20c"


def test_nothing_that_is_kept_or_shown_holds_a_secret() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/1":
            return httpx.Response(302, headers={"Location": f"/2?echo={QUOTED}"})
        body = {"error": "API rate limit exceeded", "api-key": KEY}
        return httpx.Response(429, json=body)

    bearer = Credential("Authorization", f"Bearer {KEY}")
    request = Request("https://a.example/1", credentials=(bearer,))
    with through(handler) as door:
        answer = door.fetch(request)

    shown = [repr(request), repr(answer), repr(bearer), answer.url, str(answer.hops), answer.head()]
    assert not [text for text in shown if KEY in text or QUOTED in text]
    assert "***" in answer.head()
    assert answer.url == "https://a.example/2?echo=***"


@pytest.mark.parametrize(
    "fault",
    [
        httpx.ConnectError(f"cannot reach https://a.example/?api_key={QUOTED}"),
        httpx.ReadTimeout(KEY),
        httpx.RemoteProtocolError(f"illegal header line: {KEY}"),
        httpx.LocalProtocolError(KEY),
    ],
)
def test_no_fault_and_no_traceback_holds_a_secret(fault: Exception) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        raise fault

    key = Credential("api_key", KEY, "query")
    with through(handler) as door, pytest.raises(HttpError) as stopped:
        door.fetch(Request("https://a.example/", credentials=(key,)))

    told = "".join(traceback.format_exception(stopped.value))
    assert KEY not in told
    assert QUOTED not in told
    assert stopped.value.host == "a.example"


def test_log_at_its_finest_holds_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    request_key = Credential("api_key", KEY, "query")
    header_key = Credential("X-Key", KEY)
    with (
        caplog.at_level(logging.DEBUG),
        serving(saying(ok(b"x"))) as served,
        served.door() as door,
    ):
        door.fetch(Request(served.url, credentials=(request_key, header_key)))

    assert any(QUOTED in head and KEY in head for head in served.heads)
    assert not [r for r in caplog.records if KEY in r.getMessage() or QUOTED in r.getMessage()]


def test_redacting_hides_every_occurrence() -> None:
    assert redact("a key, a key, A", ["key"]) == "a ***, a ***, A"


# --- Addresses that are asked for -------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "scheme"),
        ("example.org", "scheme"),
        ("//example.org/", "scheme"),
        ("ftp://example.org/", "scheme"),
        ("http+unix://example.org/", "scheme"),
        ("http://", "bad-host"),
        ("http:///x", "bad-host"),
        ("http:/example.org/", "bad-host"),
        ("http://example.org:22/", "port"),
        ("http://example.org:99999/", "port"),
        ("http://user@example.org/", "user-info"),
        ("http://:word@example.org/", "user-info"),
        ("http://exa mple.org/", "bad-url"),
        (" http://example.org/", "bad-url"),
        ("http://example.org/\r\nX: 1", "bad-url"),
        ("http://example.org/\x00", "bad-url"),
        ("http://example.org\\@127.0.0.1/", "bad-url"),
        ("http://exa%6dple.org/", "bad-host"),
        ("http://[fe80::1%25eth0]/", "bad-host"),
        ("http://xn--a/", "bad-url"),
        ("http://\ud800/", "bad-url"),
        ("http://example.org/" + "a" * 9000, "url-too-long"),
    ],
)
def test_address_that_is_none_is_refused_with_its_reason(url: str, code: str) -> None:
    with pytest.raises(PermanentHttpError) as stopped:
        checked_url(url, Policy(), Limits())

    assert stopped.value.code in {code, "bad-url", "bad-host"}


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("HTTP://Example.ORG/A?b#c", "http://example.org/A?b"),
        ("https://例子.测试/路径", "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        (
            "https://api.example.org/works/10.1002%2F(SICI)1097-0258%3C1661%3E3.0.CO%3B2-2",
            "https://api.example.org/works/10.1002%2F(SICI)1097-0258%3C1661%3E3.0.CO%3B2-2",
        ),
    ],
)
def test_address_is_sent_as_it_was_given(url: str, sent: str) -> None:
    assert str(checked_url(url, Policy(), Limits())) == sent


# --- Answers as values ------------------------------------------------------------------------


def response(body: bytes, *headers: tuple[str, str]) -> Response:
    return Response(200, "https://a.example/", headers, body)


def test_json_with_raw_line_ends_is_read() -> None:
    assert response(b'{"a": "b\nc"}').json() == {"a": "b\nc"}


@pytest.mark.parametrize("body", [b"", b"<html>", b"[NaN]", b"[" * 100_000, b'{"a":'])
def test_what_is_no_json_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError):
        response(body).json()


def test_headers_are_found_whatever_their_case_and_number() -> None:
    answer = response(b"", ("link", "a"), ("link", "b"))

    assert (answer.header("Link"), answer.header("x")) == ("a, b", "")


def test_head_of_a_long_body_is_short() -> None:
    assert len(response(b"x" * 10_000).head()) == 500
    assert json.dumps(response(b"\xff\xfe" * 9).head())


def test_every_code_has_words_in_both_languages() -> None:
    import re
    from pathlib import Path

    import workbench.lib.http as door

    folder = Path(door.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    raised = set(re.findall(r"HttpError\(\s*\"([a-z-]+)\"", source))
    raised |= set(re.findall(r"httpx\.\w+, \"([a-z-]+)\",", source))
    raised |= {"connect-time", "no-connection", "no-such-host", "look-up"}

    assert raised <= set(WORDS)
    assert all(text.en and text.zh for text in WORDS.values())


def test_transient_and_permanent_are_told_apart() -> None:
    assert not issubclass(TransientHttpError, PermanentHttpError)
    assert str(TransientHttpError("cut", "short", host="a.example")) == "a.example: cut: short"
