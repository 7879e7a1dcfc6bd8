"""What the same search gives now, beside what it gave before. Pure. Screens (d)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Listed:
    """One result of a list; ``key`` is the same for the same thing, ``standing`` its provider's."""

    key: str
    rank: int  # 1 is the first
    title: str = ""
    url: str = ""
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A result that stands elsewhere in the list now."""

    now: Listed
    before: int  # its rank then

    @property
    def by(self) -> int:
        """How many places up; below zero is down."""
        return self.before - self.now.rank


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two lists of results of one search. Each result stands in one of the first four."""

    new: tuple[Listed, ...] = ()
    gone: tuple[Listed, ...] = ()
    moved: tuple[Moved, ...] = ()
    same: tuple[Listed, ...] = ()  # in their old places
    retracted: tuple[Listed, ...] = field(default=())  # found before, and not so marked then
    partial: bool = False  # one of the two was answered in part: what is gone may be there

    @property
    def unchanged(self) -> bool:
        """Tell whether nothing differs."""
        return not (self.new or self.gone or self.moved or self.retracted)

    def counts(self) -> dict[str, int]:
        """Give how many of each, as commands print it."""
        names = ("new", "gone", "moved", "same", "retracted")
        return {name: len(getattr(self, name)) for name in names}


def compare(
    before: Sequence[Listed], after: Sequence[Listed], *, partial: bool = False
) -> Comparison:
    """Compare two lists, each in the order of ranks. A key that stands twice counts once."""
    then, now = _first(before), _first(after)
    both = [(item, then[key]) for key, item in now.items() if key in then]
    return Comparison(
        new=tuple(item for key, item in now.items() if key not in then),
        gone=tuple(item for key, item in then.items() if key not in now),
        moved=tuple(Moved(item, old.rank) for item, old in both if item.rank != old.rank),
        same=tuple(item for item, old in both if item.rank == old.rank),
        retracted=tuple(item for item, old in both if item.standing == RETRACTED != old.standing),
        partial=partial,
    )


def _first(items: Sequence[Listed]) -> dict[str, Listed]:
    found: dict[str, Listed] = {}
    for item in items:
        found.setdefault(item.key, item)
    return found
