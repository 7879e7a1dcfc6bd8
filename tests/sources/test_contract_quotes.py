import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.contract_quotes import fold_for_contract, quote_occurs


@pytest.mark.parametrize(
    ("page", "snippet"),
    [
        ("供应岸电\n41.6 万千瓦时", "供应岸电  41.6 万千瓦时"),
        ("drew 416\u00a0MWh", "drew 416 MWh"),
        ("cafe\u0301", "café"),
        ("café", "cafe\u0301"),
        ("page one\x0cpage two", " one\u2028page "),
    ],
)
def test_composition_and_white_space_are_folded(page, snippet):
    assert quote_occurs(page, snippet)


@pytest.mark.parametrize(
    ("page", "snippet"),
    [
        ("供应岸电", "供应 岸电"),
        ("drew 416 MWh", "drew 416MWh"),
        ("Drew 416 MWh", "drew 416 MWh"),
        ("10²", "102"),
        ("long‐term", "long-term"),
        ("eﬃcient", "efficient"),
        ("zero\u200bwidth", "zerowidth"),
        ("anything", " "),
        ("41.6", 41.6),
        ("a", None),
        ("", "a"),
    ],
)
def test_nothing_else_is_folded(page, snippet):
    assert not quote_occurs(page, snippet)


@settings(max_examples=100)
@given(st.text(min_size=1), st.data())
def test_any_run_of_words_of_a_page_occurs_in_it(page, data):
    words = fold_for_contract(page).split(" ")
    start = data.draw(st.integers(0, len(words) - 1))
    snippet = "\n ".join(words[start : data.draw(st.integers(start + 1, len(words)))])

    assert quote_occurs(page, snippet) == bool(snippet.strip())


@pytest.mark.shared
def test_every_public_quote_case_agrees(shared):
    path = shared / "real/validator_cases/quote_cases.json"

    for case in json.loads(path.read_text(encoding="utf-8")):
        assert quote_occurs(case["snapshot"], case["snippet"]) == case["expected"], case["snippet"]
