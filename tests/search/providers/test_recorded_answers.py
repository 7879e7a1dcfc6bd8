"""Every recorded answer gives results, or the error that its note tells of."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search.providers import PROVIDERS, Hits, Query, Response, errors, pubmed, run
from search.providers.base import as_result
from search.providers.crossref import CROSSREF
from search.providers.europepmc import EUROPE_PMC
from search.providers.openfda import ENDPOINTS
from search.providers.openfda import read as read_fda
from search.providers.wayback import WAYBACK
from sources.retractions.retraction_watch import read_table

from .answers import NOW, answer

pytestmark = pytest.mark.shared

type Reading = Callable[[Response], Hits]


def through(slug: str, text: str = "x", limit: int = 100) -> Reading:
    """Let a whole dialogue have this answer to whatever it asks."""
    return lambda response: run(
        PROVIDERS[slug], Query(text, limit=limit, now=NOW), lambda _: response
    )


def ids(response: Response) -> Hits:
    found, said = pubmed.read_search(response)
    return Hits([pubmed.pubmed_records.Hit("pubmed", pmid=pmid) for pmid in found], said)


def records(response: Response) -> Hits:
    return pubmed.PUBMED.read_records(response)


def listed_item(response: Response) -> Hits:
    body = {"message": {"items": [json.loads(response.text())]}}
    return CROSSREF.read(answer(body))[0]


def items(response: Response) -> Hits:
    body = {
        "request": {"resultType": "lite"},
        "resultList": {"result": json.loads(response.text())},
    }
    return EUROPE_PMC.read(answer(body))[0]


def documented(endpoint: str) -> Reading:
    """Put the pieces of a documentation page together to one record."""

    def read(response: Response) -> Hits:
        pieces = json.loads(response.text())
        if endpoint == "event":
            record = {**pieces["header"], "patient": pieces["patient"]}
        elif endpoint == "label":
            record = pieces["results"]["results"][0]
        else:
            record = pieces["result"]
        return read_fda(answer({"results": [record]}), ENDPOINTS[endpoint])[0]

    return read


CDX = WAYBACK.read_list
DOI = "10.5555/x"
# name: how it is read, and how many results or which error it gives
EXPECTED: dict[str, tuple[Reading, int | type[errors.ProviderError]]] = {
    "biorxiv/details_withdrawn_preprint": (through("biorxiv", DOI), 2),
    "brave/err_422_bad_token_doc": (through("brave"), errors.BadKey),
    "brave/err_429_rate_limited_search_plan": (through("brave"), errors.Limited),
    "brave/web_search_blue_tack_minimal": (through("brave"), 1),
    "brave/web_search_go_programming": (through("brave"), 3),
    "brave/web_search_statefarm_excerpt": (through("brave"), 1),
    "clinicaltrials/err_400_unknown_parameter_a": (through("clinicaltrials"), errors.Refused),
    "clinicaltrials/studies_count_only": (through("clinicaltrials"), 1),
    "clinicaltrials/studies_essie_expression": (through("clinicaltrials"), 2),
    "clinicaltrials/studies_melanoma_recruiting": (through("clinicaltrials"), 3),
    "clinicaltrials/studies_page1_nextPageToken": (through("clinicaltrials"), 5),
    "clinicaltrials/studies_page2_nextPageToken": (through("clinicaltrials"), 5),
    **{
        f"clinicaltrials/{name}": (through("clinicaltrials", "NCT00000001"), 1)
        for name in (
            "study_NCT02576665_contacts_eligibility",
            "study_NCT06382129",
            "study_full_NCT03418623",
            "study_full_NCT03475563",
            "study_full_NCT06171568",
        )
    },
    "crossref/err_400_rows_not_integer": (through("crossref"), errors.Refused),
    "crossref/err_400_sample_too_large": (through("crossref"), errors.Refused),
    "crossref/err_404_unknown_journal": (through("crossref"), errors.Refused),
    "crossref/err_500_bad_cursor_html_or_json": (through("crossref"), errors.NoAnswer),
    **{
        f"crossref/{name}": (listed_item, 1)
        for name in (
            "item_correction_notice_plos",
            "item_erratum_title_only_hindawi",
            "item_self_update_correction",
            "item_updated_by_correction",
        )
    },
    **{
        f"crossref/{name}": (through("crossref", DOI), 1)
        for name in (
            "pruned_clean_has_review",
            "pruned_expression_of_concern_only",
            "pruned_new_version_cochrane",
            "pruned_retracted_wakefield",
            "pruned_retracted_without_title_prefix",
            "work_full_nature_mi",
            "work_pnas_old",
            "work_preprint_biorxiv_posted_content",
            "work_retracted_wakefield_lancet_1998",
        )
    },
    "crossref/work_404_datacite_arxiv_doi": (through("crossref", DOI), 0),
    "crossref/works_cursor_page": (through("crossref"), 20),
    "crossref/works_empty_results": (through("crossref"), 0),
    "crossref/works_query_title_nonsense": (through("crossref"), 0),
    "crossref/works_select_retracted_item_no_flags": (through("crossref"), 1),
    "europepmc/err_supplementary_not_open_access": (through("europepmc"), errors.NoAnswer),
    "europepmc/items_ppr_pmc_and_retraction_note": (items, 6),
    "europepmc/search_by_pmid_byte_faithful": (through("europepmc"), 1),
    "europepmc/search_core_cancer": (through("europepmc"), 25),
    "europepmc/search_idlist": (through("europepmc"), 25),
    "europepmc/search_lite_cancer_page1": (through("europepmc"), 25),
    "europepmc/search_lite_cancer_page2": (through("europepmc"), 5),
    "europepmc/search_no_results": (through("europepmc"), 0),
    "europepmc/search_not_retracted_apc": (through("europepmc"), 1),
    "exa/docs_contents_apple_livecrawl": (through("exa"), 1),
    "exa/docs_contents_apple_subpages": (through("exa"), 1),
    "exa/docs_search_ai_startups": (through("exa"), 2),
    "exa/err_402_no_more_credits": (through("exa"), errors.Spent),
    "exa/search_raw_no_contents_a": (through("exa"), 5),
    "exa/search_raw_no_contents_authors": (through("exa"), 5),
    "openalex/err_404_not_in_openalex": (through("openalex", DOI), 0),
    "openalex/work_0": (through("openalex", DOI), 1),
    "openalex/work_2": (through("openalex", DOI), 1),
    "openalex/work_4": (through("openalex", DOI), 1),
    "openalex/work_retracted_wakefield_select": (through("openalex", DOI), 1),
    "openalex/work_select_open_access": (through("openalex", DOI), 1),
    "openalex/works_title_search_0": (through("openalex"), 1),
    "openalex/works_title_search_1": (through("openalex"), 1),
    "openfda/docs_drugsfda_examples": (documented("drugsfda"), 1),
    "openfda/docs_event_examples": (documented("event"), 1),
    "openfda/docs_label_examples": (documented("label"), 1),
    "openfda/drugsfda_imatinib_reduced": (lambda r: read_fda(r, ENDPOINTS["drugsfda"])[0], 1),
    "openfda/drugsfda_semaglutide_page1": (lambda r: read_fda(r, ENDPOINTS["drugsfda"])[0], 2),
    "openfda/drugsfda_semaglutide_page2": (lambda r: read_fda(r, ENDPOINTS["drugsfda"])[0], 1),
    "openfda/err_400_bad_sort": (through("openfda"), errors.Refused),
    "openfda/err_403_api_key_or_syntax": (through("openfda"), errors.BadKey),
    "openfda/err_404_no_matches": (through("openfda"), 0),
    "openfda/err_404_not_found_2026": (through("openfda"), 0),
    "openfda/label_full_silicea": (lambda r: read_fda(r, ENDPOINTS["label"])[0], 1),
    "openrouter/chat_tool_offered_not_used": (through("openrouter"), 0),
    "openrouter/chat_web_search_annotations": (through("openrouter"), 5),
    "openrouter/chat_web_search_annotations_stream": (through("openrouter"), 5),
    "openrouter/chat_web_search_no_annotations": (through("openrouter"), 0),
    "openrouter/err_401_bad_key": (through("openrouter"), errors.BadKey),
    "openrouter/err_429_upstream": (through("openrouter"), errors.Limited),
    "openrouter/perplexity_direct_citations": (through("openrouter"), 6),
    **{
        f"pubmed/{name}": (records, 1)
        for name in (
            "efetch_22663011",
            "efetch_citing_papers_multi",
            "efetch_pubmed6",
            "efetch_pubmed_newer_dtd",
            "efetch_retracted_publication",
            "efetch_retraction_notice",
            "efetch_structured_or_mathml",
        )
    },
    "pubmed/epost_error_xml": (ids, errors.Refused),
    "pubmed/err_rate_limit_json": (records, errors.Limited),
    "pubmed/esearch_json_doi_lookup": (ids, 1),
    "pubmed/esearch_json_small": (ids, 1),
    "pubmed/esearch_xml_biopython": (ids, 20),
    "pubmed/esearch_xml_nucleotide_or_other": (ids, errors.NoAnswer),
    "pubmed/esearch_xml_phrase_not_found": (ids, 0),
    "pubmed/esearch_xml_usehistory_translationstack": (ids, 100),
    "pubmed/espell_xml": (ids, 0),
    "pubmed/esummary_xml_pubmed": (records, 2),
    "pubmed/esummary_xml_v2": (records, errors.NoAnswer),
    "serper/err_403_unauthorized": (through("serper-search"), errors.BadKey),
    "serper/news_tesla_inc_2": (through("serper-news"), 10),
    "serper/patents_apple_inc_excerpt": (through("serper-patents"), 2),
    "serper/scholar_apple_inc": (through("serper-scholar"), 10),
    "serper/search_apple_inc_0": (through("serper-search"), 6),
    "tavily/err_401_unauthorized": (through("tavily"), errors.BadKey),
    "tavily/err_432_plan_limit": (through("tavily"), errors.Spent),
    "tavily/search_basic": (through("tavily"), 5),
    "tavily/search_bound_params": (through("tavily"), 2),
    "tavily/search_docs_euro2024_1": (through("tavily"), 5),
    "unpaywall/doi_0": (through("unpaywall", DOI), 2),
    "unpaywall/doi_1": (through("unpaywall", DOI), 0),
    "unpaywall/doi_2": (through("unpaywall", DOI), 0),
    "unpaywall/doi_4": (through("unpaywall", DOI), 2),
    "unpaywall/err_422_email": (through("unpaywall", DOI), errors.BadKey),
    "unpaywall/search_1": (through("unpaywall"), 0),
    "unpaywall/search_2": (through("unpaywall"), 2),
    "wayback/availability_closest": (through("wayback", "https://example.com/"), 1),
    "wayback/cdx_filter_404": (CDX, 10),
    "wayback/cdx_small": (CDX, 1),
    "wayback/cdx_text_last_page": (CDX, 0),
    "wayback/cdx_text_page_resumekey": (CDX, 7),
    "wayback/err_403_blocked_by_robots": (CDX, errors.Blocked),
    "wayback/err_404_no_memento": (CDX, 0),
}
# A table that is imported, and not searched: sources.retractions reads it.
TABLES = {
    "retractionwatch/mock_ash_williams",
    "retractionwatch/sample_2024_plus_reasons_part1",
    "retractionwatch/sample_2026_with_trailing_comma",
}


def bodies(shared: Path) -> Iterator[Path]:
    for path in sorted((shared / "real" / "apis").glob("*/*")):
        if not path.name.endswith(".meta.json"):
            yield path


def load(shared: Path, name: str) -> Response:
    folder = shared / "real" / "apis"
    (path,) = (p for p in folder.glob(f"{name}.*") if not p.name.endswith(".meta.json"))
    meta = json.loads((folder / f"{name}.meta.json").read_text(encoding="utf-8"))
    told = meta.get("response") or {}
    left = ("status", "content-encoding")
    headers = {k: v for k, v in (told.get("headers") or {}).items() if k.lower() not in left}
    return answer(path.read_bytes(), told.get("status") or 200, **headers)


def test_every_recorded_answer_has_an_expectation(shared: Path) -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in bodies(shared)}

    assert names == set(EXPECTED) | TABLES


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_recorded_answer_gives_what_its_note_says(name: str, shared: Path) -> None:
    read, expected = EXPECTED[name]
    response = load(shared, name)

    if isinstance(expected, int):
        hits = read(response)
        assert len(hits) == expected
        assert all(hit.title or hit.url or hit.raw_id or hit.pmid for hit in hits)
        json.dumps([as_result(hit) for hit in hits], ensure_ascii=False).encode()
    else:
        with pytest.raises(errors.ProviderError) as raised:
            read(response)
        assert type(raised.value) is expected
        assert "redacted" not in raised.value.reason("en").lower()


@pytest.mark.parametrize("name", sorted(TABLES))
def test_recorded_table_is_read_by_its_importer(name: str, shared: Path) -> None:
    path = shared / "real" / "apis" / f"{name}.csv"

    with path.open(encoding="utf-8-sig", newline="") as stream:
        assert list(read_table(stream))
