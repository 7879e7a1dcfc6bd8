"""Terms, numbers and names of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.terms import is_number, names, script, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The parties were running", ["parti", "run"]),
        ("José’s naïve CAFÉ", ["jose", "naiv", "cafe"]),
        ("中国的经济", ["中国", "经济"]),
        ("經濟增長", ["经济", "济增", "增长"]),
        ("水", ["水"]),
        ("ＡＢＣ１２％", ["abc", "12"]),
        ("", []),
        ("the of and", []),
    ],
)
def test_words_are_folded_and_stop_words_left_out(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200,000 units", "1200000"),
        ("1.2 million units", "1200000"),
        ("120万", "1200000"),
        ("12亿元", "1200000000"),
        ("1.2bn", "1200000000"),
        ("two", "2"),
        ("3.50", "3.5"),
        ("100", "100"),
        ("10²", "10"),
        ("1.2.3", "1.2.3"),
        ("5 mnemonics", "5"),
    ],
)
def test_numbers_of_one_value_are_one_term(text: str, expected: str) -> None:
    assert [term for term in terms(text) if is_number(term)] == [expected]


def test_names_are_capitalised_words_and_titles() -> None:
    found = names("In 2019 the EU met José of OpenAI, and he read 《红楼梦》 there")

    assert found == ["eu", "jose", "openai", "红楼", "楼梦"]


def test_capitals_alone_name_nothing() -> None:
    assert names("BREAKING NEWS FROM PARIS") == []


def test_letters_without_case_name_nothing() -> None:
    assert names("تقرير עברית") == []


def test_scripts_are_told_apart() -> None:
    found = [script(term) for term in ("12", "word", "经济", "カナ", "мир", "한국")]

    assert found == ["number", "latin", "cjk", "cjk", "cyrillic", "cjk"]


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_has_terms_that_are_not_empty(text: str) -> None:
    assert all(terms(text))
    assert not any(map(is_number, names(text)))
    assert all(script(term) for term in terms(text))
