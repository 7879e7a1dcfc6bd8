"""The five cases at the end of the rules on cleaning, downranking and dropping, and their table."""

import pytest

from .making import DATED, cleaned, one, printed, reasons, text

AI = "AI芯片"


def test_case_1_a_valuable_text_of_a_doubtful_source_goes_down_with_the_fixed_warning() -> None:
    said = printed(
        "公司新产品",
        {**DATED, "snippet": "据内部人士透露，公司将在下季度发布新产品"},
    )

    (item,) = said["downranked_items"]
    assert (item["level"], item["downrank_reason"]) == ("D2", "anonymous_source")
    assert item["warning"] == "匿名来源，未经独立验证"
    assert any("匿名来源，未经独立验证" in warning for warning in said["warnings"])


def test_case_2_what_is_indirectly_relevant_is_background_one_level_down() -> None:
    item = one(AI, "台积电Q3营收创历史新高")

    assert item.is_kept
    assert reasons(item) == [("relevance_60_80", "D1")]


def test_case_2_without_a_relation_that_is_named_it_goes_to_the_end() -> None:
    item = one(AI, "某甜品店Q3营收创历史新高")

    assert reasons(item) == [("relevance_below_60", "D3")]


def test_case_2_a_relation_of_the_input_counts() -> None:
    (item,) = cleaned(
        AI,
        {**DATED, "snippet": "甲乙科技Q3营收创历史新高"},
        relations=[{"name": "甲乙科技", "relation": "封装厂商"}],
    )

    assert reasons(item) == [("relevance_60_80", "D1")]


def test_case_3_a_right_text_in_a_ruined_form_is_repaired_with_a_warning() -> None:
    said = printed(
        AI, {**DATED, "snippet": "AI芯片&nbsp;&amp;&nbsp;浜哄伐鏅鸿兘&#8230;&quot;量产&quot;..."}
    )

    (item,) = said["cleaned_evidence"]
    assert item["cleaned_snippet"] == 'AI芯片 & 人工智能…"量产"... [TRUNCATED]'
    assert "format_severely_corrupted" in item["flags"]
    assert said["warnings"] == ["[FORMAT_SEVERELY_CORRUPTED]（ev_001）"]


def test_case_4_an_expert_who_cannot_be_verified_goes_down_and_is_not_dropped() -> None:
    said = printed(AI, {**DATED, "snippet": "某知名“专家”独家预测：AI芯片明年涨价五成"})

    (item,) = said["downranked_items"]
    assert (item["level"], item["downrank_reason"]) == ("D2", "unverifiable_expert")
    assert item["warning"] == "引用专家身份无法验证"


def test_case_5_a_fifth_of_text_among_advertisements_is_kept_without_them() -> None:
    noise = "限时优惠！点击领取优惠券。扫码关注公众号。立即购买。\n推荐阅读\n十大手机\n春季指南"

    assert text(f"AI芯片良率升至九成，功耗下降。\n{noise}") == "AI芯片良率升至九成，功耗下降。"


def test_case_5_less_than_a_tenth_of_text_is_dropped() -> None:
    noise = "限时优惠！点击领取优惠券。扫码关注公众号。立即购买。免费领取试用装。" * 8

    item = one(AI, f"芯片。\n{noise}")

    assert item.drop is not None
    assert item.drop.reason == "low_snr_after_cleaning"


@pytest.mark.parametrize(
    ("snippet", "reason", "category"),
    [
        ("限时优惠！点击领取AI课程优惠券", "pure_advertisement", "ad"),
        ("XX品牌AI鼠标，让你的工作效率提升10倍", "marketing_content", "marketing"),
        ("AI菜谱推荐", "off_topic", "off_topic"),
        ("<div class='a'><style>.b{color:red}</style></div>", "pure_dom_noise", "dom"),
        ("登录后查看完整内容", "paywall_empty", "paywall"),
        ("", "paywall_empty", "paywall"),
        ("   \n ", "paywall_empty", "paywall"),
        ("Log in to read the full article", "paywall_empty", "paywall"),
        ("Buy now! Free shipping and 30% off with promo code X1", "pure_advertisement", "ad"),
    ],
)
def test_what_the_table_drops_is_dropped_with_its_reason_and_its_text(
    snippet: str, reason: str, category: str
) -> None:
    said = printed(AI, {**DATED, "snippet": snippet})

    (noise,) = said["removed_noise"]
    assert (noise["removal_reason"], noise["noise_category"]) == (reason, category)
    assert noise["original_snippet"] == snippet
    assert said["warnings"]


@pytest.mark.parametrize(
    ("snippet", "expected"),
    [
        ("AI芯片 GPT&#8209;5", "AI芯片 GPT‑5"),
        ("ＡＩ芯片技术", "AI芯片技术"),
        ("...AI芯片在测试中", "[TRUNCATED] ...AI芯片在测试中"),
        ("AI芯片在测试中……", "AI芯片在测试中…… [TRUNCATED]"),
        ("  \n\n AI芯片  量产 \n\n", "AI芯片 量产"),
        ("AI芯片“量产”、「提价」、'降本'", 'AI芯片"量产"、"提价"、\'降本\''),
        ("AI芯片（７nm），功耗１０％。", "AI芯片（7nm），功耗10%。"),
        ("AI芯片：Ｆａｓｔ，ｃｈｅａｐ！", "AI芯片：Fast,cheap!"),
    ],
)
def test_what_the_table_repairs_is_repaired_and_kept(snippet: str, expected: str) -> None:
    assert text(snippet) == expected


def test_a_missing_address_is_marked_and_the_item_kept() -> None:
    assert text("AI芯片量产。", source_url="") == "AI芯片量产。 [SOURCE_MISSING]"


def test_a_similar_name_is_proposed_and_never_applied() -> None:
    said = printed("降准", {**DATED, "snippet": "中国银行宣布降准0.5个百分点"})

    (item,) = said["cleaned_evidence"]
    assert item["cleaned_snippet"] == "中国银行宣布降准0.5个百分点"
    assert item["flags"] == ["similar_name"]
    assert said["warnings"] == ["“中国银行”或应为“中国人民银行”，请人工确认（ev_001）"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"publish_date": ""}, [("missing_date", "D1")]),
        ({"publish_date": "昨天"}, [("missing_date", "D1")]),
        ({"publish_date": "2024"}, []),
        ({"publish_date": "", "source_url": "https://x.example/2024/05/06/a"}, []),
        ({"snippet": "AI芯片量产。部分内容转载自某某网"}, [("partial_repost", "D1")]),
        ({"snippet": "转载自财经时报。AI芯片量产。"}, [("secondary_repost", "D2")]),
        (
            {"source_url": "https://mp.weixin.qq.com/s/a"},
            [("unverified_self_media", "D2")],
        ),
        (
            {"source_url": "https://mp.weixin.qq.com/s/a", "title": "企业认证账号 AI芯片"},
            [],
        ),
        ({"source_url": "https://www.toutiao.com/a1"}, [("aggregator_repost", "D3")]),
        (
            {"source_url": "https://baijiahao.baidu.com/s?id=1"},
            [("aggregator_repost", "D3")],
        ),
        ({"snippet": "AI芯片怎么选？今天小编就来说说"}, [("content_farm", "D3")]),
        ({"snippet": "手机外壳换了新的颜色"}, [("relevance_below_60", "D3")]),
    ],
)
def test_what_the_table_ranks_lower_has_its_reason_and_level(
    fields: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    (item,) = cleaned(AI, {**DATED, "snippet": "AI芯片量产。", **fields})

    assert reasons(item) == expected


def test_two_light_reasons_are_a_middling_one_and_more_is_the_worst() -> None:
    light = {**DATED, "snippet": "AI芯片量产。部分内容转载自某某网", "publish_date": ""}
    heavy = {
        **light,
        "snippet": "据知情人士透露，AI芯片量产。",
        "source_url": "https://a.example/x",
    }

    two, three = cleaned(AI, light, heavy)

    assert two.level == "D2"
    assert three.level == "D3"
    assert "auxiliary_reference" in three.flags


def test_an_anonymous_source_with_a_named_one_beside_it_stays() -> None:
    item = one(AI, "据知情人士透露，AI芯片将提价；公司年报披露库存下降。")

    assert reasons(item) == []


def test_an_expert_of_a_named_body_stays() -> None:
    assert reasons(one(AI, "清华大学集成电路学院教授李明认为，AI芯片仍将供不应求。")) == []


def test_an_item_in_another_language_is_not_ranked_by_what_cannot_be_told() -> None:
    item = one("某某鲁肽", "A large trial of the drug in adults with obesity was published today.")

    assert reasons(item) == []
    assert "relevance_unknown" in item.flags
    assert item.relevance is None


def test_a_known_publisher_speaks_for_what_looks_like_marketing() -> None:
    item = one(
        "semaglutide",
        'Semaglutide helps you lose weight 10x faster, an ad said; "buy now" was its line.',
        source_url="https://www.fda.gov/a",
    )

    assert item.is_kept
    assert item.level == "D3"
    assert "doubtful_drop" in item.flags


def test_a_text_that_may_be_off_topic_goes_to_the_end_when_no_sure_sign_drops_it() -> None:
    item = one("AI芯片", "AI在课堂上的新用法引发讨论，教师们意见不一。")

    assert item.is_kept
    assert item.level == "D3"
