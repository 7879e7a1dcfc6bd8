"""Primacy: every row of the rulebook's table."""

import pytest

from sources.scoring import DomainRow, Tables
from sources.scoring.kinds import content_of

from .samples import article, card, codes, mark, page, points


@pytest.mark.parametrize(
    "title",
    [
        "Drug X versus placebo: a randomized, double-blind trial",
        "X in early disease: a phase 3 study",
        "A prospective cohort study of X",
        "X 治疗肺癌的随机对照研究",
        "Crystal structure of X",
        "A retrospective chart review of X: a case series",
    ],
)
def test_original_study_gives_two(title: str) -> None:
    found = mark("primacy", article(title=title))

    assert (f"{found.points:.1f}", found.rule) == ("2.0", "original_study")


def test_publication_type_stands_above_the_words_of_the_title() -> None:
    facts = article(title="Review of X", publication_types=("Randomized Controlled Trial",))

    assert mark("primacy", facts).rule == "original_study"


def test_abstract_in_sections_is_one_of_a_study() -> None:
    facts = article(abstract="Methods: 120 patients. Results: they lived. Conclusion: fine.")

    assert mark("primacy", facts).rule == "original_study"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.fda.gov/drugs/1", "regulator_notice"),
        ("https://clinicaltrials.gov/study/NCT01234567", "registry_record"),
        ("https://www.sec.gov/Archives/10-k.htm", "filing"),
        ("https://patents.google.com/patent/US1/en", "patent"),
    ],
)
def test_official_record_gives_two(url: str, kind: str) -> None:
    found = mark("primacy", page(url=url))

    assert (f"{found.points:.1f}", found.facts["kind"]) == ("2.0", kind)


@pytest.mark.parametrize(
    "title",
    [
        "X for Y: a systematic review of randomized trials",
        "Meta-analysis of X",
        "X 的系统评价",
        "X 的 Meta分析",
    ],
)
def test_systematic_review_gives_one_and_a_half(title: str) -> None:
    assert points("primacy", article(title=title)) == "1.5"


def test_paper_in_the_cochrane_database_is_a_systematic_review() -> None:
    facts = article(venue="Cochrane Database of Systematic Reviews")

    assert points("primacy", facts) == "1.5"


@pytest.mark.parametrize(
    "title", ["X: a review", "An overview of X", "X 研究进展", "Review of randomized trials of X"]
)
def test_narrative_review_gives_one(title: str) -> None:
    found = mark("primacy", article(title=title))

    assert (f"{found.points:.1f}", found.rule) == ("1.0", "narrative_review")


def test_review_that_says_so_only_in_its_abstract_gives_one() -> None:
    assert points("primacy", article(abstract="In this review we look at cohort studies.")) == "1.0"


@pytest.mark.parametrize("title", ["Editorial: X", "Reply to Y", "[Comment] X", "述评：X"])
def test_comment_on_the_work_of_others_gives_half(title: str) -> None:
    assert points("primacy", article(title=title)) == "0.5"


def test_paper_without_any_sign_counts_as_a_review_and_says_so() -> None:
    found = card(article())

    assert f"{found.marks['primacy'].points:.1f}" == "1.0"
    assert found.marks["primacy"].more == ("publication_type",)
    assert "unknown_primacy" in codes(found)


@pytest.mark.parametrize(
    "facts",
    [
        page(url="https://www.biospace.com/article/1"),
        page(source_type="media"),
        page(type="news"),
        page(url="https://www.cicc.com/1"),
    ],
)
def test_news_and_broker_rewrites_give_half(facts: object) -> None:
    found = mark("primacy", facts)  # type: ignore[arg-type]

    assert (f"{found.points:.1f}", found.rule) == ("0.5", "second_hand")


@pytest.mark.parametrize(
    "words",
    ["据报道", "据悉", "业内人士", "知情人士", "reportedly", "according to people familiar"],
)
def test_hearsay_gives_nothing(words: str) -> None:
    facts = page(url="https://www.biospace.com/1", abstract=f"X was {words} approved.")
    found = mark("primacy", facts)

    assert (found.points, found.rule, found.facts["words"]) == (0, "third_hand", words)


def test_hearsay_in_a_paper_changes_nothing() -> None:
    facts = article(title="A randomized trial", abstract="X was reportedly used before.")

    assert points("primacy", facts) == "2.0"


def test_open_encyclopaedia_gives_nothing() -> None:
    assert mark("primacy", page(url="https://zh.wikipedia.org/wiki/X")).rule == "open_text"


@pytest.mark.parametrize(
    "url",
    ["https://www.mckinsey.com/1", "https://www.iqvia.com/1", "https://phrma.org/1"],
)
def test_report_that_may_have_own_data_gives_half_and_says_so(url: str) -> None:
    found = mark("primacy", page(url=url))

    assert (f"{found.points:.1f}", found.unknown) == ("0.5", True)


def test_ordinary_page_gives_nothing_and_says_so() -> None:
    found = card(page())

    assert found.marks["primacy"].rule == "unknown_hand"
    assert "unknown_primacy" in codes(found)


def test_type_that_a_person_set_stands_above_everything() -> None:
    assert points("primacy", article(title="X: a review", kind="original_study")) == "2.0"
    assert points("primacy", page(url="https://www.fda.gov/1", kind="news")) == "0.5"
    assert points("primacy", page(kind="regulator")) == "2.0"


def test_record_that_calls_itself_otherwise_than_its_host_is_raised() -> None:
    found = card(page(url="https://patents.google.com/patent/US1", source_type="paper"))

    assert found.kind == "patent"
    assert "source_type_differs" in codes(found)


def test_platform_rule_of_a_row_stands_above_its_class() -> None:
    tables = Tables(domains=(DomainRow("data.example.net", "other", source_type="patent"),))

    assert card(page(url="https://data.example.net/1"), tables=tables).kind == "patent"


def test_paper_about_a_trial_is_no_registry_record() -> None:
    assert card(article(source_type="", type="trial", venue="NEJM")).kind == "article"
    assert card(page(type="trial")).kind == "registry_record"


def test_protocol_of_a_review_is_no_review_of_its_own() -> None:
    facts = article(title="Protocol for a systematic review of X")

    assert content_of(facts).name == "narrative_review"


def test_arxiv_paper_without_a_doi_is_a_preprint_unless_pubmed_has_it() -> None:
    bare = page(url="https://unknown.example/1", schemes=("arxiv",))

    assert card(bare).kind == "preprint"
    assert card(page(url="https://unknown.example/1", schemes=("arxiv", "pmid"))).kind == "article"
