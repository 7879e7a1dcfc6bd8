"""Dates with their precision, as five providers write them."""

from datetime import date

import pytest

from sources.retractions.dates import (
    from_american,
    from_citation,
    from_parts,
    month_number,
    span_of,
)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2010", date(2010, 1, 1), date(2010, 12, 31)),
        ("2012-02", date(2012, 2, 1), date(2012, 2, 29)),
        ("2010-02-06", date(2010, 2, 6), date(2010, 2, 6)),
        ("2010-02-06T10:00:00Z", date(2010, 2, 6), date(2010, 2, 6)),
        (" 2010-12 ", date(2010, 12, 1), date(2010, 12, 31)),
    ],
)
def test_date_means_all_the_days_it_may_be(text: str, first: date, last: date) -> None:
    span = span_of(text)

    assert span is not None
    assert (span.first, span.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-Q1", "2010-13", "2010-02-30", "0000", "10-02-2010", "２０１０"]
)
def test_what_is_no_date_means_no_days(text: str) -> None:
    assert span_of(text) is None


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((2010, 2, 6), "2010-02-06"),
        ((2010, 2), "2010-02"),
        (("2010", "2", "06"), "2010-02-06"),
        ((2010,), "2010"),
        ((2010, None, 6), "2010"),
        ((2010, 2, 31), "2010-02"),
        ((2010, 13, 1), "2010"),
        ((None,), ""),
        ((), ""),
        ((True,), ""),
        ((0, 2), ""),
        (("twenty", 2), ""),
        ((99999,), ""),
        ((2010, 2, 6, 12), "2010-02-06"),
    ],
)
def test_parts_give_as_exact_a_date_as_they_are(parts: tuple[object, ...], text: str) -> None:
    assert from_parts(*parts) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("2/6/2010 0:00", "2010-02-06"),
        ("12/31/2023", "2023-12-31"),
        ("2010-02-06", "2010-02-06"),
        ("2010-02-06T00:00:00", "2010-02-06"),
        ("31/12/2023 0:00", ""),
        ("2/30/2010 0:00", ""),
        ("", ""),
        ("unknown", ""),
        ("1/2/3/4", ""),
    ],
)
def test_american_dates_have_the_month_first(written: str, text: str) -> None:
    assert from_american(written) == text


@pytest.mark.parametrize(
    ("citation", "text"),
    [
        ("Lancet. 2010 Feb 6;375(9713):445", "2010-02-06"),
        ("J Int Oral Health. 2015 Sep;7(9):65-9.", "2015-09"),
        ("J Biol Chem 1999 May 7;274(19):13728", "1999-05-07"),
        ("Lancet. 2024 Sep 28;404(10459):1227. doi: 10.1016/S0140-6736(24)01653-2.", "2024-09-28"),
        ("Arch Dis. 1998 Winter;3(1):2", "1998"),
        ("Arch Dis. 2020 Jan-Feb;3(1):2", "2020-01"),
        ("2010", "2010"),
        ("Cell 2000: a review", "2000"),
        ("no date at all", ""),
        ("doi: 10.1016/2010.99999", ""),
    ],
)
def test_citation_holds_the_date_of_its_issue(citation: str, text: str) -> None:
    assert from_citation(citation) == text


@pytest.mark.parametrize(
    ("name", "number"),
    [("Feb", 2), ("february", 2), ("Sept", None), ("12", 12), ("13", None), ("", None)],
)
def test_months_are_read_by_name_or_number(name: str, number: int | None) -> None:
    assert month_number(name) == number
