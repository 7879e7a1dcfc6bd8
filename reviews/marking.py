"""Cut a text at the places that are to be marked. Pure; offsets are code points, half-open."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

# Marks that frame a passage; what lies in a passage is marked inside its frame.
FRAMES = frozenset({"passage", "occurrence", "proposed"})


@dataclass(frozen=True, slots=True)
class Mark:
    """A span and what is to be seen there. ``label`` is said beside a frame."""

    start: int
    end: int
    kind: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text under the same marks."""

    start: int
    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A frame with its pieces, or the text between two frames (``frame`` None).

    A frame that a window cuts keeps its whole span in ``frame``.
    """

    pieces: tuple[Piece, ...]
    frame: Mark | None = None


@dataclass(slots=True)
class _Cursor:
    at: int
    blocks: list[Block] = field(default_factory=list)


def cut(text: str, marks: Iterable[Mark], *, start: int = 0, end: int | None = None) -> list[Block]:
    """Cut ``text[start:end]`` into blocks and pieces; nothing is lost, nothing is doubled.

    Where frames overlap, the first one given keeps its span and the others what is left of theirs.
    """
    end = len(text) if end is None else min(end, len(text))
    given = [mark for mark in marks if mark.start < mark.end]
    frames = _apart([mark for mark in given if mark.kind in FRAMES], start, end)
    inner = sorted(
        (mark for mark in given if mark.kind not in FRAMES), key=lambda mark: (mark.start, mark.end)
    )
    cursor = _Cursor(start)
    for low, high, frame in frames:
        if cursor.at < low:
            cursor.blocks.append(Block(_pieces(text, inner, cursor.at, low)))
        cursor.blocks.append(Block(_pieces(text, inner, low, high), frame))
        cursor.at = high
    if cursor.at < end:
        cursor.blocks.append(Block(_pieces(text, inner, cursor.at, end)))
    return cursor.blocks


def _apart(frames: Sequence[Mark], start: int, end: int) -> list[tuple[int, int, Mark]]:
    taken: list[tuple[int, int, Mark]] = []
    for frame in frames:
        spans = [(max(frame.start, start), min(frame.end, end))]
        for low, high, _frame in taken:
            spans = [part for span in spans for part in _without(span, low, high)]
        taken += [(low, high, frame) for low, high in spans if low < high]
    return sorted(taken, key=lambda each: each[0])


def _without(span: tuple[int, int], low: int, high: int) -> list[tuple[int, int]]:
    if high <= span[0] or span[1] <= low:
        return [span]
    parts = [(span[0], low), (high, span[1])]
    return [part for part in parts if part[0] < part[1]]


def _pieces(text: str, inner: Sequence[Mark], start: int, end: int) -> tuple[Piece, ...]:
    here = [mark for mark in inner if mark.start < end and start < mark.end]
    if not here:
        return (Piece(start, text[start:end]),)
    edges = sorted(
        {start, end}
        | {min(max(edge, start), end) for mark in here for edge in (mark.start, mark.end)}
    )
    kinds: list[dict[str, None]] = [{} for _ in edges]
    for mark in here:
        low = bisect_left(edges, max(mark.start, start))
        high = bisect_left(edges, min(mark.end, end))
        for place in range(low, high):
            kinds[place][mark.kind] = None
    return tuple(
        Piece(low, text[low:high], tuple(kinds[place]))
        for place, (low, high) in enumerate(pairwise(edges))
    )
