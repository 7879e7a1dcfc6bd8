"""Verifiability: every row of the rulebook's table."""

import pytest

from sources.scoring import DomainRow, Tables
from sources.scoring.facts import SourceFacts

from .samples import article, card, codes, mark, page, points


def test_doi_and_raw_data_give_two() -> None:
    assert points("verifiability", article(raw_data=True)) == "2.0"


def test_raw_data_without_a_doi_are_not_enough() -> None:
    assert points("verifiability", page(raw_data=True)) == "0.5"


def test_registry_record_with_posted_results_gives_two() -> None:
    url = "https://clinicaltrials.gov/study/NCT01234567"
    record = page(url=url, schemes=("nct",), results_posted=True)

    assert points("verifiability", record) == "2.0"
    assert points("verifiability", page(url=url, schemes=("nct",))) == "1.5"


@pytest.mark.parametrize(
    "facts",
    [
        article(),
        page(schemes=("pmid",)),
        page(url="https://www.fda.gov/drugs/1"),
        page(url="https://www.mckinsey.com/1"),
    ],
)
def test_lasting_address_with_full_text_gives_one_and_a_half(facts: SourceFacts) -> None:
    found = mark("verifiability", facts)

    assert (f"{found.points:.1f}", found.rule) == ("1.5", "full_text")


@pytest.mark.parametrize(
    ("access", "rule"), [("paywalled", "paywalled"), ("opened_abstract", "abstract_only")]
)
def test_paywall_or_abstract_gives_one(access: str, rule: str) -> None:
    found = mark("verifiability", article(access_status=access))

    assert (f"{found.points:.1f}", found.rule) == ("1.0", rule)


def test_access_that_nobody_stated_gives_one_and_says_so() -> None:
    found = card(article(access_status=""))

    assert f"{found.marks['verifiability'].points:.1f}" == "1.0"
    assert "unknown_verifiability" in codes(found)


@pytest.mark.parametrize("access", ["opened_original", "paywalled", ""])
def test_address_without_an_identifier_gives_half(access: str) -> None:
    found = mark("verifiability", page(access_status=access))

    assert (f"{found.points:.1f}", found.rule) == ("0.5", "url_only")


def test_host_of_tier_three_is_not_vouched_for() -> None:
    tables = Tables(domains=(DomainRow("example.net", "other", tier=3),))
    trusted = Tables(domains=(DomainRow("example.net", "other", tier=2),))

    assert points("verifiability", page(), tables=tables) == "0.5"
    assert points("verifiability", page(), tables=trusted) == "1.5"


def test_lead_that_nobody_opened_gives_half() -> None:
    found = mark("verifiability", article(access_status="snippet_only", raw_data=True))

    assert (f"{found.points:.1f}", found.rule) == ("0.5", "never_opened")


def test_dead_link_gives_nothing_whatever_else_is_known() -> None:
    assert mark("verifiability", article(dead_link=True, raw_data=True)).rule == "dead_link"


def test_page_that_could_not_be_opened_gives_nothing() -> None:
    assert mark("verifiability", article(access_status="failed")).points == 0


@pytest.mark.parametrize("url", ["", "file:///notes.md", "not an address"])
def test_source_without_address_and_identifier_gives_nothing(url: str) -> None:
    assert mark("verifiability", page(url=url)).rule == "no_address"


def test_doi_without_an_address_can_be_looked_up() -> None:
    assert points("verifiability", article(url="")) == "1.5"
