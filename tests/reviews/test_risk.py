"""Risk of a claim, term by term."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.risk import TITLES, assess
from sources.passages import Sentences

PAGE = [
    "The Alba plant made 1,200,000 cars in 2019.",
    "It employed many workers.",
    "Cookies help us.",
    "The mayor of Turin opened the gates.",
]


def test_claim_that_the_source_says_has_no_risk() -> None:
    risk = assess("The Alba plant made 1.2 million cars in 2019", PAGE)

    assert risk.value == 0
    assert risk.passages[0].index == 0


def test_claim_that_the_source_does_not_speak_of_has_every_term() -> None:
    risk = assess("Volvo sold 33 ships because Sweden has the largest harbour", PAGE)

    assert risk.terms == {
        "coverage": 1.0,
        "together": 1.0,
        "numbers": 0.7,
        "entities": 0.7,
        "causal": 0.2,
        "superlative": 0.1,
        "other_language": 0.0,
    }
    assert risk.value == pytest.approx(3.7)


def test_changed_number_costs_its_share_of_the_numbers() -> None:
    risk = assess("The Alba plant made 1.3 million cars in 2019", PAGE)

    assert risk.terms["numbers"] == 0.35
    assert risk.terms["entities"] == 0


def test_unknown_name_costs_its_share_of_the_names() -> None:
    risk = assess("The Alba plant of Fiat made cars", PAGE)

    assert risk.terms["entities"] == 0.35


def test_claim_without_numbers_and_names_does_not_pay_for_them() -> None:
    risk = assess("a plant made ships", PAGE)

    assert risk.terms["numbers"] == risk.terms["entities"] == 0


def test_words_found_apart_are_riskier_than_words_found_together() -> None:
    filler = ["Nothing is said here."] * 3
    together = assess("workers opened gates", ["The workers opened the gates.", *filler, "End."])
    apart = assess(
        "workers opened gates", ["The workers.", *filler, "They opened.", *filler, "Gates."]
    )

    assert together.terms["together"] == 0 < apart.terms["together"]
    assert apart.terms["coverage"] == 0


@pytest.mark.parametrize(
    "claim", ["It fell because of rain", "Rain led to losses", "由于降雨，产量下降", "降雨导致减产"]
)
def test_stated_cause_counts(claim: str) -> None:
    assert assess(claim, PAGE).terms["causal"] == 0.2


@pytest.mark.parametrize(
    "claim", ["the largest plant", "the only plant", "最大的工厂", "唯一的工厂", "首次盈利"]
)
def test_stated_extreme_counts(claim: str) -> None:
    assert assess(claim, PAGE).terms["superlative"] == 0.1


@pytest.mark.parametrize("claim", ["最近的工厂", "最终报告", "almost a plant"])
def test_look_alikes_of_an_extreme_do_not_count(claim: str) -> None:
    assert assess(claim, PAGE).terms["superlative"] == 0


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [("", PAGE), ("it was of the", PAGE), ("A plant", []), ("A plant", ["", " …"])],
)
def test_nothing_to_compare_has_no_risk_value(claim: str, sentences: list[str]) -> None:
    risk = assess(claim, sentences)

    assert risk.value is None
    assert risk.terms == {}


def test_chinese_claim_is_compared_with_a_chinese_source() -> None:
    page = Sentences.of_text("公司成立于2001年。2023年营收为12亿元，同比增长8%。员工五百人。")

    said = assess("2023年营收达到12亿元", page)
    changed = assess("2023年营收达到15亿元", page)

    assert said.value is not None
    assert changed.value is not None
    assert said.value < changed.value
    assert said.terms["numbers"] == said.terms["other_language"] == 0


def test_source_in_another_script_makes_a_claim_neither_riskless_nor_riskiest() -> None:
    page = [
        "Tesla delivered 1.8 million cars in 2023, more than ever before.",
        "It was a good year.",
    ]

    said = assess("特斯拉（Tesla）2023年交付了180万辆汽车", page)
    changed = assess("特斯拉（Tesla）2023年交付了250万辆汽车", page)
    other = assess("比亚迪去年交付的汽车数量创下新高", page)

    assert said.value is not None
    assert changed.value is not None
    assert 0 < said.value < changed.value < 2.7
    assert said.terms["coverage"] == said.terms["numbers"] == 0
    assert other.terms == dict.fromkeys(TITLES, 0.0) | {"other_language": 1.0}


def test_english_claim_against_a_chinese_source_is_compared_by_what_both_have() -> None:
    page = ["特斯拉（Tesla）2023年交付了180万辆汽车。", "这是很好的一年。"]

    risk = assess("Tesla delivered 1.8 million cars in Shanghai in 2023", page)

    assert risk.terms["numbers"] == risk.terms["entities"] == 0
    assert risk.terms["other_language"] > 0


def test_latin_name_missing_from_a_chinese_source_counts_in_full_for_a_chinese_claim() -> None:
    risk = assess("公司与OpenAI合作开发模型", ["公司与谷歌合作开发模型。"])

    assert risk.terms["entities"] == 0.7
    assert risk.terms["other_language"] == 0


@given(st.text(max_size=80), st.lists(st.text(max_size=60), max_size=8))
@settings(max_examples=100, deadline=None)
def test_terms_sum_up_to_the_value(claim: str, sentences: list[str]) -> None:
    risk = assess(claim, sentences)

    if risk.value is None:
        assert risk.terms == {}
    else:
        assert list(risk.terms) == list(TITLES)
        assert risk.value == pytest.approx(sum(risk.terms.values()))
        assert 0 <= risk.value <= 3.7
        assert all(term >= 0 for term in risk.terms.values())


@pytest.mark.parametrize("unit", ["word Name 12. ", "经济增长。", "x1 ", "1,", "《", "a "])
def test_huge_claim_and_text_take_bounded_time(unit: str) -> None:
    text = unit * (500_000 // len(unit))
    started = time.perf_counter()

    assess(text[:100_000], Sentences.of_text(text))

    assert time.perf_counter() - started < 10
