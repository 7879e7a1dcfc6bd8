"""What changed between two versions of a text, paragraph by paragraph, then word by word. Pure.

Bounded, since the texts are anybody's: of each side at most ``MOST_CHARACTERS`` are compared, in at
most ``MOST_PARAGRAPHS`` parts. Offsets are code points of the whole texts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

MOST_CHARACTERS = 500_000
MOST_PARAGRAPHS = 4_000
MOST_WORDS = 2_000  # of a paragraph; longer ones are shown without marks
LONG = 2_000  # characters after which a paragraph is cut at the end of a sentence or line
ALIKE = 50.0  # per cent: less alike, one paragraph went and another came
NEAR = 12  # paragraphs that are looked through for the one that it became

_LINE = re.compile(r"[^\n]+")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s)|[。！？]|$)", re.DOTALL)
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_CJK = re.compile(r"[\u3400-\u9fff]")
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)*\s?[%％‰]?")


@dataclass(frozen=True, slots=True)
class Part:
    """One paragraph, or one sentence of a long one."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that both sides have, or only this one."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Two paragraphs side by side; None where one side has none."""

    old: Part | None
    new: Part | None
    old_pieces: tuple[Piece, ...] = ()
    new_pieces: tuple[Piece, ...] = ()

    @property
    def kind(self) -> str:
        """Give "same", "changed", "gone" or "new"."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "gone"
        return "changed" if self.old.text != self.new.text else "same"

    @property
    def numbers(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Give the numbers that only the old side and only the new side has."""
        old = _numbers(self.old.text if self.old else "")
        new = _numbers(self.new.text if self.new else "")
        return tuple(n for n in old if n not in new), tuple(n for n in new if n not in old)


@dataclass(frozen=True, slots=True)
class Changes:
    """All rows, and whether the texts were longer than what was compared."""

    rows: tuple[Row, ...]
    cut: bool


def changes(old: str, new: str) -> Changes:
    """Compare two versions; rows are in the order of the texts."""
    left, cut_left = _parts(old)
    right, cut_right = _parts(new)
    rows: list[Row] = []
    for step in LCSseq.opcodes([_key(p) for p in left], [_key(p) for p in right]):
        some, other = left[step.src_start : step.src_end], right[step.dest_start : step.dest_end]
        if step.tag == "equal":
            rows += [Row(a, b) for a, b in zip(some, other, strict=True)]
        else:
            rows += _rows(some, other)
    return Changes(tuple(_joined(rows)), cut_left or cut_right)


def _joined(rows: Sequence[Row]) -> Iterator[Row]:
    """Pair what went with what came right after it: one step says delete, the next insert."""
    at = 0
    while at < len(rows):
        end = at
        while end < len(rows) and rows[end].kind in {"gone", "new"}:
            end += 1
        if end == at:
            yield rows[at]
            at += 1
            continue
        run = rows[at:end]
        yield from _rows(
            [row.old for row in run if row.old is not None],
            [row.new for row in run if row.new is not None],
        )
        at = end


def _rows(old: Sequence[Part], new: Sequence[Part]) -> list[Row]:
    """Pair paragraphs that became one another, in order."""
    made: list[Row] = []
    at = 0
    for part in old:
        found = _become(part, new[at : at + NEAR])
        if found is None:
            made.append(Row(part, None))
            continue
        made += [Row(None, each) for each in new[at : at + found]]
        made.append(_paired(part, new[at + found]))
        at += found + 1
    return made + [Row(None, each) for each in new[at:]]


def _become(part: Part, new: Sequence[Part]) -> int | None:
    best, score = None, ALIKE
    for at, each in enumerate(new):
        alike = fuzz.ratio(part.text, each.text, score_cutoff=score)
        if alike > score or (alike and best is None):
            best, score = at, alike
    return best


def _paired(old: Part, new: Part) -> Row:
    before, after = _words(old.text), _words(new.text)
    if max(len(before), len(after)) > MOST_WORDS:
        return Row(old, new, (Piece(old.text, True),), (Piece(new.text, True),))
    left: list[Piece] = []
    right: list[Piece] = []
    for step in LCSseq.opcodes(before, after):
        differs = step.tag != "equal"
        for side, words, first, last in (
            (left, before, step.src_start, step.src_end),
            (right, after, step.dest_start, step.dest_end),
        ):
            if text := "".join(words[first:last]):
                side.append(Piece(text, differs))
    return Row(old, new, tuple(left), tuple(right))


def _words(text: str) -> list[str]:
    """Give words, numbers, blanks and signs; Chinese characters one by one."""
    found: list[str] = []
    for word in _WORD.findall(text):
        found += list(word) if _CJK.search(word) else [word]
    return found


def _parts(text: str) -> tuple[list[Part], bool]:
    parts: list[Part] = []
    head = text[:MOST_CHARACTERS]
    for start, end in _cut(head):
        if head[start:end].strip():
            if len(parts) == MOST_PARAGRAPHS:
                return parts, True
            parts.append(Part(start, end, head[start:end]))
    return parts, len(text) > len(head)


def _cut(text: str) -> Iterator[tuple[int, int]]:
    for start, end in _paragraphs(text):
        if end - start <= LONG:
            yield start, end
            continue
        for line in _LINE.finditer(text, start, end):
            if line.end() - line.start() <= LONG:
                yield line.span()
                continue
            for sentence in _SENTENCE.finditer(text, *line.span()):
                for at in range(sentence.start(), sentence.end(), LONG):
                    yield at, min(sentence.end(), at + LONG)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Give the places of runs of lines that are not blank."""
    start = end = None
    for line in _LINE.finditer(text):
        if not line.group().strip():
            continue
        if start is None or end is None:
            start = line.start()
        elif line.start() > end + 1:  # a blank line between
            yield start, end
            start = line.start()
        end = line.end()
    if start is not None and end is not None:
        yield start, end


def _key(part: Part) -> int:
    return hash(" ".join(part.text.split()))


def _numbers(text: str) -> list[str]:
    return list(dict.fromkeys(each.strip() for each in _NUMBER.findall(text)))
