"""Passages for a claim."""

import json
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.passages import ClaimTerms, Sentences, rank

PAGE = [
    "About this site",
    "The plant was opened by the mayor.",
    "The Alba plant made 1,200,000 cars in 2019.",
    "It employed many workers.",
    "Cookies help us.",
    "Another plant made trucks.",
]


def test_sentence_that_says_the_claim_is_first() -> None:
    passages = rank("In 2019 the Alba plant produced 1.2 million cars", PAGE)

    assert passages[0].index == 2
    assert [each.score for each in passages] == sorted(
        (each.score for each in passages), reverse=True
    )


def test_at_most_ten_passages_are_given() -> None:
    passages = rank("plant", ["A plant grows."] * 30)

    assert [each.index for each in passages] == [*range(1, 11)]


def test_equal_scores_keep_the_order_of_the_text() -> None:
    passages = rank("plant", ["A plant.", "Nothing here.", "Nothing there.", "A plant."])

    assert [each.index for each in passages] == [0, 3, 1, 2]


def test_shared_number_lifts_a_sentence() -> None:
    passages = rank(
        "Sales rose by 12 percent", ["Sales rose by 11 percent.", "No.", "No.", "It was 12."]
    )

    assert passages[1].index == 3


def test_shared_name_lifts_a_sentence() -> None:
    page = ["The house is sold.", "Nothing.", "Nothing.", "The Alba is sold."]

    assert rank("the Alba house", page)[0].index == 3


def test_neighbour_of_a_good_sentence_is_lifted() -> None:
    passages = rank("The Alba plant made cars", [*PAGE, "Nothing at all.", "Far away."])

    order = [each.index for each in passages]
    assert order.index(3) < order.index(6)


def test_places_of_given_sentences_are_in_them_joined_by_one_line_feed() -> None:
    sentences = ["𠮷 one", "", "two\nlines ", "the end"]
    joined = "\n".join(sentences)

    passages = rank("one two lines end", sentences)

    assert {each.index: joined[each.start : each.end] for each in passages} == dict(
        enumerate(sentences)
    )


def test_places_of_a_text_are_in_that_text() -> None:
    text = "  中国经济增长。特斯拉😀销量下降。\n\nTesla fell. "

    passages = rank("特斯拉销量", Sentences.of_text(text))

    assert text[passages[0].start : passages[0].end] == "特斯拉😀销量下降。"
    assert passages[0].index == 1


def test_traditional_characters_meet_simplified_ones() -> None:
    assert rank("经济增长放缓", ["天氣很好。", "經濟增長放緩。"])[0].index == 1


def test_claim_without_terms_has_no_passages() -> None:
    assert rank("", PAGE) == []
    assert rank("it was of the", PAGE) == []


def test_text_without_sentences_has_no_passages() -> None:
    assert rank("plant", []) == []
    assert rank("plant", Sentences.of_text("")) == []


def test_sentence_that_shares_nothing_scores_nothing() -> None:
    assert [each.score for each in rank("plant", ["Nothing here.", "Nothing there."])] == [0, 0]


def test_index_answers_many_claims() -> None:
    sentences = Sentences.of_list(PAGE)

    assert rank("mayor", sentences) == rank("mayor", PAGE)
    assert rank("trucks", sentences) == rank("trucks", PAGE)


def test_rarer_term_weighs_more() -> None:
    sentences = Sentences.of_list(PAGE)

    assert sentences.weight("plant") < sentences.weight("truck") < sentences.weight("absent")


@given(st.text(max_size=80), st.lists(st.text(max_size=60), max_size=15))
@settings(max_examples=100, deadline=None)
def test_passages_are_sentences_each_once(claim: str, sentences: list[str]) -> None:
    joined = "\n".join(sentences)

    passages = rank(claim, sentences)

    assert len(passages) == (min(10, len(sentences)) if ClaimTerms.of(claim).all else 0)
    assert len({each.index for each in passages}) == len(passages)
    for each in passages:
        assert joined[each.start : each.end] == sentences[each.index]
        assert each.score >= 0


@pytest.mark.shared
def test_supporting_sentences_are_found_on_real_pages(shared: Path) -> None:
    with (shared / "real/text/wice_dev.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    recalls = []
    for record in records:
        wanted = set(chain.from_iterable(record["supporting_sets"]))
        if wanted:
            found = {each.index for each in rank(record["claim"], record["sentences"], limit=5)}
            recalls.append(len(wanted & found) / len(wanted))

    assert sum(recalls) / len(recalls) >= 0.63
