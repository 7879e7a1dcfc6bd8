"""What a decision about a record must say, and by what a record is recognised."""

import pytest

from search.screening import (
    DOWN_REASONS,
    DROP_REASONS,
    MACHINE_REASONS,
    Choice,
    fault_of,
    keys_of,
    reason_word,
)


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        (Choice("kept"), ""),
        (Choice("open"), ""),
        (Choice("duplicate"), ""),
        (Choice("gone"), "state"),
        (Choice("down"), "level"),
        (Choice("down", level="D4", code="missing_date"), "level"),
        (Choice("down", level="D1"), "reason"),
        (Choice("down", level="D1", reason="误判"), "reason"),
        (Choice("down", level="D1", reason="无日期"), ""),
        (Choice("down", level="D2", code="missing_date"), ""),
        (Choice("down", level="D2", code="off_topic"), "code"),
        (Choice("dropped"), "code"),
        (Choice("dropped", code="secondary_repost"), "code"),  # never a drop reason
        (Choice("dropped", code="off_topic"), ""),
        (Choice("dropped", code="other"), "reason"),
        (Choice("dropped", code="other", reason="a poster"), ""),
        (Choice("dropped", code="duplicate"), "code"),  # a state of its own
    ],
)
def test_choice_says_what_it_lacks(choice: Choice, fault: str) -> None:
    assert fault_of(choice) == fault


def test_one_work_has_a_key_in_common_however_it_is_found() -> None:
    crossref = keys_of({"doi": "10.1056/NEJMoa1", "url": "https://doi.org/10.1056/nejmoa1"})
    pubmed = keys_of({"pmid": "123456", "doi": "10.1056/nejmoa1"})
    page = keys_of({"url": "https://pubmed.ncbi.nlm.nih.gov/123456/?utm_source=x"})

    assert set(crossref) & set(pubmed)
    assert set(pubmed) & set(page)
    assert not set(crossref) & set(page)


def test_address_is_compared_in_its_canonical_form() -> None:
    first = keys_of({"url": "https://www.biospace.com/a/?utm_source=feed#top"})

    assert first == keys_of({"url": "https://www.biospace.com/a/"})


def test_title_that_mentions_a_trial_is_not_the_trial() -> None:
    paper = keys_of({"url": "https://journal.fi/1", "title": "Results of NCT01234567"})

    assert not set(paper) & set(keys_of({"trial_id": "NCT01234567"}))


def test_patents_of_one_family_are_records_of_their_own() -> None:
    first, second = (
        keys_of({"patent_number": number, "url": f"https://patents.google.com/patent/{number}/en"})
        for number in ("US10183998B2", "US20190106490A1")
    )

    assert not set(first) & set(second)


def test_result_without_any_name_is_known_by_title_and_id() -> None:
    assert keys_of({"title": "A", "raw_id": "7"}) == keys_of({"title": "A", "raw_id": "7"})
    assert keys_of({"title": "A", "raw_id": "7"}) != keys_of({"title": "A", "raw_id": "8"})


def test_lone_surrogates_are_no_reason_to_fail() -> None:
    assert keys_of({"title": "\ud800"})


def test_every_reason_is_said_in_both_languages() -> None:
    facts = {"provider": "PubMed", "pattern": "x.com", "other": "A", "source": "S-1"}
    for code in (*DOWN_REASONS, *DROP_REASONS, *MACHINE_REASONS):
        assert reason_word(code, facts, "en") != reason_word(code, facts, "zh-Hans")
        assert "{" not in reason_word(code, facts, "zh-Hans")


def test_unknown_reason_is_given_as_it_is() -> None:
    assert reason_word("of_a_file", {}, "en") == "of_a_file"
