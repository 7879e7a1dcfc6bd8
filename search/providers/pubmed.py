"""PubMed by E-utilities: esearch, then efetch. Pure. Providers, section 5."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import batched
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_pmid, as_text

from . import pubmed_records, values, words
from .base import Dialogue, Hits, Key, Query, Request, Response, Said, keeping
from .errors import Limited, NoAnswer, Refused

SHOWN = 9_999  # what lies behind is not given
BATCH = 200  # ids in one address
TOOL = "evidence-workbench"
PATH = "/entrez/eutils"
_BEYOND = "9,999"


@dataclass(frozen=True, slots=True)
class PubMed:
    """PubMed; ``sort`` is its option: relevance or pub_date."""

    slug: str = "pubmed"
    label: str = "PubMed"
    service: str = "pubmed"
    gap: float = 0.34  # three a second without a key

    def search(self, query: Query) -> Dialogue:
        """Ask for ids, then for their records, in the order of the ids."""
        doi = values.doi_of(query)
        response = yield _request("esearch.fcgi", _asked(query, doi))
        ids, said = read_search(response)
        found = Hits((), said)
        if query.sites:
            said.notices.append(words.no_sites(self.label))
        for part in batched(ids[: query.limit], BATCH):
            params = {"db": "pubmed", "id": ",".join(part), "retmode": "xml"}
            with keeping(found):
                response = yield _request("efetch.fcgi", params)
                records = self.read_records(response)
            by_id = {hit.pmid: hit for hit in records}
            found.extend(by_id[each] for each in part if each in by_id)
        if doi:
            # PubMed takes a DOI apart and may answer with a neighbour.
            found[:] = [hit for hit in found if hit.doi == doi]
        return found

    def read_records(self, response: Response) -> Hits:
        """Read an answer of efetch or esummary, in XML. Raises ProviderError."""
        values.check(response)
        _refuse_limit(response)
        return Hits(pubmed_records.read(response.body, self.slug))


@dataclass(frozen=True, slots=True)
class PubMedReading:
    """How PubMed itself reads a query: headings and entry terms; no results. In no route."""

    slug: str = "pubmed-reading"
    label: str = "PubMed"
    service: str = "pubmed"
    gap: float = 0.34

    def search(self, query: Query) -> Dialogue:
        """Ask for no ids, and hear what is said of the query."""
        response = yield _request("esearch.fcgi", _asked(query, "") | {"retmax": "0"})
        _ids, said = read_search(response)
        return Hits((), said)


def _request(program: str, params: Mapping[str, str]) -> Request:
    return Request(
        "pubmed",
        f"{PATH}/{program}",
        (*params.items(), ("tool", TOOL)),
        key=Key("pubmed", "api_key", "query", required=False),
        contact="email",
    )


def _asked(query: Query, doi: str) -> dict[str, str]:
    asked = {
        "db": "pubmed",
        "term": f'"{doi}"[doi]' if doi else query.text,
        "retmode": "json",
        "retmax": str(min(query.limit, SHOWN)),
        "sort": query.options.get("sort", "relevance"),
    }
    low, high = values.window_of(query)
    if low is None and high is None:
        return asked
    last = f"{high:%Y/%m/%d}" if high else "3000"
    first = f"{low:%Y/%m/%d}" if low else "1000"
    return asked | {"datetype": "pdat", "mindate": first, "maxdate": last}


def _refuse_limit(response: Response) -> None:
    """Raise Limited for a limit that comes in JSON, with whatever status."""
    if response.body.lstrip()[:1] == b"{" and "rate limit" in response.head(200).lower():
        raise Limited(_limit(values.json_of(response)), status=response.status)


def _limit(body: Any) -> str:
    """Say what the limit is; the rest of that body is the key, or the caller's address."""
    limit = as_text(as_dict(body).get("limit"))
    return f"API rate limit exceeded, {limit} a second" if limit else "API rate limit exceeded"


def read_search(response: Response) -> tuple[list[str], Said]:
    """Read an answer of esearch, JSON or XML: ids, and what was said of the query.

    Raises ProviderError.
    """
    _refuse_limit(response)
    values.check(response)
    if response.body.lstrip()[:1] == b"<":
        return pubmed_records.read_search(response.body)
    body = values.object_of(response)
    result = as_dict(body.get("esearchresult"))
    fault = as_text(result.get("ERROR")) or as_text(body.get("ERROR"))
    if fault or "idlist" not in result:
        fault = fault or values.message_of(response)
        raise (Refused if _BEYOND in fault else NoAnswer)(fault, status=response.status)
    said = Said(
        total=values.count_of(result.get("count")),
        translated=as_text(result.get("querytranslation")),
    )
    errors, warnings = as_dict(result.get("errorlist")), as_dict(result.get("warninglist"))
    dropped = _texts(errors, "phrasesnotfound", "fieldsnotfound") + _texts(
        warnings, "phrasesignored"
    )
    hear(said, dropped, _texts(warnings, "quotedphrasesnotfound"))
    said.notices += [words.other(text) for text in _texts(warnings, "outputmessages")]
    return [pmid for each in as_list(result["idlist"]) if (pmid := as_pmid(each))], said


def hear(said: Said, dropped: list[str], phrases: list[str]) -> None:
    """Note terms that were left out, phrases that were not found, and a window too small."""
    if dropped:
        said.dropped = dropped
        said.notices.append(words.dropped(", ".join(dropped)))
    if phrases:
        said.notices.append(words.phrase(", ".join(phrases)))
    if said.total is not None and said.total > SHOWN:
        said.notices.append(words.window(said.total))


def _texts(found: Mapping[str, Any], *names: str) -> list[str]:
    texts = (as_text(each) for name in names for each in as_list(found.get(name)))
    return [re.sub(r"\s+", " ", text)[:300] for text in texts if text]


PUBMED = PubMed()
PUBMED_READING = PubMedReading()
