"""What scores, access and admission of sources let a claim rest on: both sides of each boundary."""

from typing import Any

import pytest

from reviews.checks import BY_ID
from reviews.checks.base import ClaimFacts, SourceFacts
from reviews.checks.samples import claim, evidence, source
from reviews.checks.saying import say

CHECKS = (
    "band-insufficient",
    "reference-only",
    "discovery-used",
    "tier-three-alone",
    "tier-four-support",
    "snippet-only-support",
    "failed-source-used",
    "needs-opened-original",
    "rejected-source-used",
    "wikipedia-cited",
    "preprint-unlabelled",
)


def cited(number: int = 1, **given: Any) -> SourceFacts:
    return source(id=f"s{number}", url=f"https://site{number}.fi/", **given)


def resting_on(*sources: SourceFacts, **given: Any) -> ClaimFacts:
    return claim("Use rose.", *(evidence("use rose", source=each) for each in sources), **given)


def raised(facts: ClaimFacts) -> set[str]:
    return {found.code for check in CHECKS for found in BY_ID[check].run(facts)}


def test_one_core_source_carries_a_claim() -> None:
    assert raised(resting_on(cited(band="core", tier=1))) == set()


def test_two_corroborating_sources_of_different_clusters_carry_a_claim() -> None:
    pair = [cited(1, band="corroborate", tier=2), cited(2, band="corroborate", tier=2)]

    assert raised(resting_on(*pair)) == set()
    assert raised(resting_on(pair[0])) == {"band_insufficient"}


def test_two_corroborating_sources_of_one_cluster_do_not() -> None:
    pair = [cited(n, band="corroborate", tier=2, cluster="K7") for n in (1, 2)]

    assert raised(resting_on(*pair)) == {"band_insufficient"}


def test_third_source_of_another_cluster_makes_them_enough() -> None:
    pair = [cited(n, band="corroborate", tier=2, cluster="K7") for n in (1, 2)]

    assert raised(resting_on(*pair, cited(3, band="corroborate", tier=2, cluster="K8"))) == set()


def test_core_source_that_was_turned_away_does_not_count() -> None:
    gone = cited(band="core", tier=1, status="rejected", rejected_by="retracted")

    assert raised(resting_on(gone)) == {"band_insufficient", "rejected_source_used"}


def test_reference_source_is_no_support_alone_but_beside_a_core_one() -> None:
    weak = cited(1, band="reference", tier=2)

    assert raised(resting_on(weak)) == {"band_insufficient", "reference_only"}
    assert raised(resting_on(weak, cited(2, band="core", tier=1))) == set()


def test_discovery_source_is_named_even_beside_a_core_one() -> None:
    core = cited(2, band="core", tier=1)

    assert raised(resting_on(cited(1, band="discovery", tier=2), core)) == {"discovery_used"}
    assert raised(resting_on(cited(1, band="reference", tier=2), core)) == set()


def test_tier_three_wants_tier_one_or_two_beside_it() -> None:
    third = cited(1, band="core", tier=3)

    assert raised(resting_on(third)) == {"tier3_without_tier12"}
    for tier in (1, 2):
        assert raised(resting_on(third, cited(2, band="core", tier=tier))) == set()


def test_tier_four_is_told_once_and_tier_three_is_not_it() -> None:
    core = cited(2, band="core", tier=1)

    assert raised(resting_on(cited(1, band="discovery", tier=4), core)) == {"tier4_support"}
    assert raised(resting_on(cited(1, band="reference", tier=3), core)) == set()


def red(facts: ClaimFacts) -> list[str]:
    """Give the codes that must be answered before the claim passes."""
    found = [each for check in CHECKS for each in BY_ID[check].run(facts)]
    return [each.code for each in found if each.severity == "error"]


def test_page_that_was_turned_away_asks_for_one_answer_under_a_key_claim() -> None:
    page = cited(band="discovery", tier=4, status="rejected", rejected_by="low_score")
    facts = resting_on(page, is_key=True)

    assert raised(facts) == {"band_insufficient", "tier4_support", "rejected_source_used"}
    assert red(facts) == ["rejected_source_used"]
    assert red(resting_on(page)) == []


def test_source_turned_away_for_more_than_its_score_is_red_under_any_claim() -> None:
    for rule in ("retracted", "blacklist", "strong_coi", "unknown"):
        gone = cited(band="discovery", tier=2, status="rejected", rejected_by=rule)

        assert red(resting_on(gone)) == ["rejected_source_used"]


def test_missing_band_is_red_where_a_source_might_have_carried_the_key_claim() -> None:
    weak = cited(1, band="reference", tier=2)

    assert red(resting_on(weak, is_key=True)) == ["band_insufficient"]
    assert red(resting_on(weak)) == []


@pytest.mark.parametrize(
    ("status", "codes"),
    [
        ("snippet_only", {"snippet_only_support"}),
        ("failed", {"failed_source_used"}),
        ("paywalled", set()),
        ("opened_abstract", set()),
        ("opened_original", set()),
    ],
)
def test_access_status_speaks_without_any_score(status: str, codes: set[str]) -> None:
    assert raised(resting_on(cited(access_status=status))) == codes


def test_key_claim_needs_an_opened_original_or_an_official_record() -> None:
    shut = cited(1, access_status="paywalled")
    needs = {"needs_opened_original"}

    assert raised(resting_on(shut, is_key=True)) == needs
    assert raised(resting_on(shut)) == set()
    assert raised(resting_on(shut, cited(2), is_key=True)) == set()  # nobody noted how far
    for given in ({"access_status": "opened_original"},
                  {"access_status": "opened_abstract", "source_type": "regulator"}):  # fmt: skip
        assert raised(resting_on(shut, cited(2, **given), is_key=True)) == set()


def test_original_that_was_turned_away_is_none() -> None:
    gone = cited(access_status="opened_original", status="rejected", rejected_by="stale")

    assert "needs_opened_original" in raised(resting_on(gone, is_key=True))


def test_rejected_source_is_told_with_its_rule() -> None:
    check = BY_ID["rejected-source-used"]
    (found,) = check.run(resting_on(cited(status="rejected", rejected_by="low_score")))

    assert "Score below 4.0" in say(check, found.code, found.params, "en").text
    assert "评分低于 4.0" in say(check, found.code, found.params, "zh-Hans").text
    assert raised(resting_on(cited(status="candidate"))) == set()


def test_preprint_is_called_one() -> None:
    preprint = cited(1, band="core", tier=3, is_preprint=True)
    paper = cited(2, band="core", tier=1)
    pieces = [evidence("use rose", source=each) for each in (preprint, paper)]

    assert raised(claim("Use rose.", *pieces)) == {"preprint_unlabelled"}
    for text in (
        "Use rose (not peer reviewed).",
        "Use rose, a preprint says.",
        "预印本称使用量上升。",
    ):
        assert raised(claim(text, *pieces)) == set()


def test_encyclopaedia_is_told_by_its_host() -> None:
    wiki = source(id="w", url="https://zh.wikipedia.org/wiki/x", band="discovery", tier=4)

    assert raised(resting_on(wiki, cited(2, band="core", tier=1))) == {"wikipedia_cited"}


def test_report_whose_sources_nobody_scored_gets_no_findings() -> None:
    assert raised(resting_on(cited(1), cited(2))) == set()


def test_claim_is_left_alone_until_all_its_sources_are_scored() -> None:
    scored = cited(1, band="reference", tier=3, is_preprint=True)

    assert raised(resting_on(scored, cited(2))) == set()
    assert raised(resting_on(scored, cited(2, band="reference", tier=3))) == {
        "band_insufficient", "reference_only", "tier3_without_tier12", "preprint_unlabelled",
    }  # fmt: skip


def test_key_claims_weigh_more() -> None:
    facts = resting_on(cited(band="corroborate", tier=2), is_key=True)

    (found,) = BY_ID["band-insufficient"].run(facts)

    assert found.severity == "error"
    (found,) = BY_ID["band-insufficient"].run(resting_on(cited(band="corroborate", tier=2)))
    assert found.severity == "warning"
