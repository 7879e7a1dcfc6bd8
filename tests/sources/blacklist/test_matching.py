"""Which rules hit a source, which of them wins, and how that is told."""

import json
from datetime import date
from pathlib import Path

import pytest

from sources.blacklist.matching import Index, beginnings_of, parents, read_address
from sources.blacklist.patterns import key_of
from sources.blacklist.rules import Effect, Kind, Rule, Scope, Unless
from sources.blacklist.telling import lines, told

E, P, H, T = Scope.EXACT, Scope.PREFIX, Scope.HOST, Scope.HOST_AND_SUBDOMAINS
BLOCK, ALLOW, WARN, DOWNRANK = Effect.BLOCK, Effect.ALLOW, Effect.WARN, Effect.DOWNRANK


def rule(number: int, scope: Scope, pattern: str, effect: Effect = BLOCK, **more: object) -> Rule:
    return Rule(number, scope, key_of(scope, pattern), effect, pattern=pattern, **more)  # type: ignore[arg-type]


def hit(rules: list[Rule], url: str = "", **facts: object) -> list[int]:
    return [each.id for each in Index(rules).trace(url, **facts).found]  # type: ignore[arg-type]


def winner(rules: list[Rule], url: str) -> int | None:
    won = Index(rules).trace(url).winner
    return won.id if won else None


@pytest.mark.parametrize(
    ("scope", "pattern", "url", "hits"),
    [
        (E, "https://a.example/x", "http://www.a.example:80/x/?utm_source=1#y", True),
        (E, "https://a.example/x", "https://a.example/x/y", False),
        (E, "https://a.example/x", "https://a.example/X", False),
        (P, "a.example/ad", "https://a.example/ad", True),
        (P, "a.example/ad/", "https://a.example/ad/1?x=2", True),
        (P, "a.example/ad", "https://a.example/advice", False),
        (P, "a.example/ad", "https://b.a.example/ad/1", False),
        (P, "a.example", "https://a.example/anything", True),
        (P, "mp.weixin.qq.com/s?__biz=AB", "https://mp.weixin.qq.com/s?mid=1&__biz=AB", True),
        (P, "mp.weixin.qq.com/s?__biz=AB", "https://mp.weixin.qq.com/s?__biz=ABC&mid=1", False),
        (P, "a.example:8080/x", "http://a.example:8080/x/y", True),
        (P, "a.example:8080/x", "https://a.example/x/y", False),
        (P, "ncbi.nlm.nih.gov/pubmed", "https://www.ncbi.nlm.nih.gov/pubmed/12", True),
        (H, "a.example", "https://a.example/", True),
        (H, "a.example", "https://www.a.example/", True),
        (H, "a.example", "https://m.a.example/", True),
        (H, "m.a.example", "https://m.a.example/", True),
        (H, "m.a.example", "https://a.example/", False),
        (H, "a.example", "https://b.a.example/", False),
        (H, "a.example", "http://a.example:8080/", True),
        (H, "a.example", "https://user:pw@A.Example.:443/", True),
        (H, "a.example", "a.example/path", True),
        (H, "a.example", "https://evil.example/?u=https://a.example/", False),
        (H, "a.example", "https://evil.example#a.example", False),
        (H, "a.example", "https://a.example@evil.example/", False),
        (H, "a.example", "https:\\\\a.example\\x", True),
        (H, "a.example", "javascript://a.example/%0aalert(1)", False),
        (H, "a.example", "", False),
        (T, "a.example", "https://b.c.a.example/x", True),
        (T, "a.example", "https://nota.example/x", False),
        (T, "a.example", "https://a.example.evil.test/x", False),
        (T, "example", "https://a.example/x", True),
        (T, "例子.测试", "https://xn--fsqu00a.xn--0zwm56d/x", True),
        (T, "xn--fsqu00a.xn--0zwm56d", "https://博客.例子.测试/x", True),
        (T, "en.wikipedia.org", "https://en.m.wikipedia.org/wiki/X", True),
        (T, "a.example", "https://web.archive.org/web/2020/http://www.a.example/x", True),
        (T, "web.archive.org", "https://web.archive.org/web/2020/http://a.example/x", True),
        (T, "a.example", "https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx", True),
        (T, "a.example", "https://a-example.cdn.ampproject.org/c/s/a.example/x", True),
        (H, "[2001:db8::1]", "http://[2001:DB8:0::1]:8080/x", True),
        (H, "www.gov.cn", "http://www.gov.cn/a", True),
    ],
)
def test_an_address_is_hit_in_any_of_its_forms(
    scope: Scope, pattern: str, url: str, hits: bool
) -> None:
    assert bool(hit([rule(1, scope, pattern)], url)) is hits


def test_a_doi_is_hit_by_its_beginning() -> None:
    rules = [rule(1, Scope.DOI_PREFIX, "10.1234"), rule(2, Scope.DOI_PREFIX, "10.1234/abc")]

    assert hit(rules, doi="10.1234/abc.1") == [2, 1]
    assert hit(rules, doi="10.1234/x") == [1]
    assert hit(rules, doi="10.12345/abc") == []
    assert hit(rules, "https://dx.doi.org/10.1234/ABC") == [2, 1]


def test_a_publisher_is_hit_by_its_whole_name() -> None:
    rules = [rule(1, Scope.PUBLISHER, "Acme Press")]

    assert hit(rules, publisher="The ACME press") == [1]
    assert hit(rules, publisher=["Nature", "Acme Press"]) == [1]
    assert hit(rules, publisher="Acme Press International") == []


def test_a_title_is_hit_by_whole_words_in_their_order() -> None:
    rules = [
        rule(1, Scope.TITLE_WORDS, "world first"),
        rule(2, Scope.TITLE_WORDS, "重磅发布"),
        rule(3, Scope.TITLE_WORDS, "AI + breakthrough"),
    ]

    assert hit(rules, title="A World-First for AI") == [1]
    assert hit(rules, title="First world problems") == []
    assert hit(rules, title="公司重磅發佈新药") == [2]
    assert hit(rules, title="公司重磅") == []
    assert hit(rules, title="Breakthrough: AI reads scans") == [3]
    assert hit(rules, title="Breakthroughs in AI") == []
    assert hit(rules, title="Breakthrough in oncology") == []


def test_the_sharper_scope_wins() -> None:
    url = "https://sub.a.example/ad/1"
    rules = [
        rule(1, T, "a.example", ALLOW),
        rule(2, H, "sub.a.example", WARN),
        rule(3, P, "sub.a.example/ad", DOWNRANK, level="D1"),
        rule(4, E, url, BLOCK),
    ]

    assert hit(rules, url) == [4, 3, 2, 1]
    assert [winner(rules[:number], url) for number in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_addresses_stand_above_dois_publishers_and_words() -> None:
    rules = [
        rule(1, Scope.TITLE_WORDS, "news", WARN),
        rule(2, Scope.PUBLISHER, "Acme", ALLOW),
        rule(3, Scope.DOI_PREFIX, "10.1234", BLOCK),
        rule(4, T, "a.example", ALLOW),
    ]
    facts = {"doi": "10.1234/x", "publisher": "Acme", "title": "News"}

    assert hit(rules, "https://a.example/", **facts) == [4, 3, 2, 1]
    assert hit(rules, "https://b.example/", **facts) == [3, 2, 1]


@pytest.mark.parametrize("effect", [BLOCK, DOWNRANK, WARN])
def test_allow_wins_over_any_other_rule_of_the_same_pattern(effect: Effect) -> None:
    rules = [rule(1, H, "a.example", effect), rule(2, H, "a.example", ALLOW)]

    assert winner(rules, "https://a.example/") == 2


def test_block_wins_over_downrank_and_that_over_warn() -> None:
    rules = [
        rule(1, H, "a.example", WARN),
        rule(2, H, "a.example", DOWNRANK),
        rule(3, H, "a.example", BLOCK),
    ]

    assert hit(rules, "https://a.example/") == [3, 2, 1]


def test_the_longer_pattern_of_one_scope_wins() -> None:
    rules = [
        rule(1, T, "a.example", ALLOW),
        rule(2, T, "farm.a.example", BLOCK),
        rule(3, P, "a.example/ad", BLOCK),
        rule(4, P, "a.example/ad/who", ALLOW),
    ]

    assert winner(rules, "https://x.farm.a.example/") == 2
    assert winner(rules, "https://a.example/ad/who/report") == 4
    assert winner(rules, "https://a.example/ad/other") == 3


def test_each_kind_is_judged_by_itself() -> None:
    rules = [
        rule(1, E, "https://a.example/x", ALLOW),
        rule(2, T, "a.example", BLOCK),
        rule(3, T, "a.example", WARN, kind=Kind.PRESS_COPY),
    ]

    trace = Index(rules).trace("https://a.example/x")

    assert {kind: won.id for kind, won in trace.winners.items()} == {
        Kind.DOMAIN: 1,
        Kind.PRESS_COPY: 3,
    }
    assert trace.winner == rules[2]
    assert trace.effect is WARN


def test_an_exception_that_holds_lets_the_next_rule_decide() -> None:
    rules = [
        rule(1, H, "blog.example", BLOCK, unless=Unless.SIGNED),
        rule(2, T, "blog.example", WARN),
    ]
    index = Index(rules)

    assert index.trace("https://blog.example/x").winner == rules[0]
    signed = index.trace("https://blog.example/x", holds={Unless.SIGNED})
    assert signed.winner == rules[1]
    outcomes = [match.outcome for step in signed.steps for match in step.matches]
    assert outcomes == ["excused", "wins"]
    assert index.trace("https://blog.example/x", holds={"original"}).winner == rules[0]


def test_a_trace_tells_every_step() -> None:
    rules = [rule(88, T, "contentfarm.example"), rule(9, T, "example", DOWNRANK, level="D2")]

    trace = Index(rules).trace(
        "https://m.contentfarm.example:443/a?utm_source=x#y", title="A title"
    )

    assert trace.address is not None
    assert trace.address.canonical == "contentfarm.example/a"
    assert [(step.scope, step.looked_up) for step in trace.steps] == [
        (E, ("contentfarm.example/a",)),
        (
            P,
            (
                "contentfarm.example",
                "contentfarm.example/a",
                "m.contentfarm.example",
                "m.contentfarm.example/a",
            ),
        ),
        (H, ("contentfarm.example", "m.contentfarm.example")),
        (T, ("contentfarm.example", "example", "m.contentfarm.example")),
        (Scope.TITLE_WORDS, ("A title",)),
    ]
    told = [(match.rule.id, match.outcome) for step in trace.steps for match in step.matches]
    assert told == [(88, "wins"), (9, "not_reached")]


def test_a_trace_is_told_in_lines() -> None:
    index = Index([rule(1, H, "blog.example", unless=Unless.SIGNED, reason="unsigned blogs")])

    signed = index.trace("https://blog.example/x", holds={Unless.SIGNED})

    assert list(lines(signed)) == [
        "https://blog.example/x: no rule",
        "  compared as https://blog.example/x",
        "  1 exact: no",
        "  2 prefix: no",
        "  3 host: block blog.example – does not hold: signed (rule 1)",
        "  4 host_and_subdomains: no",
    ]
    assert not told(signed)["blocked"]
    assert list(lines(index.trace("nothing"))) == ["nothing: no http or https address"]


def test_a_work_without_an_address_is_told_by_its_doi() -> None:
    found = told(Index([rule(1, Scope.DOI_PREFIX, "10.9999")]).trace("", doi="10.9999/x"))

    assert (found["canonical"], found["doi"], found["blocked"]) == (None, "10.9999/x", True)
    trace = Index([rule(1, Scope.DOI_PREFIX, "10.9999")]).trace("", doi="10.9999/x")
    assert next(lines(trace)).endswith("block by rule 1 (blacklist_domain)")


def test_a_trace_of_nothing_says_so() -> None:
    trace = Index([]).trace("no address")

    assert trace.address is None
    assert trace.winner is None
    assert trace.effect is None
    assert trace.steps == ()


def test_a_rule_ends_by_date() -> None:
    ending = rule(1, H, "a.example", ends_on=date(2026, 3, 1))

    assert len(Index([ending], today=date(2026, 3, 1)).rules) == 1
    assert len(Index([ending], today=date(2026, 3, 2)).rules) == 0
    assert len(Index([ending]).rules) == 1


def test_the_sharpest_judged_rule_of_a_kind_is_kept() -> None:
    rules = [
        rule(1, Scope.JUDGED, "stale", WARN, kind=Kind.STALE),
        rule(2, Scope.JUDGED, "stale", BLOCK, kind=Kind.STALE),
    ]

    assert Index(rules).judged[Kind.STALE].id == 2


def test_a_known_canonical_address_is_used() -> None:
    found = Index([rule(1, H, "a.example")]).trace(
        "https://a.example/x", canonical="https://a.example/x"
    )

    assert [each.id for each in found.found] == [1]


def test_hosts_and_beginnings_of_an_address() -> None:
    assert list(parents("a.b.c")) == ["a.b.c", "b.c", "c"]
    assert list(beginnings_of("h/a/b?c=1&d")) == ["h", "h/a", "h/a/b", "h/a/b?c=1", "h/a/b?c=1&d"]


RULES = [
    rule(1, T, "example.org"), rule(2, H, "foo"), rule(3, T, "example.com"), rule(4, T, "org"),
    rule(5, P, "example.net/path"), rule(6, H, "xn--fsqu00a.xn--0zwm56d"),
]  # fmt: skip


def _names_nothing_wrongly(index: Index, url: str) -> bool:
    """Whether the quick look agrees with the slow one, which reads the whole address."""
    address = read_address(url)
    found = {each.id for each in index.trace(url).found}
    if address is None:
        return not found
    names = {name for host in address.hosts() for name in parents(host)}
    named = {each.id for each in RULES if each.scope is T and each.key in names}
    named |= {each.id for each in RULES if each.scope is H and each.key in address.hosts()}
    return named <= found


@pytest.mark.parametrize(
    "start",
    ["https://", "http://www.", "https://m.", "https://web.archive.org/web/2020/https://",
     "https://archive.ph/20200101/https://", "https://www.google.co.uk/url?q=http://",
     "https://link.zhihu.com/?target=https%3A//", "https://l.facebook.com/l.php?u=http%3A%2F%2F",
     "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2F", "HTTPS://en.m."],
)  # fmt: skip
def test_the_quick_look_at_the_host_misses_no_wrapped_address(start: str) -> None:
    assert 3 in hit(RULES, f"{start}example.com/x")


def test_the_quick_look_at_the_host_misses_no_hostile_address(shared: Path) -> None:
    index = Index(RULES)
    lines = (shared / "real/hostile/urlcanon.jsonl").read_text(encoding="utf-8").splitlines()
    urls = [json.loads(line)["input"] for line in lines]

    wrong = [url for url in urls if not _names_nothing_wrongly(index, url)]

    assert len(urls) > 500
    assert wrong == []
