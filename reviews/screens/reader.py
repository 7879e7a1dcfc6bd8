"""The source beside a claim: a window of its text with marks, or why there is no passage."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from reviews.checks.doubts import CORRELATIONS, HEDGES
from reviews.checks.wording import hits
from reviews.checks.words import CAUSE
from reviews.marking import Block, Mark, cut
from reviews.models import Assessment, Evidence
from sources.instructions import find_instructions
from sources.models import Project, Snapshot
from sources.quotes import LOCATED, SnapshotIndex, locate
from sources.quotes.folding import Folded, fold
from sources.quotes.tables import TOLERANT
from sources.texts import read_text
from workbench.lib.blobs import BlobError
from workbench.lib.showing import language_of

REACH = 10_000  # characters shown before and after the passage
STEP = 10_000  # characters that "more" brings
MOST_HITS = 500
_KEPT = frozenset({"equal", "converted", "rounded"})
_SENSES = (HEDGES, CAUSE.claims, CORRELATIONS)


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a text as marked blocks. Offsets are code points."""

    blocks: list[Block]
    start: int
    end: int
    characters: int

    @property
    def above(self) -> int:
        """Give how many characters stand before the window."""
        return self.start

    @property
    def below(self) -> int:
        """Give how many characters stand after the window."""
        return self.characters - self.end


@dataclass(frozen=True, slots=True)
class Version:
    """One stored text of an address; 1 is the first."""

    number: int
    snapshot: Snapshot
    shown: bool


@dataclass(frozen=True, slots=True)
class Proposed:
    """A passage that ranking proposes for a claim."""

    number: int
    start: int
    end: int
    text: str


@dataclass(slots=True)
class Reader:
    """What the source pane shows for one piece of evidence."""

    evidence: Evidence | None = None
    snapshot: Snapshot | None = None
    versions: list[Version] = field(default_factory=list)
    window: Window | None = None
    language: str = ""
    passages: list[tuple[int, int]] = field(default_factory=list)
    by_hand: bool = False
    proposed: list[Proposed] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)
    ledger: list[dict[str, Any]] = field(default_factory=list)
    reason: str = ""  # why no passage is marked: a name of REASONS, or empty
    instructions: list[str] = field(default_factory=list)
    unreadable: str = ""
    text: str = ""
    marks: list[Mark] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Give the number of the version shown, 0 if it is none of the address."""
        return next((each.number for each in self.versions if each.shown), 0)

    @property
    def other_version(self) -> bool:
        """Tell whether another version is shown than the evidence rests on."""
        if self.evidence is None or self.snapshot is None:
            return False
        return self.evidence.snapshot_id != self.snapshot.pk


@lru_cache(maxsize=8)
def text_of(content_hash: str) -> str:
    """Give a snapshot's text; the last few stay at hand. Raises BlobError."""
    return read_text(content_hash)


@lru_cache(maxsize=64)
def _instructions(content_hash: str) -> tuple[tuple[int, int], ...]:
    return find_instructions(text_of(content_hash))


@lru_cache(maxsize=4)
def _folded(content_hash: str) -> Folded:
    return fold(text_of(content_hash), TOLERANT)


def open_reader(
    project: Project,
    evidence: Evidence,
    mine: Assessment | None,
    *,
    claim_text: str,
    version: Snapshot | None = None,
    at: tuple[int, int] | None = None,
    sealed: bool = False,
) -> Reader:
    """Open the source of a piece of evidence at its passage. One query, one text read.

    ``version`` shows another text of the same address; the quote is then looked for anew. A
    ``sealed`` claim is read without what the machine says of its numbers.
    """
    snapshot = version or evidence.snapshot
    reader = Reader(evidence, snapshot, ledger=[] if sealed else evidence.ledger)
    address = snapshot.normalized_url if snapshot else ""
    if not address and evidence.source:
        address = evidence.source.normalized_url
    if address:
        kept = Snapshot.objects.versions_of(project, address)
        shown = snapshot.pk if snapshot else 0
        reader.versions = [Version(n, s, s.pk == shown) for n, s in enumerate(kept, start=1)]
    if snapshot is None:
        reader.reason = evidence.grade_reason or "no-snapshot"
        return reader
    try:
        text = text_of(snapshot.content_hash)
    except BlobError as fault:
        reader.unreadable = str(fault)
        return reader
    _place(reader, text, evidence, mine, claim_text)
    reader.marks = [*_frames(reader), *_notable(reader, text, evidence)]
    centre = at or (reader.passages[0] if reader.passages else None)
    if centre is None and reader.proposed:
        centre = (reader.proposed[0].start, reader.proposed[0].end)
    _show(reader, text, centre)
    return reader


def _show(reader: Reader, text: str, centre: tuple[int, int] | None) -> None:
    snapshot = reader.snapshot
    spans = _instructions(snapshot.content_hash) if snapshot else ()
    reader.text, reader.language = text, language_of(text)
    reader.instructions = [text[start:end] for start, end in spans]
    reader.marks += [Mark(start, end, "instruction") for start, end in spans]
    reader.window = window_of(text, reader.marks, centre or (0, 0))


def _place(
    reader: Reader, text: str, evidence: Evidence, mine: Assessment | None, claim_text: str
) -> None:
    """Set the passages, or the reason why there is none and what is proposed instead."""
    location: dict[str, Any] = evidence.location
    grade, spans = evidence.grade, [tuple(span) for span in location.get("occurrences", ())]
    if evidence.start is not None and evidence.end is not None and not spans:
        spans = [(evidence.start, evidence.end)]
    if reader.other_version:
        source = evidence.source
        found = locate(
            SnapshotIndex(text),
            evidence.snippet,
            claim=claim_text,
            title=source.title if source else "",
        )
        grade, spans = found.grade, list(found.occurrences)
        reader.ledger = []
    elif mine is not None and mine.start is not None and mine.end is not None:
        reader.by_hand = True
        spans = [(mine.start, mine.end), *spans]
    reader.passages = [(int(low), int(high)) for low, high in spans if high <= len(text)]
    if reader.by_hand:
        return
    if not reader.other_version:
        reader.differences = location.get("differences", [])
    if grade not in LOCATED:
        reader.reason = evidence.grade_reason or grade
    if not reader.passages and not reader.other_version:
        reader.proposed = [
            Proposed(number, start, end, text[start:end])
            for number, (start, end, _score) in enumerate(location.get("proposed", ()), start=1)
            if start < end <= len(text)
        ]


def _frames(reader: Reader) -> list[Mark]:
    evidence = reader.evidence
    if evidence is None or not reader.passages:
        return [
            Mark(each.start, each.end, "proposed", _("proposal %d") % each.number)
            for each in reader.proposed
        ]
    label = _("set by hand") if reader.by_hand else str(evidence.get_grade_display())
    if reader.other_version:
        label = _("in this version")
    first, *others = reader.passages
    return [
        Mark(*first, "passage", label),
        *(Mark(low, high, "occurrence") for low, high in others if (low, high) != first),
    ]


def _notable(reader: Reader, text: str, evidence: Evidence) -> list[Mark]:
    """Mark the numbers of the ledger, and words of doubt and cause near the passage."""
    if reader.other_version:
        return []
    location: dict[str, Any] = evidence.location
    marks = []
    for row in reader.ledger:
        side = row.get("passage")
        span = _in_text(side, row.get("origin", ""), evidence, location) if side else None
        if side and span is not None and text[slice(*span)] == side["raw"]:
            kind = "equal" if row["relation"] in _KEPT else "different"
            marks.append(Mark(*span, kind))
    for low, high in reader.passages[:1] or [(p.start, p.end) for p in reader.proposed]:
        begin = max(0, low - 300)
        marks += hedges(text[begin : high + 300], begin)
    return marks


def hedges(text: str, offset: int = 0) -> list[Mark]:
    """Mark words of doubt, cause and correlation; ``offset`` is where the text begins."""
    return [
        Mark(offset + hit.start, offset + hit.start + len(hit.word), "hedge")
        for hit in hits(text, *_SENSES)
    ]


def _in_text(
    side: dict[str, Any], origin: str, evidence: Evidence, location: dict[str, Any]
) -> tuple[int, int] | None:
    """Give where a side of the ledger stands in the snapshot; the ledger read a part of it."""
    start, end = side["start"], side["end"]
    if origin == "context":
        base = location.get("context_start")
        return None if base is None else (base + start, base + end)
    if evidence.start is not None:
        return evidence.start + start, evidence.start + end
    at = 0  # the ranked passages were joined by single spaces
    for low, high, _score in location.get("proposed", ()):
        length = high - low
        if at <= start and end <= at + length:
            return low + start - at, low + end - at
        at += length + 1
    return None


def window_of(text: str, marks: Sequence[Mark], centre: tuple[int, int]) -> Window:
    """Cut the window around a place: 10,000 characters on each side, whole lines at its ends."""
    start = _line_start(text, max(0, centre[0] - REACH))
    end = _line_end(text, min(len(text), centre[1] + REACH))
    return Window(cut(text, marks, start=start, end=end), start, end, len(text))


def chunk_of(text: str, marks: Sequence[Mark], *, start: int = 0, end: int | None = None) -> Window:
    """Cut what follows ``start``, or what comes before ``end``: the next 10,000 characters."""
    if end is not None:
        end = max(0, min(end, len(text)))
        low = _line_start(text, max(0, end - STEP))
        return Window(cut(text, marks, start=low, end=end), low, end, len(text))
    start = max(0, min(start, len(text)))
    high = _line_end(text, min(len(text), start + STEP))
    return Window(cut(text, marks, start=start, end=high), start, high, len(text))


def _line_start(text: str, at: int) -> int:
    found = text.rfind("\n", max(0, at - 400), at)
    return found + 1 if found >= 0 else at


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at, at + 400)
    return found + 1 if found >= 0 else at


def open_text(
    project: Project,
    snapshot: Snapshot,
    *,
    at: tuple[int, int] | None = None,
    marks: Sequence[Mark] = (),
) -> Reader:
    """Open a snapshot by itself, at a place if one is given. One query, one text read."""
    reader = Reader(snapshot=snapshot, marks=list(marks))
    kept = Snapshot.objects.versions_of(project, snapshot.normalized_url)
    reader.versions = [Version(n, s, s.pk == snapshot.pk) for n, s in enumerate(kept, start=1)]
    try:
        text = text_of(snapshot.content_hash)
    except BlobError as fault:
        reader.unreadable = str(fault)
        return reader
    if at is not None:
        reader.passages = [at]
        reader.marks.insert(0, Mark(*at, "passage"))
    _show(reader, text, at)
    return reader


@dataclass(frozen=True, slots=True)
class Found:
    """What searching a snapshot gave, and which hit is shown; ``number`` counts from 1."""

    wanted: str
    spans: list[tuple[int, int]]
    number: int

    @property
    def total(self) -> int:
        return len(self.spans)

    @property
    def capped(self) -> bool:
        return len(self.spans) == MOST_HITS

    @property
    def marks(self) -> list[Mark]:
        """Mark every hit; the one shown is marked twice."""
        marks = [Mark(low, high, "find") for low, high in self.spans]
        if self.spans:
            marks.append(Mark(*self.spans[self.number - 1], "current"))
        return marks


def search(snapshot: Snapshot, wanted: str, number: int) -> Found:
    """Find a text in a snapshot; ``number`` wraps around."""
    spans = find(snapshot.content_hash, wanted) if wanted.strip() else []
    return Found(wanted, spans, (number - 1) % len(spans) + 1 if spans else 0)


def find(content_hash: str, wanted: str) -> list[tuple[int, int]]:
    """Find a text in a snapshot, folded: case, width, quotes, dashes and line breaks apart.

    At most 500 places, in order.
    """
    needle = fold(wanted.strip(), TOLERANT).text
    if not needle:
        return []
    folded = _folded(content_hash)
    found: list[tuple[int, int]] = []
    at = folded.text.find(needle)
    while at >= 0 and len(found) < MOST_HITS:
        found.append(folded.span(at, at + len(needle)))
        at = folded.text.find(needle, at + len(needle))
    return found
