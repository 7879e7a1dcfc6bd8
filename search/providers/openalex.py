"""OpenAlex: works and how often they are cited. Pure. Providers, section 9."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sources.dois import fold_doi
from sources.retractions import NotAnswered
from sources.retractions.openalex import read_work
from sources.retractions.reading import as_dict, as_list, as_pmid, as_text

from . import values, words
from .base import PAGES, Dialogue, Hit, Hits, Key, Query, Request, Response, keeping
from .errors import NoAnswer, Spent

PAGE = 200
_LAST_WORD = 20_000  # in an abstract
_SPENT = frozenset({402, 409})
_KEY = Key("openalex", "api_key", "query", required=False)


@dataclass(frozen=True, slots=True)
class OpenAlex:
    """OpenAlex; ``sort`` is its option, such as cited_by_count:desc."""

    slug: str = "openalex"
    label: str = "OpenAlex"
    service: str = "openalex"
    gap: float = 0.2

    def search(self, query: Query) -> Dialogue:
        """Ask for the work of a DOI, or for works that fit a text."""
        doi = values.doi_of(query)
        if doi:
            response = yield Request(
                "openalex", f"/works/{quote(f'doi:{doi}', safe=':/')}", key=_KEY
            )
            return self.read_one(response, doi)
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

    def read_one(self, response: Response, name: str) -> Hits:
        """Read the answer about one work; 404 is a page of HTML, and no result."""
        if response.status == 404:
            found = Hits()
            found.said.notices.append(words.unknown_name(self.label, name))
            return found
        _check(response)
        work = values.object_of(response)
        if not (work.get("id") or work.get("doi")):
            raise NoAnswer(values.message_of(response), status=response.status)
        return Hits([self._hit(work)])

    def read(self, response: Response) -> tuple[Hits, str]:
        """Read a list: works, and the cursor of the next page. Raises ProviderError."""
        _check(response)
        body = values.object_of(response)
        if not isinstance(body.get("results"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        hits = Hits([self._hit(as_dict(each)) for each in as_list(body["results"])])
        meta = as_dict(body.get("meta"))
        hits.said.total = values.count_of(meta.get("count"))
        if cost := response.header("x-ratelimit-cost-usd")[:20]:
            hits.said.cost = f"{cost} USD"
        if left := response.header("x-ratelimit-remaining-usd")[:20]:
            hits.said.remaining = f"{left} USD"
        return hits, as_text(meta.get("next_cursor"))

    def _hit(self, work: Any) -> Hit:
        ids, place = as_dict(work.get("ids")), as_dict(work.get("primary_location"))
        doi = fold_doi(as_text(work.get("doi")) or as_text(ids.get("doi")))
        name = as_text(work.get("id")).rstrip("/").rsplit("/", 1)[-1]
        landing = values.address_of(place.get("landing_page_url"))
        authors = (
            as_dict(as_dict(each).get("author")) for each in as_list(work.get("authorships"))
        )
        try:
            standing = values.standing_of(read_work(work))
        except NotAnswered:
            standing = ""
        day = values.day_of(work.get("publication_date"))
        return Hit(
            provider=self.slug,
            title=values.title_of(work.get("title") or work.get("display_name")),
            url=landing or values.address_of(work.get("doi")) or values.address_of(work.get("id")),
            snippet=values.snippet_of(_abstract(work.get("abstract_inverted_index"))),
            published=day or values.day_of(work.get("publication_year")),
            authors=values.names_of(as_text(each.get("display_name")) for each in authors),
            venue=values.title_of(as_dict(place.get("source")).get("display_name")),
            doi=doi,
            pmid=as_pmid(as_text(ids.get("pmid")).rstrip("/").rsplit("/", 1)[-1]),
            pmcid=_pmcid(as_text(ids.get("pmcid"))),
            cited_by=values.count_of(work.get("cited_by_count")),
            raw_id=name[:200],
            standing=standing,
        )


def _check(response: Response) -> None:
    if response.status in _SPENT:
        raise Spent(values.message_of(response), status=response.status)
    values.check(response)


def _request(query: Query, cursor: str, wanted: int) -> Request:
    params = {"search": query.text, "per-page": str(min(max(wanted, 1), PAGE))}
    low, high = values.window_of(query)
    limits = [f"from_publication_date:{low}"] if low else []
    limits += [f"to_publication_date:{high}"] if high else []
    if limits:
        params["filter"] = ",".join(limits)
    if cursor:
        params["cursor"] = cursor
    if sort := query.options.get("sort"):
        params["sort"] = sort
    return Request("openalex", "/works", tuple(params.items()), key=_KEY)


def _abstract(index: Any) -> str:
    """Put a text together from where each of its words stands."""
    placed = [
        (place, as_text(word))
        for word, places in as_dict(index).items()
        for place in as_list(places)
        if isinstance(place, int) and 0 <= place < _LAST_WORD
    ]
    return " ".join(word for _place, word in sorted(placed)[:_LAST_WORD])


def _pmcid(text: str) -> str:
    name = text.rstrip("/").rsplit("/", 1)[-1].upper()
    return f"PMC{name}"[:20] if name.isdigit() else name[:20]


OPENALEX = OpenAlex()
