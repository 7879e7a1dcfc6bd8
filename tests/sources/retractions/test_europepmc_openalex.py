"""Europe PMC and OpenAlex: links in words, and a flag that is only a second opinion."""

import json
from pathlib import Path
from typing import Any

import pytest

from sources.retractions import NotAnswered, Standing, notices, openalex, verdict
from sources.retractions import europepmc as epmc
from sources.retractions.pubmed import read_articles

from .recorded import answer, body, real

TRIAL = "10.5555/trial.1998.1"


def test_retracted_work_is_retracted_as_pubmed_says() -> None:
    ours = epmc.read_results(answer("europepmc", "search_core.json"))[0]
    theirs = read_articles(body("pubmed", "efetch.xml"))[0]

    found = verdict(ours.statements, asked=ours.told)

    assert (ours.doi, ours.pmid, ours.told) == (TRIAL, "90000001", True)
    assert (found.standing, found.date) == (Standing.RETRACTED, "2004-03-06")
    assert len(notices([*ours.statements, *theirs.statements])) == 4  # one has no id at PubMed


def test_erratum_tells_of_the_work_that_it_is_for() -> None:
    erratum = epmc.read_results(answer("europepmc", "search_core.json"))[1]

    assert [(each.pmid, each.nature, each.date) for each in erratum.statements] == [
        ("90000041", "erratum", "2025-12-01"),
        ("90000040", "is_notice", ""),
    ]


def test_preprint_is_known_by_its_doi_and_clean() -> None:
    preprint = epmc.read_results(answer("europepmc", "search_core.json"))[2]

    assert (preprint.doi, preprint.pmid, preprint.statements) == ("10.5555/preprint.1", "", ())


def test_short_results_tell_nothing_by_their_silence() -> None:
    lite = {"request": {"resultType": "lite"}, "resultList": {"result": [{"pmid": "7"}]}}

    (reading,) = epmc.read_results(lite)

    assert not reading.told


@pytest.mark.parametrize("given", [None, [], {}, {"resultList": []}, {"resultList": {}}, "<x/>"])
def test_what_holds_no_results_is_no_answer(given: Any) -> None:
    with pytest.raises(NotAnswered):
        epmc.read_results(given)
    with pytest.raises(NotAnswered):
        openalex.read_list(given)


@pytest.mark.parametrize(
    "result",
    [
        None,
        5,
        {"pmid": [], "doi": {}, "pubTypeList": 5, "commentCorrectionList": [], "journalInfo": "x"},
        {"commentCorrectionList": {"commentCorrection": [None, {"type": 5, "id": 5}]}},
    ],
)
def test_result_of_the_wrong_shape_says_nothing(result: Any) -> None:
    given = {"request": {"resultType": "core"}, "resultList": {"result": [result]}}

    (reading,) = epmc.read_results(given)

    assert reading.statements == ()


def test_openalex_makes_somebody_look_and_decides_nothing() -> None:
    flagged, clean = openalex.read_list(answer("openalex", "works_list.json"))

    found = verdict(flagged.statements, asked=True)

    assert (flagged.doi, flagged.pmid) == (TRIAL, "90000001")
    assert found.standing is Standing.CLEAN
    assert [each.stated_as for each in found.needs_look] == ["is_retracted"]
    assert (clean.statements, clean.told) == ((), True)


def test_openalex_without_the_flag_told_nothing() -> None:
    assert not openalex.read_work({"doi": "https://doi.org/10.5555/x"}).told
    assert not openalex.read_work({"doi": "10.5555/x", "is_retracted": None}).told


def test_openalex_work_without_identifiers_is_left_out() -> None:
    with pytest.raises(NotAnswered):
        openalex.read_work({"id": "https://openalex.org/W1", "doi": None, "is_retracted": True})
    assert openalex.read_list({"results": [None, {"doi": None}]}) == ()


# --- Real answers -----------------------------------------------------------------------------


def load(shared: Path, slug: str, name: str) -> Any:
    return json.loads((real(shared, slug) / name).read_text(encoding="utf-8"))


@pytest.mark.shared
def test_real_results_are_read_and_only_core_ones_tell(shared: Path) -> None:
    core = epmc.read_results(load(shared, "europepmc", "search_core_cancer.json"))
    lite = epmc.read_results(load(shared, "europepmc", "search_lite_cancer_page1.json"))
    none = epmc.read_results(load(shared, "europepmc", "search_no_results.json"))

    assert (len(core), {each.told for each in core}) == (25, {True})
    assert {each.told for each in lite} == {False}
    assert none == ()
    assert ("39293462", "erratum") in {
        (each.pmid, each.nature) for reading in core for each in reading.statements
    }


@pytest.mark.shared
def test_real_retraction_note_is_a_notice_and_not_retracted(shared: Path) -> None:
    items = load(shared, "europepmc", "items_ppr_pmc_and_retraction_note.json")
    note = next(each for each in items if each["id"] == "40517245")

    given = {"request": {"resultType": "core"}, "resultList": {"result": [note]}}
    (reading,) = epmc.read_results(given)

    assert [each.nature for each in reading.statements] == ["is_notice"]
    assert verdict(reading.statements, asked=True).standing is Standing.CLEAN


@pytest.mark.shared
def test_real_openalex_work_of_wakefield_is_a_second_opinion(shared: Path) -> None:
    reading = openalex.read_work(load(shared, "openalex", "work_retracted_wakefield_select.json"))

    assert (reading.doi, reading.pmid) == ("10.1016/s0140-6736(97)11096-0", "9500320")
    assert [each.second_opinion for each in reading.statements] == [True]


@pytest.mark.shared
def test_every_real_openalex_work_is_read(shared: Path) -> None:
    for name in ("work_0.json", "work_2.json", "work_4.json"):
        assert openalex.read_work(load(shared, "openalex", name)).told
    assert not openalex.read_work(load(shared, "openalex", "work_select_open_access.json")).told
    for name in ("works_title_search_0.json", "works_title_search_1.json"):
        assert openalex.read_list(load(shared, "openalex", name))
