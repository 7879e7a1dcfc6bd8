"""Europe PMC. Pure. Providers, section 10."""

from dataclasses import dataclass
from typing import Any

from sources.dois import fold_doi
from sources.retractions import NotAnswered, Reading
from sources.retractions.europepmc import read_results
from sources.retractions.reading import as_dict, as_list, as_pmid, as_text

from . import values, words
from .base import PAGES, Dialogue, Hit, Hits, Query, Request, Response, keeping
from .errors import NoAnswer

PATH = "/europepmc/webservices/rest/search"
PAGE = 1000


@dataclass(frozen=True, slots=True)
class EuropePmc:
    """Europe PMC; ``sort`` is its option, such as "CITED desc"."""

    slug: str = "europepmc"
    label: str = "Europe PMC"
    service: str = "europepmc"
    gap: float = 0.5

    def search(self, query: Query) -> Dialogue:
        """Ask page after page; the mark of the next one is the provider's."""
        found, mark = Hits(), "*"
        for _ in range(PAGES):
            with keeping(found):
                response = yield _request(query, mark, query.limit - len(found))
                more, following = self.read(response)
            found.extend(more)
            found.said = more.said
            whole = len(found) >= min(query.limit, more.said.total or 0)
            if whole or not more or following in {"", mark}:
                break
            mark = following
        if query.sites:
            found.said.notices.append(words.no_sites(self.label))
        return found

    def read(self, response: Response) -> tuple[Hits, str]:
        """Read one answer: results, and the mark of the next page. Raises ProviderError."""
        values.check(response)
        body = values.object_of(response)
        try:
            readings = read_results(body)
        except NotAnswered:
            raise NoAnswer(values.message_of(response), status=response.status) from None
        listed = as_list(as_dict(body.get("resultList")).get("result"))
        hits = Hits(
            [self._hit(as_dict(each), told) for each, told in zip(listed, readings, strict=True)]
        )
        hits.said.total = values.count_of(body.get("hitCount"))
        hits.said.translated = as_text(as_dict(body.get("request")).get("internalQuery"))
        return hits, as_text(body.get("nextCursorMark"))

    def _hit(self, item: Any, told: Reading) -> Hit:
        source, name = as_text(item.get("source")), as_text(item.get("id"))
        journal = as_dict(as_dict(item.get("journalInfo")).get("journal"))
        book = as_dict(item.get("bookOrReportDetails"))
        venue = journal.get("title") or item.get("journalTitle") or book.get("publisher")
        authors = as_text(item.get("authorString")).rstrip(".").split(", ")
        first, year = values.day_of(item.get("firstPublicationDate")), as_text(item.get("pubYear"))
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=f"https://europepmc.org/article/{source}/{name}" if source and name else "",
            snippet=values.snippet_of(item.get("abstractText")),
            published=first or values.day_of(year),
            authors=values.names_of(authors),
            venue=values.title_of(venue),
            doi=fold_doi(as_text(item.get("doi"))),
            pmid=as_pmid(item.get("pmid")),
            pmcid=as_text(item.get("pmcid"))[:20],
            cited_by=values.count_of(item.get("citedByCount")),
            raw_id=f"{source}/{name}"[:200] if name else "",
            standing=values.standing_of(told),
        )


def _request(query: Query, mark: str, wanted: int) -> Request:
    doi = values.doi_of(query)
    text = f'DOI:"{doi}"' if doi else query.text
    low, high = values.window_of(query)
    if low or high:
        last = high.isoformat() if high else "3000-12-31"
        text = f"({text}) AND FIRST_PDATE:[{low.isoformat() if low else '1500-01-01'} TO {last}]"
    params = {
        "query": text,
        "format": "json",
        "resultType": "core",
        "pageSize": str(min(max(wanted, 1), PAGE)),
        "cursorMark": mark,
    }
    if sort := query.options.get("sort"):
        params["sort"] = sort
    return Request("europepmc", PATH, tuple(params.items()))


EUROPE_PMC = EuropePmc()
