"""Find an article that a library gave in the canonical text, as spans of it. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .results import Span

_BLANK = re.compile(r"\s+")
_LETTERS = re.compile(r"\w")
SURE = 16  # characters without white space: a line of so many is found anywhere, not only next
NEAR = 400  # characters behind the last find in which a shorter line is looked for
HEAD = 80  # characters of a title or standfirst that are compared
SHORT_HEAD = 6  # characters: a shorter one may stand anywhere
MOST_WORK = 4_000_000_000  # characters compared, at most; lines beyond are looked for nearby only


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the canonical text, and where it stands."""

    start: int
    end: int
    folded: str  # without white space


def lines_of(text: str) -> Iterator[Line]:
    """Cut a text at its line breaks; empty lines are left out."""
    at = 0
    for piece in text.split("\n"):
        if folded := _BLANK.sub("", piece):
            yield Line(at, at + len(piece), folded)
        at += len(piece) + 1


def spans_of(text: str, article: str, heads: Iterable[str] = ()) -> tuple[Span, ...]:
    """Give where an article stands in a text: runs of whole lines.

    A line belongs to it that the article holds, or that holds most of itself in lines of it, and
    so do the lines of ``heads``: the title and the standfirst, which libraries leave out.
    """
    wanted = _BLANK.sub("", article)
    if not wanted:
        return ()
    lines = list(lines_of(text))
    pieces = sorted(
        {folded for line in article.split("\n") if len(folded := _BLANK.sub("", line)) >= SURE},
        key=len,
        reverse=True,
    )
    is_cheap = len(lines) * len(wanted) < MOST_WORK
    found, at = [], 0
    for line in lines:
        place = wanted.find(line.folded, at, at + len(line.folded) + NEAR)
        if place < 0 and is_cheap and len(line.folded) >= SURE:
            place = wanted.find(line.folded)
        if place >= 0:
            at = place + len(line.folded)
            found.append(True)
        else:
            found.append(is_cheap and _holds(line.folded, pieces))
    found = _without_strays(lines, found)
    if any(found):
        _add_heads(lines, found, heads)
    return tuple(_runs(lines, found))


def _add_heads(lines: list[Line], found: list[bool], heads: Iterable[str]) -> None:
    """Take in the first line that is a head, or the most of one."""
    for head in heads:
        wanted = _BLANK.sub("", head)[:HEAD]
        for number, line in enumerate(lines if len(wanted) >= SHORT_HEAD else ()):
            folded = line.folded
            if folded.startswith(wanted) or (
                2 * len(folded) > len(wanted) and wanted.startswith(folded)
            ):
                found[number] = True
                break


def _holds(folded: str, pieces: list[str]) -> bool:
    """Tell whether pieces of the article make up most of a line."""
    if len(folded) < SURE or len(pieces) > 2_000:
        return False
    held = 0
    for piece in pieces:
        if len(piece) <= len(folded) and piece in folded:
            held += len(piece)
            if 2 * held >= len(folded):
                return True
    return False


def _without_strays(lines: list[Line], found: list[bool]) -> list[bool]:
    """Drop short lines that stand alone among furniture; take in mere marks between two finds."""
    kept = list(found)
    for number, line in enumerate(lines):
        before = number > 0 and kept[number - 1]
        after = number + 1 < len(found) and found[number + 1]
        if found[number] and len(line.folded) < SURE and not (before or after):
            kept[number] = False
        elif not found[number] and before and after and not _LETTERS.search(line.folded):
            kept[number] = True
    return kept


def _runs(lines: Iterable[Line], kept: Iterable[bool]) -> Iterator[Span]:
    start = end = -1
    for line, is_kept in zip(lines, kept, strict=True):
        if is_kept:
            start, end = (line.start if start < 0 else start), line.end
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end
