"""Conflict of interest: every row of the rulebook's table, and each signal of one."""

from decimal import Decimal

import pytest

from sources.scoring import SubjectRow, Tables
from sources.scoring.coi_form import QUESTIONS, CoiAnswers
from sources.scoring.facts import SourceFacts
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS

from .samples import article, card, codes, mark, page, points

ACME = SubjectRow("company", "Acme Pharma", ("艾克美",), ("acme.example",))
PILL = SubjectRow("product", "Drug X")
WITH_SUBJECTS = Tables(JOURNALS, PUBLISHERS, DOMAINS, (ACME, PILL))


def test_independent_work_without_a_conflict_gives_one() -> None:
    facts = article(coi=CoiAnswers(tie="none", funding="public"))

    assert points("coi", facts) == "1.0"


@pytest.mark.parametrize(
    ("funding", "disclosure"),
    [
        ("Supported by the National Institutes of Health.", "The authors declare no conflicts."),
        ("No funding was received.", "None declared"),
        ("国家自然科学基金（82000000）", "所有作者声明无利益冲突"),
        ("Wellcome Trust", "The authors declare no competing interests."),
    ],
)
def test_public_funding_and_no_conflict_in_the_statements_give_one(
    funding: str, disclosure: str
) -> None:
    assert points("coi", article(funding_statement=funding, disclosure=disclosure)) == "1.0"


@pytest.mark.parametrize(
    ("funding", "disclosure"),
    [
        ("Supported by the NIH.", ""),
        ("", "None declared"),
        ("Supported by Acme Pharma Inc and the NIH.", "None declared"),
        ("Supported by the NIH.", "A.B. is paid by Acme. The other authors declare no conflicts."),
        ("Supported by the NIH.", "The sponsor has no role in the study."),
    ],
)
def test_statements_that_leave_a_question_open_give_nothing(funding: str, disclosure: str) -> None:
    found = card(article(funding_statement=funding, disclosure=disclosure))

    assert found.marks["coi"].points == 0
    assert "unknown_coi" in codes(found)


@pytest.mark.parametrize("url", ["https://www.fda.gov/1", "https://www.ema.europa.eu/en/1"])
def test_public_body_gives_one(url: str) -> None:
    assert points("coi", page(url=url)) == "1.0"


def test_declared_industry_funding_with_an_independent_method_gives_half() -> None:
    facts = article(coi=CoiAnswers(funding="industry", disclosure="complete", method="independent"))

    assert points("coi", facts) == "0.5"


@pytest.mark.parametrize(
    "answers",
    [
        CoiAnswers(funding="industry"),
        CoiAnswers(funding="industry", disclosure="complete"),
        CoiAnswers(funding="industry", method="independent", disclosure="incomplete"),
    ],
)
def test_industry_funding_with_open_answers_gives_nothing(answers: CoiAnswers) -> None:
    found = mark("coi", article(coi=answers))

    assert (found.points, found.unknown) == (0, True)


def test_registry_record_names_its_sponsor_in_public() -> None:
    assert points("coi", page(url="https://clinicaltrials.gov/study/NCT01234567")) == "0.5"


@pytest.mark.parametrize(
    "facts",
    [
        article(coi=CoiAnswers(tie="own")),
        page(url="https://www.sec.gov/10-k.htm"),
        page(url="https://patents.google.com/patent/US1"),
        page(kind="company_page"),
    ],
)
def test_own_report_of_a_party_gives_nothing(facts: SourceFacts) -> None:
    found = mark("coi", facts)

    assert (found.points, found.rule, found.unknown) == (0, "own_report", False)


def test_declared_conflict_with_a_doubtful_method_costs_a_point() -> None:
    declared = {"conflict_of_interest": "The authors own shares of the maker."}
    doubtful = CoiAnswers(method="doubtful")

    assert points("coi", article(coi=doubtful, **declared)) == "-1.0"
    assert points("coi", article(coi=CoiAnswers(funding="industry", method="doubtful"))) == "-1.0"


def test_doubtful_method_without_a_conflict_costs_nothing() -> None:
    assert points("coi", article(coi=CoiAnswers(method="doubtful"))) == "0.0"


def test_comparison_tilted_to_the_sponsor_costs_a_point() -> None:
    assert points("coi", article(coi=CoiAnswers(method="tilted"))) == "-1.0"


def test_nothing_known_gives_nothing_and_says_so() -> None:
    found = card(article())

    assert found.marks["coi"].rule == "not_stated"
    assert found.marks["coi"].more == ("coi_form",)
    assert "unknown_coi" in codes(found)


def test_conflict_that_nobody_judged_is_raised() -> None:
    found = card(article(conflict_of_interest="The authors are employed by the maker."))

    assert found.marks["coi"].points == 0
    assert "coi_not_judged" in codes(found)


@pytest.mark.parametrize("text", ["", "None", "none declared", "无", "No competing interests."])
def test_text_that_states_no_conflict_is_none(text: str) -> None:
    assert "coi_not_judged" not in codes(card(article(conflict_of_interest=text)))


def test_strong_conflict_caps_the_score_and_its_text_is_asked_for() -> None:
    found = card(article(venue="NEJM", strong_coi=True))

    assert found.effective.score == Decimal("3.0")
    assert found.effective.band == "discovery"
    assert "strong_coi_without_text" in codes(found)


def test_strong_conflict_with_its_text_is_complete() -> None:
    facts = article(strong_coi=True, conflict_of_interest="Ghostwritten by the maker.")

    assert "strong_coi_without_text" not in codes(card(facts))


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (page(url="https://news.acme.example/1"), "coi_company_host"),
        (article(funding_statement="Funded by Acme Pharma."), "coi_sponsor_named"),
        (article(funding_statement="由艾克美资助"), "coi_sponsor_named"),
        (article(authors=("Jane Doe", "Acme Pharma")), "coi_author_company"),
        (article(funding_statement="Funded by Beta Inc."), "coi_industry_funding"),
        (
            page(url="https://www.mckinsey.com/1", abstract="We surveyed our clients."),
            "coi_own_clients",
        ),
        (page(url="https://phrma.org/1", abstract="Our members spent more."), "coi_members"),
        (page(url="https://phrma.org/1", title="How Acme Pharma grew"), "coi_member_named"),
        (
            page(url="https://www.cicc.com/1", abstract="CICC was the joint sponsor."),
            "coi_underwriter",
        ),
        (page(url="https://www.cicc.com/1", abstract="本公司为其保荐机构。"), "coi_underwriter"),
    ],
)
def test_signal_is_raised_and_changes_no_points(facts: SourceFacts, code: str) -> None:
    found = card(facts, tables=WITH_SUBJECTS)
    without = card(facts)

    assert code in codes(found)
    assert found.marks["coi"].points == without.marks["coi"].points


@pytest.mark.parametrize(
    "facts",
    [
        page(url="https://notacme.example/1"),
        article(funding_statement="Funded by Acme Pharmacology."),
        article(authors=("Jane Acme",)),
        page(url="https://www.biospace.com/1", abstract="We surveyed our clients."),
        page(title="How Acme Pharma grew"),
    ],
)
def test_what_only_looks_like_a_signal_is_not_raised(facts: SourceFacts) -> None:
    found = card(facts, tables=WITH_SUBJECTS)

    assert not {code for code in codes(found) if code.startswith("coi_")} - {"coi_industry_funding"}


def test_form_keeps_only_answers_that_it_offers() -> None:
    read = CoiAnswers.read({"tie": "none", "funding": "bribes", "method": 3, "by": "lead"})

    assert read == CoiAnswers(tie="none")
    assert CoiAnswers.read(None) == CoiAnswers.read([]) == CoiAnswers()


def test_every_question_and_answer_speaks_both_languages() -> None:
    for question, answers in QUESTIONS.values():
        for text in (question, *answers.values()):
            assert text.en
            assert text.zh
