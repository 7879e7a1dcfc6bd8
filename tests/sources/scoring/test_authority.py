"""Authority: every row of the rulebook's table, and both sides of every boundary."""

from decimal import Decimal

import pytest

from sources.scoring import DomainRow, JournalRow, PublisherRow, Tables
from sources.scoring.names import place_of
from sources.scoring.words import render

from .samples import STARTER, article, card, codes, mark, page, points


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ("176.0", "3.0"),
        ("30", "3.0"),
        ("29.999", "2.5"),
        ("10", "2.5"),
        ("9.999", "2.0"),
        ("5", "2.0"),
        ("4.999", "1.5"),
        ("3", "1.5"),
        ("2.999", "1.0"),
        ("1", "1.0"),
        ("0.999", "0.5"),
        ("0", "0.5"),
    ],
)
def test_impact_factor_gives_the_points_of_its_row(figure: str, expected: str) -> None:
    found = mark("authority", article(impact_factor=Decimal(figure)))

    assert f"{found.points:.1f}" == expected
    assert found.rule == "impact_factor"
    assert not found.unknown


def test_reason_names_the_figure_and_what_it_gave() -> None:
    found = mark("authority", article(venue="NEJM", impact_factor=Decimal("176.0")))

    assert render("authority", found.rule, found.facts, "en").startswith("IF 176.0 → 3.0")
    assert render("authority", found.rule, found.facts, "zh-Hans").startswith("IF 176.0 → 3.0")


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("NEJM", "3.0"),
        ("The Lancet", "3.0"),
        ("Nature", "3.0"),
        ("Science (New York, N.Y.)", "3.0"),
        ("Cell", "3.0"),
        ("JAMA", "3.0"),
        ("Nat Med", "2.5"),
        ("Nature Biotechnology", "2.5"),
        ("The BMJ", "2.5"),
        ("Ann. Oncol.", "2.5"),
        ("J Clin Oncol. 2024;42:100-110", "2.0"),
        ("Circ Res", "2.0"),
        ("AJRCCM", "2.0"),
        ("柳叶刀", "3.0"),
    ],
)
def test_named_journal_has_the_band_of_the_seeds(venue: str, expected: str) -> None:
    found = mark("authority", article(venue=venue))

    assert f"{found.points:.1f}" == expected
    assert found.rule == "authority_band"


@pytest.mark.parametrize("venue", ["Lancet Oncology", "JAMA Oncology", "Nature Reviews", "Cell Re"])
def test_journal_whose_name_begins_alike_is_another(venue: str) -> None:
    assert mark("authority", article(venue=venue)).rule == "unknown_journal"


def test_entered_impact_factor_stands_above_the_band() -> None:
    row = JournalRow(
        "JCO", authority_band=Decimal("2.0"), impact_factor=Decimal("42.1"), impact_year=2024
    )
    found = mark("authority", article(venue="JCO"), tables=Tables((row,)))

    assert found.points == Decimal("3.0")
    assert found.facts["origin"] == "table"
    assert found.facts["year"] == "2024"


def test_entered_impact_factor_stands_above_that_of_the_record() -> None:
    row = JournalRow("Journal of Examples", impact_factor=Decimal("2.5"))
    facts = article(impact_factor=Decimal("45"))
    found = card(facts, tables=Tables((row,)))

    assert found.marks["authority"].points == Decimal("1.0")
    assert "impact_factor_differs" in codes(found)


def test_figure_of_the_record_stands_above_the_band_and_is_raised() -> None:
    found = card(article(venue="JCO", impact_factor=Decimal("42.1")))

    assert found.marks["authority"].points == Decimal("3.0")
    assert "impact_factor_differs" in codes(found)


def test_figures_that_give_the_same_points_are_not_raised() -> None:
    found = card(article(venue="NEJM", impact_factor=Decimal("176.0")))

    assert "impact_factor_differs" not in codes(found)


def test_journal_is_found_by_its_issn() -> None:
    assert points("authority", article(venue="Some name", issns=("00284793",))) == "3.0"


def test_journal_that_no_row_matches_gives_nothing_and_is_unknown() -> None:
    found = card(article())

    assert found.marks["authority"].points == 0
    assert found.marks["authority"].more == ("journal_figure",)
    assert "unknown_authority" in codes(found)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.fda.gov/drugs/notice", "3.0"),
        ("https://api.fda.gov/drug/event.json", "3.0"),
        ("https://www.ema.europa.eu/en/medicines", "3.0"),
        ("https://www.nmpa.gov.cn/xxgk/1.html", "3.0"),
        ("https://www.pmda.go.jp/english", "3.0"),
        ("https://www.sec.gov/Archives/edgar/data/1/10-k.htm", "3.0"),
        ("https://www1.hkexnews.hk/listedco/1.pdf", "3.0"),
        ("https://www.sse.com.cn/disclosure/1", "3.0"),
        ("https://www.szse.cn/disclosure/1", "3.0"),
        ("https://clinicaltrials.gov/study/NCT01234567", "3.0"),
        ("https://www.chictr.org.cn/showproj.html?proj=1", "3.0"),
        ("https://www.clinicaltrialsregister.eu/ctr-search/trial/1", "3.0"),
        ("https://patents.google.com/patent/US1234567B2/en", "3.0"),
        ("https://www.uspto.gov/patents", "3.0"),
        ("https://worldwide.espacenet.com/patent/search", "3.0"),
        ("https://www.mckinsey.com/industries/life-sciences", "2.5"),
        ("https://www.bcg.com/publications/1", "2.5"),
        ("https://www2.deloitte.com/us/en/insights", "2.5"),
        ("https://www.iqvia.com/insights/1", "2.0"),
        ("https://www.evaluate.com/vantage/1", "2.0"),
        ("https://www.frost.com/1", "2.0"),
        ("https://www.cicc.com/research/1", "1.5"),
        ("https://phrma.org/resource/1", "1.5"),
        ("https://www.phirda.com/1", "1.5"),
        ("https://www.biospace.com/article/1", "1.0"),
        ("https://endpts.com/story", "1.0"),
        ("https://www.fiercepharma.com/pharma/1", "1.0"),
        ("https://www.statnews.com/2025/01/01/x", "1.0"),
        ("https://bydrug.pharmcube.com/news/1", "1.0"),
        ("https://baijiahao.baidu.com/s?id=1", "0.0"),
        ("https://medium.com/@x/post", "0.0"),
        ("https://en.wikipedia.org/wiki/Aspirin", "0.0"),
    ],
)
def test_host_gives_the_points_of_its_class(url: str, expected: str) -> None:
    found = mark("authority", page(url=url))

    assert f"{found.points:.1f}" == expected
    assert not found.unknown


@pytest.mark.parametrize(
    "url",
    [
        "https://www.biorxiv.org/content/10.1101/2024.01.01.123456v1",
        "https://www.medrxiv.org/content/1",
        "https://papers.ssrn.com/sol3/papers.cfm?abstract_id=1",
    ],
)
def test_preprint_gives_half_a_point(url: str) -> None:
    assert points("authority", page(url=url)) == "0.5"


def test_preprint_doi_stands_above_the_journal_that_a_record_names() -> None:
    facts = article(doi="10.1101/2024.01.01.123456", venue="Nature", impact_factor=Decimal("60"))

    assert points("authority", facts) == "0.5"


@pytest.mark.parametrize("doi", ["10.1101/gr.123456.111", "10.1101/gad.350.1"])
def test_journal_of_the_same_registrant_is_no_preprint(doi: str) -> None:
    assert mark("authority", article(doi=doi)).rule != "preprint"


@pytest.mark.parametrize(
    "changes",
    [
        {"venue": "ASCO Annual Meeting 2024"},
        {"venue": "J Clin Oncol. 2024;42(16_suppl):LBA1"},
        {"title": "Abstract CT012: drug X in NSCLC"},
        {"publication_types": ("Meeting Abstract",)},
    ],
)
def test_conference_abstract_gives_half_a_point(changes: dict[str, object]) -> None:
    assert mark("authority", article(**changes)).rule == "conference_abstract"


@pytest.mark.parametrize(
    "title",
    ["Drug X: a systematic review", "X for Y: a meta-analysis", "X 的系统综述", "X 荟萃分析"],
)
def test_systematic_review_without_a_figure_gives_two(title: str) -> None:
    found = mark("authority", article(title=title))

    assert (found.points, found.rule) == (Decimal("2.0"), "systematic_review")


def test_figure_stands_above_the_rule_for_systematic_reviews() -> None:
    facts = article(title="Drug X: a systematic review", impact_factor=Decimal("1.2"))

    assert points("authority", facts) == "1.0"


def test_unknown_page_gives_nothing_and_says_so() -> None:
    found = card(page())

    assert found.marks["authority"].rule == "unknown_publisher"
    assert "unknown_authority" in codes(found)


def test_class_without_points_gives_nothing_unless_its_row_does() -> None:
    plain = Tables(domains=(DomainRow("who.int", "government"),))
    valued = Tables(domains=(DomainRow("who.int", "government", authority=Decimal("2.5")),))
    facts = page(url="https://www.who.int/news/1")

    assert mark("authority", facts, tables=plain).rule == "class_without_points"
    assert mark("authority", facts, tables=valued).points == Decimal("2.5")


def test_name_of_a_regulator_on_another_host_is_not_believed() -> None:
    found = card(page(publisher="FDA", venue="FDA", source_type="regulator"))

    assert found.marks["authority"].points == 0
    assert "claimed_publisher" in codes(found)


def test_name_of_a_publisher_counts_where_there_is_no_host_to_ask() -> None:
    assert points("authority", page(url="", publisher="McKinsey & Company")) == "2.5"


def test_nearest_row_of_a_host_wins() -> None:
    tables = Tables(
        domains=(
            DomainRow("example.net", "other"),
            DomainRow("example.net", "regulator", path_prefix="/official/"),
            DomainRow("news.example.net", "professional_media"),
        )
    )

    assert points("authority", page(url="https://example.net/official/1"), tables=tables) == "3.0"
    assert points("authority", page(url="https://news.example.net/1"), tables=tables) == "1.0"
    assert points("authority", page(url="https://example.net/1"), tables=tables) == "0.0"


def test_row_without_subdomains_holds_for_its_host_alone() -> None:
    tables = Tables(domains=(DomainRow("example.net", "regulator", with_subdomains=False),))

    assert points("authority", page(url="https://example.net/1"), tables=tables) == "3.0"
    assert points("authority", page(url="https://a.example.net/1"), tables=tables) == "0.0"


def test_host_that_only_ends_alike_is_another() -> None:
    assert points("authority", page(url="https://notfda.gov/1")) == "0.0"
    assert points("authority", page(url="https://fda.gov.evil.example/1")) == "0.0"


def test_archived_page_counts_as_the_page_itself() -> None:
    facts = page(
        url="https://web.archive.org/web/2024/https://www.fda.gov/x",
        canonical_url="https://fda.gov/x",
    )

    assert points("authority", facts) == "3.0"


def test_host_in_chinese_letters_is_found_by_its_ascii_form() -> None:
    tables = Tables(domains=(DomainRow("例子.测试", "regulator"),))

    assert (
        points("authority", page(url="https://xn--fsqu00a.xn--0zwm56d/1"), tables=tables) == "3.0"
    )


def test_title_of_a_journal_stands_above_the_alias_of_another() -> None:
    rows = (
        JournalRow("Cell", authority_band=Decimal("3.0")),
        JournalRow("Cellular Life", aliases=("Cell",), authority_band=Decimal("0.5")),
    )

    assert points("authority", article(venue="Cell"), tables=Tables(rows)) == "3.0"


def test_broker_by_its_chinese_name_without_an_address() -> None:
    found = mark("authority", page(url="", publisher="中金公司"), tables=STARTER)

    assert (found.points, found.facts["class"]) == (Decimal("1.5"), "broker")


def test_publisher_row_with_points_of_its_own_gives_them() -> None:
    tables = Tables(publishers=(PublisherRow("Institute X", "academic", authority=Decimal("1.0")),))

    assert points("authority", page(url="", publisher="Institute X"), tables=tables) == "1.0"


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("https://www.FDA.gov/a?b#c", "fda.gov", "/a"),
        ("http://user:word@fda.gov:8080/a", "fda.gov", "/a"),
        ("https://fda.gov", "fda.gov", ""),
        ("https://fda.gov?x=1", "fda.gov", ""),
        ("  https://fda.gov./a", "fda.gov", "/a"),
        ("https://evil.example\\@fda.gov/a", "evil.example", "\\@fda.gov/a"),
        ("https://[2001:db8::1]:8080/a", "[2001:db8::1]", "/a"),
        ("https://doi.org/10.1/a", "", ""),
        ("https://fda.gov:x/a", "", ""),
        ("https://[broken/a", "", ""),
        ("ftp://fda.gov/a", "", ""),
        ("fda.gov/a", "", ""),
        ("https:///a", "", "/a"),
        ("", "", ""),
    ],
)
def test_host_of_an_address_is_read_without_being_fooled(url: str, host: str, path: str) -> None:
    assert place_of(url) == (host, path)
