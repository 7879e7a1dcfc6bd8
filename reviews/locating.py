"""Locate evidence in its snapshots and rank passages for claims, one snapshot at a time.

A snapshot is read and indexed once, whatever rests on it. Text.md section 2.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any

from django.utils import timezone

from reviews.models import Evidence
from reviews.risk import Risk, assess
from sources.models import Snapshot
from sources.passages import Passage, Sentences
from sources.quantities import ledger
from sources.quotes import Location, SnapshotIndex, locate
from sources.texts import read_text
from workbench.lib.blobs import BlobError

MAX_OCCURRENCES = 50
MAX_DIFFERENCES = 40
MAX_PASSAGE = 4_000  # characters kept with the evidence; the page reads the rest
MAX_CONTEXT = 600  # characters kept on each side of a passage
HEAD = 600
READ_PASSAGES = 5  # ranked passages that stand in for the passage of a paraphrase

LOCATED_FIELDS = ("grade", "grade_reason", "start", "end", "location", "ledger", "located_at")


@dataclass(frozen=True, slots=True)
class ClaimRisk:
    """What one snapshot says of one claim."""

    claim: int  # primary key
    risk: Risk


class SnapshotReader:
    """The text of one snapshot with its two indexes, each built when first needed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.text = read_text(snapshot.content_hash)
        self.index = SnapshotIndex(self.text)
        self.sentences = Sentences.of_text(self.text)

    def around(self, start: int, end: int) -> tuple[int, int]:
        """Widen a span to whole sentences, at most 600 characters on each side."""
        spans = self.sentences.spans
        low, high = start, end
        at = bisect_left(spans, start - MAX_CONTEXT, key=itemgetter(1))
        while at < len(spans) and spans[at][0] < end + MAX_CONTEXT:
            low, high = min(low, spans[at][0]), max(high, spans[at][1])
            at += 1
        return max(low, start - MAX_CONTEXT), min(high, end + MAX_CONTEXT)


def locate_in(snapshot: Snapshot, evidence: Sequence[Evidence]) -> Iterator[ClaimRisk]:
    """Set the location and ledger of every item (unsaved), yield the risk of each claim."""
    try:
        reader = SnapshotReader(snapshot)
    except BlobError as fault:
        for item in evidence:
            _not_checkable(item, f"snapshot-unreadable: {fault}"[:100])
        return
    risks: dict[int, Risk] = {}
    for item in evidence:
        claim = item.claim
        if claim.pk not in risks:
            risks[claim.pk] = assess(claim.text, reader.sentences)
        # A sentence that shares nothing with the claim is no proposal.
        spoken = [p for p in risks[claim.pk].passages if p.score > 0]
        _locate_one(reader, item, spoken)
    for pk in dict.fromkeys(item.claim_id for item in evidence):
        yield ClaimRisk(pk, risks[pk])


def without_snapshot(evidence: Iterable[Evidence]) -> None:
    """Say of evidence that has no snapshot that it cannot be checked."""
    for item in evidence:
        _not_checkable(item, "snapshot-missing" if item.snapshot_ref else "no-snapshot")


def _not_checkable(item: Evidence, reason: str) -> None:
    item.grade, item.grade_reason = Evidence.Grade.NOT_CHECKABLE, reason
    item.start = item.end = None
    item.ledger = [row.to_json() for row in ledger(item.claim.text, item.snippet)]
    item.location = {"context": "", "against": "snippet"} if item.snippet else {}
    item.located_at = timezone.now()


def _locate_one(reader: SnapshotReader, item: Evidence, ranked: Sequence[Passage]) -> None:
    found = Location("absent")
    if item.snippet.strip():
        title = item.source.title if item.source else ""
        found = locate(reader.index, item.snippet, claim=item.claim.text, title=title)
    grade, reason = found.grade, ""
    if grade in {"absent", "partial", "script"} and reader.snapshot.depth != Snapshot.Depth.FULL:
        # Only a full text can show that something is not in the source.
        grade, reason = "not_checkable", f"depth:{reader.snapshot.depth}"
    elif not item.snippet.strip():
        grade, reason = "not_checkable", "no-quote"
    item.grade, item.grade_reason = grade, reason
    item.start, item.end = found.start, found.end
    item.location = _location(reader, found, ranked)
    passage = item.location["passage"] or " ".join(
        reader.text[p.start : p.end] for p in ranked[:READ_PASSAGES]
    )
    rows = ledger(item.claim.text, passage[:MAX_PASSAGE], item.location["context"])
    item.ledger = [row.to_json() for row in rows]
    item.located_at = timezone.now()


def _location(reader: SnapshotReader, found: Location, ranked: Sequence[Passage]) -> dict[str, Any]:
    passage = context = ""
    context_start = None
    if found.start is not None and found.end is not None:
        passage = reader.text[found.start : found.end][:MAX_PASSAGE]
        context_start, stop = reader.around(found.start, found.end)
        context = reader.text[context_start:stop][: MAX_PASSAGE + 2 * MAX_CONTEXT]
    return {
        "occurrences": [list(span) for span in found.occurrences[:MAX_OCCURRENCES]],
        "folded": list(found.folded),
        "numbers_equal": found.numbers_equal,
        "number_mismatch": found.number_mismatch,
        "flags": list(found.flags),
        "gaps": [list(span) for span in found.gaps[:MAX_OCCURRENCES]],
        "edits": found.edits,
        "part": asdict(found.part) if found.part else None,
        "differences": [asdict(each) for each in found.differences[:MAX_DIFFERENCES]],
        "passage": passage,
        "context": context,
        "context_start": context_start,
        "head": reader.text[:HEAD],
        "proposed": [[p.start, p.end, p.score] for p in ranked[:READ_PASSAGES]],
    }
