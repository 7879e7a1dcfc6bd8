"""Crossref: what publishers register with a DOI. Pure. Providers, section 8."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sources.dois import fold_doi
from sources.retractions import NotAnswered
from sources.retractions.crossref import read_work
from sources.retractions.dates import from_parts
from sources.retractions.reading import as_dict, as_list, as_text, first_text

from . import values, words
from .base import PAGES, Dialogue, Hit, Hits, Query, Request, Response, keeping
from .errors import NoAnswer

PAGE = 1000
_DATES = ("issued", "published", "published-online", "published-print", "posted", "created")


@dataclass(frozen=True, slots=True)
class Crossref:
    """Crossref; ``sort`` is its option, such as is-referenced-by-count."""

    slug: str = "crossref"
    label: str = "Crossref"
    service: str = "crossref"
    gap: float = 1.0  # lists, without an address to reach us

    def search(self, query: Query) -> Dialogue:
        """Ask for the work of a DOI, or for works that fit a text."""
        doi = values.doi_of(query)
        if doi:
            response = yield Request("crossref", f"/works/{quote(doi, safe='')}", contact="mailto")
            return self.read_one(response)
        found, cursor = Hits(), "*" if query.limit > PAGE else ""
        for _ in range(PAGES):
            with keeping(found):
                response = yield _request(query, cursor, query.limit - len(found))
                more, following = self.read(response)
            found.extend(more)
            found.said = more.said
            if len(found) >= query.limit or not more or following in {"", cursor}:
                break
            cursor = following
        if query.sites:
            found.said.notices.append(words.no_sites(self.label))
        return found

    def read_one(self, response: Response) -> Hits:
        """Read the answer about one DOI; one that Crossref does not know gives no result."""
        if response.status == 404:
            found = Hits()
            found.said.notices.append(words.not_crossref())
            return found
        values.check(response)
        body = values.object_of(response)
        work = as_dict(body.get("message", body))
        if not fold_doi(as_text(work.get("DOI"))):
            raise NoAnswer(values.message_of(response), status=response.status)
        return Hits([self.hit(work)])

    def read(self, response: Response) -> tuple[Hits, str]:
        """Read a list: works, and the cursor of the next page. Raises ProviderError."""
        values.check(response)
        message = as_dict(values.object_of(response).get("message"))
        if not isinstance(message.get("items"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        hits = Hits([self.hit(as_dict(each)) for each in as_list(message["items"])])
        hits.said.total = values.count_of(message.get("total-results"))
        return hits, as_text(message.get("next-cursor"))

    def hit(self, work: Any) -> Hit:
        """Give a work as a result."""
        doi = fold_doi(as_text(work.get("DOI")))
        title, subtitle = values.title_of(work.get("title")), values.title_of(work.get("subtitle"))
        venue = first_text(work.get("container-title")) or as_text(work.get("publisher"))
        try:
            standing = values.standing_of(read_work(work))
        except NotAnswered:
            standing = ""
        return Hit(
            provider=self.slug,
            title=f"{title}: {subtitle}" if title and subtitle else title,
            url=f"https://doi.org/{quote(doi, safe='/:;().,-_')}" if doi else "",
            snippet=values.snippet_of(work.get("abstract")),
            published=next((day for name in _DATES if (day := _date(work.get(name)))), ""),
            authors=values.names_of(_name(as_dict(each)) for each in as_list(work.get("author"))),
            venue=values.title_of(venue),
            doi=doi,
            cited_by=values.count_of(work.get("is-referenced-by-count")),
            raw_id=doi[:200],
            standing=standing,
        )


def _request(query: Query, cursor: str, wanted: int) -> Request:
    params = {"query": query.text, "rows": str(min(max(wanted, 1), PAGE))}
    low, high = values.window_of(query)
    limits = [f"from-pub-date:{low}"] if low else []
    limits += [f"until-pub-date:{high}"] if high else []
    if limits:
        params["filter"] = ",".join(limits)
    if cursor:
        params["cursor"] = cursor
    if sort := query.options.get("sort"):
        params |= {"sort": sort, "order": "desc"}
    # No select: without updated-by and update-to silence would say nothing.
    return Request("crossref", "/works", tuple(params.items()), contact="mailto")


def _date(value: Any) -> str:
    parts = as_list(as_dict(value).get("date-parts"))
    return from_parts(*as_list(parts[0])) if parts else ""


def _name(author: Any) -> str:
    whole = " ".join([as_text(author.get("given")), as_text(author.get("family"))]).strip()
    return whole or as_text(author.get("name"))


CROSSREF = Crossref()
