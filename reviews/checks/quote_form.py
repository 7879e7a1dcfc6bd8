"""Checks of the form of a quote: not the title, not too short, not cut inside a word. Pure.

A title as a quote is always found; a short or cut quote is found by chance.
"""

import re
from collections.abc import Iterator

from reviews.checks.base import Check, ClaimFacts, EvidenceFacts, Finding, Message, Params
from reviews.checks.quotes import is_quote
from reviews.checks.samples import claim, evidence, source
from reviews.checks.wording import MAX_TEXT
from sources.terms import CJK
from workbench.lib.texts import Text

MIN_LETTERS = 12
MIN_CJK = 6
_SHOWN = 60  # code points of a quote in a message

_LETTER = re.compile(r"\w")
_CJK = re.compile(f"[{CJK}]")


def quote_is_title(facts: ClaimFacts) -> Iterator[Finding]:
    """Find quotes that only repeat the title of their source."""
    for piece in facts.evidence:
        if piece.source is None or not is_quote(piece):
            continue
        titles = {_plain(title) for title in (piece.source.title, *piece.source.url_titles)}
        snippet = _plain(piece.snippet)
        if snippet and snippet in titles:
            yield Finding("title", "warning", {"number": piece.position}, piece.key)


def _plain(text: str) -> str:
    return "".join(_LETTER.findall(text[:MAX_TEXT])).casefold()


def quote_too_short(facts: ClaimFacts) -> Iterator[Finding]:
    """Find quotes too short to prove that the passage is the one meant."""
    for piece in facts.evidence:
        if not is_quote(piece):
            continue
        snippet = " ".join(piece.snippet[:MAX_TEXT].split())
        cjk = len(_CJK.findall(snippet))
        # A Chinese quote with a few Latin letters in it is measured as Chinese.
        short = cjk < MIN_CJK and len(snippet) < MIN_LETTERS
        if snippet and short:
            params: Params = {"number": piece.position, "quote": snippet}
            yield Finding("too_short", "warning", params, piece.key)


def quote_cut(facts: ClaimFacts) -> Iterator[Finding]:
    """Find quotes that begin or end inside a word or a number."""
    for piece in facts.evidence:
        if is_quote(piece) and (piece.cut_start or piece.cut_end):
            place = "start" if piece.cut_start else "end"
            params: Params = {"number": piece.position, "around": _around(piece)}
            yield Finding(f"cut_{place}", "warning", params, piece.key, place)


def _around(piece: EvidenceFacts) -> str:
    at = piece.context.find(piece.passage) if piece.passage else -1
    if at < 0:
        return piece.snippet[:_SHOWN]
    edge = at if piece.cut_start else at + len(piece.passage)
    return piece.context[max(0, edge - 15) : edge + 15].strip()


QUOTE_IS_TITLE = Check(
    id="quote-is-title",
    version=1,
    title=Text("A quote is more than the title", "引文不只是标题"),
    description=Text(
        "A quote that repeats the title of its source is always found and proves nothing.",
        "引文若只是重复信源标题，必然能找到，却证明不了什么。",
    ),
    messages={
        "title": Message(
            Text(
                "Quote {number} is the title of its source.",
                "第 {number} 条引文就是信源的标题。",
            ),
            Text("Quote the passage that carries the claim.", "请引用真正支撑论断的段落。"),
        )
    },
    run=quote_is_title,
    examples=(
        (
            claim(
                "Lindhavn plugs in.",
                evidence("Lindhavn plugs in", source=source(title="Lindhavn plugs in")),
            ),
            ("title",),
        ),
        (claim("Use rose.", evidence("the rate reached 63.5 per cent")), ()),
    ),
)

QUOTE_TOO_SHORT = Check(
    id="quote-too-short",
    version=1,
    title=Text("Quotes are long enough", "引文长度足够"),
    description=Text(
        f"A quote of fewer than {MIN_LETTERS} characters, or {MIN_CJK} Chinese ones, is found by "
        "chance.",
        f"少于 {MIN_LETTERS} 个字符（或 {MIN_CJK} 个汉字）的引文容易碰巧匹配。",
    ),
    messages={
        "too_short": Message(
            Text(
                "Quote {number} is too short to prove anything: “{quote}”.",
                "第 {number} 条引文过短，不足为证：“{quote}”。",
            ),
            Text("Quote the whole sentence.", "请引用完整的句子。"),
        )
    },
    run=quote_too_short,
    examples=(
        (claim("Use rose.", evidence("63.5 %")), ("too_short",)),
        (claim("用量上升。", evidence("用量上升")), ("too_short",)),
        (claim("用量上升。", evidence("岸电用量上升")), ()),
        (claim("Use rose.", evidence("the rate reached 63.5 per cent")), ()),
    ),
)

QUOTE_CUT = Check(
    id="quote-cut-in-word",
    version=1,
    title=Text("Quotes end at word ends", "引文不截断词语"),
    description=Text(
        "A quote that begins or ends inside a word or a number can mean something else: “1.4” "
        "stands in “21.4”.",
        "引文若从词语或数字中间截断，意思可能不同：“21.4”中也有“1.4”。",
    ),
    messages={
        "cut_start": Message(
            Text(
                "Quote {number} begins inside a word or a number: “…{around}…”.",
                "第 {number} 条引文从词语或数字中间开始：“…{around}…”。",
            ),
            Text("Quote from the beginning of the word.", "请从完整的词语开始引用。"),
        ),
        "cut_end": Message(
            Text(
                "Quote {number} ends inside a word or a number: “…{around}…”.",
                "第 {number} 条引文在词语或数字中间结束：“…{around}…”。",
            ),
            Text("Quote to the end of the word.", "请引用到完整的词语为止。"),
        ),
    },
    run=quote_cut,
    examples=(
        (
            claim(
                "It lasted 1.4 months.",
                evidence("1.4 months", context="It lasted 21.4 months", cut_start=True),
            ),
            ("cut_start",),
        ),
        (
            claim("It lasted 21.4 mo.", evidence("21.4 mo", context="21.4 months", cut_end=True)),
            ("cut_end",),
        ),
        (
            claim("It lasted 21.4 months.", evidence("21.4 months", context="It was 21.4 months")),
            (),
        ),
    ),
)
