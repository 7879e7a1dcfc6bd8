"""Recency: every topic, and both sides of every boundary."""

from datetime import date
from decimal import Decimal

import pytest

from sources.scoring import RUBRIC, Tables
from sources.scoring.dates import published_on, whole_years

from .samples import AS_OF, article, card, codes, mark, points


@pytest.mark.parametrize("topic", ["market", "regulatory", "clinical"])
@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("2026-04-20", "2.0"),
        ("2022-04-21", "2.0"),  # a day short of four whole years
        ("2022-04-20", "1.5"),
        ("2021-04-21", "1.5"),
        ("2021-04-20", "1.0"),
        ("2020-04-20", "0.5"),
        ("2019-04-21", "0.5"),
        ("2019-04-20", "0.0"),
        ("1998-02-28", "0.0"),
    ],
)
def test_three_years_are_full_then_half_a_point_less_a_year(
    topic: str, published: str, expected: str
) -> None:
    assert points("recency", article(published=published), topic=topic) == expected


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("2015-04-21", "2.0"),
        ("2015-04-20", "1.8"),
        ("2014-04-20", "1.6"),
        ("2007-04-20", "0.2"),
        ("2006-04-20", "0.0"),
        ("1953-04-25", "0.0"),
    ],
)
def test_mechanism_is_full_for_ten_years_then_a_fifth_less_a_year(
    published: str, expected: str
) -> None:
    assert points("recency", article(published=published), topic="mechanism") == expected


def test_policy_counts_by_its_version_and_not_by_its_age() -> None:
    old = {"published": "1999-01-01"}

    assert points("recency", article(in_force=True, **old), topic="policy") == "2.0"
    assert points("recency", article(in_force=False), topic="policy") == "0.0"


def test_policy_of_unknown_version_gives_nothing_and_says_so() -> None:
    found = card(article(), topic="policy")

    assert found.marks["recency"].rule == "version_unknown"
    assert "unknown_recency" in codes(found)


def test_historical_topic_never_ages() -> None:
    assert points("recency", article(published="1796"), topic="historical") == "2.0"
    assert points("recency", article(published=""), topic="historical") == "2.0"


def test_source_without_a_date_gives_nothing_and_says_so() -> None:
    found = card(article(published="", year=None))

    assert found.marks["recency"].rule == "no_date"
    assert found.marks["recency"].more == ("date",)
    assert "unknown_recency" in codes(found)


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [(date(2026, 6, 30), "2.0"), (date(2026, 7, 1), "1.5")],
)
def test_bare_year_counts_as_the_first_of_july(as_of: date, expected: str) -> None:
    assert points("recency", article(published="2022"), as_of=as_of) == expected
    assert points("recency", article(published="", year=2022), as_of=as_of) == expected


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [(date(2026, 2, 14), "2.0"), (date(2026, 2, 15), "1.5")],
)
def test_year_and_month_count_as_its_fifteenth(as_of: date, expected: str) -> None:
    assert points("recency", article(published="2022-02"), as_of=as_of) == expected


def test_nothing_is_taken_below_zero() -> None:
    assert mark("recency", article(published="1850")).points == 0


def test_source_of_the_future_has_age_zero_and_is_raised() -> None:
    found = card(article(published="2027-01-01"))

    assert found.marks["recency"].points == Decimal("2.0")
    assert "published_after_as_of" in codes(found)


def test_bare_year_of_the_date_itself_is_no_future() -> None:
    assert "published_after_as_of" not in codes(card(article(published="2026")))


def test_without_a_topic_the_strictest_ageing_counts() -> None:
    old, new = article(published="2018-01-01"), article(published="2025-01-01")

    assert mark("recency", old, topic="").points == 0
    assert "unknown_recency" in codes(card(old, topic=""))
    assert "unknown_recency" not in codes(card(new, topic=""))


def test_of_several_topics_the_one_that_gives_least_counts() -> None:
    facts = article(published="2018-01-01")
    found = RUBRIC.score(facts, Tables(), ("mechanism", "clinical"), AS_OF)

    assert found.marks["recency"].points == 0


def test_date_and_year_that_are_far_apart_are_raised() -> None:
    assert "dates_differ" in codes(card(article(published="2025-01-01", year=2020)))
    assert "dates_differ" not in codes(card(article(published="2024-12-20", year=2025)))


@pytest.mark.parametrize(
    ("written", "day", "precision"),
    [
        ("2025-02-14", date(2025, 2, 14), "day"),
        ("2025/2/4", date(2025, 2, 4), "day"),
        ("2025.02.14", date(2025, 2, 14), "day"),
        ("20250214", date(2025, 2, 14), "day"),
        ("2025-02-14T08:00:00Z", date(2025, 2, 14), "day"),
        ("2025年2月14日", date(2025, 2, 14), "day"),
        ("2025年2月", date(2025, 2, 15), "month"),
        ("14 February 2025", date(2025, 2, 14), "day"),
        ("Feb 14, 2025", date(2025, 2, 14), "day"),
        ("March 2025", date(2025, 3, 15), "month"),
        ("2025-02", date(2025, 2, 15), "month"),
        ("2025-02-31", date(2025, 2, 15), "month"),
        ("2025-13", date(2025, 7, 1), "year"),
        ("2026-Q1", date(2026, 2, 15), "quarter"),
        ("2026-H2", date(2026, 10, 15), "half"),
        ("2026-early", date(2026, 7, 1), "year"),
        ("2025", date(2025, 7, 1), "year"),
        (" 2025 ", date(2025, 7, 1), "year"),
    ],
)
def test_dates_are_read_as_people_write_them(written: str, day: date, precision: str) -> None:
    found = published_on(written)

    assert found is not None
    assert (found.day, found.precision) == (day, precision)


@pytest.mark.parametrize("written", ["", "n.d.", "unknown", "0", "0000", "soon", "99999999"])
def test_what_is_no_date_is_none(written: str) -> None:
    assert published_on(written) is None


def test_leap_day_completes_its_year_in_march() -> None:
    assert whole_years(date(2020, 2, 29), date(2023, 2, 28)) == 2
    assert whole_years(date(2020, 2, 29), date(2023, 3, 1)) == 3
    assert whole_years(date(2026, 1, 1), date(2025, 1, 1)) == 0
