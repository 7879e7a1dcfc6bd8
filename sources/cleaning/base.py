"""What is cleaned, what a step may know, and what a step is. Pure. Rulebook section 5.

A step takes all items and gives all of them back: none is ever taken away. One that is to be
dropped carries its ``drop``, and later steps leave it alone.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sources.scoring.facts import Tables
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS
from workbench.lib.texts import Text

from .starter import NAME_PAIRS
from .subject import Subject

type Level = Literal["D1", "D2", "D3"]
type ConflictKind = Literal["direction", "numbers"]
type Reliability = Literal["", "S", "A", "B", "C"]

STARTER_TABLES = Tables(JOURNALS, PUBLISHERS, DOMAINS)


@dataclass(frozen=True, slots=True)
class Drop:
    """Why an item is no evidence. Rulebook section 5, "Drop reasons"."""

    reason: str  # one of ``words.DROPS``
    words: str = ""  # what told it, for the reader


@dataclass(frozen=True, slots=True)
class Downrank:
    """One reason to rank an item lower."""

    reason: str  # one of ``words.DOWNRANKS``
    level: Level
    words: str = ""  # what told it


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that only a person applies."""

    kind: str  # "similar_name" or "ocr"
    found: str
    instead: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something about an item that a person should look at."""

    code: str  # one of ``words.DOUBTS``
    words: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another item of the same origin that says otherwise."""

    other: int  # its index
    origin: str  # "MIT"
    kind: ConflictKind


class Item(NamedTuple):
    """One piece of raw evidence on its way. ``text`` is what the steps have made of it so far.

    A tuple, since steps make many of them.
    """

    number: int  # in the input, from 0
    url: str = ""
    title: str = ""
    snippet: str = ""
    raw_text: str = ""
    published: str = ""
    text: str = ""
    actions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    downranks: tuple[Downrank, ...] = ()
    drop: Drop | None = None
    doubts: tuple[Doubt, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    merged: tuple[int, ...] = ()  # indexes of the items that this one stands for
    reliability: Reliability = ""
    relevance: float | None = None  # 0 to 1; None: it cannot be told

    @property
    def is_kept(self) -> bool:
        """Whether no step has dropped it."""
        return self.drop is None

    @property
    def level(self) -> Level | None:
        """What its reasons to rank lower come to. D1 and D1 are D2; more is D3."""
        points = sum(POINTS[each.level] for each in self.downranks)
        return LEVELS[min(points, 3)] if points else None

    def acted(self, text: str, *actions: str) -> "Item":
        """Give the item with another text, and what was done to it."""
        return self._replace(text=text, actions=_added(self.actions, actions))

    def flagged(self, *flags: str) -> "Item":
        """Give the item with flags."""
        return self._replace(flags=_added(self.flags, flags))

    def dropped(self, reason: str, words: str = "") -> "Item":
        """Give the item as one that is dropped."""
        return self._replace(drop=Drop(reason, words))

    def downranked(self, reason: str, level: Level, words: str = "") -> "Item":
        """Give the item with one more reason to rank it lower; each reason counts once."""
        if any(each.reason == reason for each in self.downranks):
            return self
        return self._replace(downranks=(*self.downranks, Downrank(reason, level, words)))

    def doubted(self, code: str, words: str = "") -> "Item":
        """Give the item with a doubt, which is a flag as well."""
        doubts = (*self.doubts, Doubt(code, words))
        return self._replace(doubts=doubts, flags=_added(self.flags, (code,)))


POINTS: Mapping[Level, int] = {"D1": 1, "D2": 2, "D3": 3}
LEVELS: Mapping[int, Level] = {points: level for level, points in POINTS.items()}


def _added(held: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*held, *more)))


@dataclass(frozen=True, slots=True)
class Record:
    """What a registry or index said when it was asked for an identifier."""

    exists: bool
    title: str = ""
    registry: str = ""  # "Crossref"


@dataclass(frozen=True, slots=True)
class NamePair:
    """A name that is easily written for another, and words that tell when it was."""

    written: str  # 中国银行
    meant: str  # 中国人民银行
    context: tuple[str, ...]  # words that only go with what is meant


STARTER_PAIRS = tuple(NamePair(*pair) for pair in NAME_PAIRS)


@dataclass(frozen=True)
class Context:
    """All that a step may know beside the items."""

    subject: Subject = field(default_factory=Subject)
    tables: Tables = STARTER_TABLES
    pairs: tuple[NamePair, ...] = ()
    known: Mapping[tuple[str, str], Record] = field(default_factory=dict)  # scheme, value → record
    snapshots: Mapping[str, str] = field(default_factory=dict)  # canonical URL → text


type Items = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class CleaningStep:
    """One step. It rewrites form, never meaning, and takes no item away."""

    id: str  # stored, documented, never renamed, never reused
    number: str  # in the rulebook: "2.5"
    version: int  # raised when the same items may come out otherwise
    title: Text
    description: Text
    run: Callable[[Items, Context], Items]
    examples: tuple["StepExample", ...]


@dataclass(frozen=True, slots=True)
class StepExample:
    """Raw items, and what the step alone says of each: "kept: text", "drop: reason" and so on."""

    subject: str
    raw: tuple[Mapping[str, str], ...]
    outcome: tuple[str, ...]


_HALF = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """Give a text whose half characters are the sign for lost ones: no other code takes them."""
    return _HALF.sub("\ufffd", text)


def fresh(index: int, raw: Mapping[str, str]) -> Item:
    """Make an item of the texts of a raw one; its text is the snippet, else the raw text."""
    snippet, raw_text = raw.get("snippet", ""), raw.get("raw_text", "")
    return Item(
        number=index,
        url=raw.get("source_url", ""),
        title=raw.get("title", ""),
        snippet=snippet,
        raw_text=raw_text,
        published=raw.get("publish_date", ""),
        text=whole(snippet if snippet.strip() else raw_text),
    )


def outcome_of(item: Item) -> str:
    """Say what became of an item, in the words of examples."""
    if item.drop is not None:
        return f"drop: {item.drop.reason}"
    said = ", ".join(f"{each.reason} {each.level}" for each in item.downranks)
    flags = ", ".join(item.flags)
    rest = "; ".join(part for part in (said, flags) if part)
    return f"kept: {item.text}" + (f" ({rest})" if rest else "")
