"""Quotes that leave something out: their parts in order, within a window."""

import re
from itertools import islice
from typing import NamedTuple

from sources.quotes.occurrences import cuts_word, places

# In a folded text every … is "...", and full-width brackets are plain ones.
_ELISION = re.compile(r"\s*[\[({〔【]?\s*(?:\.{3,}|\. \. \.)\s*[\])}〕】]?\s*")
_MOST_PARTS = 12
_MOST_STARTS = 64
_WINDOW = 1000  # code points that one gap may leave out
_LETTERS = 4  # a shorter part stands everywhere; a Chinese character counts as two letters

type Parts = tuple[tuple[int, int], ...]


class Elided(NamedTuple):
    """The parts of a quote in the quote, and the places where they follow one another."""

    quote: Parts
    found: list[Parts]
    more: bool = False  # the first part stands at further places, which were not looked at


def find_parts(text: str, quote: str, *, every: bool = False) -> Elided | None:
    """Find the parts of an elided quote in a text folded like it; None without an elision.

    Not more than 64 places of the first part are looked at, unless ``every`` one shall be.
    """
    parts = _split(quote)
    if parts is None:
        return None
    found: list[Parts] = []
    first = quote[slice(*parts[0])]
    starts = places(text, first)
    for start in starts if every else islice(starts, _MOST_STARTS):
        passage = _follow(text, quote, parts, start)
        if passage is None:
            continue
        if found and found[-1][-1] == passage[-1]:
            found.pop()  # the later start leaves less out
        found.append(passage)
    more = next(starts, None) is not None
    return Elided(parts, sorted(found, key=lambda passage: passage[-1][1] - passage[0][0]), more)


def _split(quote: str) -> Parts | None:
    if not _ELISION.search(quote):
        return None
    parts: list[tuple[int, int]] = []
    done = 0
    for match in _ELISION.finditer(quote):
        parts.append((done, match.start()))
        done = match.end()
    parts.append((done, len(quote)))
    kept = tuple(part for part in parts if part[0] < part[1])
    if not 0 < len(kept) <= _MOST_PARTS:
        return None
    return kept if all(_telling(quote[start:end]) for start, end in kept) else None


def _telling(part: str) -> bool:
    letters = sum(2 if letter >= "\u2e80" else 1 for letter in part if letter.isalnum())
    return letters >= _LETTERS


def _follow(text: str, quote: str, parts: Parts, start: int) -> Parts | None:
    passage = [(start, start + parts[0][1] - parts[0][0])]
    if len(parts) > 1 and cuts_word(text, passage[0][1]):
        return None
    for at, (low, high) in enumerate(parts[1:], start=2):
        done, part = passage[-1][1], quote[low:high]
        stop = done + _WINDOW + len(part)
        place = text.find(part, done, stop)
        while place >= 0 and (
            cuts_word(text, place) or (at < len(parts) and cuts_word(text, place + len(part)))
        ):
            place = text.find(part, place + 1, stop)
        if place < 0:
            return None
        passage.append((place, place + len(part)))
    return tuple(passage)
