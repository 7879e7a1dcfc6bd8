"""PubMed, Europe PMC, Crossref, OpenAlex, ClinicalTrials.gov and openFDA."""

import json

import pytest

from search.providers import errors

from .answers import Sent, answer, asked, recorded


def test_pubmed_asks_for_ids_then_for_records_in_their_order() -> None:
    sent = Sent(recorded("pubmed/esearch_dropped.json"), recorded("pubmed/efetch.xml"))

    hits = asked("pubmed", sent, "drug x zzqx", year_low=2020, year_high=2024)

    search, fetch = sent.requests
    assert search.path == "/entrez/eutils/esearch.fcgi"
    assert sent.params()["mindate"] == "2020/01/01"
    assert sent.params()["maxdate"] == "2024/12/31"
    assert sent.params()["datetype"] == "pdat"
    assert sent.params(1)["id"] == "90000001,90000010"
    assert (fetch.contact, fetch.key and fetch.key.required) == ("email", False)
    assert [hit.pmid for hit in hits] == ["90000001", "90000010"]


def test_pubmed_tells_what_became_of_the_query() -> None:
    sent = Sent(recorded("pubmed/esearch_dropped.json"), recorded("pubmed/efetch.xml"))

    said = asked("pubmed", sent).said

    assert said.translated == '"drug x"[All Fields]'
    assert said.dropped == ["zzqx"]
    assert said.total == 20001
    assert [notice.code for notice in said.notices] == [
        "terms-dropped",
        "phrases-not-found",
        "beyond-window",
    ]


def test_pubmed_record_has_its_own_doi_and_standing() -> None:
    sent = Sent(recorded("pubmed/esearch.json"), recorded("pubmed/efetch.xml"))

    (hit,) = asked("pubmed", sent, "doi:10.5555/Trial.1998.1")

    assert sent.params()["term"] == '"10.5555/trial.1998.1"[doi]'
    assert hit.doi == "10.5555/trial.1998.1"
    assert hit.title == "Drug X and survival in early disease."
    assert (hit.published, hit.precision) == ("1998-02-28", "day")
    assert hit.standing == "retracted"
    assert hit.url == "https://pubmed.ncbi.nlm.nih.gov/90000001/"


def test_pubmed_neighbour_of_a_doi_is_left() -> None:
    sent = Sent(recorded("pubmed/esearch.json"), recorded("pubmed/efetch.xml"))

    assert asked("pubmed", sent, "10.5555/another") == []


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("pubmed/esearch_error.json", 200, errors.NoAnswer),
        ("pubmed/back_end.html", 200, errors.NoAnswer),
        ("pubmed/error.xml", 200, errors.ProviderError),
        ("pubmed/limit.json", 429, errors.Limited),
        ("pubmed/limit.json", 200, errors.Limited),
    ],
)
def test_pubmed_error_comes_with_any_status(name: str, status: int, expected: type) -> None:
    with pytest.raises(expected):
        asked("pubmed", Sent(recorded(name, status)))


def test_pubmed_limit_never_echoes_key_or_address() -> None:
    with pytest.raises(errors.Limited) as raised:
        asked("pubmed", Sent(recorded("pubmed/limit.json", 429)))

    assert "198.51.100.7" not in raised.value.reason("en")
    assert "3 a second" in raised.value.reason("en")


def test_pubmed_records_that_fail_keep_the_batches_before() -> None:
    many = {"esearchresult": {"count": "300", "idlist": [str(9 * 10**7 + n) for n in range(300)]}}
    sent = Sent(answer(many), recorded("pubmed/efetch.xml"), answer("", 200))

    with pytest.raises(errors.NoAnswer) as raised:
        asked("pubmed", sent, limit=300)

    assert raised.value.so_far


def test_europe_pmc_reads_core_records_with_their_notices() -> None:
    sent = Sent(recorded("europepmc/search_core.json"))

    hits = asked("europepmc", sent, "drug x", limit=3, year_low=1998)

    assert sent.params()["query"] == "(drug x) AND FIRST_PDATE:[1998-01-01 TO 3000-12-31]"
    assert sent.params()["resultType"] == "core"
    assert hits[0].standing == "retracted"
    assert hits[0].url == "https://europepmc.org/article/MED/90000001"
    assert hits[2].raw_id == "PPR/PPR900001"
    assert hits.said.total == 3


def test_europe_pmc_ends_where_the_mark_stays() -> None:
    page = json.loads(recorded("europepmc/search_core.json").text())
    sent = Sent(answer(page | {"hitCount": 900}))

    asked("europepmc", sent, limit=50)

    assert [dict(request.params)["cursorMark"] for request in sent.requests] == ["*", "AoIIQAAA"]


def test_europe_pmc_error_is_xml_whatever_was_asked() -> None:
    with pytest.raises(errors.NoAnswer):
        asked("europepmc", Sent(recorded("europepmc/error.xml")))


def test_nothing_found_is_an_answer() -> None:
    hits = asked("europepmc", Sent(recorded("europepmc/nothing.json")))

    assert hits == []
    assert hits.said.total == 0


def test_crossref_asks_about_a_doi_by_itself_however_it_is_written() -> None:
    sent = Sent(recorded("crossref/work_retracted.json"))

    (hit,) = asked("crossref", sent, "https://doi.org/10.5555/Trial.1998.1")

    assert sent.requests[0].path == "/works/10.5555%2Ftrial.1998.1"
    assert sent.requests[0].contact == "mailto"
    assert hit.title == "RETRACTED: Drug X and survival in early disease"
    assert (hit.standing, hit.cited_by) == ("retracted", 1204)


def test_crossref_escapes_an_old_doi() -> None:
    sent = Sent(recorded("crossref/err_404.txt", 404))

    asked("crossref", sent, "10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-#")

    assert sent.requests[0].path == (
        "/works/10.1002%2F%28sici%291096-8644%28199601%2999%3A1%3C1%3A%3Aaid-ajpa1%3E3.0.co%3B2-%23"
    )


def test_doi_that_crossref_does_not_know_may_be_anothers() -> None:
    hits = asked("crossref", Sent(recorded("crossref/err_404.txt", 404)), "10.48550/arxiv.1")

    assert hits == []
    assert [notice.code for notice in hits.said.notices] == ["not-crossref"]


def test_crossref_list_tells_standings_and_never_selects_fields() -> None:
    sent = Sent(recorded("crossref/works_list.json"))

    hits = asked("crossref", sent, "drug x", year_low=2020, year_high=2022)

    assert sent.params()["filter"] == "from-pub-date:2020-01-01,until-pub-date:2022-12-31"
    assert "select" not in sent.params()
    assert {hit.doi: hit.standing for hit in hits}["10.5555/concern.1"] == "concern"
    assert {hit.doi: hit.standing for hit in hits}["10.5555/self.1"] == "retracted"
    assert {hit.doi: hit.standing for hit in hits}["10.5555/clean.1"] == ""


def test_crossref_says_what_is_wrong_with_a_request() -> None:
    with pytest.raises(errors.Refused, match="does not support x"):
        asked("crossref", Sent(recorded("crossref/err_400.json", 400)))


def test_openalex_builds_the_abstract_and_fears_no_absurd_place() -> None:
    sent = Sent(recorded("openalex/works_search.json", X_RateLimit_Remaining_USD="0.42"))

    (hit,) = asked("openalex", sent, "drug x", time_range="y")

    assert sent.params()["filter"] == "from_publication_date:2025-03-01"
    assert (hit.title, hit.snippet) == ("Drug X in daily practice", "Drug X works")
    assert (hit.pmid, hit.cited_by, hit.venue) == ("90000002", 12, "")


def test_openalex_flag_is_a_second_opinion() -> None:
    hits = asked("openalex", Sent(recorded("openalex/works_list.json")))

    assert [hit.standing for hit in hits] == ["needs_look", ""]


@pytest.mark.parametrize("status", [402, 409])
def test_openalex_budget_may_be_spent(status: int) -> None:
    with pytest.raises(errors.Spent):
        asked("openalex", Sent(answer({"error": "budget"}, status)))


def test_openalex_unknown_work_is_a_page_of_html() -> None:
    hits = asked("openalex", Sent(recorded("openalex/err_404.html", 404)), "10.5555/none")

    assert hits == []
    assert [notice.code for notice in hits.said.notices] == ["unknown-name"]


def test_trials_are_paged_by_token_and_the_total_stands_on_the_first_page() -> None:
    sent = Sent(recorded("clinicaltrials/page1.json"), recorded("clinicaltrials/page2.json"))

    hits = asked("clinicaltrials", sent, "drug x", year_low=2018)

    assert [hit.trial_id for hit in hits] == ["NCT90000001", "NCT90000002", "NCT90000003"]
    assert hits.said.total == 3
    assert sent.params(1)["pageToken"] == "ZVt0"
    first, second = (dict(request.params) for request in sent.requests)
    assert {**first, "pageToken": "ZVt0"} == second
    assert first["filter.advanced"] == "AREA[StartDate]RANGE[2018-01-01,MAX]"


def test_trial_tells_its_state_and_needs_no_module() -> None:
    sent = Sent(recorded("clinicaltrials/page1.json"))

    full, bare = asked("clinicaltrials", sent, limit=2)

    assert full.snippet == "TERMINATED; PHASE3; Futility; n=512. Does Drug X help?"
    assert (full.published, full.authors) == ("2019-04-02", ("Example Inc.",))
    assert (bare.snippet, bare.published, bare.precision) == ("", "", "unknown")


def test_trial_by_number() -> None:
    sent = Sent(answer("NCT number NCT90000009 not found", 404))

    hits = asked("clinicaltrials", sent, " nct90000009 ")

    assert sent.requests[0].path == "/api/v2/studies/NCT90000009"
    assert [notice.code for notice in hits.said.notices] == ["unknown-name"]


def test_unknown_parameter_of_trials_is_our_fault() -> None:
    with pytest.raises(errors.Refused, match=r"filter\.phase"):
        asked("clinicaltrials", Sent(recorded("clinicaltrials/err_400.txt", 400)))


def test_openfda_asks_approvals_and_labels_for_text_and_words() -> None:
    sent = Sent(recorded("openfda/drugsfda.json"), recorded("openfda/label.json"))

    approval, label = asked("openfda", sent, 'semaglutide "oral')

    assert sent.params()["search"].startswith('openfda.brand_name:"semaglutide oral" OR ')
    assert 'openfda.generic_name:"semaglutide"' in sent.params()["search"]
    assert (approval.title, approval.published) == ("XAMPLA (NDA900001)", "2019-09-20")
    assert approval.url.endswith("ApplNo=900001")
    assert label.url.endswith("setid=90000000-0000-4000-8000-000000000001")
    assert (label.published, label.venue) == ("2025-03-01", "DailyMed")


def test_openfda_reports_say_what_they_are_not() -> None:
    sent = Sent(recorded("openfda/event.json"))

    hits = asked("openfda", sent, "xampla", options={"endpoints": "event"})

    assert hits[0].title == "Adverse event report 90000001: Nausea"
    assert [notice.code for notice in hits.said.notices] == ["reports-no-incidence"]


def test_openfda_follows_the_mark_of_the_next_page_below_the_base_url() -> None:
    link = (
        '<https://api.fda.gov/drug/drugsfda.json?search=x&skip=0&search_after=0%3DYE>; rel="next"'
    )
    sent = Sent(recorded("openfda/drugsfda.json", Link=link), recorded("openfda/err_404.json", 404))

    asked("openfda", sent, options={"endpoints": "drugsfda"})

    assert sent.params(1)["search_after"] == "0=YE"
    assert sent.requests[1].path == "/drug/drugsfda.json"


def test_openfda_no_match_is_an_answer_and_a_bad_query_is_not_tried_again() -> None:
    assert asked("openfda", Sent(recorded("openfda/err_404.json", 404))) == []
    with pytest.raises(errors.Refused):
        asked("openfda", Sent(recorded("openfda/err_500_query.json", 500)))
    with pytest.raises(errors.NoAnswer):
        asked("openfda", Sent(answer({"error": {"code": "SERVER_ERROR"}}, 500)))


def test_expression_of_openfda_is_left_as_it_is() -> None:
    sent = Sent(recorded("openfda/label.json"))

    asked("openfda", sent, 'openfda.route:"ORAL"', options={"endpoints": "label"}, year_high=2020)

    assert sent.params()["search"] == (
        '(openfda.route:"ORAL") AND effective_time:[19000101 TO 20201231]'
    )
