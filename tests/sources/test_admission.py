"""What becomes of a source, by the fixed order of rulebook section 3."""

from decimal import Decimal
from typing import Any

import pytest

from sources.admission import LACKS, RULES, AdmissionFacts, Decision, decide, said

URL = "https://a.org/x"


NOTICE = {
    "date": "2010-02-06", "nature": "retraction", "notice": "10.1000/note", "says": "Crossref",
}  # fmt: skip


def decided(**given: Any) -> Decision:
    known = {"url": URL, "score": Decimal(6), "tier": 2, "receipts": ("srch_0001",)}
    return decide(AdmissionFacts(**{**known, **given}))


def test_source_with_receipt_and_score_is_admitted() -> None:
    assert decided() == Decision("admitted")


@pytest.mark.parametrize(
    ("score", "status"), [("3.96", "rejected"), ("3.999", "rejected"), ("4", "admitted")]
)
def test_score_admits_from_four_unrounded(score: str, status: str) -> None:
    assert decided(score=Decimal(score)).status == status


def test_order_is_blacklist_then_retraction_then_score() -> None:
    bad: dict[str, Any] = {"retracted": True, "doi": "10.1000/x", "score": Decimal(1)}

    assert decided(blacklist="blacklist_domain", **bad).rule == "blacklist_domain"
    assert decided(**bad).rule == "retracted"
    assert decided(score=Decimal(1)).rule == "low_score"


def test_each_rejection_leaves_its_log_line() -> None:
    assert decided(blacklist="stale").log_line == f"BLACKLIST: {URL}"
    assert decided(retracted=True, doi="10.1000/x").log_line == "RETRACTED: 10.1000/x"
    assert decided(score=Decimal("3.5")).log_line == f"LOW SCORE (3.5): {URL}"


def test_log_line_never_says_a_score_that_would_be_admitted() -> None:
    assert said(Decimal("3.960")) == "3.96"
    assert said(Decimal("3.94")) == "3.9"
    assert said(Decimal("4.04")) == "4.0"


def test_without_a_receipt_it_stays_a_candidate() -> None:
    assert decided(receipts=()) == Decision("candidate", lacks="needs_receipt")


def test_without_a_receipt_what_is_blacklisted_is_turned_away_all_the_same() -> None:
    assert decided(receipts=(), blacklist="wikipedia").status == "rejected"


def test_without_a_score_it_stays_a_candidate() -> None:
    assert decided(score=None) == Decision("candidate", lacks="not_scored")


def test_snippet_is_a_lead() -> None:
    assert decided(access_status="snippet_only") == Decision("candidate", lacks="unread_lead")
    assert decided(access_status="opened_abstract").status == "admitted"


def test_failed_page_and_dead_link_are_no_reason_to_go() -> None:
    assert decided(access_status="failed", dead_link=True).status == "admitted"


def test_strong_conflict_stays_and_is_written_as_a_rejection() -> None:
    found = decided(strong_coi=True, score=Decimal(3), conflict="paid by the maker")

    assert (found.status, found.rule) == ("admitted", "strong_coi")
    assert "paid by the maker" in found.reason("en")


def test_strong_conflict_without_a_receipt_stays_a_candidate() -> None:
    found = decided(strong_coi=True, score=Decimal(3), receipts=())

    assert (found.status, found.rule, found.lacks) == ("candidate", "strong_coi", "needs_receipt")


@pytest.mark.parametrize(
    "given",
    [
        {"blacklist": "stale", "patterns": ("review-5y",)},
        {"retracted": True, "doi": "10.1000/x", "notices": (NOTICE,)},
        {"score": Decimal(3)},
        {"strong_coi": True, "conflict": "paid"},
    ],
)
def test_reopened_source_is_not_turned_away_by_the_same_rule_and_facts(
    given: dict[str, Any],
) -> None:
    first = decided(**given)

    again = decided(**given, passed=((first.rule, first.facts),))

    assert again == Decision("admitted")


def test_reopened_source_is_turned_away_when_the_facts_are_others() -> None:
    first = decided(score=Decimal("3.5"))
    passed = ((first.rule, first.facts),)

    assert decided(score=Decimal("3.4"), passed=passed).rule == "low_score"
    assert decided(score=Decimal("3.5"), blacklist="stale", passed=passed).rule == "stale"


def test_retraction_that_a_person_passed_counts_again_with_a_further_notice() -> None:
    first = decided(retracted=True, notices=(NOTICE,))
    passed = ((first.rule, first.facts),)
    heard_again = NOTICE | {"says": "Crossref, PubMed"}
    worse = NOTICE | {"nature": "removal"}

    assert decided(retracted=True, notices=(heard_again,), passed=passed).status == "admitted"
    assert decided(retracted=True, notices=(worse,), passed=passed).rule == "retracted"
    further = NOTICE | {"notice": "10.1000/other"}
    assert decided(retracted=True, notices=(NOTICE, further), passed=passed).rule == "retracted"


def test_reason_lists_every_notice_in_the_language_asked_for() -> None:
    concern = {"date": "2004", "nature": "expression_of_concern", "notice": "", "says": "PubMed"}
    found = decided(retracted=True, notices=(NOTICE, concern))

    assert found.reason("en") == (
        "It is retracted: 2010-02-06 retraction 10.1000/note (Crossref); "
        "2004 expression of concern (PubMed)."
    )
    assert found.reason("zh-Hans") == (
        "已被撤稿：2010-02-06 撤稿 10.1000/note (Crossref)；2004 关注声明 (PubMed)。"
    )


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_reason_is_said(language: str) -> None:
    for given in (
        {"blacklist": "stale"},
        {"blacklist": "stale", "patterns": ("a", "b")},
        {"retracted": True},
        {"retracted": True, "notices": (NOTICE,)},
        {"score": Decimal(1)},
        {"strong_coi": True},
    ):
        assert decided(**given).reason(language)
    assert decided().reason(language) == ""
    assert all(text.render(language) for text in (*RULES.values(), *LACKS.values()))
