"""What a quote and its passage differ in."""

import re
from functools import cache

from rapidfuzz.distance import Levenshtein

from sources.quotes import tables
from sources.quotes.folding import Folded, fold
from sources.quotes.location import Difference, Fold, Span

_LONGEST_COMPARED = 4000
_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W\u2e80-\U000323af]+|\s+|.", re.DOTALL)
_NOT_ASCII = re.compile("[^\\x00-\\x7f]")


def needed_folds(
    quote: str, passage: str, folds: frozenset[Fold], *, equal: bool = False
) -> frozenset[Fold]:
    """Name the fewest folds that bring quote and passage as near as all of them do.

    ``equal`` says that all of them are known to make the two the same.
    """
    if quote == passage:
        return frozenset()
    strict = folds <= tables.CONTRACT
    apart = 0 if equal else _apart(quote, passage, folds, strict)
    # A fold whose characters are the same on both sides hardly ever does anything: try without
    # all of those at once, and one by one only if that was wrong.
    needed = frozenset(name for name in folds if _signs(name, quote) != _signs(name, passage))
    if _apart(quote, passage, needed, strict) != apart:
        needed = folds
    for name in sorted(needed):
        if _apart(quote, passage, needed - {name}, strict) == apart:
            needed -= {name}
    return needed


def differences(
    quote: Folded, snippet: str, passage: Folded, text: str, at: int
) -> tuple[Difference, ...]:
    """Show word by word where a snippet differs from a passage that begins at ``at``.

    The folded forms are compared; what folding makes equal is no difference. Of very long
    quotes none are shown.
    """
    if max(len(quote.text), len(passage.text)) > _LONGEST_COMPARED:
        return ()
    ours, theirs = _tokens(quote.text), _tokens(passage.text)
    found: list[Difference] = []
    for mine, other in _changes(quote.text, ours, passage.text, theirs):
        (low, high), (first, last) = _bounds(ours, *mine), _bounds(theirs, *other)
        words = snippet[slice(*quote.span(low, high))] if low < high else ""
        if first < last:
            start, end = passage.span(first, last)
        else:
            start = end = passage.span(first - 1, first)[1] if first else 0
        found.append(Difference(words, text[start:end], at + start, at + end))
    return tuple(found)


def _changes(
    quote: str, ours: list[Span], passage: str, theirs: list[Span]
) -> list[tuple[Span, Span]]:
    # Edits that touch are one change: "re-sign" for "resign" rather than two.
    edits = Levenshtein.opcodes(
        [quote[slice(*token)] for token in ours], [passage[slice(*token)] for token in theirs]
    )
    changes: list[tuple[Span, Span]] = []
    for edit in edits:
        if edit.tag == "equal":
            continue
        mine, other = (edit.src_start, edit.src_end), (edit.dest_start, edit.dest_end)
        if changes and (changes[-1][0][1], changes[-1][1][1]) == (mine[0], other[0]):
            before = changes.pop()
            mine, other = (before[0][0], mine[1]), (before[1][0], other[1])
        changes.append((mine, other))
    return changes


def _tokens(text: str) -> list[Span]:
    return [match.span() for match in _TOKEN.finditer(text)]


def _bounds(tokens: list[Span], first: int, last: int) -> Span:
    if first < last:
        return tokens[first][0], tokens[last - 1][1]
    place = tokens[first - 1][1] if first else 0
    return place, place


def _apart(quote: str, passage: str, folds: frozenset[Fold], strict: bool) -> int:
    mine, theirs = (fold(text, folds, strict=strict).text for text in (quote, passage))
    if mine == theirs:
        return 0
    if max(len(mine), len(theirs)) > _LONGEST_COMPARED:
        return 1
    return Levenshtein.distance(mine, theirs)


def _signs(name: Fold, text: str) -> list[str]:
    if name == "nfc":
        return [] if text.isascii() else _NOT_ASCII.findall(text)
    if name == "case":
        small = text.casefold()
        if len(small) == len(text):
            return [letter for letter, other in zip(text, small, strict=True) if letter != other]
        return [letter for letter in text if letter != letter.casefold()]
    return _patterns()[name].findall(text)


@cache
def _patterns() -> dict[Fold, re.Pattern[str]]:
    table = tables.one_to_one
    patterns: dict[Fold, str] = {
        "white_space": rf"[^\S ]|\s\s|\A\s|\s\Z|[{tables.CJK}]\s|\s[{tables.CJK}]",
        "quotes": _any_of(table(frozenset({"quotes"}))),
        "dashes": f"[{tables.DASHES}]|--",
        "zero_width": f"[{tables.ZERO_WIDTH}]",
        "ligature": f"[…⋯{''.join((*tables.LIGATURES, *tables.TYPED))}]|\\.{{3}}",
        "width": f"{_any_of(table(frozenset({'width'})))}|[{tables.HALF_KATAKANA}]",
        "soft_hyphen": tables.SOFT_HYPHEN,
        "line_hyphen": f"[-{tables.HYPHENS}][{tables.ZERO_WIDTH}]*\\s",
    }
    return {name: re.compile(pattern) for name, pattern in patterns.items()}


def _any_of(table: dict[int, str]) -> str:
    return f"[{''.join(f'\\U{code:08x}' for code in sorted(table))}]"
