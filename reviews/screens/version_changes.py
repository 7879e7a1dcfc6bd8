"""Two stored versions of one address: whether the quotes survive, then what changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviews.models import Evidence
from reviews.screens.reader import text_of
from sources.models import Project, Snapshot
from sources.text_changes import Changes, Row, changes
from workbench.lib.blobs import BlobError

MOST_SHOWN = 400  # changed rows
AROUND = 1  # equal paragraphs shown before and after a change
MOST_CITED = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """A row of the page; ``skipped`` equal paragraphs stand in its place where it has no row."""

    row: Row | None = None
    number: int = 0  # of the change, 1 is the first; 0 where nothing changed
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote that rests on the older version."""

    evidence: Evidence
    survives: bool  # word for word, blanks apart


@dataclass(slots=True)
class VersionChanges:
    """What the page of two versions shows; without an older one there is nothing to compare."""

    old: Snapshot | None
    new: Snapshot
    old_number: int = 0
    new_number: int = 0
    shown: tuple[Shown, ...] = ()
    cited: tuple[Cited, ...] = ()
    numbers: tuple[tuple[int, tuple[str, ...], tuple[str, ...]], ...] = ()  # of a change: old, new
    total: int = 0  # changed rows
    cut: bool = False
    unreadable: str = ""

    @property
    def left_out(self) -> int:
        """Give how many further changes the page does not show."""
        return max(0, self.total - MOST_SHOWN)

    @property
    def lost(self) -> int:
        """Give how many quotes the newer version no longer holds."""
        return sum(not each.survives for each in self.cited)


def version_changes(project: Project, new: Snapshot, older: str) -> VersionChanges:
    """Compare a version with another of the same address, the one before it unless it is named."""
    versions = list(Snapshot.objects.versions_of(project, new.normalized_url)[:200])
    at = next((n for n, each in enumerate(versions) if each.pk == new.pk), 0)
    named = [n for n, each in enumerate(versions) if older and each.content_hash.startswith(older)]
    before = named[0] if named else at - 1
    if before < 0 or before == at:
        return VersionChanges(None, new, 0, at + 1)
    found = VersionChanges(versions[before], new, before + 1, at + 1)
    try:
        left, right = text_of(versions[before].content_hash), text_of(new.content_hash)
    except BlobError as fault:
        found.unreadable = str(fault)
        return found
    _compare(found, changes(left, right))
    found.cited = tuple(_cited(versions[before], left, right))
    return found


def _compare(found: VersionChanges, compared: Changes) -> None:
    changed = [at for at, row in enumerate(compared.rows) if row.kind != "same"]
    found.total, found.cut = len(changed), compared.cut
    found.shown = tuple(_shown(compared.rows, changed[:MOST_SHOWN], whole=not found.left_out))
    found.numbers = tuple(
        (number, *sides)
        for number, at in enumerate(changed[:MOST_SHOWN], start=1)
        if any(sides := compared.rows[at].numbers)
    )


def _shown(rows: Sequence[Row], changed: Sequence[int], *, whole: bool) -> Iterator[Shown]:
    """Give the changed rows with what stands around them, and how much was left out between."""
    numbers = {at: number for number, at in enumerate(changed, start=1)}
    wanted = {
        near
        for at in changed
        for near in range(max(0, at - AROUND), min(len(rows), at + AROUND + 1))
        if near in numbers or rows[near].kind == "same"
    }
    last = -1
    for at in sorted(wanted):
        if at > last + 1:
            yield Shown(skipped=at - last - 1)
        yield Shown(rows[at], numbers.get(at, 0))
        last = at
    if whole and last < len(rows) - 1:
        yield Shown(skipped=len(rows) - 1 - last)


def _cited(old: Snapshot, left: str, right: str) -> Iterator[Cited]:
    rows = Evidence.objects.filter(snapshot=old, current=True, start__isnull=False)
    plain = " ".join(right.split())
    for each in rows.select_related("claim").order_by("start", "pk")[:MOST_CITED]:
        quote = left[each.start : each.end]
        yield Cited(each, quote in right or " ".join(quote.split()) in plain)
