"""The rules of the beginning are those of the rulebook, and each can be used."""

from sources.blacklist.matching import Index
from sources.blacklist.patterns import key_of
from sources.blacklist.rules import Kind, Rule, Scope, Unless
from sources.blacklist.starter import STARTER

RULES = [
    Rule(number, each.scope, key_of(each.scope, each.pattern), each.effect, each.kind,
         unless=each.unless)
    for number, each in enumerate(STARTER, start=1)
]  # fmt: skip
INDEX = Index(RULES)


def blocked(url: str, *holds: str) -> bool:
    return INDEX.trace(url, holds=holds).effect == "block"


def test_every_place_of_the_rulebook_is_blocked() -> None:
    for url in (
        "https://baijiahao.baidu.com/s?id=1",
        "https://www.toutiao.com/article/1",
        "https://zhuanlan.zhihu.com/p/1",
        "https://www.xiaohongshu.com/explore/1",
        "https://v.douyin.com/1",
        "https://somebody.wordpress.com/2020/x",
        "https://medium.com/@somebody/x",
        "https://mp.weixin.qq.com/s?__biz=1&mid=2",
    ):
        assert blocked(url), url


def test_neighbours_of_those_places_are_not() -> None:
    for url in ("https://www.baidu.com/", "https://wordpress.org/", "https://weixin.qq.com/"):
        assert not blocked(url), url


def test_the_exceptions_of_the_rulebook_hold() -> None:
    assert not blocked("https://www.toutiao.com/article/1", Unless.ORIGINAL)
    assert not blocked("https://www.zhihu.com/question/1", Unless.VERIFIED_EXPERT)
    assert blocked("https://www.zhihu.com/question/1", Unless.SIGNED)
    assert not blocked("https://medium.com/@somebody/x", Unless.SIGNED)
    assert not blocked("https://somebody.wordpress.com/x", Unless.SIGNED)
    assert not blocked("https://mp.weixin.qq.com/s?__biz=1", Unless.KNOWN_PUBLISHER)
    assert blocked("https://www.douyin.com/1", *Unless)


def test_every_kind_that_is_judged_has_its_rule() -> None:
    assert set(INDEX.judged) == set(Kind) - {Kind.DOMAIN}
    judged = [each for each in STARTER if each.scope is Scope.JUDGED]
    assert all(each.pattern == each.kind for each in judged)


def test_every_rule_says_why_in_both_languages() -> None:
    assert all(" · " in each.reason for each in STARTER)
