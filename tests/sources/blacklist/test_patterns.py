"""A pattern is read in the scope that was chosen, and refused with what to choose instead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.blacklist.patterns import (
    PatternError,
    address_of,
    key_of,
    readable_host,
    readable_key,
    tokens,
)
from sources.blacklist.rules import Scope

HOSTS = {
    "example.com": "example.com",
    "Example.COM": "example.com",
    "https://example.com/": "example.com",
    "https://user:pw@EXAMPLE.com:443": "example.com",
    "example.com.": "example.com",
    "www.example.com": "example.com",
    "www.gov.cn": "www.gov.cn",
    "m.example.com": "m.example.com",
    "例子.测试": "xn--fsqu00a.xn--0zwm56d",
    "xn--fsqu00a.xn--0zwm56d": "xn--fsqu00a.xn--0zwm56d",
    "BÜCHER.example": "xn--bcher-kva.example",
    "192.0.2.7": "192.0.2.7",
    "[2001:DB8::1]": "[2001:db8::1]",
}


@pytest.mark.parametrize(("pattern", "key"), HOSTS.items())
def test_a_host_has_one_form(pattern: str, key: str) -> None:
    assert key_of(Scope.HOST, pattern) == key
    assert key_of(Scope.HOST_AND_SUBDOMAINS, pattern) == key


@pytest.mark.parametrize(
    ("scope", "pattern", "code"),
    [
        (Scope.HOST, "", "empty"),
        (Scope.HOST, "   ", "empty"),
        (Scope.HOST, "*.example.com", "star"),
        (Scope.HOST, "example.com/ad", "has_path"),
        (Scope.HOST, "example.com?x=1", "has_path"),
        (Scope.HOST, "example.com:8080", "has_port"),
        (Scope.HOST, "two words", "no_host"),
        (Scope.HOST, "ftp://example.com", "no_host"),
        (Scope.HOST, "a" * 300 + ".com", "no_host"),
        (Scope.EXACT, "news.cn/ad/*", "star"),
        (Scope.EXACT, "javascript:alert(1)", "no_address"),
        (Scope.PREFIX, "just words", "no_address"),
        (Scope.PREFIX, "example.com/" + "a" * 700, "too_long"),
        (Scope.EXACT, "https://example.com/" + "a" * 3000, "too_long"),
        (Scope.DOI_PREFIX, "11.1234", "no_doi"),
        (Scope.DOI_PREFIX, "Nature", "no_doi"),
        (Scope.PUBLISHER, "—", "no_name"),
        (Scope.TITLE_WORDS, "+ + !", "no_name"),
        (Scope.TITLE_WORDS, "+".join("abcdefghij"), "many_parts"),
        (Scope.JUDGED, "blacklist_domain", "no_kind"),
    ],
)
def test_what_a_scope_cannot_use_is_refused_in_both_languages(
    scope: Scope, pattern: str, code: str
) -> None:
    with pytest.raises(PatternError) as refused:
        key_of(scope, pattern)

    assert refused.value.code == code
    assert refused.value.render("en").endswith(".")
    assert refused.value.render("zh-hans").endswith("。")


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("https://www.news.cn:443/ad/?utm_source=x#top", "news.cn/ad"),
        ("news.cn/ad/", "news.cn/ad"),
        ("news.cn/", "news.cn"),
        ("http://news.cn:8080/ad", "news.cn:8080/ad"),
        ("mp.weixin.qq.com/s?__biz=MzI1", "mp.weixin.qq.com/s?__biz=MzI1"),
        ("例子.测试/路", "xn--fsqu00a.xn--0zwm56d/%E8%B7%AF"),
    ],
)
def test_a_beginning_is_compared_as_a_canonical_address(pattern: str, key: str) -> None:
    assert key_of(Scope.PREFIX, pattern) == key


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("10.1234", "10.1234/"),
        ("10.1234/", "10.1234/"),
        ("https://doi.org/10.1234/ABC", "10.1234/abc"),
        ("doi: 10.3389/fonc.", "10.3389/fonc."),
    ],
)
def test_a_registrant_ends_where_its_number_ends(pattern: str, key: str) -> None:
    assert key_of(Scope.DOI_PREFIX, pattern) == key


def test_names_and_words_are_compared_without_case_width_and_script() -> None:
    assert key_of(Scope.PUBLISHER, "The  ＡＣＭＥ Press") == key_of(Scope.PUBLISHER, "acme press")
    assert key_of(Scope.TITLE_WORDS, "重磅發佈") == key_of(Scope.TITLE_WORDS, "重磅发布")
    assert key_of(Scope.TITLE_WORDS, "World-First + AI") == "world first+ai"
    assert tokens("AI重磅 GPT-4") == ["ai", "重", "磅", "gpt", "4"]


def test_an_address_may_be_pasted_without_its_scheme() -> None:
    assert address_of("example.com/a") == "https://example.com/a"
    assert address_of("mailto:x@example.com") == "mailto:x@example.com"
    assert address_of("https://example.com") == "https://example.com"


def test_a_host_is_shown_in_both_forms() -> None:
    assert readable_host("xn--fsqu00a.xn--0zwm56d") == "例子.测试"
    assert readable_host("example.com") == "example.com"
    assert readable_host("xn--zzzzzzzzzz--") == "xn--zzzzzzzzzz--"
    assert readable_key("prefix", "xn--fsqu00a.xn--0zwm56d/a") == "例子.测试/a"
    assert readable_key("publisher", "xn--x/y") == "xn--x/y"


@given(st.sampled_from(list(Scope)), st.text(max_size=60))
def test_any_text_is_read_or_refused_and_reading_again_changes_nothing(
    scope: Scope, pattern: str
) -> None:
    try:
        key = key_of(scope, pattern)
    except PatternError:
        return

    assert key_of(scope, key) == key
