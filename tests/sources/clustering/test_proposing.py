"""Which sources are thought to share an origin."""

import random
from datetime import date
from typing import Any

import pytest

from sources.clustering import ClusterFacts, propose
from sources.clustering.facts import RULES
from sources.clustering.identities import registrations
from sources.clustering.near import fold, near_pairs
from sources.clustering.reprints import reprint_lines
from sources.clustering.words import REASONS, reason

STORY = (
    "The company said on Monday that its shore power units cut the emissions of ships at berth "
    "by a third in the first year of service, and that four more ports have ordered them. "
    "Analysts had expected fewer orders. The units take power from the grid while a ship loads."
)
ZH = (
    "公司周一表示，岸电设备投用首年使靠港船舶排放减少三分之一，另有四个港口已下单。分析师此前预期订单较少。"
    "船舶装卸期间由电网供电，辅机可以停机。公司称明年将扩大产能，并在南方设立新的装配线，预计年底前投产，"
    "届时交付周期将由九个月缩短到六个月，售价保持不变。"
)


def source(key: int, **given: Any) -> ClusterFacts:
    given.setdefault("address", f"https://site{key}.com/{key}")
    given.setdefault("host", f"site{key}.com")
    return ClusterFacts(key=key, name=f"S-{key}", **given)


def rules(*sources: ClusterFacts) -> list[tuple[int, int, str]]:
    return [(found.first, found.second, found.rule) for found in propose(sources)]


def test_one_trial_registration_links_paper_record_and_notice() -> None:
    nct = (("nct", "NCT01234567"),)

    found = rules(*(source(key, identifiers=nct) for key in (1, 2, 3)))

    assert found == [(1, 2, "same_registry_id"), (1, 3, "same_registry_id")]


def test_source_that_names_several_trials_is_linked_by_none_of_them() -> None:
    review = source(1, identifiers=(("nct", "NCT01234567"), ("nct", "NCT07654321")))

    assert rules(review, source(2, identifiers=(("nct", "NCT01234567"),))) == []


def test_text_names_a_registration_only_if_it_names_one() -> None:
    assert registrations("Trial registration: NCT01234567.") == (("nct", "NCT01234567"),)
    assert registrations("We pooled NCT01234567 and NCT07654321.") == ()


@pytest.mark.parametrize(
    ("scheme", "value", "rule"),
    [
        ("patent_family", "12345678", "same_patent_family"),
        ("patent", "US1234567", "same_patent_family"),
        ("doi", "10.1000/x", "same_work"),
        ("sec_accession", "0000320193-24-000123", "same_filing"),
        ("chictr", "ChiCTR2000000001", "same_registry_id"),
        ("arxiv", "2101.00001", "preprint"),
    ],
)
def test_one_identifier_links_two_sources(scheme: str, value: str, rule: str) -> None:
    ids = ((scheme, value),)

    assert rules(source(1, identifiers=ids), source(2, identifiers=ids)) == [(1, 2, rule)]


def test_one_address_links_two_records_of_it() -> None:
    one = "https://a.org/x"

    assert rules(source(1, address=one), source(2, address=one)) == [(1, 2, "same_address")]


def test_article_and_preprint_are_linked_by_title_and_author() -> None:
    title = "Shore power lowers the emissions of ships at berth"
    preprint = source(1, title=title, authors=("Li, Mei",), is_preprint=True)

    paper = source(2, title=f"{title}.", authors=("M. Li", "J. Smith"))
    assert rules(preprint, source(2, title=title, authors=("Mei Li",))) == [(1, 2, "preprint")]
    assert rules(preprint, source(2, title=title, authors=("John Smith",))) == []
    assert rules(source(1, title=title, authors=("Mei Li",)), paper) == []


def test_near_identical_text_links_pages_of_two_sites() -> None:
    copy = STORY.replace("on Monday ", "").replace("four", "several")

    (found,) = propose([source(1, body=STORY), source(2, body=copy)])

    assert found.rule == "near_identical"
    assert 85 < float(found.facts["share"]) < 100


def test_near_identical_chinese_text_links_pages() -> None:
    assert rules(source(1, body=ZH), source(2, body=ZH.replace("周一", "1日"))) == [
        (1, 2, "near_identical")
    ]


def _alike(share: int) -> tuple[str, str]:
    """Two texts of 200 letters of which ``share`` per cent are the same, in order."""
    same = "".join(chr(0x4E00 + at) for at in range(2 * share))
    left = "".join(chr(0x6000 + at) for at in range(200 - len(same)))
    right = "".join(chr(0x7000 + at) for at in range(200 - len(same)))
    return same + left, same + right


@pytest.mark.parametrize(("share", "linked"), [(84, False), (85, False), (86, True)])
def test_texts_are_near_identical_above_85_per_cent(share: int, linked: bool) -> None:
    left, right = _alike(share)

    assert bool(rules(source(1, body=left), source(2, body=right))) is linked


def test_other_registrations_tell_texts_of_one_template_apart() -> None:
    first = source(1, body=STORY, identifiers=(("nct", "NCT01234567"),))

    assert rules(first, source(2, body=STORY, identifiers=(("nct", "NCT07654321"),))) == []


def test_notice_of_the_next_quarter_on_the_same_site_is_another_one() -> None:
    first = source(1, title="Orders in 2024 Q1", body=STORY, host="a.com")

    assert rules(first, source(2, title="Orders in 2024 Q2", body=STORY, host="a.com")) == []
    assert rules(first, source(2, title="Orders in 2024 Q1", body=STORY, host="a.com"))


def test_menu_of_a_site_makes_no_pages_alike() -> None:
    menu = "\n".join(f"Menu entry number {at} of this large site" for at in range(40))
    pages = [
        source(key, host="a.com", body=f"{menu}\nStory {key}: {word * 30}")
        for key, word in enumerate(("ship ", "crane ", "berth "), start=1)
    ]

    assert rules(*pages) == []


@pytest.mark.parametrize(
    ("text", "name", "strong"),
    [
        ("转载自：新华社", "新华社", True),
        ("来源：财新网 作者", "财新网", False),
        ("This article was originally published by Port News. All rights", "Port News", True),
        ("First appeared in The Gazette, 2024", "The Gazette", True),
        ("Reprinted with permission from Nature", "Nature", True),
        ("SOURCE Acme Therapeutics", "Acme Therapeutics", False),
        ("本文转载自 https://a.org/x 。", "https://a.org/x", True),
    ],
)
def test_reprint_line_names_where_the_text_comes_from(text: str, name: str, strong: bool) -> None:
    found = [(line.name, line.strong) for line in reprint_lines(text)]

    assert (name, strong) in found


@pytest.mark.parametrize("text", ["数据来源：国家统计局", "图片来源：视觉中国", "The source said."])
def test_source_of_data_is_no_reprint_line(text: str) -> None:
    assert reprint_lines(text) == ()


def test_reprint_line_links_copies_under_one_title() -> None:
    title = "四个港口订购新的岸电设备以减少排放"
    original = source(1, title=title, host="caixin.com")
    copy = source(2, title=f"{title}（转）", body="转载自：财新\n全文略")

    assert rules(original, copy) == [(1, 2, "reprint_line")]
    assert rules(original, source(2, title=title, body="全文略")) == []


def test_reprint_line_with_an_address_links_to_that_page() -> None:
    copy = source(2, title="Other words", body="Originally published on https://site1.com/1")

    assert rules(source(1, title="Title"), copy) == [(1, 2, "reprint_line")]


def test_copies_of_one_release_are_linked_within_a_week() -> None:
    title = "Acme Ports Orders Four Shore Power Units"
    wire = source(1, title=title, host="www.prnewswire.com", published=date(2025, 3, 3))

    near = source(2, title=title, published=date(2025, 3, 10))
    late = source(2, title=title, published=date(2025, 3, 11))
    assert rules(wire, near) == [(1, 2, "same_release")]
    assert rules(wire, late) == []
    assert rules(source(1, title=title), source(2, title=title)) == []


def test_name_of_a_cluster_in_the_file_links_its_sources() -> None:
    assert rules(source(1, stated="cluster_a"), source(2, stated="cluster_a")) == [(1, 2, "stated")]


def test_strongest_rule_names_a_link() -> None:
    ids = (("nct", "NCT01234567"),)

    found = rules(source(1, identifiers=ids, body=STORY), source(2, identifiers=ids, body=STORY))

    assert found == [(1, 2, "same_registry_id")]


def test_others_are_linked_around_a_pair_that_is_kept_apart() -> None:
    sources = [source(key, identifiers=(("doi", "10.1000/x"),), body=STORY) for key in (1, 2, 3)]

    found = {link.pair for link in propose(sources, {(1, 2)})}

    assert (1, 2) not in found
    assert (1, 3) in found


def test_placeholder_that_very_many_share_links_nobody() -> None:
    texts = {key: fold(STORY) for key in range(30)}

    assert list(near_pairs(texts, lambda a, b: True, min_length=80, most_copies=29)) == []
    assert len(list(near_pairs(texts, lambda a, b: True, min_length=80, most_copies=30))) == 29


@pytest.mark.parametrize("many", [1_500, 10_100])
def test_hashing_finds_pairs_among_many_texts(many: int) -> None:
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnop", k=7)) for _ in range(5_000)]
    texts = {key: " ".join(chance.choices(words, k=30)) for key in range(many)}
    copies = {many + key: " ".join(texts[key].split()[:-2]) for key in range(20)}

    pairs = near_pairs(texts | copies, lambda first, second: True, min_length=80)

    assert {(each.first, each.second) for each in pairs} == {(k, many + k) for k in range(20)}


def test_every_rule_has_words_in_both_languages() -> None:
    facts = {
        "doi": "10.1000/x", "address": "https://a.org", "cluster": "c", "share": 91.0, "line": "l",
        "mark": "m", "days": 2,
    }  # fmt: skip

    for rule in RULES:
        assert reason(rule, facts, "en") != rule
        assert reason(rule, facts, "zh-Hans") != rule
    assert set(REASONS) == {*RULES, "by_hand"}
    assert reason("rule-of-old", {}, "en") == "rule-of-old"
    assert reason("same_release", {}, "en") == "same_release"
