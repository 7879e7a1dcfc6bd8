"""The rules that read facts: each fires on one side of its boundary and not on the other."""

from datetime import date

import pytest

from sources.blacklist.judging import (
    FACTS,
    Fact,
    Judged,
    Judgement,
    anniversary,
    anonymous,
    judge,
    press_copy,
    stale,
    wikipedia,
)
from sources.blacklist.rules import Kind
from sources.blacklist.signs import ENOUGH, Signs, inflated_words

AS_OF = date(2026, 2, 3)
FILL = "这一天，来自各地的来宾齐聚现场，共同见证了活动的全过程，会场气氛十分热烈。" * 6
FILL_EN = "Guests from many places came to the hall and listened to the programme of the day. " * 4
QUOTE = "公司首席执行官张三表示，团队会继续努力。"
PRAISE = "该产品优势明显，性能卓越，技术先进。"


def codes(found: Judgement) -> list[str]:
    return [fact.code for fact in found.facts]


# --- press_copy -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("某公司重磅发布新药", ("重磅发布",)),
        ("公司重磅發佈新藥", ("重磅發佈",)),
        ("全球首创疗法引领行业", ("全球首创", "引领")),
        ("A breakthrough in oncology", ("breakthrough",)),
        ("World-first implant", ("World-first",)),
        ("The world’s first pill", ("world’s first",)),
        ("AI重磅推出Breakthrough平台", ("重磅推出", "Breakthrough")),
        ("FDA grants breakthrough therapy designation", ()),
        ("Breakthrough infections after vaccination", ()),
        ("首次公开发行公告", ()),
        ("Overall survival with drug X", ()),
    ],
)
def test_inflated_words_of_a_title_are_told_from_terms(title: str, words: tuple[str, ...]) -> None:
    assert inflated_words(title) == words


@pytest.mark.parametrize(
    "text",
    [
        QUOTE + FILL,
        "“我们很自豪，”该院专家李四教授指出。" + FILL,
        "“We are proud,” said Jane Doe, CEO of Acme. " + FILL_EN,
        "Dr. Doe, chief medical officer, added that the team is proud. " + FILL_EN,
        # Dates, phases, names of drugs and telephones are no figures.
        "2026年3月5日，" + QUOTE + "GLP-1 药物进入 3 期临床，热线 400-820-8820。" + FILL,
        "On 12 March 2026 the president said it was a good day for COVID-19 care. " + FILL_EN,
    ],
)
def test_a_text_of_quotes_without_figures_counts(text: str) -> None:
    assert "only_quotes" in codes(press_copy(Judged(text=text)))


@pytest.mark.parametrize(
    "text",
    [
        QUOTE + "有效率达 45%。" + FILL,
        QUOTE + "纳入2000例患者。" + FILL,
        QUOTE + "成本下降三成。" + FILL,
        QUOTE + "产能翻一番，增长了两倍。" + FILL,
        "“We are proud,” said the CEO. Sales rose by two-thirds. " + FILL_EN,
        "“We are proud,” said the CEO. The trial enrolled 2000 patients. " + FILL_EN,
        FILL,  # nobody is quoted
        QUOTE,  # too short for its silence to mean anything
    ],
)
def test_a_text_with_figures_or_without_quotes_does_not_count(text: str) -> None:
    assert "only_quotes" not in codes(press_copy(Judged(text=text)))


def test_a_text_says_something_by_silence_from_two_hundred_characters() -> None:
    text = (QUOTE + FILL)[:ENOUGH]

    assert "only_quotes" in codes(press_copy(Judged(text=text)))
    assert "only_quotes" not in codes(press_copy(Judged(text=text[:-1])))


def test_three_words_of_praise_and_no_limit_count() -> None:
    two = "该产品优势明显，性能卓越。" + FILL

    assert "praise_only" in codes(press_copy(Judged(text=PRAISE + FILL)))
    assert "praise_only" not in codes(press_copy(Judged(text=two)))
    assert "praise_only" not in codes(press_copy(Judged(text=PRAISE + "但是仍有局限。" + FILL)))


def test_praise_in_english_counts_unless_a_limit_is_named() -> None:
    text = "A superior, innovative and world-class device. " + FILL_EN

    assert "praise_only" in codes(press_copy(Judged(text=text)))
    assert "praise_only" not in codes(press_copy(Judged(text=text + "There are limitations.")))


def test_the_standing_disclaimer_names_no_limit_of_the_thing() -> None:
    text = PRAISE + FILL + "前瞻性陈述：存在风险与不确定性。"
    english = (
        "A superior, innovative and leading device. "
        + FILL_EN
        + "Forward-looking statements involve risks and uncertainties."
    )

    assert "praise_only" in codes(press_copy(Judged(text=text)))
    assert "praise_only" in codes(press_copy(Judged(text=english)))


@pytest.mark.parametrize(
    ("facts", "counts"),
    [
        (Judged(host="acme.example", path="/news/1", own_host=True), True),
        (Judged(host="newsroom.acme.example", path="/1", own_host=True), True),
        (Judged(host="acme.example", path="/a", title="新闻中心 · 公司", own_host=True), True),
        (Judged(host="acme.example", path="/xwzx/1.html", own_host=True), True),
        (Judged(host="www.prnewswire.com", path="/x"), True),
        (Judged(host="acme.example", path="/news/1", own_host=True, third_parties=1), False),
        (Judged(host="acme.example", path="/pipeline", own_host=True), False),
        (Judged(host="acme.example", path="/newsletter-data", own_host=True), False),
        (Judged(host="paper.example", path="/news/1"), False),
    ],
)
def test_the_company_s_own_news_without_third_party_counts(facts: Judged, counts: bool) -> None:
    assert ("own_channel" in codes(press_copy(facts))) is counts


def test_any_two_facts_make_press_copy_and_one_does_not() -> None:
    title, text = "公司重磅发布新品", QUOTE + PRAISE + FILL
    own = {"host": "acme.example", "path": "/news/1", "own_host": True}

    assert not press_copy(Judged(title=title)).fired
    assert not press_copy(Judged(**own)).fired  # type: ignore[arg-type]
    assert press_copy(Judged(title=title, **own)).fired  # type: ignore[arg-type]
    assert press_copy(Judged(text=text)).fired
    assert codes(press_copy(Judged(title=title, text=text, **own))) == [  # type: ignore[arg-type]
        "inflated_title",
        "only_quotes",
        "own_channel",
        "praise_only",
    ]


@pytest.mark.parametrize("form", ["article", "regulator_notice", "patent", "filing"])
def test_papers_and_official_records_are_no_press_copy(form: str) -> None:
    facts = Judged(title="重磅发布", text=QUOTE + PRAISE + FILL, form=form)

    assert press_copy(facts).facts == ()


# --- stale ----------------------------------------------------------------------------------------


def review(published: str, topic: str = "clinical", content: str = "narrative_review") -> Judged:
    return Judged(published=published, topics=(topic,), content=content, form="article")


def test_a_review_is_stale_from_the_day_after_its_fifth_anniversary() -> None:
    assert not stale(review("2021-02-03"), AS_OF).fired
    assert stale(review("2021-02-02"), AS_OF).fired
    assert stale(review("2021-02-02", content="systematic_review"), AS_OF).fired


def test_reviews_of_mechanisms_and_of_history_have_no_limit() -> None:
    assert not stale(review("2001-01-01", topic="mechanism"), AS_OF).fired
    assert not stale(review("2001-01-01", topic="historical"), AS_OF).fired


def test_an_original_study_has_no_limit() -> None:
    assert not stale(review("2001-01-01", content="original_study"), AS_OF).fired
    assert not stale(review("2001-01-01", topic="market", content="original_study"), AS_OF).fired


def test_what_several_dimensions_use_must_be_stale_for_each_of_them() -> None:
    def used(*topics: str) -> Judged:
        return Judged(published="2020-01-01", topics=topics, content="narrative_review")

    assert stale(used("clinical", "market"), AS_OF).fired
    assert not stale(used("clinical", "mechanism"), AS_OF).fired


def policy(published: str, in_force: bool | None = None, **more: object) -> Judged:
    return Judged(published=published, topics=("policy",), in_force=in_force, **more)  # type: ignore[arg-type]


def test_policy_is_stale_after_a_year_unless_it_is_in_force() -> None:
    assert not stale(policy("2025-02-03"), AS_OF).fired
    assert stale(policy("2025-02-02"), AS_OF).fired
    assert not stale(policy("2015-01-01", in_force=True), AS_OF).fired
    assert codes(stale(policy("2025-02-02", in_force=False), AS_OF)) == ["superseded_policy"]
    assert codes(stale(policy("2025-02-02"), AS_OF)) == ["old_policy"]


def test_a_regulator_s_rules_are_policy_and_its_decisions_are_not() -> None:
    rules = Judged(
        title="化学药品注册分类指导原则",
        published="2020-03-01",
        topics=("regulatory",),
        form="regulator_notice",
    )
    decision = Judged(
        title="Approval letter NDA 021",
        published="2020-03-01",
        topics=("regulatory",),
        form="regulator_notice",
    )

    assert stale(rules, AS_OF).fired
    assert not stale(decision, AS_OF).fired


def test_market_data_is_stale_after_two_years() -> None:
    def market(published: str, form: str = "data_report") -> Judged:
        return Judged(published=published, topics=("market",), form=form)

    assert not stale(market("2024-02-03"), AS_OF).fired
    assert stale(market("2024-02-02"), AS_OF).fired
    assert not stale(market("2019-01-01", "filing"), AS_OF).fired
    assert not stale(market("2019-01-01", "registry_record"), AS_OF).fired


def test_a_date_that_is_not_known_makes_nothing_stale() -> None:
    assert not stale(review(""), AS_OF).fired
    assert not stale(review("soon"), AS_OF).fired


def test_a_bare_year_counts_from_the_first_of_july() -> None:
    only_year = Judged(year=2020, topics=("clinical",), content="narrative_review", form="article")

    assert not stale(only_year, date(2025, 7, 1)).fired
    found = stale(only_year, date(2025, 7, 2))
    assert found.fired
    assert found.facts[0].params["published"] == "2020"


def test_a_leap_day_has_its_anniversary_on_the_twenty_eighth() -> None:
    assert anniversary(date(2024, 2, 29), 1) == date(2025, 2, 28)
    assert anniversary(date(2024, 2, 29), 4) == date(2028, 2, 29)
    assert anniversary(date(9999, 1, 1), 5) == date.max
    assert anniversary(date(9996, 2, 29), 5) == date.max


# --- anonymous ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "据业内人士透露，该药即将获批。",
        "知情人士稱，談判仍在繼續。",
        "According to people familiar with the matter, the deal is close.",
        "Sources close to the company expect an approval.",
        "The official spoke on condition of anonymity.",
        "业内人士表示ADC市场前景广阔。",
    ],
)
def test_words_for_a_source_without_a_name_fire(text: str) -> None:
    assert anonymous(Judged(text=text)).fired
    assert anonymous(Judged(abstract=text)).fired
    assert anonymous(Judged(title=text)).fired


@pytest.mark.parametrize(
    "further",
    [
        "据公司年报披露，收入下降。",
        "国家药监局公告显示，申请已受理。",
        "《柳叶刀》刊登了结果。",
        "试验登记号 NCT01234567。",
        "According to Reuters, the talks go on.",
        "The company confirmed it in a statement.",
        "The results were published in Nature.",
        "“It is true,” Jane Doe, a lawyer, said.",
    ],
)
def test_a_further_source_that_can_be_looked_up_lets_it_pass(further: str) -> None:
    assert not anonymous(Judged(text=f"据业内人士透露，该药即将获批。{further}")).fired


def test_a_text_without_such_words_or_no_text_at_all_passes() -> None:
    assert not anonymous(Judged(text="The trial enrolled 200 patients.")).fired
    assert not anonymous(Judged()).fired


# --- wikipedia ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "fires"),
    [
        (Judged(host="zh.wikipedia.org"), True),
        (Judged(host="en.m.wikipedia.org"), True),
        (Judged(host="www.wikiwand.com"), True),
        (Judged(host="copy.example", title="GLP-1 - Wikipedia"), True),
        (Judged(host="copy.example", title="胰岛素 - 維基百科，自由的百科全書"), True),
        (Judged(host="notwikipedia.org"), False),
        (Judged(host="journal.example", title="Accuracy of Wikipedia on drugs"), False),
        (Judged(host="journal.example", title="维基百科上的医学条目质量"), False),
    ],
)
def test_wikipedia_and_its_copies_are_told(facts: Judged, fires: bool) -> None:
    assert wikipedia(facts).fired is fires


# --- all of them ----------------------------------------------------------------------------------


def test_all_four_are_judged_at_once_and_kept_with_their_facts() -> None:
    found = judge(Judged(host="zh.wikipedia.org"), AS_OF)

    assert set(found) == {Kind.PRESS_COPY, Kind.STALE, Kind.ANONYMOUS, Kind.WIKIPEDIA}
    assert found[Kind.WIKIPEDIA].to_json() == {
        "facts": [{"code": "wikipedia_host", "params": {"host": "zh.wikipedia.org"}}],
        "needs": 1,
        "version": "1",
    }


def test_every_fact_is_said_in_both_languages() -> None:
    params = dict.fromkeys(("words", "host", "published", "years", "as_of"), "7")

    for code in FACTS:
        fact = Fact(code, params)
        assert fact.render("en") != fact.render("zh-hans")
        assert "{" not in fact.render("en") + fact.render("zh-hans")


def test_a_sign_keeps_its_first_five_words() -> None:
    assert len(Signs("".join(f"{number}%，" for number in range(20, 40))).figures) == 5
    assert len(inflated_words("首创 引领 颠覆 震撼 划时代 史无前例 遥遥领先")) == 5


def test_signs_of_a_long_text_are_read_from_its_beginning() -> None:
    signs = Signs("据业内人士透露。" + "字" * 50_000 + "45%")

    assert signs.anonymous == ("业内人士",)
    assert signs.figures == ()
