"""The list of rules is searched by the same language, with fields of its own."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from reviews.queries.rule_search import search_rules, to_blame
from sources.models import BlacklistHit, BlacklistRule, User
from tests.factories import SourceFactory, UserFactory
from tests.sources.blacklist_rules import active_rule, no_rules
from workbench.lib.querylang import QueryError

YEAR_AGO = timedelta(days=366)


@pytest.fixture(autouse=True)
def _no_starter_rules(db: None) -> None:
    no_rules()


def found(admin: User, query: str) -> list[str]:
    rules = search_rules(admin, query).rules().order_by("pattern")
    return list(rules.values_list("pattern", flat=True))


@pytest.mark.parametrize(
    ("query", "patterns"),
    [
        ("host:*.example effect:block", ["b.farm.example", "https://d.example/x"]),
        ("host:farm", ["b.farm.example"]),
        ("host:=a.test", ["a.test/ad"]),
        ("host:*.测试", ["例子.测试"]),
        ("host:例子", ["例子.测试"]),
        ("host:xn--fsqu00a.*", ["例子.测试"]),
        ("scope:path", ["a.test/ad"]),
        ("scope:exact,host", ["c.example", "https://d.example/x", "例子.测试"]),
        ("effect:allow,warn", ["Acme Press", "c.example"]),
        ("kind:press_copy", ["Acme Press"]),
        ("kind:place scope:host", ["c.example", "例子.测试"]),
        ("pattern:d.example", ["https://d.example/x"]),
        ("pattern:a.*", ["a.test/ad"]),
        ("pattern:=c.example", ["c.example"]),
        ("reason:advertorial", ["a.test/ad"]),
        ("level:D2", ["a.test/ad"]),
        ("unless:signed", ["b.farm.example"]),
        ("owner:me", ["c.example"]),
        ("owner:ana", ["b.farm.example"]),
        ("owner:me,ana", ["b.farm.example", "c.example"]),
        ("hits:>10", ["b.farm.example"]),
        ("hits:>=10.5", ["b.farm.example"]),
        ("hits:11", ["b.farm.example"]),
        ("hits:10.5", []),
        ("hits:<1", ["Acme Press", "a.test/ad", "c.example", "https://d.example/x", "例子.测试"]),
        ("hits:<=99999999999", ["Acme Press", "a.test/ad", "b.farm.example", "c.example",
                                "https://d.example/x", "例子.测试"]),
        ("ends:<2031", ["a.test/ad"]),
        ("ends:2030", ["a.test/ad"]),
        ("ends:2030-12", ["a.test/ad"]),
        ("ends:2030-12-31", ["a.test/ad"]),
        ("ends:>2030-11", ["a.test/ad"]),
        ("ends:>=2030-12-31", ["a.test/ad"]),
        ("ends:<=2030-12-30", []),
        ("ends:>9999", []),
        ("review:2029", ["c.example"]),
        ("b.farm", ["b.farm.example"]),
        ("例子", ["例子.测试"]),
        ("-effect:block scope:host", ["c.example"]),
        ("is:draft", ["https://d.example/x"]),
        ("is:off", ["例子.测试"]),
        ("is:mine", ["c.example"]),
    ],
)  # fmt: skip
def test_rules_are_found_by_what_they_say(admin: User, query: str, patterns: list[str]) -> None:
    ana = UserFactory(username="ana", is_superuser=True)
    active_rule("prefix", "a.test/ad", "downrank", level="D2", reason="advertorial",
                ends_on=date(2030, 12, 31))  # fmt: skip
    active_rule("host_and_subdomains", "b.farm.example", hits=11, unless="signed", owner=ana)
    active_rule("host", "c.example", "allow", owner=admin, review_on=date(2029, 5, 5))
    active_rule("exact", "https://d.example/x", state="draft")
    active_rule("publisher", "Acme Press", "warn", kind="press_copy")
    active_rule("host", "例子.测试", state="off")

    assert found(admin, query) == sorted(patterns)


def test_idle_rules_hit_nothing_in_a_year(admin: User) -> None:
    now = timezone.now()
    old = now - YEAR_AGO
    active_rule("host", "idle.example", activated_at=old)
    active_rule("host", "idle-again.example", activated_at=old, last_hit_at=old)
    active_rule("host", "new.example", activated_at=now)
    active_rule("host", "of-late.example", activated_at=old, last_hit_at=now)
    hitting = active_rule("host", "still.example", activated_at=old, last_hit_at=old)
    BlacklistHit.objects.create(rule=hitting, source=SourceFactory(), effect="block")
    active_rule("host", "off.example", activated_at=old, state="off")

    assert found(admin, "is:idle") == ["idle-again.example", "idle.example"]


def test_rules_to_be_looked_at_and_rules_that_end(admin: User) -> None:
    today = timezone.localdate()
    later = today + timedelta(days=31)
    active_rule("host", "due.example", review_on=today)
    active_rule("host", "later.example", review_on=today + timedelta(days=1))
    active_rule("host", "ending.example", review_on=later, ends_on=later - timedelta(days=1))
    active_rule("host", "stays.example", review_on=later, ends_on=later)

    assert found(admin, "is:due") == ["due.example"]
    assert found(admin, "is:ending") == ["ending.example"]


def test_the_term_to_blame_is_named(admin: User) -> None:
    active_rule("host", "a.example", "warn")

    blamed = to_blame(search_rules(admin, "effect:block host:a"))

    assert [term.to_text() for term in blamed] == ["effect:block"]
    assert len(to_blame(search_rules(admin, "effect:block"))) == 1


@pytest.mark.parametrize("query", ["colour:red", "host:*a*b*c*", "effect:burn", "ends:soon"])
def test_what_cannot_be_read_is_pointed_at(admin: User, query: str) -> None:
    with pytest.raises(QueryError) as refused:
        search_rules(admin, query)

    assert refused.value.position >= 0
    assert BlacklistRule.objects.count() == 0
