"""Reading lines of sources.jsonl as real files write them."""

from decimal import Decimal
from typing import Any

import pytest

from sources.scoring.reading import decimal_of, read_facts, says_strong


def problems(**record: Any) -> list[str]:
    return [problem.field for problem in read_facts(record)[1]]


def test_messy_line_is_read() -> None:
    facts, found = read_facts(
        {
            "id": 7,
            "raw_url": "https://www.nejm.org/doi/full/10.1056/NEJMoa2107519?utm_source=x",
            "authors": "Jane Doe; 王芳、李雷",
            "year": "2024",
            "doi": "https://doi.org/10.1056/NEJMOA2107519",
            "impact_factor": "176.0",
            "venue": "NEJM",
            "dead_link": "false",
            "score": "8.6",
        }
    )

    assert found == ()
    assert facts.doi == "10.1056/nejmoa2107519"
    assert facts.authors == ("Jane Doe", "王芳", "李雷")
    assert facts.year == 2024
    assert facts.impact_factor == Decimal("176.0")
    assert not facts.dead_link
    assert facts.schemes == ("doi",)


@pytest.mark.parametrize("name", ["url", "raw_url", "source_url", "link", "canonical_uri"])
def test_address_is_read_under_each_of_its_names(name: str) -> None:
    facts, _found = read_facts({name: "https://example.net/a", "title": "A"})

    assert facts.url == "https://example.net/a"


def test_empty_address_gives_way_to_another() -> None:
    facts, _found = read_facts({"url": "", "raw_url": "https://example.net/a"})

    assert facts.url == "https://example.net/a"


def test_pmid_that_came_as_a_number_is_an_identifier() -> None:
    facts, found = read_facts({"pmid": 36521460})

    assert found == ()
    assert facts.schemes == ("pmid",)


def test_identifier_that_only_a_title_mentions_is_not_the_source_s_own() -> None:
    facts, _found = read_facts(
        {"url": "https://example.net/a", "title": "What NCT01234567 found", "notes": "PMID: 123456"}
    )

    assert facts.schemes == ()


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"title": ["A", "B"]}, "title"),
        ({"url": {"href": "x"}}, "url"),
        ({"authors": 5}, "authors"),
        ({"year": [2024]}, "year"),
        ({"year": True}, "year"),
        ({"year": 2024.5}, "year"),
        ({"impact_factor": "high"}, "impact_factor"),
        ({"impact_factor": -1}, "impact_factor"),
        ({"impact_factor": True}, "impact_factor"),
        ({"impact_factor": {"value": 3}}, "impact_factor"),
        ({"dead_link": "perhaps"}, "dead_link"),
        ({"access_status": ["opened_original"]}, "access_status"),
        ({"in_force": 7}, "in_force"),
    ],
)
def test_value_that_no_reading_fits_is_named_by_its_field(
    record: dict[str, Any], field: str
) -> None:
    assert problems(**record) == [field]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"year": None, "impact_factor": None, "authors": None, "doi": None, "dead_link": None},
        {"year": "n.d.", "impact_factor": "N/A", "authors": "", "url": ""},
        {"year": 2024.0, "authors": [{"name": "Jane"}, "Wei", 3, None]},
        {"conflict_of_interest": ["A", "B"], "funding_statement": "None"},
        {"tier": "one", "score": "high"},
    ],
)
def test_what_is_merely_unknown_is_no_problem(record: dict[str, Any]) -> None:
    assert problems(**record) == []


def test_year_that_came_as_a_text_with_more_in_it_is_read() -> None:
    assert read_facts({"year": "2024-05"})[0].year == 2024
    assert read_facts({"year": "2024年"})[0].year == 2024


@pytest.mark.parametrize(
    ("record", "in_force"),
    [
        ({"in_force": True}, True),
        ({"in_force": "否"}, False),
        ({"superseded": True}, False),
        ({"superseded": False}, True),
        ({"superseded_by": "Notice 12 of 2025"}, False),
        ({}, None),
    ],
)
def test_version_of_a_policy_is_read(record: dict[str, Any], in_force: bool | None) -> None:
    assert read_facts(record)[0].in_force is in_force


def test_raw_data_and_posted_results_are_read() -> None:
    assert read_facts({"data_url": "https://data.example.org/1"})[0].raw_data
    assert not read_facts({"data_url": "on request"})[0].raw_data
    assert read_facts({"has_results": True})[0].results_posted


def test_publication_types_come_as_a_list_or_as_one_text() -> None:
    assert read_facts({"publication_types": ["Review", "Journal Article"]})[
        0
    ].publication_types == (
        "Review",
        "Journal Article",
    )
    assert read_facts({"publication_type": "Review; Journal Article"})[0].publication_types == (
        "Review",
        "Journal Article",
    )


@pytest.mark.parametrize(
    ("conflict", "score", "strong"),
    [
        ("Ghostwritten by the maker", 3.0, True),
        ("Ghostwritten by the maker", "2.5", True),
        ("Ghostwritten by the maker", 3.1, False),
        ("Ghostwritten by the maker", None, False),
        ("none declared", 2.0, False),
        ("", 2.0, False),
    ],
)
def test_file_marks_a_strong_conflict_by_a_text_and_three_points(
    conflict: str, score: object, strong: bool
) -> None:
    assert says_strong(conflict, score) is strong


@pytest.mark.parametrize("value", ["", "x", "1e99", "NaN", "Infinity", True, None, [], "9" * 50])
def test_what_is_no_number_is_none(value: object) -> None:
    assert decimal_of(value) is None


@pytest.mark.parametrize(
    ("value", "number"), [("+8.6", "8.6"), (8.6, "8.6"), (9, "9"), ("-1", "-1")]
)
def test_number_is_read_from_a_number_or_a_text(value: object, number: str) -> None:
    assert decimal_of(value) == Decimal(number)
