"""Queries for independent evidence: from what a claim names, counts and dates."""

import pytest

from reviews.independent import hosts_of, named_in, queries_for
from search.glossary import Term

TERMS = [
    Term(en="osimertinib", zh="奥希替尼", mesh="osimertinib"),
    Term(en="overall survival", zh="总生存期"),
]
ENGLISH = (
    "Osimertinib improved median overall survival to 38.6 months versus 31.8 months (HR 0.80) "
    "in the FLAURA trial, reported in January 2020."
)
CHINESE = "奥希替尼在 FLAURA 研究中将患者的中位总生存期延长至 38.6 个月，2020 年 1 月发表。"


def texts(claim: str, terms: list[Term] = TERMS) -> dict[tuple[str, str], str]:
    return {(each.language, each.route): each.text for each in queries_for(claim, terms)}


def test_names_numbers_and_years_of_an_english_claim_are_read() -> None:
    found = named_in(ENGLISH, TERMS)

    assert found.entities == ("osimertinib", "overall survival", "FLAURA")
    assert found.numbers == ("38.6 months", "31.8 months", "HR 0.80")
    assert found.years == ("2020",)
    assert "versus" not in found.words
    assert "reported" not in found.words


def test_names_numbers_and_years_of_a_chinese_claim_are_read() -> None:
    found = named_in(CHINESE, TERMS)

    assert found.entities == ("奥希替尼", "FLAURA", "总生存期")
    assert found.numbers == ("38.6 个月",)
    assert found.years == ("2020",)


def test_claim_is_asked_for_in_its_own_language_in_pubmed_and_as_far_as_the_glossary_goes() -> None:
    found = texts(ENGLISH)

    assert found["en", "general"].endswith("38.6 months 31.8 months HR 0.80 2020")
    assert found["en", "pubmed"] == (
        '"osimertinib"[MeSH Terms] AND "overall survival"[tiab] AND FLAURA'
    )
    assert found["zh", "general"] == "奥希替尼 总生存期 FLAURA 38.6 31.8 0.80 2020"


def test_chinese_claim_is_asked_for_in_english_too() -> None:
    found = texts(CHINESE)

    assert found["zh", "general"].startswith("奥希替尼 FLAURA 总生存期")
    assert found["en", "general"] == "osimertinib FLAURA overall survival 38.6 2020"


def test_without_a_glossary_no_other_language_is_guessed() -> None:
    assert {language for language, route in texts(CHINESE, []) if route != "pubmed"} == {"zh"}
    assert {language for language, _route in texts(ENGLISH, [])} == {"en"}


@pytest.mark.parametrize("claim", ["", "It is so.", "12 %", "《》", "。。。", "\x00\ud800 \u202e"])
def test_claim_that_names_nothing_gives_no_query(claim: str) -> None:
    assert queries_for(claim, TERMS) == []


def test_word_that_begins_a_sentence_is_no_name_for_that() -> None:
    assert named_in("Shore power cut NOx at the Port of Rotterdam.").entities == (
        "NOx", "Port", "Rotterdam",
    )  # fmt: skip


def test_long_claim_gives_short_queries() -> None:
    claim = "Alpha " + " ".join(f"word{n}" for n in range(2_000))

    assert all(len(each.text.split()) <= 24 for each in queries_for(claim, TERMS))


def test_hosts_that_are_cited_are_named_once_and_what_is_no_address_is_left() -> None:
    given = ["https://www.nejm.org/a", "https://nejm.org/b", "http://[", "", "doi.org/x"]

    assert hosts_of(given) == ("nejm.org",)
