"""Asking providers about a project's works: what is sent, and what the answers come to."""

import json
from urllib.parse import unquote

import pytest
from pytest_django.fixtures import Settings

from sources.models import (
    Project,
    RetractionCheck,
    RetractionRecord,
    Source,
)
from sources.noticing.checking import check_project
from tests.factories import ProjectFactory
from tests.sources.retractions.recorded import answer, body
from tests.workbench.servers import ok, serving

from .providers import EVERYTHING, SLUGS, TRIAL, TRIAL_PMID, World, ask, outcomes
from .works import a_source

pytestmark = pytest.mark.django_db


SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"


def test_every_provider_is_asked_and_each_statement_is_kept(project: Project, world: World) -> None:
    source = a_source(project, TRIAL, TRIAL_PMID)

    told = ask(project, world)

    source.refresh_from_db()
    assert told == {slug: {"asked": 1} for slug in SLUGS}
    assert outcomes(source) == dict.fromkeys(SLUGS, "notices")
    assert source.retraction == "retracted"
    kept = RetractionRecord.objects.filter(doi=TRIAL)
    assert set(kept.values_list("provider", flat=True)) == set(SLUGS)
    by_notice = source.findings.filter(code="retracted").order_by("params__date")
    assert [each.params["notice"] for each in by_notice] == [
        "10.5555/trial.2004.note",
        "10.5555/trial.2010.note",
    ]


def test_work_without_an_id_is_asked_about_nowhere(project: Project, world: World) -> None:
    source = a_source(project)

    assert ask(project, world) == {slug: {"asked": 0} for slug in SLUGS}
    assert (outcomes(source), world.asked) == ({}, {})


def test_many_dois_go_in_one_request_and_missing_ones_are_unknown_there(
    project: Project, world: World
) -> None:
    dois = ["10.5555/clean.1", "10.5555/concern.1", "10.5555/self.1", "10.5555/absent.1"]
    sources = {doi: a_source(project, doi) for doi in dois}
    world.silence("pubmed", "europepmc", "openalex")

    ask(project, world)

    (request,) = world.asked["crossref"]
    assert "select" not in request.url.params
    assert request.url.params["filter"] == ",".join(f"doi:{doi}" for doi in sorted(dois))
    assert request.url.params["rows"] == "4"
    standing = dict(Source.objects.values_list("doi", "retraction"))
    assert standing == {
        "10.5555/clean.1": "clean",
        "10.5555/concern.1": "concern",
        "10.5555/self.1": "retracted",
        "10.5555/absent.1": "not_asked",
    }
    assert outcomes(sources["10.5555/absent.1"]) == dict.fromkeys(SLUGS, "unknown_work")


def test_doi_that_a_list_does_not_bear_is_asked_about_alone_and_quoted(
    project: Project, world: World
) -> None:
    a_source(project, SICI)
    a_source(project, "10.5555/with,comma")
    world.silence(*SLUGS)

    ask(project, world)

    paths = [request.url.raw_path.decode() for request in world.asked["crossref"]]
    assert [unquote(path) for path in paths] == [f"/works/{SICI}", "/works/10.5555/with,comma"]
    assert all("/" not in path.removeprefix("/works/") for path in paths)
    term = next(r for r in world.asked["pubmed"] if "esearch" in r.url.path).url.params["term"]
    assert f'"{SICI}"[doi]' in term


def test_sources_that_are_one_work_are_asked_about_once(project: Project, world: World) -> None:
    first, second = a_source(project, TRIAL), a_source(project, TRIAL)
    world.silence("pubmed", "europepmc", "openalex")

    assert ask(project, world)["crossref"] == {"asked": 1}
    assert outcomes(first)["crossref"] == outcomes(second)["crossref"] == "notices"


def test_pubmed_finds_the_record_of_a_doi_and_trusts_only_its_own_doi(
    project: Project, world: World
) -> None:
    ours, other = a_source(project, TRIAL), a_source(project, "10.5555/somebody.else")
    world.silence("crossref", "europepmc", "openalex")

    ask(project, world)

    search, fetch = world.asked["pubmed"]
    assert search.url.params["term"] == f'"10.5555/somebody.else"[doi] OR "{TRIAL}"[doi]'
    assert fetch.url.params["id"] == TRIAL_PMID
    assert outcomes(ours)["pubmed"] == "notices"
    assert outcomes(other)["pubmed"] == "unknown_work"


def test_known_pmid_needs_no_search(project: Project, world: World) -> None:
    a_source(project, "", TRIAL_PMID)

    ask(project, world)

    assert [request.url.params["id"] for request in world.asked["pubmed"]] == [TRIAL_PMID]
    assert world.asked["europepmc"][0].url.params["query"] == (f"(EXT_ID:{TRIAL_PMID} AND SRC:MED)")
    assert "crossref" not in world.asked


def test_europe_pmc_is_asked_for_the_long_records(project: Project, world: World) -> None:
    a_source(project, TRIAL)

    ask(project, world)

    params = world.asked["europepmc"][0].url.params
    assert (params["resultType"], params["format"]) == ("core", "json")
    assert params["query"] == f'DOI:"{TRIAL}"'


def test_notice_tells_of_works_in_other_projects(project: Project, world: World) -> None:
    elsewhere = a_source(ProjectFactory(), "10.5555/concern.1")
    a_source(project, "10.5555/concern.note")
    a_source(project, "10.5555/clean.1")
    world.silence("pubmed", "europepmc", "openalex")

    ask(project, world)

    elsewhere.refresh_from_db()
    assert elsewhere.retraction == "concern"


def test_second_opinion_alone_is_no_retraction(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    a_source(project, "10.5555/clean.1")
    world.silence("crossref", "pubmed", "europepmc")

    ask(project, world)

    source.refresh_from_db()
    assert source.retraction == "not_asked"
    assert source.findings.get().code == "retraction_suspected"


# --- Who asks ---------------------------------------------------------------------------------


def test_keys_and_names_are_sent_and_never_stored(
    project: Project, world: World, settings: Settings
) -> None:
    settings.PROVIDER_KEYS = {"pubmed": "key-of-ncbi", "openalex": "key-of-openalex"}
    settings.CONTACT_EMAIL = "audit+ncbi@example.org"
    a_source(project, TRIAL)

    ask(project, world)

    assert world.asked["openalex"][0].url.params["api_key"] == "key-of-openalex"
    sent = world.asked["pubmed"][0].url.params
    assert (sent["api_key"], sent["tool"]) == ("key-of-ncbi", "evidence-workbench")
    assert sent["email"] == "audit+ncbi@example.org"
    stored = str(list(RetractionRecord.objects.values())) + str(
        list(RetractionCheck.objects.values())
    )
    assert "key-of" not in stored


def test_base_url_of_the_operator_stands_in_for_the_provider(
    project: Project, world: World, settings: Settings
) -> None:
    settings.PROVIDER_BASE_URLS = {slug: f"https://proxy.example/{slug}/" for slug in SLUGS}
    a_source(project, "10.5555/a", TRIAL_PMID)
    world.silence(*SLUGS)

    ask(project, world)

    places = {slug: world.asked[slug][0].url for slug in SLUGS}
    assert {url.host for url in places.values()} == {"proxy.example"}
    assert places["crossref"].path == "/crossref/works/10.5555/a"
    assert places["pubmed"].path == "/pubmed/entrez/eutils/efetch.fcgi"
    assert places["europepmc"].path == "/europepmc/europepmc/webservices/rest/search"
    assert places["openalex"].path == "/openalex/works/doi:10.5555/a"


def test_provider_on_this_machine_is_asked_through_the_door(
    project: Project, settings: Settings
) -> None:
    source = a_source(project, TRIAL)
    said = [
        body("crossref", "work_retracted.json"),
        b'{"esearchresult": {"idlist": []}}',
        body("europepmc", "search_core.json"),
        json.dumps(answer("openalex", "works_list.json")["results"][0]).encode(),
    ]
    with serving(lambda spoken: spoken.sendall(ok(said.pop(0)))) as served:
        settings.FETCH_HOST_DELAY = 0
        settings.PROVIDER_BASE_URLS = dict.fromkeys(SLUGS, served.url)
        check_project(project, EVERYTHING)

    source.refresh_from_db()
    assert source.retraction == "retracted"
    assert [head.split(" ")[1].split("?")[0] for head in served.heads] == [
        "/works/10.5555%2Ftrial.1998.1",
        "/entrez/eutils/esearch.fcgi",
        "/europepmc/webservices/rest/search",
        "/works/doi:10.5555/trial.1998.1",
    ]
