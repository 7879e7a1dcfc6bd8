"""The door before servers that mean ill: every one ends soon, with a reason, and little memory."""

import gzip
import tempfile
import time
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from workbench.lib.http import HttpError, PermanentHttpError, Request, TransientHttpError

from .servers import Answer, dripping, endless, ok, redirect, resetting, saying, serving, silent

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
PACKED = HEAD + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n"
ZEROS = gzip.compress(bytes(20_000_000))


def refused(answer: Answer, **limits: float) -> HttpError:
    with (
        serving(answer) as served,
        served.door(**limits) as door,
        pytest.raises(HttpError) as stopped,
    ):
        door.fetch(Request(served.url))
    return stopped.value


@pytest.mark.parametrize(
    "answer",
    [
        dripping(b"HTTP/1.1 2"),
        dripping(HEAD + b"X-Slow: "),
        dripping(HEAD + b"\r\n"),
        dripping(CHUNKED + b"fff\r\n"),
        dripping(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
    ids=["status line", "header", "body", "chunk", "interim answers"],
)
def test_dripping_ends_with_the_time_of_the_whole_fetch(answer: Answer) -> None:
    began = time.monotonic()

    fault = refused(answer, total_s=0.3)

    assert (type(fault), fault.code) == (TransientHttpError, "total-time")
    assert time.monotonic() - began < 1.5


@pytest.mark.parametrize("start", [b"", HEAD, HEAD + b"Content-Length: 9\r\n\r\nhalf"])
def test_silence_ends_with_the_time_of_one_read(start: bytes) -> None:
    def answer(spoken):  # type: ignore[no-untyped-def]
        spoken.sendall(start)
        silent(spoken)

    fault = refused(answer, read_s=0.2)

    assert (type(fault), fault.code) == (TransientHttpError, "read-time")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (endless(HEAD, b"X-Many: " + b"x" * 500 + b"\r\n"), "protocol"),
        (endless(HEAD + b"X-Long: ", b"x" * 4096), "protocol"),
        (endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), "head-bytes"),
        (endless(HEAD + b"\r\n", b"x" * 65536), "body-bytes"),
        (endless(CHUNKED, b"400\r\n" + b"x" * 1024 + b"\r\n"), "body-bytes"),
        (endless(CHUNKED, b"1;" + b"x" * 4096 + b"\r\nx\r\n"), "wire-bytes"),
        (endless(CHUNKED, b"1" * 4096), "protocol"),
    ],
    ids=["headers", "one header", "interim answers", "body", "chunks", "extensions", "chunk size"],
)
def test_what_has_no_end_is_cut_off(answer: Answer, code: str) -> None:
    # The parser bears 100 KiB and sees them after a read of 64: below our own limit in any case.
    fault = refused(answer, head_bytes=300_000, body_bytes=300_000, wire_bytes=1_000_000)

    assert (type(fault), fault.code) == (PermanentHttpError, code)


def test_headers_longer_than_the_parser_bears_are_refused() -> None:
    fault = refused(saying(HEAD, b"X-Long: " + b"x" * 150_000, b"\r\n\r\n"))

    assert (type(fault), fault.code) == (PermanentHttpError, "protocol")


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (saying(HEAD + b"Content-Length: 90\r\n\r\nshort"), TransientHttpError, "cut"),
        (saying(CHUNKED + b"5\r\nab"), TransientHttpError, "cut"),
        (saying(CHUNKED + b"2\r\nab\r\n"), TransientHttpError, "cut"),
        (saying(b"HTTP/1.1 200"), TransientHttpError, "cut"),
        (saying(), TransientHttpError, "cut"),
        (resetting(b""), TransientHttpError, "cut"),
        (resetting(HEAD + b"Content-Length: 9\r\n\r\nhalf"), TransientHttpError, "cut"),
    ],
    ids=["length", "chunk", "last chunk", "status line", "nothing", "reset", "reset in the body"],
)
def test_cut_answer_is_an_error_and_may_be_tried_again(
    answer: Answer, kind: type[HttpError], code: str
) -> None:
    fault = refused(answer)

    assert (type(fault), fault.code) == (kind, code)


@pytest.mark.parametrize(
    "said",
    [
        HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
        HEAD + b"Content-Length: -5\r\n\r\nabc",
        HEAD + b"Content-Length: 0x5\r\n\r\nabcde",
        HEAD + b"Content-Length: 2, 3\r\n\r\nabc",
        HEAD + b"X-Nul: a\x00b\r\nContent-Length: 0\r\n\r\n",
        HEAD + b"X-Return: a\rb\r\nContent-Length: 0\r\n\r\n",
        HEAD + b"no colon here\r\n\r\n",
        HEAD + b" folded: first\r\n\r\n",
        CHUNKED + b"zz\r\nab\r\n",
        CHUNKED + b"-2\r\nab\r\n",
        b"<html>HTTP/0.9 has no status line</html>\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"ICY 200 OK\r\n\r\n",
    ],
    ids=[
        "two lengths",
        "negative length",
        "hexadecimal length",
        "list of lengths",
        "NUL",
        "bare CR",
        "no colon",
        "folded first",
        "chunk size",
        "negative chunk",
        "HTTP/0.9",
        "status",
        "other protocol",
    ],
)
def test_what_is_not_http_is_refused(said: bytes) -> None:
    fault = refused(saying(said))

    assert (type(fault), fault.code) == (PermanentHttpError, "protocol")


def test_two_equal_lengths_are_one() -> None:
    with serving(saying(ok(b"abc", "Content-Length: 3"))) as served, served.door() as door:
        assert door.fetch(Request(served.url)).body == b"abc"


def test_bytes_behind_the_announced_length_are_no_part_of_the_answer() -> None:
    with serving(saying(ok(b"abc") + b"HTTP/1.1 200 OK\r\n")) as served, served.door() as door:
        assert door.fetch(Request(served.url)).body == b"abc"


def test_announced_length_beyond_the_limit_is_refused_before_it_is_read() -> None:
    fault = refused(endless(HEAD + b"Content-Length: 99999999999\r\n\r\n", b"x" * 65536))

    assert (type(fault), fault.code) == (PermanentHttpError, "body-bytes")
    assert "announced" in fault.detail


# --- Content encodings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", ZEROS),
        ("deflate", zlib.compress(bytes(20_000_000))),
        ("gzip", gzip.compress(b"x" * 100) + ZEROS),
    ],
    ids=["gzip", "deflate", "second member"],
)
def test_bomb_is_stopped_long_before_it_is_unpacked(coding: str, packed: bytes) -> None:
    fault = refused(saying(ok(packed, f"Content-Encoding: {coding}")))

    assert (type(fault), fault.code) == (PermanentHttpError, "inflation")
    assert int(fault.detail.split()[0]) < 4_000_000


def test_body_for_which_there_is_no_room_ends_in_words_and_may_be_asked_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))

    fault = refused(saying(ok(bytes(2_000_000))))

    assert (type(fault), fault.code) == (TransientHttpError, "no-room")


def test_body_that_unpacks_beyond_the_limit_is_refused() -> None:
    fault = refused(saying(ok(ZEROS, "Content-Encoding: gzip")), body_bytes=500_000)

    assert (type(fault), fault.code) == (PermanentHttpError, "body-bytes")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        (["Content-Encoding: gzip, gzip"], "nested-encoding"),
        (["Content-Encoding: gzip", "Content-Encoding: deflate"], "nested-encoding"),
        (["Content-Encoding: br"], "unknown-encoding"),
        (["Content-Encoding: zstd"], "unknown-encoding"),
        (["Content-Encoding: pack200-gzip"], "unknown-encoding"),
        (["Content-Encoding: gzip"], "broken-encoding"),
        (["Content-Encoding: deflate"], "broken-encoding"),
    ],
)
def test_encoding_that_was_not_asked_for_or_is_broken_is_refused(
    headers: list[str], code: str
) -> None:
    fault = refused(saying(ok(b"\x08no such encoding", *headers)))

    assert (type(fault), fault.code) == (PermanentHttpError, code)


def test_packed_body_without_its_end_is_cut() -> None:
    fault = refused(saying(PACKED, gzip.compress(b"text " * 1000)[:-9]))

    assert (type(fault), fault.code) == (TransientHttpError, "cut")


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


TEXT = bytes(range(256)) * 400
MEMBERS = gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:])


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", _raw_deflate(TEXT)),
        ("gzip", MEMBERS),
        ("gzip", gzip.compress(TEXT) + b"\x00" * 40),
        ("identity", TEXT),
    ],
    ids=["gzip", "x-gzip", "GZIP", "zlib", "raw deflate", "two members", "padding", "identity"],
)
@pytest.mark.parametrize("piece", [1, 7, 1000, 10**6])
def test_body_is_unpacked_wherever_its_pieces_are_cut(
    coding: str, packed: bytes, piece: int
) -> None:
    from workbench.lib.http.decoding import coding_of, read_body
    from workbench.lib.http.guard import Meter
    from workbench.lib.http.policy import Limits

    meter = Meter(Limits())
    meter.start(Limits())
    edges = [*range(0, len(packed), piece), len(packed)]

    body = read_body((packed[a:b] for a, b in pairwise(edges)), coding_of(coding), meter)

    assert body == TEXT


def test_empty_body_needs_no_encoding() -> None:
    with serving(saying(ok(b"", "Content-Encoding: gzip"))) as served, served.door() as door:
        assert door.fetch(Request(served.url)).body == b""


@pytest.mark.parametrize(
    "declared",
    ["utf-8", "gbk", "x-nonsense", "rot13", "zlib", "idna", "unicode_escape", '"', "utf-7\x7f", ""],
)
def test_wrong_character_set_never_fails(declared: str) -> None:
    body = "晚期肺癌 café".encode() + b"\xff\xfe\x81"
    said = ok(body, f"Content-Type: text/html; charset={declared}".replace("\x7f", ""))
    with serving(saying(said)) as served, served.door() as door:
        assert door.fetch(Request(served.url)).text()


def test_declared_character_set_is_used_where_the_text_is_no_utf8() -> None:
    said = ok("晚期肺癌".encode("gb18030"), "Content-Type: text/html; charset=GBK")
    with serving(saying(said)) as served, served.door() as door:
        assert door.fetch(Request(served.url)).text() == "晚期肺癌"


# --- Redirects --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/", "redirect-loop"),
        ("?", "redirect-loop"),
        ("http://127.0.0.1:1/", "port"),
        ("http://127.0.0.1/", "non-public-address"),
        ("http://[::1]/", "non-public-address"),
        ("http://localhost/", "non-public-address"),
        ("//2130706433/", "non-public-address"),
        ("file:///etc/passwd", "scheme"),
        ("data:text/html,x", "scheme"),
        ("gopher://127.0.0.1:6379/_x", "scheme"),
        ("http://user:word@example.org/", "user-info"),
        ("http:\\\\127.0.0.1/", "bad-redirect"),
        ("http://[::1", "bad-redirect"),
        ("http:///", "redirect-loop"),
        ("", "redirect-nowhere"),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_to_where_nothing_is_fetched_is_refused(
    target: str, code: str, status: int
) -> None:
    fault = refused(saying(redirect(target, status)))

    assert (type(fault), fault.code) == (PermanentHttpError, code)


def test_redirect_without_a_place_is_refused() -> None:
    fault = refused(saying(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"))

    assert (type(fault), fault.code) == (PermanentHttpError, "redirect-nowhere")


def test_chain_of_five_redirects_is_followed_and_of_six_is_not() -> None:
    def chain(length: int) -> Answer:
        left = [redirect(f"/{n}") for n in range(length)] + [ok(b"the end")]
        return lambda spoken: spoken.sendall(left.pop(0))

    with serving(chain(5)) as served, served.door() as door:
        answer = door.fetch(Request(served.url))
    fault = refused(chain(6))

    assert (answer.body, len(answer.hops)) == (b"the end", 6)
    assert (type(fault), fault.code) == (PermanentHttpError, "too-many-redirects")


def test_body_of_a_redirect_is_not_read() -> None:
    said = b"HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n"
    left: list[Answer] = [endless(said, b"x" * 65536), saying(ok(b"the end"))]
    with serving(lambda spoken: left.pop(0)(spoken)) as served, served.door() as door:
        assert door.fetch(Request(served.url)).body == b"the end"
