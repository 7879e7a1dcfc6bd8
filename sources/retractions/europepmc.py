"""Records of Europe PMC (``resultType=core``) as statements. Pure.

Source: providers, section 10.
"""

from collections.abc import Mapping
from typing import Any

from sources.dois import fold_doi

from .dates import span_of
from .linked import LinkedTo, Record, reading_of
from .reading import as_dict, as_list, as_pmid, as_text, plain
from .reftypes import link_of
from .statements import EUROPE_PMC, NotAnswered, Reading


def read_results(body: Any) -> tuple[Reading, ...]:
    """Read an answer of ``/search``; nothing found gives no reading. Raises NotAnswered.

    The short result types hold no links to notices: what is silent there has told nothing.
    """
    answer = as_dict(body)
    results = as_dict(answer.get("resultList")).get("result")
    if not isinstance(results, list):
        raise NotAnswered("the answer holds no list of results")
    core = as_text(as_dict(answer.get("request")).get("resultType")).casefold() == "core"
    return tuple(reading_of(_record(as_dict(each), told=core)) for each in results)


def _record(result: Mapping[str, Any], *, told: bool) -> Record:
    return Record(
        provider=EUROPE_PMC,
        pmid=as_pmid(result.get("pmid")),
        doi=fold_doi(as_text(result.get("doi"))),
        date=_date(result),
        title=plain(as_text(result.get("title"))),
        journal=_journal(result),
        links=_links(result),
        types=tuple((name, "") for name in _types(result)),
        told=told,
    )


def _date(result: Mapping[str, Any]) -> str:
    first = as_text(result.get("firstPublicationDate"))
    year = as_text(result.get("pubYear"))
    return next((text for text in (first, year) if span_of(text)), "")


def _journal(result: Mapping[str, Any]) -> str:
    journal = as_dict(as_dict(result.get("journalInfo")).get("journal"))
    return plain(as_text(journal.get("title")) or as_text(result.get("journalTitle")))


def _types(result: Mapping[str, Any]) -> list[str]:
    listed = as_list(as_dict(result.get("pubTypeList")).get("pubType"))
    joined = as_text(result.get("pubType")).split(";")
    return [text for each in [*listed, *joined] if (text := as_text(each))]


def _links(result: Mapping[str, Any]) -> tuple[LinkedTo, ...]:
    listed = as_dict(result.get("commentCorrectionList")).get("commentCorrection")
    found = []
    for each in map(as_dict, as_list(listed)):
        said = as_text(each.get("type"))
        link = link_of(said)
        if link is None:
            continue
        medline = as_text(each.get("source")).upper() == "MED"
        pmid = as_pmid(each.get("id")) if medline else ""
        found.append(LinkedTo(link, pmid, plain(as_text(each.get("reference")))[:500], said))
    return tuple(found)
