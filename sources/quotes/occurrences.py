"""All places of a text, whether they cut a word, and which comes first."""

import re
from collections.abc import Iterator, Sequence

from sources.quotes.location import Flag, Span

# Of a quote of one letter a page holds hundreds of thousands, which nobody reads: a worker that
# locates whole reports stops here. Whoever asks for one quote may have all of them.
MOST_OCCURRENCES = 1000
MOST_RANKED = 200  # of a list that may be cut
_NEAR = 300  # code points on either side that count as the neighbourhood
_MOST_TERMS = 40
_MOST_CLAIM = 2000
_TERM = re.compile(r"\d[\d.,]*\d|\d|[^\W\d_\u2e80-\U000323af]{3,}|[\u3400-\u9fff]+")
_SIGNS = "-−–"
_POINTS = (".", ",")


def places(text: str, needle: str) -> Iterator[int]:
    """Yield the positions of a needle that do not overlap."""
    at = text.find(needle) if needle else -1
    while at >= 0:
        yield at
        at = text.find(needle, at + len(needle))


def cuts(text: str, start: int, end: int) -> tuple[Flag, ...]:
    """Name the ends of a passage that lie inside a word or a number of the text."""
    flags: list[Flag] = []
    at_start = _cuts_number(text, start) or _cuts_sign(text, start)
    at_end = _cuts_number(text, end) or _cuts_multiple(text, end)
    if at_start or cuts_word(text, start):
        flags.append("cut_start")
    if at_end or cuts_word(text, end):
        flags.append("cut_end")
    if at_start or at_end:
        flags.append("cut_number")
    return tuple(flags)


def cuts_word(text: str, at: int) -> bool:
    """Tell whether a position lies inside a word; between Chinese characters it never does."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    return left.isalnum() and right.isalnum() and max(left, right) < "\u2e80"


def rank(
    text: str,
    spans: Sequence[Span],
    *,
    snippet: str,
    claim: str,
    article: Sequence[Span],
    most: int | None,
) -> tuple[Span, ...]:
    """Order occurrences: in the article, whole words, near the claim's words, verbatim, first.

    Only the first ``most`` are compared, None for all; the others follow in the order of the text.
    """
    if len(spans) < 2:
        return tuple(spans)
    terms = _terms(claim, snippet)

    def key(span: Span) -> tuple[bool, bool, float, bool, Span]:
        start, end = span
        return (
            bool(article) and not any(low <= start and end <= high for low, high in article),
            bool(cuts(text, start, end)),
            -_resemblance(text, span, terms),
            text[start:end] != snippet,
            span,
        )

    compared = len(spans) if most is None else most
    return (*sorted(spans[:compared], key=key), *spans[compared:])


def _terms(claim: str, snippet: str) -> list[str]:
    terms: dict[str, None] = {}
    for match in _TERM.finditer(claim[:_MOST_CLAIM].casefold()):
        word = match[0]
        if word[0] >= "\u2e80" and len(word) > 2:
            terms |= dict.fromkeys(word[at : at + 2] for at in range(len(word) - 1))
        else:
            terms[word] = None
    quoted = snippet.casefold()
    return [term for term in terms if term not in quoted][:_MOST_TERMS]


def _resemblance(text: str, span: Span, terms: list[str]) -> float:
    # Every term nearby counts once, and up to once more the nearer it stands.
    if not terms:
        return 0
    start, end = span
    before = text[max(0, start - _NEAR) : start].casefold()
    after = text[end : end + _NEAR].casefold()
    score = 0.0
    for term in terms:
        left, right = before.rfind(term), after.find(term)
        gaps = [len(before) - left - len(term)] if left >= 0 else []
        gaps += [right] if right >= 0 else []
        if gaps:
            score += 2 - min(gaps) / _NEAR
    return score


def _cuts_number(text: str, at: int) -> bool:
    # 1.4 in 21.4 is cut between digits, 4 in 21.4 beside the point.
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if before[-1:].isdecimal() and after[:1].isdecimal():
        return True
    if before[-1:] in _POINTS and before[:1].isdecimal() and after[:1].isdecimal():
        return True
    return after[:1] in _POINTS and after[1:].isdecimal() and before[-1:].isdecimal()


def _cuts_sign(text: str, start: int) -> bool:
    if not 0 < start < len(text) or not text[start].isdecimal() or text[start - 1] not in _SIGNS:
        return False
    return start == 1 or not (text[start - 2].isalnum() or text[start - 2] in ")]%")


def _cuts_multiple(text: str, end: int) -> bool:
    return 0 < end < len(text) and text[end - 1].isdecimal() and text[end] in "十百千万亿萬億"
