"""Sentences and their places."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.sentences import MAX_LENGTH, split


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It grew. It fell! Did it? Yes.", ["It grew.", "It fell!", "Did it?", "Yes."]),
        ("It cost $3.5 million. It sold.", ["It cost $3.5 million.", "It sold."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("It grew.[1][23] It fell.", ["It grew.[1][23]", "It fell."]),
        ("It grew... and fell. Well... Yes.", ["It grew... and fell.", "Well...", "Yes."]),
        ("经济增长3.5%。“真的吗？”他问。", ["经济增长3.5%。", "“真的吗？”", "他问。"]),
        ("他问“真的吗？”，没人回答。", ["他问“真的吗？”，没人回答。"]),
        ("Größe zählt. Ähnlich auch.", ["Größe zählt.", "Ähnlich auch."]),
    ],
)
def test_stops_end_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mr. J. R. Jones of the U.S. Army.",
        "See Fig. 3 and No. 5 on p. 12.",
        "Drugs, e.g. Aspirin, and Pfizer Inc. products.",
        "Smith et al. Nature 2020",
        "He was born on Jan. 5 in St. Louis.",
        "The site example.com runs version 3.13.1 of it.",
    ],
)
def test_abbreviations_do_not_end_sentences(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("He came from the U.S. The trip took days.", "The trip took days."),
        ("It contains Vitamin C. It helps.", "It helps."),
        ("He said no. Nobody heard.", "Nobody heard."),
        ("It was sold by Apple Inc. In 2020 it closed.", "In 2020 it closed."),
    ],
)
def test_abbreviation_before_a_new_sentence_ends_the_old_one(text: str, second: str) -> None:
    assert sentences(text)[1:] == [second]


def test_headings_list_items_and_rows_are_sentences() -> None:
    text = "Results\n\n1. First item\n2. Second item\n- third\nName\tValue\nRate\t12 %"

    assert sentences(text) == [
        "Results",
        "1. First item",
        "2. Second item",
        "- third",
        "Name\tValue",
        "Rate\t12 %",
    ]


def test_wrapped_prose_stays_together() -> None:
    text = "The committee found that the rate had been\nfalling for years. So it said."

    assert sentences(text) == [
        "The committee found that the rate had been\nfalling for years.",
        "So it said.",
    ]


def test_wrapped_chinese_prose_stays_together_after_a_comma() -> None:
    line = "本报告基于公开数据，对全国三十一个省份的人口结构变化进行了系统的分析和研究与比较，"
    text = line + "\n结论如下。"

    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The committee found these reasons for the fall in the rate", "a) wages, and b) rents"),
        ("Alba plant in the old harbour of the town\t1,200 cars\tof all", "mean\t1,100 cars"),
        ("The committee found these reasons for the fall in the rate.", "wages"),
    ],
)
def test_long_line_before_an_item_or_row_ends_a_sentence(first: str, second: str) -> None:
    assert sentences(f"{first}\n{second}") == [first, second]


def test_blank_line_ends_a_sentence() -> None:
    first = "The committee found these reasons for the fall in the rate"

    assert sentences(f"{first}\n\nand that is all") == [first, "and that is all"]


def test_crlf_is_a_line_end() -> None:
    assert sentences("One\r\nTwo\r\n") == ["One", "Two"]


def test_text_without_stops_is_cut_at_white_space() -> None:
    pieces = sentences("word " * 1_000)

    assert max(map(len, pieces)) <= MAX_LENGTH
    assert "".join(pieces).count("word") == 1_000
    assert all(piece.startswith("word") and piece.endswith("word") for piece in pieces)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert split(text) == []


@given(st.text(alphabet="aB1.!?。，“” \n\t\r…[]é\U00020bb7", max_size=200))
@settings(max_examples=100, deadline=None)
def test_only_white_space_is_lost_between_sentences(text: str) -> None:
    spans = split(text)

    kept = 0
    for start, end in spans:
        assert text[kept:start].strip() == ""
        assert start < end
        assert text[start:end] == text[start:end].strip()
        kept = end
    assert text[kept:].strip() == ""


@pytest.mark.parametrize(
    "text", [".", " ", "a", "。", "A. ", "\n", ".[1]", "a,\nb", "? ", "）", ". a", "1. "]
)
def test_time_grows_with_length_only(text: str) -> None:
    started = time.perf_counter()

    split(text * (300_000 // len(text)))

    assert time.perf_counter() - started < 5
