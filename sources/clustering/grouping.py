"""Turn links into clusters with stable names, and honour what people decided. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sources.clustering.facts import RULES, Link, Pair

_OURS = re.compile(r"K([1-9]\d{0,8})")

type Age = Callable[[int], Any]  # sorts keys, the likely origin first


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people said; it stands above every proposal."""

    joined: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()
    locked: Mapping[str, frozenset[int]] = field(default_factory=dict)  # members, as they stay
    pinned: Mapping[int, str] = field(default_factory=dict)  # by an override; empty: in none
    origins: Mapping[str, int] = field(default_factory=dict)  # chosen by a person


@dataclass(frozen=True, slots=True)
class Before:
    """How the clusters stand."""

    names: Mapping[int, str] = field(default_factory=dict)  # of the cluster of each source
    origins: Mapping[str, int] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()  # every name that a cluster has or had


@dataclass(frozen=True, slots=True)
class Grouping:
    """The clusters: who is in which, and where each began."""

    names: Mapping[int, str]
    origins: Mapping[str, int]

    def members(self) -> dict[str, list[int]]:
        """Give the sources of each cluster, sorted."""
        found: dict[str, list[int]] = defaultdict(list)
        for key in sorted(self.names):
            found[self.names[key]].append(key)
        return dict(found)


def group(
    keys: Iterable[int],
    links: Iterable[Link],
    *,
    age: Age,
    decisions: Decisions = Decisions(),  # frozen
    before: Before = Before(),  # frozen
    stated: Mapping[int, str] | None = None,
) -> Grouping:
    """Give the clusters that links and decisions make.

    A locked cluster keeps its members; two sources kept apart by a person are in no cluster
    together, whatever else links them; a pinned source is where its override puts it. Alone is
    only a source whose cluster a file names, or whose cluster a person locked. A cluster keeps
    its name while most of its members stay; names are never used twice.
    """
    free = [key for key in keys if key not in decisions.pinned]
    sets = _Sets(decisions)
    for first, second in sorted(decisions.joined):
        sets.join(first, second)
    for each in sorted(links, key=lambda link: (RULES.index(link.rule), link.pair)):
        if not {each.first, each.second} & decisions.pinned.keys():
            sets.join(each.first, each.second)
    groups = [sorted(members, key=age) for members in sets.groups(free)]
    groups.sort(key=lambda members: age(members[0]))
    names = _named(groups, decisions, before, stated or {})
    names |= {key: name for key, name in decisions.pinned.items() if name}
    return Grouping(names, _origins(names, age, decisions))


class _Sets:
    """Keys that belong together, by union and find, with those that must not meet."""

    def __init__(self, decisions: Decisions) -> None:
        self._parents: dict[int, int] = {}
        self._members: dict[int, set[int]] = {}
        self._enemies: dict[int, set[int]] = defaultdict(set)
        self._closed: set[int] = set()
        self._apart: dict[int, set[int]] = defaultdict(set)
        for first, second in decisions.apart:
            self._apart[first].add(second)
            self._apart[second].add(first)
        for members in decisions.locked.values():
            held = sorted(members - decisions.pinned.keys())
            for key in held[1:]:
                self._unite(self._root(held[0]), self._root(key))
            if held:
                self._closed.add(self._root(held[0]))

    def join(self, left: int, right: int) -> None:
        """Let two belong together, unless a person locked one or keeps members apart."""
        first, second = self._root(left), self._root(right)
        if first == second or first in self._closed or second in self._closed:
            return
        if self._enemies[first].isdisjoint(self._members[second]):
            self._unite(first, second)

    def groups(self, keys: Iterable[int]) -> Iterator[set[int]]:
        """Give the sets of the keys, those of one member too."""
        for root in dict.fromkeys(self._root(key) for key in keys):
            yield self._members[root]

    def _root(self, key: int) -> int:
        if key not in self._parents:
            self._parents[key], self._members[key] = key, {key}
            self._enemies[key] = self._apart.pop(key, set())
            return key
        while (parent := self._parents[key]) != key:
            self._parents[key] = self._parents[parent]
            key = parent
        return key

    def _unite(self, first: int, second: int) -> None:
        if first == second:
            return
        if len(self._members[first]) < len(self._members[second]):
            first, second = second, first
        self._parents[second] = first
        self._members[first] |= self._members.pop(second)
        self._enemies[first] |= self._enemies.pop(second)


def _named(
    groups: list[list[int]], decisions: Decisions, before: Before, stated: Mapping[int, str]
) -> dict[int, str]:
    chosen: dict[int, str] = {}  # place of a group -> name
    taken: set[str] = set()
    held = {key: name for name, members in decisions.locked.items() for key in members}
    for at, members in enumerate(groups):
        if name := next((held[key] for key in members if key in held), ""):
            chosen[at] = name
            taken.add(name)
    for at, name in _claims(groups, before, stated):
        if at not in chosen and name not in taken:
            chosen[at] = name
            taken.add(name)
    fresh = _fresh_names(before.taken | set(stated.values()) | taken)
    names: dict[int, str] = {}
    for at, members in enumerate(groups):
        alone = len(members) == 1
        if alone and at not in chosen:
            continue
        if alone and chosen[at] not in {stated.get(members[0]), held.get(members[0])}:
            continue
        name = chosen.get(at) or next(fresh)
        names.update(dict.fromkeys(members, name))
    return names


def _claims(
    groups: list[list[int]], before: Before, stated: Mapping[int, str]
) -> Iterator[tuple[int, str]]:
    """Give (place, name) wishes, the best first: a file's names, then those that stood."""
    wishes = []
    for at, members in enumerate(groups):
        said = Counter(stated[key] for key in members if key in stated)
        stood = Counter(before.names[key] for key in members if key in before.names)
        for name, count in said.items():
            wishes.append(((0, -stood[name], -count, at), at, name))
        for name, count in stood.items():
            # Of two halves the one with the origin keeps the name.
            lacks_origin = before.origins.get(name) not in members
            rank = 0 if name not in said and not _OURS.fullmatch(name) else 1
            wishes.append(((rank, -count, lacks_origin, at), at, name))
    # A cluster that lost all its members comes back with its origin, as after an undo.
    place = {key: at for at, members in enumerate(groups) for key in members}
    alive = set(before.names.values())
    for name, origin in before.origins.items():
        if origin in place and name not in alive:
            wishes.append(((2, 0, False, place[origin]), place[origin], name))
    for _rank, at, name in sorted(wishes):
        yield at, name


def _fresh_names(taken: Iterable[str]) -> Iterator[str]:
    used = [int(found[1]) for name in taken if (found := _OURS.fullmatch(name))]
    number = max(used, default=0)
    while True:
        number += 1
        yield f"K{number}"


def _origins(names: Mapping[int, str], age: Age, decisions: Decisions) -> dict[str, int]:
    first: dict[str, int] = {}
    for key in sorted(names, key=age):
        first.setdefault(names[key], key)
    chosen = {n: key for n, key in decisions.origins.items() if names.get(key) == n}
    return first | chosen
