"""Tiers, the weight, the caps and the bands: every row and boundary of the rulebook."""

from decimal import Decimal

import pytest

from sources.scoring import (
    DomainRow,
    JournalRow,
    Overrides,
    SourceFacts,
    Tables,
    admits,
    band_of,
    final_score,
    rounded,
)

from .samples import article, card, page


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/1/", 1),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1/", 1),
        ("https://www.cochranelibrary.com/cdsr/1", 1),
        ("https://www.fda.gov/1", 1),
        ("https://api.fda.gov/drug/label.json", 1),
        ("https://www.ema.europa.eu/1", 1),
        ("https://www.nmpa.gov.cn/1", 1),
        ("https://www.pmda.go.jp/1", 1),
        ("https://clinicaltrials.gov/study/1", 1),
        ("https://www.chictr.org.cn/1", 1),
        ("https://www.clinicaltrialsregister.eu/1", 1),
        ("https://www.uspto.gov/1", 1),
        ("https://www.epo.org/1", 1),
        ("https://www.cnipa.gov.cn/1", 1),
        ("https://patents.google.com/patent/US1", 1),
        ("https://patentsview.org/1", 1),
        ("https://www.sec.gov/1", 1),
        ("https://www.hkexnews.hk/1", 1),
        ("https://www.sse.com.cn/1", 1),
        ("https://www.szse.cn/1", 1),
        ("https://www.mckinsey.com/1", 2),
        ("https://www.iqvia.com/1", 2),
        ("https://phrma.org/1", 2),
        ("https://www.bio.org/1", 2),
        ("https://www.phirda.com/1", 2),
        ("https://www.statnews.com/1", 2),
        ("https://www.biorxiv.org/1", 3),
        ("https://www.cicc.com/1", 3),
        ("https://en.wikipedia.org/wiki/X", 4),
        ("https://mp.weixin.qq.com/s/1", 4),
        ("https://blog.example.net/1", 4),
    ],
)
def test_tier_comes_from_the_page_s_own_publisher(url: str, tier: int) -> None:
    assert card(page(url=url)).tier.tier == tier


@pytest.mark.parametrize(
    ("facts", "tier", "rule"),
    [
        (article(venue="NEJM"), 1, "journal_row"),
        (article(schemes=("doi", "pmid")), 1, "article_with_pmid"),
        (article(impact_factor=Decimal(10)), 1, "article_high_impact"),
        (article(impact_factor=Decimal("9.999")), 2, "article"),
        (article(), 2, "article"),
        (article(venue="AACR Annual Meeting 2024"), 3, "conference_abstract"),
        (article(doi="10.48550/arxiv.2401.00001"), 3, "preprint"),
        (page(title="A systematic review", source_type="paper"), 2, "systematic_review"),
        (page(source_type="paper"), 4, "no_row"),
        (page(source_type="regulator"), 4, "no_row"),
    ],
)
def test_tier_of_a_paper(facts: SourceFacts, tier: int, rule: str) -> None:
    found = card(facts)

    assert (found.tier.tier, found.tier.rule) == (tier, rule)


@pytest.mark.parametrize(("band", "tier"), [("2.5", 1), ("2.0", 2)])
def test_journal_row_without_a_tier_gives_one_from_its_band(band: str, tier: int) -> None:
    tables = Tables((JournalRow("Journal of Examples", authority_band=Decimal(band)),))

    assert card(article(), tables=tables).tier.tier == tier


def test_tier_that_an_admin_wrote_stands_above_that_of_the_class() -> None:
    tables = Tables(domains=(DomainRow("example.net", "professional_media", tier=3),))

    assert card(page(), tables=tables).tier.tier == 3


@pytest.mark.parametrize(
    ("score", "band"),
    [
        ("10", "core"),
        ("8.0", "core"),
        ("7.96", "corroborate"),
        ("7.9999", "corroborate"),
        ("6.0", "corroborate"),
        ("5.9999", "reference"),
        ("4.0", "reference"),
        ("3.96", "discovery"),
        ("3.9999", "discovery"),
        ("0", "discovery"),
        ("-1", "discovery"),
    ],
)
def test_band_compares_the_unrounded_score(score: str, band: str) -> None:
    assert band_of(Decimal(score), tier=1) == band


@pytest.mark.parametrize(("score", "admitted"), [("4.0", True), ("3.96", False), ("3.9999", False)])
def test_admission_compares_the_unrounded_score(score: str, admitted: bool) -> None:
    assert admits(Decimal(score)) is admitted


@pytest.mark.parametrize(
    ("score", "shown"), [("3.96", "4.0"), ("7.96", "8.0"), ("8.65", "8.7"), ("8.64", "8.6")]
)
def test_display_rounds_half_up_to_one_decimal(score: str, shown: str) -> None:
    assert str(rounded(Decimal(score))) == shown


def test_tier_four_and_unread_leads_are_discovery_whatever_the_score() -> None:
    assert band_of(Decimal(10), tier=4) == "discovery"
    assert band_of(Decimal(10), tier=1, snippet_only=True) == "discovery"
    assert band_of(Decimal(10), tier=3) == "core"


@pytest.mark.parametrize(
    ("raw", "tier", "score"),
    [
        ("3.3", 1, "3.96"),
        ("3.3", 2, "3.3"),
        ("8.3", 1, "9.96"),
        ("8.4", 1, "10"),
        ("10", 1, "10"),
        ("10", 2, "10"),
        ("-1", 1, "-1"),
        ("0", 1, "0"),
    ],
)
def test_weight_of_tier_one_is_capped_at_ten(raw: str, tier: int, score: str) -> None:
    assert final_score(Decimal(raw), tier=tier) == Decimal(score)


def test_strong_conflict_caps_after_the_weight_and_the_cap() -> None:
    assert final_score(Decimal(10), tier=1, strong_coi=True) == Decimal("3.0")
    assert final_score(Decimal("2.6"), tier=1, strong_coi=True) == Decimal("3.0")
    assert final_score(Decimal("2.4"), tier=1, strong_coi=True) == Decimal("2.88")


def test_both_numbers_are_kept() -> None:
    found = card(article(venue="NEJM", title="A randomized trial"))

    assert found.automatic.raw == Decimal("8.5")
    assert found.automatic.score == Decimal(10)


def test_override_changes_the_effective_numbers_and_leaves_the_automatic_ones() -> None:
    facts = article(venue="NEJM")
    found = card(facts, overrides=Overrides({"authority": Decimal("0.5")}, tier=3))

    assert found.automatic.points["authority"] == Decimal("3.0")
    assert found.effective.points["authority"] == Decimal("0.5")
    assert (found.automatic.tier, found.effective.tier) == (1, 3)
    assert found.effective.score == found.effective.raw


def test_tier_that_a_person_set_to_four_is_discovery() -> None:
    found = card(article(venue="NEJM"), overrides=Overrides(tier=4))

    assert found.effective.band == "discovery"
    assert found.automatic.band == "core"


def test_lead_is_discovery_though_its_journal_is_the_best() -> None:
    found = card(article(venue="NEJM", access_status="snippet_only"))

    assert found.effective.band == "discovery"
