"""Finding the rules that hit a source, at a cost that does not grow with the rules. Pure.

Every look-up is one in a dictionary: a host and each domain above it, each beginning of the path
that ends at a ``/``, ``?`` or ``&``, each length that a DOI prefix has, each word of a title that
begins a phrase. Precedence and its reasons stand in ``rules``.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from sources.canonical import canonical_url
from sources.canonical_sites import STANDING_FOR_OTHERS
from sources.dois import fold_doi

from .patterns import (
    PART_SIGN,
    address_of,
    fold_publisher,
    host_in_ascii,
    tokens,
    without_scheme,
)
from .rules import STRENGTH, Effect, Kind, Rule, Scope, Unless, precedence

_WRITTEN = re.compile(r"\s*https?:[/\\]+([^/?#\\]*)([^?#]*)", re.IGNORECASE)
# An address that hides nothing: its host ends where the name ends.
_PLAIN = re.compile(r"https?://([a-zA-Z0-9.-]*[a-zA-Z0-9])(?:[/?#]|\Z)")
_ENDS = re.compile("[/?&]")
_MAX_DOI = 300
_DOI_HOST = "doi.org"
ADDRESS_SCOPES = (Scope.EXACT, Scope.PREFIX, Scope.HOST, Scope.HOST_AND_SUBDOMAINS)


class Address(NamedTuple):
    """A page's address in the two forms that rules are compared with, both without scheme.

    ``canonical`` is what the page is recognised by: archives unwrapped, ``www.`` and mobile names,
    ports, user names and tracking parameters gone. ``given`` keeps the host that was written.
    """

    canonical: str
    host: str  # of the canonical form
    given_host: str
    given: str  # host, without "www.", and path as written

    def hosts(self) -> tuple[str, ...]:
        """Give the hosts that a rule may name, the canonical one first."""
        given = self.given_host
        if given == self.host:
            return (given,)
        # "www.gov.cn" stays what it is, in the canonical form too.
        bare = given.removeprefix("www.")
        return (self.host, given) if bare in (given, self.host) else (self.host, given, bare)


def read_address(url: str, canonical: str = "") -> Address | None:
    """Read an address; None where it is no http(s) one. ``canonical`` saves computing it."""
    if "://" not in url:
        url = address_of(url)
    known = canonical or canonical_url(url)
    if not known:
        return None
    rest = without_scheme(known)
    host = host_of(rest.partition("/")[0])
    written = _WRITTEN.match(url)
    given = _given_host(written[1]) if written is not None else ""
    if written is None or not given:
        return Address(rest, host, host, rest)
    return Address(rest, host, given, given.removeprefix("www.") + written[2])


def host_of(authority: str) -> str:
    """Give the host of a canonical authority, without its port."""
    if ":" not in authority:
        return authority
    return authority.partition("]")[0] + "]" if authority[0] == "[" else authority.partition(":")[0]


@lru_cache(maxsize=8192)
def _given_host(authority: str) -> str:
    name = authority.rpartition("@")[2]
    if name.startswith("["):
        return host_in_ascii(name.partition("]")[0] + "]")
    return host_in_ascii(name.partition(":")[0])


@dataclass(slots=True)
class _Place:
    """The rules that name one host."""

    host: list[Rule] = field(default_factory=list)
    tree: list[Rule] = field(default_factory=list)
    by_path: bool = False  # rules of the scopes exact or prefix name it


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that names a source, and what came of it."""

    rule: Rule
    outcome: str  # "wins", "not_reached" or "excused", where its exception holds


@dataclass(frozen=True, slots=True)
class Step:
    """One scope in the order of precedence: what was looked up, and which rules it found."""

    scope: Scope
    looked_up: tuple[str, ...]
    matches: tuple[Match, ...] = ()


@dataclass(eq=False)
class Trace:
    """Everything that the rules say of one source, and why."""

    url: str
    canonical: str = ""  # where it was known already
    doi: str = ""
    publishers: tuple[str, ...] = ()  # folded
    title: str = ""
    found: tuple[Rule, ...] = ()  # in the order of precedence
    holds: Collection[str] = ()  # exceptions that are known to hold

    @cached_property
    def address(self) -> Address | None:
        """The address in the forms that are compared; None where it is none."""
        return read_address(self.url, self.canonical) if self.url else None

    @cached_property
    def winners(self) -> Mapping[Kind, Rule]:
        """The rule of each kind that decides; those that let pass too."""
        won: dict[Kind, Rule] = {}
        for rule in self.found:
            if not self._excused(rule):
                won.setdefault(rule.kind, rule)
        return won

    @property
    def winner(self) -> Rule | None:
        """The rule that matters most: a block before a downrank, a warning, a pass."""
        return strongest(self.winners.values())

    @property
    def effect(self) -> Effect | None:
        """What happens to the source; None where no rule names it."""
        return self.winner.effect if self.winner else None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Each scope in the order of precedence, with what was looked up and found."""
        won = {rule.id for rule in self.winners.values()}
        by_scope: dict[Scope, list[Match]] = defaultdict(list)
        for rule in self.found:
            if self._excused(rule):
                outcome = "excused"
            else:
                outcome = "wins" if rule.id in won else "not_reached"
            by_scope[rule.scope].append(Match(rule, outcome))
        return tuple(
            Step(scope, looked_up, tuple(by_scope[scope]))
            for scope, looked_up in self._looked_up()
            if looked_up
        )

    def _excused(self, rule: Rule) -> bool:
        return rule.unless is not Unless.NOTHING and rule.unless in self.holds

    def _looked_up(self) -> Iterator[tuple[Scope, tuple[str, ...]]]:
        if self.address is not None:
            hosts = self.address.hosts()
            forms = (self.address.canonical, self.address.given)
            beginnings = dict.fromkeys(each for form in forms for each in beginnings_of(form))
            trees = dict.fromkeys(name for host in hosts for name in parents(host))
            yield Scope.EXACT, (self.address.canonical,)
            yield Scope.PREFIX, tuple(beginnings)
            yield Scope.HOST, hosts
            yield Scope.HOST_AND_SUBDOMAINS, tuple(trees)
        yield Scope.DOI_PREFIX, (self.doi,) if self.doi else ()
        yield Scope.PUBLISHER, self.publishers
        yield Scope.TITLE_WORDS, (self.title,) if self.title else ()


class Index:
    """Rules, compiled once. Those that ended before ``today`` are left out."""

    def __init__(
        self, rules: Iterable[Rule], *, version: str = "", today: date | None = None
    ) -> None:
        self.version = version
        self.rules = tuple(rule for rule in rules if today is None or rule.holds_on(today))
        self.judged: dict[Kind, Rule] = {}
        self._places: dict[str, _Place] = defaultdict(_Place)
        self._exact: dict[str, list[Rule]] = defaultdict(list)
        self._prefix: dict[str, list[Rule]] = defaultdict(list)
        self._dois: dict[str, list[Rule]] = defaultdict(list)
        self._publishers: dict[str, list[Rule]] = defaultdict(list)
        self._phrases: dict[tuple[str, ...], list[Rule]] = defaultdict(list)
        lengths: dict[str, set[int]] = defaultdict(set)  # of the phrases that a word begins
        for rule in self.rules:
            self._add(rule, lengths)
        self._lengths = {word: tuple(sorted(found)) for word, found in lengths.items()}
        self._names = frozenset(self._places) | STANDING_FOR_OTHERS
        self._doi_lengths = tuple(sorted({len(key) for key in self._dois}))
        # A look-up must not make an entry.
        for table in (self._places, self._exact, self._prefix, self._dois, self._publishers):
            table.default_factory = None
        self._phrases.default_factory = None

    def _add(self, rule: Rule, lengths: dict[str, set[int]]) -> None:
        match rule.scope:
            case Scope.EXACT | Scope.PREFIX:
                table = self._exact if rule.scope is Scope.EXACT else self._prefix
                table[rule.key].append(rule)
                self._places[host_of(rule.key.partition("/")[0])].by_path = True
            case Scope.HOST:
                self._places[rule.key].host.append(rule)
            case Scope.HOST_AND_SUBDOMAINS:
                self._places[rule.key].tree.append(rule)
            case Scope.DOI_PREFIX:
                self._dois[rule.key].append(rule)
            case Scope.PUBLISHER:
                self._publishers[rule.key].append(rule)
            case Scope.TITLE_WORDS:
                # Any one part leads to the rule; the longest is the rarest.
                words = max(rule.key.split(PART_SIGN), key=len).split(" ")
                self._phrases[tuple(words)].append(rule)
                lengths[words[0]].add(len(words))
            case _:
                best = self.judged.get(rule.kind)
                if best is None or precedence(rule) < precedence(best):
                    self.judged[rule.kind] = rule

    def trace(
        self,
        url: str,
        doi: str = "",
        publisher: str | Iterable[str] = (),
        title: str = "",
        *,
        canonical: str = "",
        holds: Collection[str] = (),
    ) -> Trace:
        """Tell which rules name a source and which of them win.

        ``canonical`` is the canonical address where it is known already; ``holds`` are the
        exceptions (``Unless``) that are known to hold for the source.
        """
        found: list[Rule] = []
        address = None
        if url and self._may_be_named(url):
            address = read_address(url, canonical)
            if address is not None:
                self._by_address(address, found)
                if not doi and address.host == _DOI_HOST:
                    doi = fold_doi(f"https://{address.canonical}")
        if doi and self._doi_lengths:
            self._by_doi(doi[:_MAX_DOI], found)
        publishers: tuple[str, ...] = ()
        if publisher:
            names = (publisher,) if isinstance(publisher, str) else publisher
            publishers = tuple(dict.fromkeys(filter(None, map(fold_publisher, names))))
            found += (rule for name in publishers for rule in self._publishers.get(name, ()))
        if title and self._phrases:
            self._by_title(title, found)
        if len(found) > 1:
            found = sorted(dict.fromkeys(found), key=precedence)
        made = Trace(url, canonical, doi, publishers, title, tuple(found), holds)
        if address is not None:
            made.address = address
        return made

    def _may_be_named(self, url: str) -> bool:
        """Tell quickly, for nearly all addresses, that no rule names their host.

        To read an address costs ten times as much as to look at its host.
        """
        plain = _PLAIN.match(url)
        if plain is None:
            return True
        host = plain[1].lower()
        if ".m." in host or "google." in host:
            return True
        names = self._names
        while host:
            if host in names:
                return True
            host = host.partition(".")[2]
        return False

    def _by_address(self, address: Address, found: list[Rule]) -> None:
        places = self._places
        by_path = False
        for host in address.hosts():
            name = host
            while name:
                place = places.get(name)
                if place is not None:
                    found += place.tree
                    if name == host:
                        found += place.host
                        by_path = by_path or place.by_path
                name = name.partition(".")[2]
        if by_path:
            found += self._exact.get(address.canonical, ())
            for beginning in beginnings_of(address.canonical):
                found += self._prefix.get(beginning, ())
            if address.given != address.canonical:
                for beginning in beginnings_of(address.given):
                    found += self._prefix.get(beginning, ())

    def _by_doi(self, doi: str, found: list[Rule]) -> None:
        for length in self._doi_lengths:
            if length > len(doi):
                break
            found += self._dois.get(doi[:length], ())

    def _by_title(self, title: str, found: list[Rule]) -> None:
        words = tokens(title)
        whole = ""
        for start, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                for rule in self._phrases.get(tuple(words[start : start + length]), ()):
                    whole = whole or f" {' '.join(words)} "
                    if all(f" {part} " in whole for part in rule.key.split(PART_SIGN)):
                        found.append(rule)


def strongest(rules: Iterable[Rule]) -> Rule | None:
    """Give the rule whose effect is the worst for a source; the sharper one of two alike."""
    found = list(rules)
    if len(found) < 2:
        return found[0] if found else None
    return min(found, key=lambda rule: (STRENGTH.index(rule.effect), precedence(rule)))


def parents(host: str) -> Iterator[str]:
    """Give a host and every domain above it, the longest first."""
    while host:
        yield host
        host = host.partition(".")[2]


def beginnings_of(address: str) -> Iterator[str]:
    """Give each beginning of an address that ends at a ``/``, ``?`` or ``&``; the shortest first.

    ``news.example/ad`` begins ``news.example/ad/1`` and never ``news.example/advice``.
    """
    for sign in _ENDS.finditer(address):
        yield address[: sign.start()]
    yield address
