import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.contract_quotes import fold_for_contract, quote_occurs
from sources.quotes import SnapshotIndex, locate
from tests.sources.test_quotes_folding import TEXTS


def find(text, snippet):
    return locate(SnapshotIndex(text), snippet)


@pytest.mark.parametrize(
    "text", ["𠮷野家 opened 😀 there in May", "cafe\u0301 𠮷 opened there in May"]
)
def test_offsets_are_code_points_of_the_original(text):
    found = find(text, "OPENED")

    assert text[found.start : found.end] == "opened"


def test_lone_surrogates_do_not_stop_the_search():
    text = "\ud800 the harbour master said that \udfff it was so"

    assert find(text, "harbour master said that \udfff it").grade == "exact"
    assert find(text, "harbour mister said that \udfff it").grade == "partial"


def test_quote_of_many_different_characters_is_aligned():
    text = "".join(map(chr, range(0x4E00, 0x5000)))
    quote = text[50:350] + "错" + text[351:450]

    found = find(text, quote)

    assert (found.grade, found.start, found.end, found.edits) == ("partial", 50, 450, 1)


def test_short_page_without_common_pieces_is_still_aligned():
    found = find("xx the qtay olened azain yy", "the quay opened again")

    assert (found.grade, found.edits) == ("partial", 3)


@pytest.mark.parametrize(
    ("text", "snippet"),
    [
        ("a" * 200_000, "a" * 100_000),
        ("a" * 200_000, "a" * 2000 + "b" + "a" * 2000),
        ("a" * 200_000, ("a" * 90 + "b") * 1000),
        ("ab" * 100_000, ("ab" * 40 + "c") * 20),
        ("a-" * 100_000, "a-b" * 5000),
        ("the port " * 20_000, "the ... " * 10_000),
        ("中 a " * 50_000, "中a中b" * 1000),
        ("e\u0301" * 50_000, "é" * 5000 + "x"),
        ("[" * 50_000, "[" * 1000 + "...xyz"),
        (" \n" * 100_000, "x" + " " * 100_000),
        ("-\r\n" * 50_000, "a-\nbcdefghijkl"),
    ],
)
def test_repeats_are_bounded_work(text, snippet):
    began = time.monotonic()

    find(text, snippet)

    assert time.monotonic() - began < 10  # seconds; far less than anything that is not linear


def test_huge_quote_shows_its_longest_part():
    text = " ".join(f"berth {number} was free" for number in range(8000))
    quote = text[500:100_000].replace("berth 4000 was", "berth 4000 wsa")

    found = find(text, quote)

    assert found.grade == "partial"
    assert found.part is not None
    assert found.part.end - found.part.start > 40_000


@given(TEXTS, st.data())
@settings(max_examples=100)
def test_exact_is_what_the_contract_says_and_stands_where_it_says(text, data):
    start = data.draw(st.integers(0, len(text)))
    snippet = text[start : data.draw(st.integers(start, len(text)))]

    found = find(text, snippet)

    assert (found.grade == "exact") is quote_occurs(text, snippet)
    if found.grade == "exact":
        for low, high in found.occurrences:
            assert fold_for_contract(snippet) in fold_for_contract(text[low:high])


@given(st.text(st.sampled_from("ab1. 岸电，𠮷😀é\n"), min_size=1, max_size=60), st.data())
@settings(max_examples=100)
def test_any_part_of_a_composed_text_is_found_where_it_is(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    snippet = text[start : data.draw(st.integers(start + 1, len(text)))].strip()

    found = find(text, snippet)

    if snippet:
        assert found.grade == "exact"
        assert any(text[low:high].split() == snippet.split() for low, high in found.occurrences)


@given(TEXTS, TEXTS)
@settings(max_examples=100)
def test_any_two_texts_give_a_consistent_answer(text, snippet):
    found = find(text, snippet)

    assert (found.start is None) is (found.grade == "absent")
    assert (found.numbers_equal is None) is (found.grade == "absent")
    assert all(0 <= low < high <= len(text) for low, high in found.occurrences)
    if found.start is not None:
        assert found.occurrences[0] == (found.start, found.end)
    if found.grade != "exact":
        assert found.number_mismatch is (found.numbers_equal is False)
