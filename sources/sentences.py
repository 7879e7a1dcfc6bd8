"""Sentences of a text with their places, English and Chinese. Pure; time grows with length only."""

import re
from collections.abc import Iterator

type Span = tuple[int, int]  # code points, half-open

# A longer stretch is cut at white space or a comma: a passage must be short enough to be read.
MAX_LENGTH = 1_000
# A shorter line that ends without a stop is a heading or a cell, not wrapped prose.
WRAPPED_LINE = 40
# How far back from a full stop the word before it is read.
_LOOK_BACK = 24


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A full stop after these belongs to the word, and the sentence goes on.
_TITLES = _listed(
    """
    adm approx bros capt cf cmdr col dr e.g eds esp fr gen gov hon i.e incl lt maj messrs mr mrs ms
    mt prof rep rev sen sgt st supt v viz vs
    """
)
# Likewise, but only before a number: "No. 5", not "He said no. It rained."
_BEFORE_NUMBERS = _listed(
    """
    apr art aug ca ch chap dec eq feb fig figs jan jul jun mar no nos nov oct p par pp pt sec sep
    sept tab vol vols
    """
)
# After these, and after a single letter, the next word decides: "the U.S. Army", "the U.S. The".
_MAY_END = _listed(
    """
    a.m al assn ave b.c blvd co corp dept d.c etc inc jr ltd p.m ph.d sr u.k u.n u.s univ
    """
)
_STARTERS = _listed(
    """
    a after all also although an and as at because before both but by despite during each for from
    he her his how however i if in it its many moreover most no on one other our she since so some
    such that the their then there these they this those though through to under we what when where
    while who why with you
    """
)

_CLOSERS = "\"'”’»)\\]）］】」』》〉"
_WIDE_STOPS = frozenset("。！？｡")
_MARK = re.compile(
    rf"(?P<stop>[.!?…。！？｡؟۔।]+[{_CLOSERS}]*(?:\[\d{{1,3}}\])*)"
    r"|(?P<line>[\n\r\u2028\u2029\x0b\x0c\x85]\s*)"
)
_LAST_WORD = re.compile(r"[\w.]+\Z")
_NEXT_WORD = re.compile(r"[\s\"'“‘«(\[]*([^\W_]*)")
_NUMBERING = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})\Z")
_LONGEST_NUMBERING = 12  # with the white space before it
_LIST_ITEM = re.compile(r"[-*+•·‣▪◦–—]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]")
_CUTS = " \t\n,;，、；"


def split(text: str) -> list[Span]:
    """List the places of a text's sentences in order, white space around them left out.

    Headings, list items and table rows are sentences of their own: a line ends a sentence unless
    prose is merely wrapped. Nothing but white space is lost between two sentences.
    """
    return [piece for span in _sentences(text) for piece in _pieces(text, *span)]


def _sentences(text: str) -> Iterator[Span]:
    start = 0
    line_start = 0
    for mark in _MARK.finditer(text):
        if mark.lastgroup == "line":
            ends = not _is_wrapped(text, line_start, mark)
            line_start = mark.end()
        else:
            ends = _is_end(text, start, mark)
        if ends:
            yield start, mark.end()
            start = mark.end()
    yield start, len(text)


def _is_wrapped(text: str, line_start: int, mark: re.Match[str]) -> bool:
    at = mark.start()
    if mark.end() >= len(text) or at - line_start < WRAPPED_LINE:
        return False
    if mark[0].count("\n") > 1 or "\t" in text[line_start : min(at, line_start + MAX_LENGTH)]:
        return False
    if _LIST_ITEM.match(text, mark.end(), mark.end() + 6):
        return False
    if text[at - 1] in "，、":
        return True
    return text[mark.end()].islower() and (text[at - 1].isalnum() or text[at - 1] in ",-")


def _is_end(text: str, start: int, mark: re.Match[str]) -> bool:
    stop, end = mark["stop"], mark.end()
    if end == len(text):
        return True
    if not _WIDE_STOPS.isdisjoint(stop):
        return text[end] not in "，、；,;"
    if not text[end].isspace():
        return False
    following = _NEXT_WORD.match(text, end, end + _LOOK_BACK)
    word = following[1] if following else ""
    if word and word[0].islower():
        return False
    return stop[0] != "." or stop[:2] == ".." or not _is_abbreviation(text, start, mark, word)


def _is_abbreviation(text: str, start: int, mark: re.Match[str], following: str) -> bool:
    at = mark.start()
    last = _LAST_WORD.search(text, max(start, at - _LOOK_BACK), at)
    if last is None:
        return False
    if at - start <= _LONGEST_NUMBERING and _NUMBERING.match(text[start:at].lstrip()):
        return True
    word = last[0].lower()
    if word in _TITLES:
        return True
    if word in _BEFORE_NUMBERS:
        return following[:1].isdigit()
    if word in _MAY_END or (len(word) == 1 and word.isalpha()):
        return following.lower() not in _STARTERS
    return False


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    start, end = _strip(text, start, end)
    while end - start > MAX_LENGTH:
        middle, limit = start + MAX_LENGTH // 2, start + MAX_LENGTH
        cut = max(text.rfind(character, middle, limit) for character in _CUTS) + 1
        cut = cut or limit
        yield _strip(text, start, cut)
        start, _ = _strip(text, cut, end)
    if start < end:
        yield start, end


def _strip(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
