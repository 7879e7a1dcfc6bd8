"""What an import says of its files is stored in both languages, down to the values."""

import re
from typing import Any

import pytest

from reviews.exchange import rules
from reviews.exchange.mapping import Mapping, MappingError
from reviews.exchange.problems import Log
from sources.capture_depth import capture_depth

HAN = re.compile(r"[\u4e00-\u9fff]")
GOOD = {"claim.text": "a"}
UNUSABLE: list[Any] = [
    [],
    {"surprise": 1},
    {"name": "../x"},
    {"records": 1},
    {"fields": []},
    {"fields": GOOD, "files": [1]},
    {"fields": GOOD, "where": []},
    {"fields": {}},
    {"fields": {"odd.field": "a"}},
    {"fields": {"claim.text": []}},
    {"fields": {"claim.text": 1}},
    {"fields": {"claim.text": "a" * 600}},
    {"fields": {"claim.text": "a" + " -> :b[c].d" * 6}},
    {"fields": {"claim.text": "a -> b"}},
    {"fields": {"claim.text": "a[0]"}},
]


@pytest.mark.parametrize("spec", UNUSABLE, ids=str)
def test_reason_why_a_mapping_cannot_be_used_speaks_both_languages(spec: Any) -> None:
    with pytest.raises(MappingError) as caught:
        Mapping.read(spec)
    log = Log()
    log.error(rules.BAD_MAPPING, "a.jsonl", reason=caught.value)

    stored = log.errors[0].stored()

    reason = stored["message_zh"].removeprefix("映射无法使用：")
    assert stored["message"] == f"The mapping cannot be used: {str(caught.value)[:300]}."
    assert HAN.search(reason)


@pytest.mark.parametrize("text", ["Are you a robot?", "—", "\ufffd" * 9 + "a", "a b c"])
def test_a_poor_capture_is_told_without_codes(text: str) -> None:
    depth, reason = capture_depth(text)
    log = Log()
    log.notice(rules.POOR_CAPTURE, "x", url="https://example.org/", depth=depth, reason=reason)

    stored = log.notices[0].stored()

    assert depth not in stored["message_zh"]
    assert HAN.search(stored["message_zh"].partition("不是全文")[2])


def test_a_list_of_names_is_written_as_the_language_does() -> None:
    log = Log()
    log.notice(rules.GONE_CLAIMS, "d1.evidence.json", count=2, examples=("d1.c1", "d1.c2"))

    stored = log.notices[0].stored()

    assert "d1.c1, d1.c2" in stored["message"]
    assert "d1.c1、d1.c2" in stored["message_zh"]
