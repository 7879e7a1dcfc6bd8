"""Which provider is asked first, what follows when it fails, and what is said of it. Pure.

A route asks all of its ``first`` steps; where none answers, its ``then`` steps in order until one
does. A strict route fails loudly instead. Rulebook section 6.
"""

import re
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace

from search.providers import PROVIDERS
from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

DEEPEST = 3  # routes within routes
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
_OPTION = re.compile(r"([a-z_]{1,40})=(\S{1,200})")
_SLUG = re.compile(r"[a-z][a-z0-9_-]{0,39}")

_EMPTY = Text("A step names a provider or a route.", "每一步须写明检索接口或路线。")
_NO_STEP = Text("“{name}” is no provider and no route.", "“{name}”既不是检索接口，也不是路线。")
_NO_SITE = Text(
    "“{name}” is no host; give it as site:example.org.",
    "“{name}”不是主机名；写作 site:example.org。",
)
_NO_OPTION = Text(
    "“{name}” is no option; give it as name=value, or a site as site:example.org.",
    "“{name}”不是选项；写作 名称=值，网站写作 site:example.org。",
)
_NO_ROUTE = Text("There is no route “{name}”. Known: {known}.", "没有路线“{name}”。已有：{known}。")
_NO_PROFILE = Text(
    "There is no profile “{name}”. Known: {known}.", "没有方案“{name}”。已有：{known}。"
)
_LOOP = Text("The route “{name}” leads back to itself.", "路线“{name}”会回到自身。")


class RouteError(InputError):
    """A route, profile or step that cannot be followed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to ask, as an admin writes it: ``general site:patents.google.com``."""

    text: str
    name: str  # of a provider or of a route
    sites: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_provider(self) -> bool:
        """Whether it asks a provider; else it follows another route."""
        return self.name in PROVIDERS

    @property
    def label(self) -> str:
        """What a person calls it: the provider's name, or the step as it is written."""
        return PROVIDERS[self.name].label if self.is_provider else self.text


@dataclass(frozen=True, slots=True)
class Route:
    """A way to search for one kind of thing."""

    slug: str
    mode: str  # of the receipt
    first: tuple[Step, ...]
    then: tuple[Step, ...] = ()
    specialized: bool = False
    strict: bool = False
    version: int = 1

    def is_strict(self, asked: bool | None) -> bool:
        """Tell whether no fallback may be used; ``asked`` is the user's word on special routes."""
        return self.strict if asked is None or not self.specialized else asked


@dataclass(frozen=True, slots=True)
class Profile:
    """Routes that are followed together."""

    slug: str
    routes: tuple[str, ...]
    language: str = ""
    version: int = 1


@dataclass(frozen=True, slots=True)
class Book:
    """All routes and profiles as they stand."""

    routes: Mapping[str, Route]
    profiles: Mapping[str, Profile] = field(default_factory=dict)

    def route(self, slug: str) -> Route:
        """Give a route. Raises RouteError."""
        if slug not in self.routes:
            raise RouteError("no-route", _NO_ROUTE, _unknown(slug, self.routes))
        return self.routes[slug]

    def profile(self, slug: str) -> Profile:
        """Give a profile. Raises RouteError."""
        if slug not in self.profiles:
            raise RouteError("no-profile", _NO_PROFILE, _unknown(slug, self.profiles))
        return self.profiles[slug]


def _unknown(name: str, known: Iterable[str]) -> dict[str, str]:
    return {"name": shown(name), "known": ", ".join(sorted(known))}


def read_step(text: str, routes: Iterable[str]) -> Step:
    """Read a step of a route; ``routes`` are the slugs that it may name. Raises RouteError."""
    words = text.split()
    if not words:
        raise RouteError("empty-step", _EMPTY)
    name, sites, options = words[0], [], []
    if name not in PROVIDERS and (not _SLUG.fullmatch(name) or name not in set(routes)):
        raise RouteError("no-step", _NO_STEP, {"name": shown(name)})
    for word in words[1:]:
        if word.startswith("site:"):
            if not _HOST.fullmatch(word[5:].lower()):
                raise RouteError("no-site", _NO_SITE, {"name": shown(word)})
            sites.append(word[5:].lower())
        elif option := _OPTION.fullmatch(word):
            options.append((option[1], option[2]))
        else:
            raise RouteError("no-option", _NO_OPTION, {"name": shown(word)})
    return Step(" ".join(words), name, tuple(sites), tuple(options))


# --- Following a route ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ask:
    """One dialogue that is to be held. ``key`` names its place in the run, for good."""

    key: str
    route: Route  # whose provider it is: a fallback's route, where one is used
    provider: str
    sites: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    fallback_of: str = ""  # receipt id of what failed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a dialogue came to."""

    receipt: str
    answered: bool  # in full or in part
    reason: str = ""  # why not, or not in full


@dataclass(frozen=True, slots=True)
class Fallback:
    """Something that was asked because something else failed."""

    source: str  # "Serper"
    used: str  # "general site:patents.google.com"
    reason: str

    def text(self) -> str:
        """Say it, as receipts and commands do."""
        return f"{self.source} unavailable: {self.reason}; fallback used: {self.used}"

    def advice(self) -> str:
        """Say what to do about it."""
        return (
            f"Results of the fallback are leads. Run the search again when {self.source} answers, "
            "or trace each to its tier 1-2 original."
        )


@dataclass(slots=True)
class Walked:
    """What following a route came to."""

    answered: bool = False
    routes_used: list[str] = field(default_factory=list)
    fallbacks: list[Fallback] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failure: str = ""  # loud: why the route failed
    last_failed: tuple[str, str, str] = ("", "", "")  # label, reason, receipt

    def take(self, other: "Walked") -> None:
        """Take over what another walk came to."""
        self.routes_used += [each for each in other.routes_used if each not in self.routes_used]
        self.fallbacks += other.fallbacks
        self.warnings += [each for each in other.warnings if each not in self.warnings]


type Walk = Generator[Ask, Outcome, Walked]


def follow(book: Book, slug: str, *, strict: bool | None = None) -> Walk:
    """Follow a route: yield what to ask, get what came of it. Raises RouteError."""
    route = book.route(slug)
    return _walk(book, route, _Way(slug, route, strict))


@dataclass(frozen=True, slots=True)
class _Way:
    """How a route came to be followed."""

    place: str
    shown: Route  # whose receipts they are: a part of a route is the route itself
    strict: bool | None = None
    sites: tuple[str, ...] = ()
    fallback_of: str = ""
    depth: int = 0


def _walk(book: Book, route: Route, way: _Way) -> Walk:
    if way.depth >= DEEPEST:
        raise RouteError("route-loop", _LOOP, {"name": route.slug})
    walked = Walked()
    reasons: list[str] = []
    for number, step in enumerate(route.first):
        done = yield from _step(book, step, replace(way, place=f"{way.place}:first{number}"))
        walked.take(done)
        walked.answered = walked.answered or done.answered
        if not done.answered:
            walked.last_failed = done.last_failed
            reasons.append(_unavailable(done))
    if walked.answered:
        walked.warnings += [each for each in reasons if each not in walked.warnings]
        return walked
    if route.is_strict(way.strict):
        walked.failure = _loud(route, reasons)
        return walked
    for number, step in enumerate(route.then):
        source, reason, receipt = walked.last_failed
        place = f"{way.place}:then{number}"
        shown_as = way.shown if step.is_provider else book.route(step.name)
        after = replace(way, place=place, shown=shown_as, fallback_of=receipt)
        done = yield from _step(book, step, after)
        walked.take(done)
        if done.answered:
            walked.fallbacks.insert(0, Fallback(source, step.label, reason))
            walked.answered = True
            return walked
        reasons.append(_unavailable(done))
    walked.failure = f"{route.slug}: " + "; ".join(dict.fromkeys(reasons))
    return walked


def _step(book: Book, step: Step, way: _Way) -> Walk:
    sites = step.sites or way.sites
    if not step.is_provider:
        inner, place = book.route(step.name), f"{way.place}/{step.name}"
        deeper = replace(way, place=place, sites=sites, strict=False, depth=way.depth + 1)
        return (yield from _walk(book, inner, deeper))
    walked = Walked()
    outcome = yield Ask(way.place, way.shown, step.name, sites, step.options, way.fallback_of)
    label = service_label(step.name)
    if outcome.answered:
        walked.answered, walked.routes_used = True, [way.shown.slug]
        if outcome.reason:
            walked.warnings.append(f"{label} answered in part: {outcome.reason}")
    else:
        walked.last_failed = (label, outcome.reason, outcome.receipt)
    return walked


def _unavailable(done: Walked) -> str:
    return f"{done.last_failed[0]} unavailable: {done.last_failed[1]}"


def _loud(route: Route, reasons: Iterable[str]) -> str:
    said = (
        f"{route.slug}: " + "; ".join(reasons) + ". Nothing else was asked: this route is strict."
    )
    if not route.then:
        return said
    others = ", ".join(step.label for step in route.then)
    return f"{said} --no-strict-specialized would ask {others}, whose results are leads."


def service_label(provider: str) -> str:
    """Give the name of a provider's service: Serper, whichever of its engines."""
    service = PROVIDERS[provider].service
    return next(each.label for each in PROVIDERS.values() if each.service == service)


def check_book(book: Book) -> None:
    """Follow every route on paper, all of it failing. Raises RouteError for one that loops."""
    for slug in book.routes:
        walk = follow(book, slug, strict=False)
        try:
            next(walk)
            while True:
                walk.send(Outcome("", answered=False, reason="-"))
        except StopIteration:
            continue


def routes_used(walked: Iterable[Walked]) -> list[str]:
    """Give the routes that answered, each once, in the order they did."""
    return list(dict.fromkeys(slug for each in walked for slug in each.routes_used))


def routes_line(used: Iterable[str]) -> str:
    """Give the line that every run ends with."""
    return f"Routes used: {', '.join(used) or 'none'}"
