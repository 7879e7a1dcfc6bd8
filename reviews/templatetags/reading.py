"""Show marked texts so that every place in them can be told from the page. All is escaped.

Each run of text says at which code point it begins (``data-c``). A character that shows nothing, or
turns the text around it, becomes an empty element that counts as one character: it can do no harm,
and no offset moves.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from reviews.defects import CODES
from reviews.marking import Block, Piece
from reviews.screens import telling
from reviews.screens.desk_findings import PaletteItem
from reviews.stored_words import STORED
from sources.templatetags.show import marked
from workbench.lib.showing import character_name, code_point, is_unseen

register = template.Library()

# Everything that may be unseen lies outside these ranges; ``is_unseen`` decides of the rest.
_MAYBE_UNSEEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u3000-\u3163\u3165-\u9fff"
    "\uac00-\ud7a3\uff00-\uff9f\uffa1-\uffdc]"
)
_FRAMES = {
    "passage": "mark-located",
    "occurrence": "mark-occurrence",
    "proposed": "mark-proposed",
}


@register.filter
def blocks(cut: Iterable[Block]) -> SafeString:
    """Show the blocks of a cut text."""
    return _joined(map(_block, cut))


@register.filter
def said(value: str) -> SafeString:
    """Say a word of a file in the reader's language; a word that is not known as it stands."""
    return format_html("{}", STORED[value]) if value in STORED else marked(value)


@register.filter
def worded(value: str, field: str) -> SafeString | str:
    """Say the value of a field in the reader's language; one without a word as it stands."""
    return telling.value_word(value, field)


@register.filter
def why_stale(stored: str) -> str:
    """Say why a judgement is stale."""
    return telling.why_stale(stored)


@register.filter
def plain(text: str) -> SafeString:
    """Show a text without marks, every character in its place."""
    return _joined(_runs(text))


def _joined(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def _block(block: Block) -> SafeString:
    inside = _joined(map(_piece, block.pieces))
    frame = block.frame
    if frame is None:
        return inside
    label = format_html(' data-label="{}"', frame.label) if frame.label else ""
    return format_html(
        '<mark class="{}" data-span="{}-{}"{}>{}</mark>',
        _FRAMES[frame.kind],
        frame.start,
        frame.end,
        label,
        inside,
    )


def _piece(piece: Piece) -> SafeString:
    shown = _joined(_runs(piece.text))
    if not piece.kinds:
        return format_html('<span data-c="{}">{}</span>', piece.start, shown)
    classes = " ".join(f"mark-{kind}" for kind in piece.kinds)
    return format_html('<span data-c="{}" class="{}">{}</span>', piece.start, classes, shown)


def _runs(text: str) -> Iterator[SafeString]:
    done = 0
    for match in _MAYBE_UNSEEN.finditer(text):
        if not is_unseen(match[0]):
            continue
        yield escape(text[done : match.start()])
        yield _unseen(match[0])
        done = match.end()
    yield escape(text[done:])


def _unseen(character: str) -> SafeString:
    code = code_point(character)
    return format_html(
        '<i class="unseen-here" data-n="1" data-u="{}" title="{} {}"></i>',
        code,
        code,
        character_name(character),
    )


# What is the same on every screen in one language is rendered once: a claim's screen is opened
# thousands of times a day.


@lru_cache(maxsize=16)
def _fixed(name: str, language: str) -> SafeString:
    return render_to_string(name)


@register.simple_tag
def fixed(name: str) -> SafeString:
    """Show a template that depends on the language alone."""
    return _fixed(name, get_language() or "en")


@lru_cache(maxsize=256)
def _choices(name: str, value: str, given: bool, sealed: bool, _language: str) -> SafeString:
    values = {"value": value, "given": given, "sealed": sealed}
    return render_to_string(f"reviews/_{name}_choices.html", values)


@register.simple_tag
def choices(name: str, value: str, given: bool, sealed: bool = False) -> SafeString:
    """Show the choices of support or trust, one of them chosen, confirmed or not.

    ``sealed``: what the machine proposes is hidden, which is not the same as no proposal.
    """
    return _choices(name, value, bool(given), bool(sealed), get_language() or "en")


@lru_cache(maxsize=256)
def _codes(chosen: frozenset[str], suggested: frozenset[str], key: bool, lang: str) -> SafeString:
    items = [
        {
            "code": code.code,
            "digit": code.code[1:],
            "title": code.title.render(lang),
            "rule": code.rule.render(lang),
            "proposed": code.severity(key_claim=key),
            "chosen": code.code in chosen,
            "suggested": code.code in suggested,
        }
        for code in CODES
    ]
    return render_to_string("reviews/_codes.html", {"items": items})


@register.simple_tag
def codes(palette: Iterable[PaletteItem], is_key: bool) -> SafeString:
    """Show the defect codes: which are chosen, which a check suggests."""
    items = list(palette)
    return _codes(
        frozenset(item.code.code for item in items if item.mine),
        frozenset(item.code.code for item in items if item.suggested),
        is_key,
        get_language() or "en",
    )
