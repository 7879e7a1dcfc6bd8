import base64
import io
import json
import tracemalloc
from pathlib import Path

import pytest

from workbench.lib.jsonl import Line, read_lines, write_lines


def lines_of(data: bytes, **options: object) -> list[Line]:
    return list(read_lines(io.BytesIO(data), **options))  # type: ignore[arg-type]


def codes(lines: list[Line]) -> list[str]:
    return [notice.code for line in lines for notice in line.notices]


def test_lines_keep_their_numbers_past_blank_and_bad_ones() -> None:
    lines = lines_of(b'{"a": 1}\n\n{bad}\n  \n{"a": 2}')

    assert [(line.number, line.value) for line in lines] == [
        (1, {"a": 1}),
        (3, None),
        (5, {"a": 2}),
    ]
    assert lines[1].error is not None
    assert (lines[1].error.code, lines[1].error.line, lines[1].error.column) == (
        "expected_key",
        3,
        2,
    )
    assert codes(lines) == ["blank_lines", "blank_lines"]


@pytest.mark.parametrize("raw", [b"1", b'"a"', b"null", b"true", b"[]"])
def test_line_that_is_no_object_is_an_error(raw: bytes) -> None:
    [line] = lines_of(raw)

    assert line.error is not None
    assert line.error.code == "not_an_object"


def test_byte_order_mark_crlf_and_fence_are_noticed_once() -> None:
    lines = lines_of(b'\xef\xbb\xbf```jsonl\r\n{"a": 1}\r\n{"a": 2}\r\n```\r\n')

    assert [line.value for line in lines] == [{"a": 1}, {"a": 2}]
    assert codes(lines) == ["bom", "crlf", "fenced"]
    assert all(notice.render("en") != notice.render("zh") for notice in lines[0].notices)


def test_only_lf_ends_a_line() -> None:
    lines = lines_of('{"a": "x\u2028y\u2029z\x85"}\n'.encode())

    assert [line.value for line in lines] == [{"a": "x\u2028y\u2029z\x85"}]


def test_gb18030_is_read_only_where_allowed() -> None:
    data = '{"a": 1}\n{"a": "总生存期"}\n'.encode("gb18030")

    refused = lines_of(data)
    allowed = lines_of(data, allow_gb18030=True)

    assert refused[1].error is not None
    assert refused[1].error.code == "not_utf8"
    assert allowed[1].value == {"a": "总生存期"}
    assert codes(allowed) == ["decoded_as"]


def test_too_long_line_is_named_and_the_next_is_read() -> None:
    lines = lines_of(b'{"a": "' + b"x" * 600_000 + b'"}\n{"a": 1}\n', line_bytes=1000)

    assert [line.number for line in lines] == [1, 2]
    assert lines[0].error is not None
    assert lines[0].error.code == "line_too_large"
    assert lines[1].value == {"a": 1}


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_line_of_just_the_allowed_length_is_read(end: bytes) -> None:
    raw = b'{"a": 1}'

    [line] = lines_of(raw + end, line_bytes=len(raw))

    assert line.value == {"a": 1}


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    write_lines(path, ({"n": n, "text": "x" * 1000} for n in range(3000)))

    tracemalloc.start()
    count = sum(1 for _ in read_lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert count == 3000
    assert peak < 1_000_000


def test_written_lines_are_read_back_in_their_key_order(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    records = [{"b": 1, "a": "生存\u2028"}, {"c": None}]

    assert write_lines(path, records) == 2

    assert path.read_bytes() == '{"b": 1, "a": "生存\u2028"}\n{"c": null}\n'.encode()
    assert [line.value for line in read_lines(path)] == records


@pytest.mark.parametrize("bad", [{"a": float("nan")}, {"a": "\ud800"}])
def test_failed_writing_leaves_the_old_file(tmp_path: Path, bad: dict[str, object]) -> None:
    path = tmp_path / "out.jsonl"
    write_lines(path, [{"a": 1}])

    with pytest.raises(ValueError):
        write_lines(path, [{"a": 2}, bad])

    assert path.read_bytes() == b'{"a": 1}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_lines_are_written_to_a_stream() -> None:
    target = io.BytesIO()

    assert write_lines(target, [{"a": 1}]) == 1
    assert target.getvalue() == b'{"a": 1}\n'


# What these expect is about the meaning of a field, which only a reader of records knows.
FIELDS = {"space-id", "int-2**63", "date-nasty"}


@pytest.mark.shared
def test_public_oddities_give_lines_or_named_errors(shared: Path) -> None:
    text = (shared / "real/hostile/json.jsonl").read_text("utf-8")
    cases = [case for case in map(json.loads, text.split("\n")[:-1]) if case["kind"] == "jsonl"]
    wrong = []

    for case in cases:
        lines = lines_of(base64.b64decode(case["b64"]))
        good = [line for line in lines if line.value is not None]
        expect = case["expect"]
        fits = {
            "accept-1": len(good) == len(lines) == 1,
            "accept-2": len(good) == len(lines) == 2,
            "clear-error": not good,
            "row error names line 2": [line.number for line in lines if line.error] == [2],
        }
        key = expect.partition(" (")[0].partition(";")[0]
        if case["name"] not in FIELDS and not fits.get(key, True):
            wrong.append((case["name"], expect))

    assert len(cases) > 40
    assert wrong == []
