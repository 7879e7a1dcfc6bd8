"""Whatever comes in: no traceback, no item lost, and what is clean stays as it is."""

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sources.cleaning import clean
from sources.cleaning.reading import read_input
from sources.cleaning.writing import output
from workbench.lib.json_output import to_json

from .making import cleaned, printed

PIECES = (
    "AI芯片", "semaglutide", "<p>", "</p>", "<script>", "</script>", "<div class='ad'>", "<!--",
    "-->",
    "&amp;", "&lt;b&gt;", "&#x4e2d;", "&amp;amp;lt;", "\x00", "\ud800", "𠮷", "😀",
    "👨\u200d👩\u200d👧",
    "\u200b", "...", "…", "（", "）", "，", "１２％", "「", "」", "“", "ä¸­å›½", "浜哄伐鏅鸿兘",
    "锟斤拷",
    "推荐阅读", "登录后查看", "限时优惠", "首页 | 新闻 | 登录", "\n", " ", "□□", "2O24", "[图表]",
    "据知情人士透露", "专家预测", "转载自", "a<b", "p<0.05", "[TRUNCATED]", "[SOURCE_MISSING]",
    "。", "!",
)  # fmt: skip
DIRTY = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map("".join)
FIELDS = ("source_url", "title", "snippet", "raw_text", "publish_date")
VALUES = DIRTY | st.none() | st.booleans() | st.integers() | st.floats() | st.lists(st.integers())
ITEMS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5) | VALUES
RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@RELAXED
@given(st.lists(ITEMS, max_size=8))
def test_no_item_is_lost_whatever_its_fields_are(raw: list[Any]) -> None:
    said = printed("AI芯片", *raw)

    lists = ("cleaned_evidence", "downranked_items", "removed_noise")
    indexes = sorted(item["original_index"] for name in lists for item in said[name])
    assert indexes == list(range(len(raw)))
    ranks = {item["new_rank"] for item in said["downranked_items"]}
    assert len(ranks) == len(said["downranked_items"])
    assert all(1 <= rank <= len(raw) for rank in ranks)
    json.loads(to_json(said))


@RELAXED
@given(DIRTY)
@example("&amp;lt;b&amp;gt;x&amp;lt;/b&amp;gt; AI芯片")
@example("推荐阅读\nAI芯片\n推荐阅读")
@example("...…... AI芯片 ...")
@example("Ａ（Ｂ）：Ｃ，中")
def test_cleaning_what_is_clean_changes_nothing(snippet: str) -> None:
    raw = {"source_url": "https://a.example/1", "snippet": snippet, "publish_date": "2026-01-01"}
    (once,) = cleaned("AI芯片", raw)
    if not once.is_kept:
        return

    (twice,) = cleaned("AI芯片", {**raw, "snippet": once.text})

    assert twice.text == once.text


@pytest.mark.parametrize(
    "snippet",
    [
        "<div><a " * 60_000,
        "<div class='ad'>" * 20_000 + "x" + "</div>" * 20_000,
        "<" * 300_000,
        "<!--" * 60_000,
        "<a b='" * 50_000,
        "，" * 200_000,
        "（" * 100_000 + "）" * 100_000,
        "a. " * 80_000,
        ". . " * 60_000,
        "#a > .b + " * 30_000 + "{",
        "首页 > " * 40_000,
        "阅读 1 点赞 2 " * 20_000,
        "据据据" * 60_000,
        "专家" * 80_000,
        "A " * 100_000,
        "&amp;" * 60_000,
        "\x00" * 200_000,
        "1O" * 80_000,
        "□ " * 80_000,
        "浜哄伐鏅鸿兘" * 20_000,
        "大学" * 60_000 + "研究",
        "人 " * 60_000,
        "\n" * 200_000,
        "?" * 200_000,
        "转载自" * 60_000,
    ],
    ids=lambda snippet: ascii(snippet[:12]),
)
def test_a_huge_item_ends_in_time(snippet: str) -> None:
    start = time.process_time()

    items = cleaned("AI芯片", {"source_url": "https://a.example", "snippet": snippet})

    assert len(items) == 1
    assert time.process_time() - start < 20


def test_characters_beyond_the_first_plane_and_joined_pictures_stay() -> None:
    (item,) = cleaned(
        "AI芯片",
        {"source_url": "https://a.example", "snippet": "AI芯片 𠮷野家 😀 👨\u200d👩\u200d👧 ok"},
    )

    assert item.text == "AI芯片 𠮷野家 😀 👨\u200d👩\u200d👧 ok"


def test_half_a_character_becomes_the_sign_for_a_lost_one_and_is_marked() -> None:
    (item,) = cleaned("AI芯片", {"source_url": "https://a.example", "snippet": "AI芯片\ud83d量产"})

    assert item.text == "AI芯片\ufffd量产 [ENCODING_UNRESOLVED]"


def test_a_minus_and_a_raised_digit_are_meaning_and_stay() -> None:
    raw = {"snippet": "AI chip: 10<sup>2</sup> runs, −5 °C, ½, ①, 3×10<sup>-4</sup>"}

    (item,) = cleaned("AI chip", {"source_url": "https://a.example", **raw})

    assert item.text == "AI chip: 10² runs, −5 °C, ½, ①, 3×10⁻⁴"


def test_an_empty_input_is_cleaned_to_nothing() -> None:
    said = printed("AI芯片")

    assert said["cleaning_stats"] == {
        "total_input": 0,
        "kept": 0,
        "removed": 0,
        "downranked": 0,
        "merged": 0,
        "same_source_contradictions": 0,
        "snr_ratio": 0,
    }
    assert said["warnings"] == []


def test_many_equal_items_leave_one_that_names_all_others() -> None:
    raw = {"title": "t", "snippet": "AI芯片出货量增长。", "publish_date": "2026-01-01"}

    said = printed("AI芯片", *[raw] * 400)

    (kept,) = said["cleaned_evidence"]
    assert kept["source_count"] == 400
    assert kept["merged_with"] == list(range(1, 400))
    assert len(said["removed_noise"]) == 399


def test_input_is_not_changed() -> None:
    document = {
        "raw_evidence_items": [{"snippet": "<p>ＡＩ</p>"}, {"snippet": None}],
        "primary_subject": "AI",
        "cleaning_goal": "x",
    }
    before = json.dumps(document)

    read = read_input(document)
    output(clean(read.items, read.context), language="en")

    assert json.dumps(document) == before
