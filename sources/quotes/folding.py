"""Folding a text for comparison, with the way back to the original positions."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from sources.quotes import tables
from sources.quotes.composing import compose
from sources.quotes.location import Fold, Span
from sources.quotes.offsets import Offsets

_LETTER = r"[^\W\d_]"
_SPACED_OUT = re.compile(r"(?<!\S)\S(?:\s{1,3}\S){3,}(?!\S)")
_CJK = re.compile(f"[{tables.CJK}]")
# A mark belongs to the character on its other side, be it of full width or typed plain.
_CJK_BEFORE = re.compile(f"[{tables.CJK}][{tables.MARKS}]?\\Z")
_CJK_AFTER = re.compile(f"[{tables.MARKS}]?[{tables.CJK}]")


@dataclass(slots=True)
class Folded:
    """A folded text, and where its characters came from.

    Hyphens between letters are left out, since one that a printer set at the end of a line
    cannot be told from one of the word. ``hyphens`` and ``line_hyphens`` keep where they stood,
    as positions of this text, in order.
    """

    text: str
    offsets: Offsets
    composed: Offsets | None = None
    hyphens: list[int] = field(default_factory=list)
    line_hyphens: list[int] = field(default_factory=list)

    def span(self, start: int, end: int) -> Span:
        """Give the original span of a stretch of at least one folded character."""
        first, last = self.offsets.start(start), self.offsets.end(end)
        if self.composed is None:
            return first, last
        return self.composed.start(first), self.composed.end(last)

    def hyphens_in(self, start: int, end: int) -> tuple[frozenset[int], frozenset[int]]:
        """Give the hyphens left out inside a stretch, and those at line ends, from its start."""
        return _inside(self.hyphens, start, end), _inside(self.line_hyphens, start, end)


def _inside(places: list[int], start: int, end: int) -> frozenset[int]:
    low, high = bisect_right(places, start), bisect_left(places, end)
    return frozenset(place - start for place in places[low:high])


def fold(text: str, folds: frozenset[Fold], *, strict: bool | None = None) -> Folded:
    """Fold a text in the ways named; ``script`` is left to the caller.

    With ``strict`` white space is folded as the contract does, else it goes altogether beside
    characters that are written without. None means strict for what the contract folds.
    """
    composed = None
    if "nfc" in folds:
        text, composed = compose(text)
    if strict is None:
        strict = folds <= tables.CONTRACT
    return _rules(folds, strict).apply(text, composed)


@dataclass(frozen=True, slots=True)
class _Rules:
    folds: frozenset[Fold]
    pattern: re.Pattern[str]
    spaced_pattern: re.Pattern[str]
    spaced: bool  # white space beside CJK characters goes altogether
    table: dict[int, str]

    def apply(self, text: str, composed: Offsets | None) -> Folded:
        """Fold a composed text."""
        runs = self._spaced_out(text) if self.spaced else []
        pattern = self.spaced_pattern if runs else self.pattern
        mapped = text.translate(self.table) if self.table else text
        folded = Folded("", Offsets(), composed)
        parts: list[str] = []
        done = length = 0
        for match in pattern.finditer(text):
            start, end = match.span()
            length += start - done
            piece = self._replace(match, text, runs, folded, length)
            parts += (mapped[done:start], piece)
            folded.offsets.add(length, start, after=(length + len(piece), end))
            length += len(piece)
            done = end
        parts.append(mapped[done:])
        joined = "".join(parts)
        # At the end and at once: whatever grows has been replaced before.
        folded.text = joined.casefold() if "case" in self.folds else joined
        return folded

    def _replace(
        self, match: re.Match[str], text: str, runs: list[Span], folded: Folded, at: int
    ) -> str:
        kind, piece = match.lastgroup, match[0]
        if kind == "gap":
            return self._gap(match, text, runs)
        if kind == "line":
            folded.line_hyphens.append(at)
            return ""
        if kind == "hyphen":
            folded.hyphens.append(at)
            return ""
        if kind == "soft":
            return ""
        if kind in ("break", "dash"):
            return "-"
        if kind == "dots":
            return "..."
        if kind == "grow":
            return piece.casefold()
        if kind == "kana":
            return unicodedata.normalize("NFKC", piece)
        return self._ligature(piece)

    def _ligature(self, piece: str) -> str:
        if "ligature" not in self.folds:
            return piece
        return tables.LIGATURES.get(piece) or tables.TYPED[piece]

    def _gap(self, match: re.Match[str], text: str, runs: list[Span]) -> str:
        start, end = match.span()
        if "white_space" not in self.folds or not any(map(str.isspace, match[0])):
            return ""
        if start == 0 or end == len(text):
            return ""
        if not self.spaced:
            return " "
        if _CJK_BEFORE.search(text[max(0, start - 2) : start]):
            return ""
        if _CJK_AFTER.match(text[end : end + 2]):
            return ""
        while runs and runs[-1][1] <= start:
            runs.pop()
        return "" if runs and runs[-1][0] <= start else " "

    @staticmethod
    def _spaced_out(text: str) -> list[Span]:
        if not _CJK.search(text):
            return []
        found = [match.span() for match in _SPACED_OUT.finditer(text) if _CJK.search(match[0])]
        return found[::-1]  # the first run is popped first


@lru_cache(maxsize=256)
def _rules(folds: frozenset[Fold], strict: bool) -> _Rules:
    spaced = "white_space" in folds and not strict
    return _Rules(
        folds,
        _compile(folds, spaced=spaced, single=False),
        _compile(folds, spaced=spaced, single=True),
        spaced,
        tables.one_to_one(folds),
    )


def _compile(folds: frozenset[Fold], *, spaced: bool, single: bool) -> re.Pattern[str]:
    zero = tables.ZERO_WIDTH if "zero_width" in folds else ""
    skip = f"[{zero}]*" if zero else ""
    dashes = f"-{tables.DASHES}" if "dashes" in folds else "-"
    hyphens = tables.HYPHENS if "dashes" in folds else "-"
    broken = r"[^\S\r\n]*[\r\n]\s*" + skip
    parts: list[str] = []
    if "soft_hyphen" in folds:
        parts.append(rf"(?P<soft>{tables.SOFT_HYPHEN}(?:{broken})?)")
    if "line_hyphen" in folds:
        parts += (
            rf"(?P<line>(?<={_LETTER}){skip}[{hyphens}]{skip}{broken}(?={_LETTER}))",
            rf"(?P<hyphen>(?<={_LETTER}){skip}[{dashes}]{skip}(?:{broken})?(?={_LETTER}))",
            rf"(?P<break>(?<=\w)[{hyphens}]{skip}{broken}(?=\w))",
        )
    if "dashes" in folds:
        parts.append(rf"(?P<dash>[{dashes}]{{2,}})")
    if "ligature" in folds:
        parts.append(r"(?P<dots>…+|⋯+|\.{3,})")
    if "ligature" in folds or "case" in folds:
        parts.append(f"(?P<ligature>[{''.join((*tables.LIGATURES, *tables.TYPED))}])")
    if "case" in folds:
        parts.append(f"(?P<grow>[{tables.growing_in_case()}])")
    if "width" in folds:
        parts.append(f"(?P<kana>[{tables.HALF_KATAKANA}][\uff9e\uff9f]?)")
    parts += _gaps(folds, zero, spaced=spaced, single=single)
    if folds <= tables.CONTRACT:
        return re.compile("|".join(parts) or r"(?!)")
    # One look at the character spares the dozen alternatives for nearly all of the text.
    first = (
        rf"\s.…⋯{zero}{tables.SOFT_HYPHEN}{dashes[1:]}{tables.HALF_KATAKANA}"
        f"{''.join((*tables.LIGATURES, *tables.TYPED))}{tables.growing_in_case()}-"
    )
    return re.compile(f"(?=[{first}])(?:{'|'.join(parts)})")


def _gaps(folds: frozenset[Fold], zero: str, *, spaced: bool, single: bool) -> list[str]:
    if "white_space" not in folds:
        return [f"(?P<gap>[{zero}]+)"] if zero else []
    # A plain space between two words stays as it is and is not even looked at.
    gaps = [rf"[\s{zero}]{{2,}}", r"[^\S ]", r"\A ", r" \Z"]
    if zero:
        gaps.append(f"[{zero}]")
    if spaced:
        before, mark = f"(?<=[{tables.CJK}])", f"[{tables.MARKS}]"
        gaps += (
            f" (?={mark}?[{tables.CJK}])",
            f"{before} ",
            f"(?<=[{tables.CJK}]{mark}) ",
        )
    if single:
        gaps.append(r"(?<!\S\S) (?!\S\S)")
    return [f"(?P<gap>{'|'.join(gaps)})"]
