import json

from workbench.lib.json_output import to_json


def test_characters_stand_as_they_are():
    assert to_json({"名": "é😀"}) == '{"名": "é😀"}'


def test_half_surrogate_pairs_are_escaped_and_read_back():
    text = to_json(["\ud800x"])

    assert text == '["\\ud800x"]'
    assert text.encode()
    assert json.loads(text) == ["\ud800x"]


def test_indentation_is_as_asked():
    assert to_json([1], indent=2) == "[\n  1\n]"
