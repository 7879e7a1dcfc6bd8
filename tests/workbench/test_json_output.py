import io
import json

import pytest

from workbench.lib.json_output import to_json, write_json


def test_characters_stand_as_they_are():
    assert to_json({"名": "é😀"}) == '{"名": "é😀"}'


def test_half_surrogate_pairs_are_escaped_and_read_back():
    text = to_json(["\ud800x"])

    assert text == '["\\ud800x"]'
    assert text.encode()
    assert json.loads(text) == ["\ud800x"]


def test_indentation_is_as_asked():
    assert to_json([1], indent=2) == "[\n  1\n]"


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252", "utf-8"])
def test_no_stream_is_too_narrow(encoding):
    stored = io.BytesIO()
    stream = io.TextIOWrapper(stored, encoding=encoding, newline="")

    write_json(stream, ["岸电 é 😀 \ud800"])
    stream.flush()

    assert json.loads(stored.getvalue().decode(encoding)) == ["岸电 é 😀 \ud800"]
    assert stored.getvalue().endswith(b"]\n")


def test_stream_without_encoding_gets_every_character():
    stream = io.StringIO()

    write_json(stream, "文")

    assert stream.getvalue() == '"文"\n'
