"""What statements come to: severity, reinstatement, second opinions, before or after."""

from itertools import permutations

import pytest

from sources.retractions import Severity, Standing, Statement, notices, timing, verdict
from sources.retractions.statements import (
    IS_NOTICE,
    TITLE_HINT,
    fold_nature,
    is_known,
    key_of,
    severity_of,
)


def said(nature: str, date: str = "2010-02-06", provider: str = "crossref", **more: object):  # type: ignore[no-untyped-def]
    key = f"{provider} {nature} {date} {more}"
    return Statement(provider, key, nature, date=date, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("natures", "standing"),
    [
        (["retraction"], Standing.RETRACTED),
        (["withdrawal"], Standing.RETRACTED),
        (["removal"], Standing.RETRACTED),
        (["partial_retraction"], Standing.RETRACTED),
        (["retracted_and_republished"], Standing.RETRACTED),
        (["expression_of_concern"], Standing.CONCERN),
        (["correction"], Standing.CORRECTED),
        (["corrigendum"], Standing.CORRECTED),
        (["erratum"], Standing.CORRECTED),
        (["addendum"], Standing.CLEAN),
        (["publisher_note"], Standing.CLEAN),
        (["new_version"], Standing.CLEAN),
        (["new_edition"], Standing.CLEAN),
        ([], Standing.CLEAN),
        (["correction", "retraction"], Standing.RETRACTED),
        (["correction", "expression_of_concern"], Standing.CONCERN),
        (["erratum", "new_version"], Standing.CORRECTED),
        (["correction", "retraction", "expression_of_concern"], Standing.RETRACTED),
    ],
)
def test_most_severe_statement_decides_whatever_the_order(
    natures: list[str], standing: Standing
) -> None:
    for order in permutations(natures):
        assert verdict([said(nature) for nature in order], asked=True).standing is standing


def test_date_of_the_verdict_is_that_of_the_statement_that_decides() -> None:
    found = verdict([said("correction", "2004-03-06"), said("retraction")], asked=True)

    assert found.date == "2010-02-06"
    assert [each.nature for each in found.stands] == ["retraction", "correction"]


def test_of_equally_severe_statements_the_earliest_decides() -> None:
    statements = [
        said("retraction", "2010-02-06"),
        said("retraction", "", provider="pubmed"),
        said("retraction", "2010-02", provider="europepmc"),
        said("withdrawal", "2009", provider="retraction_watch"),
    ]

    assert verdict(statements, asked=True).date == "2009"


def test_of_two_dates_that_agree_the_exact_one_is_told() -> None:
    statements = [said("retraction", date) for date in ("2010", "2010-02", "2010-02-06")]

    assert verdict(statements, asked=True).date == "2010-02-06"


def test_nobody_asked_is_not_clean() -> None:
    assert verdict([], asked=False).standing is Standing.NOT_ASKED
    assert verdict([], asked=True).standing is Standing.CLEAN


def test_what_is_said_counts_though_nobody_was_asked() -> None:
    assert verdict([said("erratum")], asked=False).standing is Standing.CORRECTED


def test_unknown_update_is_kept_and_changes_nothing() -> None:
    found = verdict([said("publisher_note")], asked=True)

    assert found.standing is Standing.CLEAN
    assert [each.nature for each in found.others] == ["publisher_note"]


def test_partial_retraction_is_told_apart_where_nobody_says_more() -> None:
    alone = verdict([said("partial_retraction")], asked=True)
    both = verdict([said("partial_retraction"), said("retraction", "2012")], asked=True)

    assert (alone.standing, alone.partial) == (Standing.RETRACTED, True)
    assert (both.standing, both.partial) == (Standing.RETRACTED, False)
    assert not verdict([], asked=True).partial


# --- Reinstatement ----------------------------------------------------------------------------


def watched(nature: str, date: str) -> Statement:
    return said(nature, date, provider="retraction_watch")


@pytest.mark.parametrize(
    ("retracted", "reinstated", "lifted"),
    [
        ("2019-06-01", "2019-09-01", True),
        ("2019-06-01", "2019-06-01", True),
        ("2019-06-01", "2019-05-31", False),
        ("2019", "2020", True),
        ("2019", "2019-12-30", False),
        ("2019-06-01", "2019", False),
        ("", "2019-09-01", False),
        ("2019-06-01", "", False),
    ],
)
def test_later_reinstatement_lifts_a_retraction(
    retracted: str, reinstated: str, lifted: bool
) -> None:
    found = verdict(
        [watched("retraction", retracted), watched("reinstatement", reinstated)], asked=False
    )

    assert (found.standing is Standing.RETRACTED) is not lifted
    assert bool(found.lifted) is lifted
    assert not lifted or found.standing is Standing.CLEAN


def test_retraction_after_the_reinstatement_stands() -> None:
    found = verdict(
        [
            watched("retraction", "2018-01-01"),
            watched("reinstatement", "2018-06-01"),
            watched("retraction", "2019-01-01"),
        ],
        asked=True,
    )

    assert (found.standing, found.date) == (Standing.RETRACTED, "2019-01-01")
    assert [each.date for each in found.lifted] == ["2018-01-01"]


def test_reinstatement_lifts_retractions_and_nothing_else() -> None:
    found = verdict(
        [watched("expression_of_concern", "2018"), watched("reinstatement", "2019")], asked=True
    )

    assert found.standing is Standing.CONCERN


def test_reinstatement_of_one_table_does_not_lift_what_another_says() -> None:
    statements = [said("retraction", "2018"), watched("reinstatement", "2019")]

    assert verdict(statements, asked=True).standing is Standing.RETRACTED


def test_what_crossref_hands_on_from_retraction_watch_is_lifted_with_it() -> None:
    handed_on = said("retraction", "2018", asserted_by=("retraction-watch",))
    confirmed = said("retraction", "2018", asserted_by=("publisher", "retraction-watch"))
    back = watched("reinstatement", "2019")

    assert verdict([handed_on, back], asked=True).standing is Standing.CLEAN
    assert verdict([confirmed, back], asked=True).standing is Standing.RETRACTED


# --- Weak signs -------------------------------------------------------------------------------


def test_second_opinion_makes_somebody_look_and_decides_nothing() -> None:
    opinion = said("retraction", "", provider="openalex", second_opinion=True)

    alone = verdict([opinion], asked=True)

    assert alone.standing is Standing.CLEAN
    assert alone.needs_look == (opinion,)
    assert verdict([opinion], asked=False).standing is Standing.NOT_ASKED


def test_title_makes_somebody_look_and_decides_nothing() -> None:
    hint = said(TITLE_HINT, second_opinion=True)
    notice = said(IS_NOTICE, second_opinion=True)

    found = verdict([hint, notice], asked=True)

    assert found.standing is Standing.CLEAN
    assert found.needs_look == (hint,)
    assert found.is_notice == (notice,)


# --- Notices ----------------------------------------------------------------------------------


def test_statements_about_one_notice_are_put_together_though_they_disagree() -> None:
    statements = [
        said("correction", "2004-03-06", notice_doi="10.5555/a"),
        said("retraction", "2004-03", provider="pubmed", notice_pmid="4", notice_doi="10.5555/a"),
        said("retraction", "2004", provider="europepmc", notice_pmid="4"),
        said("retraction", "2010-02-06", notice_doi="10.5555/b"),
        said("expression_of_concern", "2011", provider="pubmed"),
    ]

    found = notices(statements)

    assert [len(each.statements) for each in found] == [3, 1, 1]
    assert (found[0].worst.nature, found[0].doi, found[0].pmid) == ("retraction", "10.5555/a", "4")
    assert (found[2].doi, found[2].pmid) == ("", "")


@pytest.mark.parametrize(
    ("other", "number"),
    [
        ({"notice_pmid": "9"}, 1),
        ({"notice_pmid": "9", "date": "2010-02"}, 2),
        ({"notice_pmid": "9", "date": "2010-02-07"}, 2),
        ({"notice_pmid": "9", "nature": "erratum"}, 2),
        ({"notice_doi": "10.5555/b"}, 2),
        ({}, 2),
    ],
)
def test_notice_known_here_by_doi_and_there_by_pmid_is_known_by_its_day(
    other: dict[str, str], number: int
) -> None:
    here = said("retraction", "2010-02-06", notice_doi="10.5555/a")
    there = said(**{"nature": "retraction", "provider": "pubmed", **other})

    assert len(notices([here, there])) == number


def test_statements_without_a_notice_stand_for_themselves() -> None:
    assert len(notices([said("retraction"), said("retraction", provider="pubmed")])) == 2


@pytest.mark.parametrize(
    ("cited", "noticed", "told"),
    [
        ("2010-02-05", "2010-02-06", "before"),
        ("2010-02-06", "2010-02-06", "after"),
        ("2010-02-07", "2010-02-06", "after"),
        ("2010-02", "2010-02-06", "unclear"),
        ("2010-02-06", "2010-02", "unclear"),
        ("2010-02-28", "2010-02", "after"),
        ("2009", "2010", "before"),
        ("2011", "2010", "after"),
        ("2010", "2010", "unclear"),
        ("", "2010", "unknown"),
        ("2010", "", "unknown"),
        ("2026-Q1", "2010", "unknown"),
    ],
)
def test_cited_before_or_after_is_told_as_far_as_the_dates_go(
    cited: str, noticed: str, told: str
) -> None:
    assert timing(cited, noticed) == told


# --- Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Expression of concern", "expression_of_concern"),
        ("expression-of-concern", "expression_of_concern"),
        (" RETRACTION ", "retraction"),
        ("new_version", "new_version"),
        ("x" * 60, "x" * 40),
    ],
)
def test_natures_are_compared_in_one_form(written: str, folded: str) -> None:
    assert fold_nature(written) == folded


def test_nature_that_nobody_documents_is_another_update() -> None:
    assert severity_of("err") is Severity.OTHER
    assert not is_known("err")
    assert is_known("addendum")


def test_key_that_is_too_long_becomes_a_hash() -> None:
    long = key_of("10.5555/" + "x" * 290, "10.5555/y", "")

    assert key_of("a", "b") == "a|b"
    assert len(long) < 100
    assert long != key_of("10.5555/" + "x" * 290, "10.5555/z", "")
