"""Unpaywall: the open copy of a DOI. Pure. Providers, section 13."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sources.dois import fold_doi
from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Query, Request, Response
from .errors import BadKey, NoAnswer


@dataclass(frozen=True, slots=True)
class Unpaywall:
    """Looks up a DOI; any other text is looked for in titles."""

    slug: str = "unpaywall"
    label: str = "Unpaywall"
    service: str = "unpaywall"
    gap: float = 0.1

    def search(self, query: Query) -> Dialogue:
        """Ask for the open copies of one work, or of works by title."""
        doi = values.doi_of(query)
        if doi:
            response = yield _request(f"/v2/{quote(doi, safe='/')}", ())
            return self.read_one(response, doi)
        response = yield _request("/v2/search", (("query", query.text),))
        return self.read(response)

    def read_one(self, response: Response, doi: str) -> Hits:
        """Read one work: its open copies, the best first. Raises ProviderError."""
        found = Hits()
        if response.status == 404:
            found.said.notices.append(words.unknown_name(self.label, doi))
            return found
        work = _body(response)
        if not fold_doi(as_text(work.get("doi"))):
            raise NoAnswer(values.message_of(response), status=response.status)
        found.extend(self._copies(work))
        if not found:
            found.said.notices.append(words.closed(as_text(work.get("oa_status")) or "closed"))
        return found

    def read(self, response: Response) -> Hits:
        """Read works found by title: the best open copy of each. Raises ProviderError."""
        body = _body(response)
        if not isinstance(body.get("results"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        works = (as_dict(as_dict(each).get("response")) for each in as_list(body["results"]))
        return Hits([self._hit(work, as_dict(work.get("best_oa_location"))) for work in works])

    def _copies(self, work: Any) -> list[Hit]:
        places = [as_dict(each) for each in as_list(work.get("oa_locations"))]
        best = as_dict(work.get("best_oa_location"))
        listed = [place for place in [best, *places] if place]
        hits = {hit.url: hit for place in listed if (hit := self._hit(work, place)).url}
        first = next(iter(hits), "")
        return [hits[first], *(hit for url, hit in hits.items() if url != first)] if first else []

    def _hit(self, work: Any, place: Any) -> Hit:
        doi = fold_doi(as_text(work.get("doi")))
        copy = place.get("url_for_pdf") or place.get("url") or place.get("url_for_landing_page")
        facts = (work.get("oa_status"), place.get("host_type"), place.get("version"),
                 place.get("license"))  # fmt: skip
        day = values.day_of(work.get("published_date"))
        return Hit(
            provider=self.slug,
            title=values.title_of(work.get("title")),
            url=values.address_of(copy),
            snippet="; ".join(fact for each in facts if (fact := as_text(each))),
            published=day or values.day_of(work.get("year")),
            authors=values.names_of(
                _name(as_dict(each)) for each in as_list(work.get("z_authors"))
            ),
            venue=values.title_of(work.get("journal_name")),
            doi=doi,
            raw_id=doi[:200],
        )


def _request(path: str, params: tuple[tuple[str, str], ...]) -> Request:
    return Request("unpaywall", path, params, contact="email", contact_required=True)


def _body(response: Response) -> Any:
    if response.status == 422:
        raise BadKey(values.message_of(response), status=422)  # an address of an example
    values.check(response)
    return values.object_of(response)


def _name(author: Any) -> str:
    whole = " ".join([as_text(author.get("given")), as_text(author.get("family"))]).strip()
    return whole or as_text(author.get("raw_author_name")) or as_text(author.get("name"))


UNPAYWALL = Unpaywall()
