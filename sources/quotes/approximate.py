"""Aligning a quote that differs from its passage: seed by common pieces, then extend."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import edlib
from rapidfuzz.distance import Levenshtein

from sources.quotes.index import Hit

# At most a fifth of the quote may differ (text.md section 2, grade "partial").
_EDITS_IN = 5
_LONGEST_ALIGNED = 6_000  # code points; beyond this only the longest common part is sought
_LONGEST_PIGEONHOLE = 60
_MOST_WINDOWS = 6
_MOST_CHARACTERS = 12_000  # of the quote, over all windows
_MOST_EXTENSIONS = 32
_SYMBOLS = 255  # distinct ones that edlib tells apart, beside "any other"


class Aligned(NamedTuple):
    """A passage of the folded text, and in how many code points the quote differs from it."""

    start: int
    end: int
    edits: int


class Common(NamedTuple):
    """A stretch that quote and folded text have in common."""

    quote_start: int
    start: int
    length: int


def align(text: str, quote: str, hits: list[Hit]) -> list[Aligned]:
    """Give the passages that differ from a folded quote by a fifth at most, nearest first."""
    if not 0 < len(quote) <= _LONGEST_ALIGNED:
        return []
    most = len(quote) // _EDITS_IN
    if not hits and len(quote) <= _LONGEST_PIGEONHOLE:
        hits = _pigeonhole(text, quote, most)
    found: list[Aligned] = []
    for low, high in _windows(hits, len(quote), most):
        passage = _align_in(text, quote, max(0, low), high, most)
        if passage and not any(_overlap(passage, other) for other in found):
            found.append(passage)
    return sorted(found, key=lambda passage: (passage.edits, passage.start))


def longest_common(text: str, quote: str, hits: list[Hit]) -> Common | None:
    """Give the longest part of a folded quote that the text holds, None without any."""
    votes = Counter(place - at for at, place in hits)
    best: Common | None = None
    reached: dict[int, int] = {}
    tried = 0
    for at, place in sorted(hits, key=lambda hit: (-votes[hit[1] - hit[0]], hit)):
        if tried >= _MOST_EXTENSIONS:
            break
        if at < reached.get(place - at, 0):
            continue
        tried += 1
        back = _common_end(quote, at, text, place)
        ahead = _common_start(quote, at, text, place)
        reached[place - at] = at + ahead
        if best is None or back + ahead > best.length:
            best = Common(at - back, place - back, back + ahead)
    return best


def _windows(hits: list[Hit], length: int, most: int) -> list[tuple[int, int]]:
    # Pieces of one passage lie on nearly one diagonal: place minus position in the quote.
    width = max(8, length // 8)
    votes = Counter((place - at) // width for at, place in hits)
    strength = {slot: count + votes.get(slot + 1, 0) for slot, count in votes.items()}
    ranked = sorted(strength, key=lambda slot: (-strength[slot], slot))
    room = max(1, min(_MOST_WINDOWS, _MOST_CHARACTERS // length))
    chosen: list[int] = []
    for slot in ranked:
        if len(chosen) == room or strength[slot] * 3 < strength[ranked[0]]:
            break
        if all(abs(slot - other) > 1 for other in chosen):
            chosen.append(slot)
    return [
        (slot * width - most, (slot + 2) * width + length + most)
        for slot in (*chosen, *_neighbours(chosen, strength))
    ]


def _neighbours(chosen: list[int], strength: dict[int, int]) -> list[int]:
    # The best diagonal may lie at the border of two slots.
    return [chosen[0] - 1] if chosen and chosen[0] - 1 in strength else []


def _pigeonhole(text: str, quote: str, most: int) -> list[Hit]:
    # With at most n edits one of n + 1 pieces is unchanged.
    size = max(4, len(quote) // (most + 1)) if quote.isascii() else max(2, len(quote) // (most + 1))
    hits: list[Hit] = []
    for at in range(0, len(quote) - size + 1, size):
        place = text.find(quote[at : at + size])
        while place >= 0 and len(hits) < 512:
            hits.append((at, place))
            place = text.find(quote[at : at + size], place + 1)
    return hits


def _align_in(text: str, quote: str, low: int, high: int, most: int) -> Aligned | None:
    coded, window = _coded(quote, text[low:high])
    result = edlib.align(
        coded,
        window,
        mode="HW",
        task="locations",
        k=most,
    )
    if result["editDistance"] < 0:
        return None
    start, last = min(
        ((first or 0, last) for first, last in result["locations"]),
        key=lambda place: abs(place[1] + 1 - place[0] - len(quote)),
    )
    start, end = _whole_words(text, low + start, low + last + 1)
    edits = Levenshtein.distance(quote, text[start:end])
    return Aligned(start, end, edits) if start < end else None


def _coded(quote: str, window: str) -> tuple[bytes, bytes]:
    # edlib compares at most 256 symbols. Those that do not fit are told apart later, when the
    # edits are counted again.
    try:
        return quote.encode("latin-1"), window.encode("latin-1", "replace")
    except UnicodeEncodeError:
        symbols = {symbol: at % _SYMBOLS for at, symbol in enumerate(dict.fromkeys(quote))}
        known = symbols.get
        return (
            bytes([symbols[symbol] for symbol in quote]),
            bytes([known(symbol, _SYMBOLS) for symbol in window]),
        )


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    # A changed first letter may have been left out, and half a number would deceive the guard.
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    for _ in range(3):
        if start > 0 and _joined(text[start - 1], text[start]):
            start -= 1
        if 0 < end < len(text) and _joined(text[end - 1], text[end]):
            end += 1
    return start, end


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and max(left, right) < "\u2e80"


def _overlap(one: Aligned, other: Aligned) -> bool:
    return one.start < other.end and other.start < one.end


def _common_start(quote: str, at: int, text: str, place: int) -> int:
    # Doubling and halving compares slices, so that even 100,000 equal characters are cheap.
    most = min(len(quote) - at, len(text) - place)
    return _gallop(most, lambda n: quote[at : at + n] == text[place : place + n])


def _common_end(quote: str, at: int, text: str, place: int) -> int:
    most = min(at, place)
    return _gallop(most, lambda n: quote[at - n : at] == text[place - n : place])


def _gallop(most: int, equal: Callable[[int], bool]) -> int:
    good, step = 0, 8
    while good < most and equal(min(most, good + step)):
        good = min(most, good + step)
        step *= 2
    low, high = good, min(most, good + step)
    while low < high:
        middle = (low + high + 1) // 2
        if equal(middle):
            low = middle
        else:
            high = middle - 1
    return low
