"""Links, unseen characters and languages of text from outside."""

import pytest
from django.template import Context, Template
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.lib.showing import is_unseen, language_of, pieces, safe_address

SAFE = [
    "https://example.org/",
    "http://example.org:8080/a?b=c#d",
    "HTTPS://例え.example/路径",
    "http://[2001:db8::1]/",
]
UNSAFE = [
    "",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    " https://example.org/",
    "https://user:pass@example.org/",
    "https://user@example.org/",
    "data:text/html,<b>x</b>",
    "//example.org/",
    "/etc/passwd",
    "file:///etc/passwd",
    "https:///nohost",
    "https:example.org",
    "https://exa\u202emple.org/",
    "https://example.org/\u200b",
    "https://example.org\\@evil.example/",
    "https://example.org:99999/",
    "https://[::1/",
    "https://example.org/" + "a" * 3000,
]


def render(source: str, **values: object) -> str:
    return Template("{% load show %}" + source).render(Context(values))


@pytest.mark.parametrize("address", SAFE)
def test_web_address_becomes_a_link(address: str) -> None:
    page = render("{% data_link address %}", address=address)

    assert page.startswith("<a href=")
    assert 'rel="noopener noreferrer nofollow"' in page


@pytest.mark.parametrize("address", UNSAFE)
def test_any_other_address_stays_text(address: str) -> None:
    page = render("{% data_link address %}", address=address)

    assert safe_address(address) is None
    assert "<a" not in page
    assert "href" not in page


def test_only_a_link_with_words_of_its_own_gets_its_address_added_in_print() -> None:
    bare = render("{% data_link 'https://a.example.org/' %}")
    same = render("{% data_link 'https://a.example.org/' 'https://a.example.org/' %}")
    named = render("{% data_link 'https://a.example.org/' 'Annual report' %}")

    assert [page.count('class="data-link named"') for page in (bare, same, named)] == [0, 0, 1]


def test_address_of_a_dead_link_is_shown_beside_its_text() -> None:
    page = render("{% data_link 'javascript:alert(1)' 'Click me' %}")

    assert "Click me" in page
    assert "javascript:alert(1)" in page


@given(st.text())
@settings(max_examples=100)
def test_marked_text_is_escaped_and_has_nothing_unseen(text: str) -> None:
    page = render("{{ text|marked }}", text=text)

    assert not any(is_unseen(character) for character in page)
    assert "<script" not in page


@given(st.text())
@settings(max_examples=100)
def test_pieces_together_are_the_text(text: str) -> None:
    assert "".join(piece for piece, _ in pieces(text)) == text


@pytest.mark.parametrize(
    "character", ["\u202e", "\u200b", "\u00ad", "\u2066", "\ufeff", "\x07", "\U000e0041", "\u3164"]
)
def test_unseen_character_is_named(character: str) -> None:
    page = render("{{ text|marked }}", text=f"a{character}b")

    assert f"U+{ord(character):04X}" in page
    assert character not in page


def test_markup_in_a_text_is_escaped() -> None:
    page = render("{{ text|marked }}", text="<img src=x onerror=alert(1)>")

    assert page == "&lt;img src=x onerror=alert(1)&gt;"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Median overall survival was 21.4 months", "en"),
        ("药物 X 使总生存期延长至 21.4 个月", "zh"),
        ("全生存期間の中央値は21.4か月でした", "ja"),
        ("전체 생존기간 중앙값은 21.4개월", "ko"),
        ("21.4 / 16.2", ""),
    ],
)
def test_language_of_a_text_is_told_by_its_script(text: str, language: str) -> None:
    assert language_of(text) == language


def test_number_keeps_its_raw_form_as_title() -> None:
    assert render("{{ n|number }}", n=20000) == '<span title="20000">20,000</span>'
    assert render("{{ n|number }}", n=7) == "7"
    assert render("{{ n|number }}", n=None) == "–"


def test_chip_has_icon_and_word_and_opens_its_reason() -> None:
    page = render("{% chip 'defect' 'number' '21.4 ≠ 12.4' reason %}", reason="<b>not</b> equal")

    assert "✖" in page
    assert "21.4 ≠ 12.4" in page
    assert "<details" in page
    assert "&lt;b&gt;not&lt;/b&gt; equal" in page
