"""How each provider is asked about works: what is sent, and what the answer says. Sends nothing.

A dialogue yields requests and is handed answers; ``checking`` drives it. Sources: providers,
sections 5 and 8 to 10.
"""

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from sources.models import NoticeProvider, RetractionCheck
from sources.retractions import (
    NotAnswered,
    Reading,
    Statement,
    crossref,
    europepmc,
    openalex,
    pubmed,
)
from sources.retractions.reading import as_dict, as_list, as_pmid, as_text
from workbench.lib.http import Request, Response

_OUTCOME = RetractionCheck.Outcome
# What a list of filter values bears; other DOIs are asked about one by one.
_PLAIN = re.compile(r"10\.[\w.]+/[\w.()/-]+", re.ASCII)
_OPENALEX_FIELDS = "id,doi,ids,display_name,is_retracted"


@dataclass(frozen=True, slots=True)
class Target:
    """A work as it is asked about; several sources may be it."""

    doi: str = ""
    pmid: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a provider answered about one work. ``names`` are the records that were read whole."""

    outcome: str  # of RetractionCheck.Outcome
    statements: tuple[Statement, ...] = ()
    names: tuple[str, ...] = ()
    detail: str = ""


type Answers = dict[Target, Answer]
type Dialogue = Generator[Request, Response, Answers]


@dataclass(frozen=True, slots=True)
class Asker:
    """How one provider is asked."""

    provider: str
    most: int  # works in one dialogue
    gap: float  # least seconds between two requests, unless the provider says otherwise
    ask: Callable[[Sequence[Target], str], Dialogue]  # works, base URL
    identify: bool = False  # tell the tool and the contact address in the query
    key_name: str = ""  # query parameter of its key


def _crossref(targets: Sequence[Target], base: str) -> Dialogue:
    answers: Answers = {}
    plain = [each for each in targets if _PLAIN.fullmatch(each.doi)]
    if len(plain) > 1:
        # No select: without updated-by and update-to silence would say nothing.
        wanted = ",".join(f"doi:{each.doi}" for each in plain)
        response = yield Request(
            f"{base}/works?filter={quote(wanted, safe=':,/()')}&rows={len(plain)}"
        )
        readings = crossref.read_list(_json(response))
        answers = {each: _answer(each, readings.get(each.doi)) for each in plain}
    for each in targets:
        if each not in answers:
            response = yield Request(f"{base}/works/{quote(each.doi, safe='')}")
            found = None if response.status == 404 else crossref.read_work(_json(response))
            answers[each] = _answer(each, found)
    return answers


def _pubmed(targets: Sequence[Target], base: str) -> Dialogue:
    path = f"{base}/entrez/eutils"
    ids = [each.pmid for each in targets if each.pmid]
    by_doi = [each.doi for each in targets if not each.pmid]
    if by_doi:
        term = " OR ".join(f'"{doi}"[doi]' for doi in by_doi)
        ask = {"db": "pubmed", "retmode": "json", "retmax": 4 * len(by_doi), "term": term}
        response = yield Request(f"{path}/esearch.fcgi?{urlencode(ask)}")
        ids += _found_ids(_json(response))
    if not ids:
        return {each: _answer(each, None) for each in targets}
    fetch = {"db": "pubmed", "retmode": "xml", "id": ",".join(dict.fromkeys(ids))}
    response = yield Request(f"{path}/efetch.fcgi?{urlencode(fetch, safe=',')}")
    return _matched(targets, pubmed.read_articles(response.body))


def _found_ids(body: Any) -> list[str]:
    result = as_dict(as_dict(body).get("esearchresult"))
    if "idlist" not in result:
        raise NotAnswered(as_text(result.get("ERROR")) or "the search gave no list of ids")
    return [pmid for each in as_list(result["idlist"]) if (pmid := as_pmid(each))]


def _europepmc(targets: Sequence[Target], base: str) -> Dialogue:
    terms = [
        f"(EXT_ID:{each.pmid} AND SRC:MED)" if each.pmid else f'DOI:"{each.doi}"'
        for each in targets
    ]
    # A preprint and its article may share a query, so more may come than was asked for.
    ask = {
        "query": " OR ".join(terms),
        "format": "json",
        "resultType": "core",
        "pageSize": min(1000, 4 * len(targets) + 25),
    }
    response = yield Request(
        f"{base}/europepmc/webservices/rest/search?{urlencode(ask, quote_via=quote)}"
    )
    return _matched(targets, europepmc.read_results(_json(response)))


def _openalex(targets: Sequence[Target], base: str) -> Dialogue:
    answers: Answers = {}
    plain = [each for each in targets if _PLAIN.fullmatch(each.doi)]
    if len(plain) > 1:
        wanted = "doi:" + "|".join(each.doi for each in plain)
        ask = {"filter": wanted, "per-page": 200, "select": _OPENALEX_FIELDS}
        response = yield Request(f"{base}/works?{urlencode(ask, safe=':/,')}")
        answers = _matched(plain, openalex.read_list(_json(response)))
    for each in targets:
        if each not in answers:
            name = quote(f"doi:{each.doi}", safe=":/")
            response = yield Request(f"{base}/works/{name}?select={_OPENALEX_FIELDS}")
            found = None if response.status == 404 else openalex.read_work(_json(response))
            answers[each] = _answer(each, found)
    return answers


ASKERS: tuple[Asker, ...] = (
    Asker(NoticeProvider.CROSSREF, 20, 1.0, _crossref),
    Asker(NoticeProvider.PUBMED, 40, 0.34, _pubmed, identify=True, key_name="api_key"),
    Asker(NoticeProvider.EUROPE_PMC, 25, 1.0, _europepmc),
    Asker(NoticeProvider.OPENALEX, 40, 0.2, _openalex, key_name="api_key"),
)


def _json(response: Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise NotAnswered(f"no JSON but {response.head(80)!r}") from None


def _matched(targets: Iterable[Target], readings: Iterable[Reading]) -> Answers:
    """Find the record of each work by its own ids; a search may give others beside it."""
    by_pmid: dict[str, Reading] = {}
    by_doi: dict[str, Reading] = {}
    for each in readings:
        # A preprint and its article may share a DOI: the one that MEDLINE knows says more.
        if each.doi and (each.pmid or each.doi not in by_doi):
            by_doi[each.doi] = each
        if each.pmid:
            by_pmid.setdefault(each.pmid, each)
    return {
        each: _answer(each, by_pmid.get(each.pmid) if each.pmid else by_doi.get(each.doi))
        for each in targets
    }


def _answer(target: Target, reading: Reading | None) -> Answer:
    if reading is None:
        return Answer(_OUTCOME.UNKNOWN_WORK)
    if not reading.told:
        return Answer(_OUTCOME.FAILED, detail="no-flags")
    names = tuple(name for name in (reading.doi, reading.pmid) if name)
    about = any(
        (each.doi and each.doi == target.doi)
        or (each.pmid and each.pmid in {target.pmid, reading.pmid})
        for each in reading.statements
    )
    outcome = _OUTCOME.NOTICES if about else _OUTCOME.NOTHING
    return Answer(outcome, reading.statements, names)
