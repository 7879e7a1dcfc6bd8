"""What every search provider is: it talks, but does not send. Pure. House, section 4.

A provider's ``search`` yields requests and is handed answers; ``run`` drives it. A request names
the key that it needs and never holds one, so nothing that is kept of it can hold a secret.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from sources.retractions.dates import span_of
from workbench.lib.notices import Notice

from .errors import NoAnswer, ProviderError

RANGES = ("d", "w", "m", "y")  # a day, week, month, year back from now
DAYS = {"d": 1, "w": 7, "m": 31, "y": 366}
PAGES = 50  # however much is asked for: a provider that pages without end is left


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. A provider that cannot do part of it says so in its notices."""

    text: str
    limit: int = 10  # results wanted in all, over all pages
    year_low: int | None = None
    year_high: int | None = None
    time_range: str = ""  # one of RANGES
    language: str = ""  # BCP 47
    sites: tuple[str, ...] = ()  # hosts to stay on
    exclude: tuple[str, ...] = ()  # hosts to leave out
    now: datetime | None = None  # what "2 days ago" counts from; None: it stays unknown
    options: Mapping[str, str] = field(default_factory=dict)  # of this provider alone


@dataclass(frozen=True, slots=True)
class Key:
    """Which secret a request needs, and where it belongs."""

    service: str  # whose key
    name: str  # of the header or query parameter
    place: Literal["header", "query"] = "header"
    prefix: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class Request:
    """One thing to ask of a service, below its base URL. A body makes it a POST."""

    service: str
    path: str
    params: tuple[tuple[str, str], ...] = ()
    body: str = ""  # JSON
    key: Key | None = None
    contact: str = ""  # query parameter that tells the operator's address
    contact_required: bool = False
    slow: bool = False  # the service may think for minutes


class Response(Protocol):
    """What a provider reads of an answer; ``workbench.lib.http.Response`` is one."""

    @property
    def status(self) -> int: ...
    @property
    def ok(self) -> bool: ...
    @property
    def body(self) -> bytes: ...
    def header(self, name: str) -> str: ...
    def text(self) -> str: ...
    def json(self) -> Any: ...
    def head(self, characters: int = ...) -> str: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """One normalised result. Every field but provider and rank may be empty."""

    provider: str
    rank: int = 0  # 1 is the provider's first
    title: str = ""
    url: str = ""
    snippet: str = ""
    published: str = ""  # "2010", "2010-02" or "2010-02-06"; empty is unknown
    authors: tuple[str, ...] = ()
    venue: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    cited_by: int | None = None
    patent_number: str = ""
    trial_id: str = ""
    raw_id: str = ""
    standing: str = ""  # retracted, concern, corrected or needs_look, as this provider says

    @property
    def precision(self) -> str:
        """How exact the date is: year, month, day or unknown."""
        return precision_of(self.published)


def precision_of(published: str) -> str:
    """Tell how exact a date is; unknown for none."""
    if span_of(published) is None:
        return "unknown"
    return {4: "year", 7: "month"}.get(len(published), "day")


def as_result(hit: Hit) -> dict[str, Any]:
    """Give a result as commands print it. Providers, section 0.6."""
    found: dict[str, Any] = {
        "provider": hit.provider,
        "title": hit.title,
        "url": hit.url,
        "snippet": hit.snippet,
        "published": {"date": hit.published or None, "precision": hit.precision},
        "authors": list(hit.authors),
        "venue": hit.venue,
        "doi": hit.doi,
        "pmid": hit.pmid,
        "pmcid": hit.pmcid,
        "cited_by": hit.cited_by,
        "patent_number": hit.patent_number,
        "trial_id": hit.trial_id,
        "raw_id": hit.raw_id,
        "rank": hit.rank,
    }
    return found | ({"standing": hit.standing} if hit.standing else {})


@dataclass(slots=True)
class Said:
    """What a provider said about the search itself."""

    total: int | None = None  # how many it knows, though it gave fewer
    translated: str = ""  # the query as it was run
    altered: str = ""  # the query as it was corrected or proposed
    dropped: list[str] = field(default_factory=list)  # terms that were left out
    cost: str = ""  # "2 credits", "0.007 USD"
    remaining: str = ""  # of an allowance
    request_id: str = ""
    grounded: bool | None = None  # of an answer by a model: whether it cites anything
    notices: list[Notice] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Give what was said, as plain values, without what was not."""
        plain = {
            "total": self.total,
            "translated": self.translated,
            "altered": self.altered,
            "dropped": self.dropped,
            "cost": self.cost,
            "remaining": self.remaining,
            "request_id": self.request_id,
            "grounded": self.grounded,
            "notices": [each.render("en") for each in self.notices],
        }
        return {name: value for name, value in plain.items() if value not in (None, "", [])}


class Hits(list[Hit]):
    """Results in the provider's order, and what it said about the search."""

    def __init__(self, hits: "list[Hit] | tuple[Hit, ...]" = (), said: Said | None = None) -> None:
        super().__init__(hits)
        self.said = said or Said()

    def cut(self, limit: int) -> "Hits":
        """Give the first ones, ranked from 1, each once; what has no title, address or id is left.

        A provider may give a page again, and again.
        """
        kept: dict[tuple[str, str, str], Hit] = {}
        for hit in self:
            if hit.title or hit.url or hit.raw_id:
                kept.setdefault((hit.raw_id, hit.url, hit.title), hit)
        first = list(kept.values())[:limit]
        ranked = [replace(hit, rank=number) for number, hit in enumerate(first, start=1)]
        return Hits(ranked, self.said)


type Dialogue = Generator[Request, Response, Hits]
type Send = Callable[[Request], Response]


class Provider(Protocol):
    """One way to search. ``slug`` is stored in receipts: never renamed, never reused."""

    @property
    def slug(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def service(self) -> str:
        """Whose limits and pauses count: several providers may be one service."""
        ...

    @property
    def gap(self) -> float:
        """Give the least seconds between two requests, unless the service says otherwise."""
        ...

    def search(self, query: Query) -> Dialogue:
        """Yield each request, get its answer back, return the results. Raises ProviderError."""
        ...


def run(provider: Provider, query: Query, send: Send) -> Hits:
    """Carry one dialogue to its end. Raises ProviderError, with the results so far.

    What ``send`` raises is thrown into the dialogue, which may hold pages already.
    """
    dialogue = provider.search(query)
    try:
        request = next(dialogue)
        while True:
            try:
                response = send(request)
            except ProviderError as fault:
                request = dialogue.throw(fault)
            else:
                request = dialogue.send(response)
    except StopIteration as end:
        hits: Hits = end.value
        return hits.cut(query.limit)
    except RecursionError:
        raise NoAnswer("nested too deeply") from None
    except ProviderError as fault:
        if fault.so_far is not None:
            fault.so_far = fault.so_far.cut(query.limit)
        raise


@contextmanager
def keeping(found: Hits) -> Iterator[None]:
    """Let an error of a later page carry the results of the pages before it."""
    try:
        yield
    except ProviderError as fault:
        if found:
            fault.so_far = found
        raise
