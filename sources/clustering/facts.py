"""What the rules of clusters read of a source, and what they give. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from sources.clustering.reprints import ReprintLine, reprint_lines

type Pair = tuple[int, int]  # keys of two sources, the smaller first
type Fact = str | int | float
type Facts = Mapping[str, Fact]

# The strongest first: where several rules hold for a pair, the first one names its link.
RULES = (
    "same_address",
    "same_work",
    "same_registry_id",
    "same_patent_family",
    "same_filing",
    "preprint",
    "stated",
    "near_identical",
    "reprint_line",
    "same_release",
)


@dataclass(frozen=True)
class ClusterFacts:
    """One source as the rules of clusters see it; unknown values are empty."""

    key: int  # of its row
    name: str = ""  # external id
    title: str = ""
    address: str = ""  # canonical
    host: str = ""
    venue: str = ""
    authors: tuple[str, ...] = ()
    published: date | None = None
    identifiers: tuple[tuple[str, str], ...] = ()  # scheme and value; of the source itself
    is_preprint: bool = False
    abstract: str = ""
    notes: str = ""
    body: str = ""  # the first code points of its capture
    stated: str = ""  # the cluster that its file names

    @cached_property
    def lines(self) -> tuple[ReprintLine, ...]:
        """Give the lines that say whose text this is."""
        return reprint_lines(self.body, self.abstract, self.notes)

    @cached_property
    def ids(self) -> dict[str, frozenset[str]]:
        """Give the values of its identifiers by scheme."""
        found: dict[str, set[str]] = {}
        for scheme, value in self.identifiers:
            found.setdefault(scheme, set()).add(value)
        return {scheme: frozenset(values) for scheme, values in found.items()}

    @cached_property
    def age(self) -> tuple[bool, date, int]:
        """Sort by what is likely the origin: no copy by its own word, then the earliest."""
        return (any(line.strong for line in self.lines), self.published or date.max, self.key)


@dataclass(frozen=True, slots=True)
class Link:
    """Why two sources are thought to share an origin."""

    first: int  # the smaller key
    second: int
    rule: str  # one of RULES
    facts: Facts = field(default_factory=dict)

    @property
    def pair(self) -> Pair:
        return self.first, self.second


def link(left: ClusterFacts, right: ClusterFacts, rule: str, **facts: Fact) -> Link:
    """Give the link of two sources, in the one order that a pair has."""
    first, second = sorted((left.key, right.key))
    return Link(first, second, rule, facts)


def pair(left: int, right: int) -> Pair:
    """Give two keys in order."""
    return (left, right) if left < right else (right, left)


def by_age(sources: Iterable[ClusterFacts]) -> list[ClusterFacts]:
    """Sort sources, the likely origin first."""
    return sorted(sources, key=lambda each: each.age)
