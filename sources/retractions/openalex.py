"""Works of OpenAlex as second opinions. Pure. Source: providers, section 9.

``is_retracted`` has no kind, no date and no notice, and is known to be wrong at times: it makes
somebody look, and decides nothing.
"""

from collections.abc import Mapping
from typing import Any

from sources.dois import fold_doi

from .reading import as_dict, as_list, as_pmid, as_text, plain
from .statements import OPENALEX, NotAnswered, Reading, Statement, key_of


def read_work(body: Any) -> Reading:
    """Read ``/works/{id}``; told only where the answer holds ``is_retracted``."""
    work = as_dict(body)
    doi = fold_doi(as_text(work.get("doi"))) or fold_doi(as_text(_ids(work).get("doi")))
    pmid = as_pmid(as_text(_ids(work).get("pmid")).rstrip("/").rsplit("/", 1)[-1])
    if not (doi or pmid):
        raise NotAnswered("the answer holds no work with a DOI or a PubMed id")
    flag = work.get("is_retracted")
    statements = (_statement(work, doi, pmid),) if flag is True else ()
    return Reading(doi, pmid, statements, told=isinstance(flag, bool))


def read_list(body: Any) -> tuple[Reading, ...]:
    """Read ``/works?filter=…``; works without identifiers are left out. Raises NotAnswered."""
    results = as_dict(body).get("results")
    if not isinstance(results, list):
        raise NotAnswered("the answer holds no list of works")
    found = []
    for each in as_list(results):
        try:
            found.append(read_work(each))
        except NotAnswered:
            continue
    return tuple(found)


def _ids(work: Mapping[str, Any]) -> Mapping[str, Any]:
    return as_dict(work.get("ids"))


def _statement(work: Mapping[str, Any], doi: str, pmid: str) -> Statement:
    name = as_text(work.get("id")).rsplit("/", 1)[-1] or doi or pmid
    title = as_text(work.get("display_name")) or as_text(work.get("title"))
    return Statement(
        provider=OPENALEX,
        key=key_of(name),
        nature="retraction",
        stated_as="is_retracted",
        doi=doi,
        pmid=pmid,
        title=plain(title),
        told_by=doi or pmid,
        second_opinion=True,
        raw={"id": as_text(work.get("id"))},
    )
