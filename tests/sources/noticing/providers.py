"""Providers that answer from recordings, and time that does not pass."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from sources.models import Project, RetractionCheck, Source
from sources.noticing.asking import Asker
from sources.noticing.checking import Age, check_project
from sources.noticing.talking import Means
from tests.sources.retractions.recorded import answer, body
from workbench.lib.http import Door

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TRIAL, TRIAL_PMID = "10.5555/trial.1998.1", "90000001"
type Handler = Callable[[httpx.Request], httpx.Response]

EVERYTHING = Age(NOW, NOW)


def recorded(slug: str, name: str, status: int = 200, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, content=body(slug, name), headers=named)


def crossref(request: httpx.Request) -> httpx.Response:
    if "filter" in request.url.params:
        return recorded("crossref", "works_list.json")
    if request.url.path.endswith(TRIAL):
        return recorded("crossref", "work_retracted.json")
    return httpx.Response(404, text="Resource not found.")


def pubmed(request: httpx.Request) -> httpx.Response:
    name = "esearch.json" if "esearch" in request.url.path else "efetch.xml"
    return recorded("pubmed", name)


def europepmc(request: httpx.Request) -> httpx.Response:
    return recorded("europepmc", "search_core.json")


def openalex(request: httpx.Request) -> httpx.Response:
    if "filter" in request.url.params:
        return recorded("openalex", "works_list.json")
    if request.url.path.endswith(TRIAL):
        return httpx.Response(200, json=answer("openalex", "works_list.json")["results"][0])
    return httpx.Response(404, text="<!doctype html><title>404 Not Found</title>")


SLUGS = ("crossref", "pubmed", "europepmc", "openalex")


@dataclass
class World:
    """Handlers by provider, what they were asked, and a clock that only rests move."""

    handlers: dict[str, Handler] = field(
        default_factory=lambda: {
            "crossref": crossref,
            "pubmed": pubmed,
            "europepmc": europepmc,
            "openalex": openalex,
        }
    )
    asked: dict[str, list[httpx.Request]] = field(default_factory=dict)
    rests: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def doors(self, asker: Asker) -> Door:
        def handle(request: httpx.Request) -> httpx.Response:
            self.asked.setdefault(asker.provider, []).append(request)
            return self.handlers[asker.provider](request)

        return Door(transport=httpx.MockTransport(handle))

    def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.seconds += seconds

    @property
    def means(self) -> Means:
        return Means(
            rest=self.rest,
            clock=lambda: self.seconds,
            now=lambda: NOW + timedelta(seconds=self.seconds),
        )

    def silence(self, *providers: str) -> None:
        """Let these providers know nothing of anybody."""
        nothing = {
            "crossref": b'{"message": {"items": []}}',
            "pubmed": b"<PubmedArticleSet></PubmedArticleSet>",
            "europepmc": b'{"request": {"resultType": "core"}, "resultList": {"result": []}}',
            "openalex": b'{"results": []}',
        }
        for name in providers:
            self.handlers[name] = _saying(nothing[name])


def _saying(content: bytes) -> Handler:
    def answer(request: httpx.Request) -> httpx.Response:
        if "esearch" in request.url.path:
            return httpx.Response(200, content=b'{"esearchresult": {"idlist": []}}')
        single = request.url.path.startswith("/works/")
        return httpx.Response(404) if single else httpx.Response(200, content=content)

    return answer


def ask(project: Project, world: World, age: Age = EVERYTHING, **more: Any) -> dict[str, Any]:
    """Check a project against the providers of a world."""
    return check_project(project, age, doors=world.doors, means=world.means, **more)


def outcomes(source: Source) -> dict[str, str]:
    """What each provider was found to say of a source."""
    rows = RetractionCheck.objects.filter(source=source)
    return dict(rows.values_list("provider", "outcome"))


def always(status: int, text: str = "", **headers: str) -> Callable[..., httpx.Response]:
    """A provider that gives one answer to everything."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: httpx.Response(status, text=text, headers=named)
