"""Titles as weak signs, in English and Chinese."""

import pytest

from sources.retractions.titles import says_notice, says_retracted


@pytest.mark.parametrize(
    "title",
    [
        "RETRACTED: Ileal-lymphoid-nodular hyperplasia in children",
        "Retracted: A study",
        "RETRACTED ARTICLE: A study",
        "[Retracted] A study",
        "WITHDRAWN: Drug X for disease Y",
        "Withdrawn. Drug X for disease Y",
        "Temporarily Removed: A study",
        "A study (Retracted)",
        "A study [RETRACTED ARTICLE]",
        "撤稿：某药治疗肺癌的疗效",
        "【已撤稿】某药治疗肺癌的疗效",
        "某药治疗肺癌的疗效（已撤稿）",
    ],
)
def test_mark_of_a_retracted_work_is_seen(title: str) -> None:
    assert says_retracted(title)


@pytest.mark.parametrize(
    "title",
    [
        "Retracted publications in oncology: a review",
        "Withdrawn consent and its effects",
        "Removed teeth",
        "How often are papers retracted?",
        "The retracted lid",
        "",
        "撤稿论文的引用分析",
        "某药治疗肺癌的疗效",
    ],
)
def test_work_about_retraction_is_not_marked(title: str) -> None:
    assert not says_retracted(title)


@pytest.mark.parametrize(
    "title",
    [
        "Retraction note: A study",
        "Retraction Note to: A study",
        "Retraction: A study",
        "Retraction",
        "Retraction notice.",
        "Notice of retraction: A study",
        "Erratum to “Visual outcomes”",
        "Erratum to Visual outcomes",
        "Corrigendum: A study",
        "Correction: Modelling habitats",
        "Correction to: A study",
        "Author Correction: A study",
        "Publisher Correction: A study",
        "Expression of concern: A study",
        "Editorial Expression of Concern",
        "更正：某药治疗肺癌的疗效",
        "撤稿声明",
    ],
)
def test_title_of_a_notice_is_seen(title: str) -> None:
    assert says_notice(title)


@pytest.mark.parametrize(
    "title",
    [
        "Correction of hyponatraemia in children",
        "Correction for multiple testing in genomics",
        "Retraction of the upper lid in Graves disease",
        "Removal of arsenic from water",
        "Withdrawal of statins in the elderly",
        "Expression of concern genes in maize",
        "Addendum-based reasoning",
        "更正性手术的疗效",
        "",
    ],
)
def test_title_of_a_paper_is_no_notice(title: str) -> None:
    assert not says_notice(title)


def test_endless_title_is_looked_at_quickly() -> None:
    assert not says_retracted(" " * 100_000 + "x")
    assert not says_notice("(" * 100_000)
