"""Ready queries: headings, both languages, rounds, counter-evidence, gaps."""

import pytest

from search.glossary import GlossaryError, Term, read_csv, read_lines, write_csv
from search.providers.brave import BRAVE
from search.wording import (
    COUNTER_PUBMED,
    for_pubmed,
    headings_of,
    in_language,
    ready_queries,
    that_fill,
)

DRUG = Term("semaglutide", "司美格鲁肽", "Semaglutide", ("Ozempic", "索马鲁肽"))
ILLNESS = Term("obesity", "肥胖", "Obesity")
TERMS = [DRUG, ILLNESS, Term("weight loss", "减重")]


@pytest.mark.parametrize(
    "subject",
    ["semaglutide for obesity", "司美格鲁肽与肥胖", "Ozempic and Obesity", "索马鲁肽 肥胖"],
)
def test_subject_is_said_in_both_languages_whatever_it_is_called(subject: str) -> None:
    assert in_language(subject, TERMS, "en").text == "semaglutide obesity"
    assert in_language(subject, TERMS, "zh").text == "司美格鲁肽 肥胖"


def test_words_that_the_glossary_lacks_are_named_and_never_guessed() -> None:
    said = in_language("semaglutide adherence in STEP-1 NCT03548935", TERMS, "zh")

    assert said.text == "司美格鲁肽 adherence STEP-1 NCT03548935"
    assert said.left == ("adherence",)
    assert in_language("semaglutide adherence", TERMS, "en").left == ()


def test_longest_term_wins_and_parts_of_words_are_no_terms() -> None:
    terms = [Term("cell", "细胞"), Term("T cell", "T 细胞")]

    assert in_language("T cell excellence", terms, "zh").text == "T 细胞 excellence"


def test_pubmed_is_asked_by_heading_before_free_text() -> None:
    assert for_pubmed("司美格鲁肽 obesity trial", TERMS) == (
        '("Semaglutide"[MeSH Terms] OR "semaglutide"[tiab] OR "Ozempic"[tiab])'
        ' AND ("Obesity"[MeSH Terms] OR "obesity"[tiab]) AND trial'
    )
    assert for_pubmed("weight loss", TERMS) == '"weight loss"[tiab]'


def test_signs_of_a_query_cannot_break_it() -> None:
    text = for_pubmed('x" OR "a"[tiab]) (b', [])

    assert not set('"[]()') & set(text)


def test_every_round_has_queries_in_both_languages_with_a_window() -> None:
    found = ready_queries("semaglutide obesity", TERMS, year=2026)

    assert {(each.round, each.language) for each in found} == {
        (number, language) for number in (1, 2, 3, 4) for language in ("en", "zh")
    }
    assert {each.year_low for each in found} == {2023}
    older = ready_queries("semaglutide", TERMS, year=2026, mechanism=True)
    assert {each.year_low for each in older} == {2016}


@pytest.mark.parametrize(
    "word",
    ["limitations", "adverse events", "side effects", "discontinuation", "failed trial",
     "FDA rejection", "withdrawn", "conflict of interest", "industry-funded",
     "replication failure", "retract"],
)  # fmt: skip
def test_counter_search_asks_for_every_kind_of_counter_evidence(word: str) -> None:
    third = [each for each in ready_queries("semaglutide", TERMS, year=2026) if each.round == 3]

    assert word in COUNTER_PUBMED
    assert any(word in each.text for each in third if each.route != "pubmed")


def test_queries_for_web_engines_fit_the_shortest_of_them() -> None:
    for each in ready_queries("semaglutide " * 3, TERMS, year=2026):
        if each.route != "pubmed":
            assert len(each.text) <= 400
            assert len(each.text.split()) <= 50
    assert BRAVE.slug == "brave"


def test_gap_gets_the_queries_that_fill_it() -> None:
    found = ready_queries("semaglutide", TERMS, year=2026)

    assert {q.round for q in that_fill(found, [("round_missing", 3)])} == {3}
    assert {q.language for q in that_fill(found, [("chinese_missing", None)])} == {"zh"}
    assert {q.language for q in that_fill(found, [("english_missing", None)])} == {"en"}
    assert [q.route for q in that_fill(found, [("mesh_missing", None)])] == ["pubmed"]
    assert {q.round for q in that_fill(found, [("counter_few", 3)])} == {3}
    assert that_fill(found, [("to_screen", 1)]) == []


def test_nothing_is_ready_for_an_empty_subject() -> None:
    assert ready_queries(" () ", TERMS, year=2026) == []


def test_headings_are_read_from_what_pubmed_says() -> None:
    said = '"obesity"[MeSH Terms] OR "obesity"[All Fields] OR ("weight loss"[MeSH Terms])'

    assert headings_of(said) == ["obesity", "weight loss"]


def test_lines_of_a_glossary_come_back_unchanged() -> None:
    lines = "semaglutide | 司美格鲁肽 | Semaglutide | Ozempic; 索马鲁肽\nobesity | 肥胖 | Obesity"

    terms = read_lines(f"\ufeff# pairs\n\n{lines}\n")

    assert terms == [DRUG, ILLNESS]
    assert "\n".join(each.as_line() for each in terms) == lines
    assert read_csv(write_csv(terms)) == terms
    assert read_lines('{"en": "obesity", "zh": "肥胖", "mesh": "Obesity", "x": 1}') == [ILLNESS]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" | | Obesity", "Line 1"),
        ("a | 甲\nb | 甲", "stands in line 1"),
        ("{broken", "Line 1"),
        ("[1]", ""),
        ("x" * 201, "longer than 200"),
        ("\n".join(f"a{n}" for n in range(2_001)), "at most"),
    ],
)
def test_line_that_cannot_be_read_is_named(text: str, said: str) -> None:
    if not said:
        assert read_lines(text)[0].en == "1"
        return
    with pytest.raises(GlossaryError) as raised:
        read_lines(text)
    assert said in raised.value.render("en")


def test_csv_without_its_columns_is_refused() -> None:
    with pytest.raises(GlossaryError):
        read_csv("a,b\n1,2\n")
