"""Crossref: which way an update points, who says it, and what silence means."""

import json
from pathlib import Path
from typing import Any

import pytest

from sources.retractions import NotAnswered, Standing, Statement, notices, verdict
from sources.retractions.crossref import read_list, read_work

from .recorded import answer, real

WORK = "10.5555/trial.1998.1"


def natures(statements: tuple[Statement, ...]) -> list[str]:
    return [each.nature for each in statements]


def work(**fields: Any) -> dict[str, Any]:
    return {"message": {"DOI": "10.5555/w", **fields}}


def test_retracted_work_shows_every_notice_and_the_most_severe_decides() -> None:
    reading = read_work(answer("crossref", "work_retracted.json"))

    found = verdict(reading.statements, asked=reading.told)

    assert (reading.doi, reading.told) == (WORK, True)
    assert (found.standing, found.date) == (Standing.RETRACTED, "2010-02-06")
    assert [each.doi for each in notices(reading.statements)] == [
        "10.5555/trial.2010.note",
        "10.5555/trial.2004.note",
    ]


def test_notice_told_by_two_is_one_statement_that_keeps_both() -> None:
    reading = read_work(answer("crossref", "work_retracted.json"))

    retraction = next(each for each in reading.statements if each.nature == "retraction")

    assert retraction.asserted_by == ("publisher", "retraction-watch")
    assert [each["date"] for each in retraction.raw["updates"]] == ["2010-02-06", "2010-02-20"]
    assert retraction.raw["updates"][0]["record-id"] == "90018"
    assert retraction.title == "RETRACTED: Drug X and survival in early disease"
    assert retraction.journal == "Journal of Invented Medicine"


def test_batch_is_read_by_doi_and_what_is_missing_stays_missing() -> None:
    found = read_list(answer("crossref", "works_list.json"))

    assert set(found) == {
        "10.5555/clean.1",
        "10.5555/concern.1",
        "10.5555/self.1",
        "10.5555/odd.1",
        "10.5555/concern.note",
    }
    assert found["10.5555/clean.1"].statements == ()


def test_notice_is_no_retracted_work_but_tells_of_another() -> None:
    found = read_list(answer("crossref", "works_list.json"))["10.5555/concern.note"]
    about_other, about_itself = found.statements

    assert (about_other.doi, about_other.nature) == ("10.5555/concern.1", "expression_of_concern")
    assert (about_other.notice_doi, about_other.told_by) == (found.doi, found.doi)
    assert (about_itself.doi, about_itself.nature) == (found.doi, "is_notice")
    assert verdict([about_itself], asked=True).standing is Standing.CLEAN


@pytest.mark.parametrize(
    ("nature", "standing"),
    [
        ("retraction", Standing.RETRACTED),
        ("correction", Standing.CORRECTED),
        ("new_version", Standing.CLEAN),
    ],
)
def test_update_of_a_work_to_itself_is_about_the_work(nature: str, standing: Standing) -> None:
    update = {"DOI": "10.5555/W", "type": nature, "updated": {"date-parts": [[2022, 11, 19]]}}

    reading = read_work(work(**{"update-to": [update]}))

    assert verdict(reading.statements, asked=True).standing is standing
    assert "is_notice" not in natures(reading.statements)


def test_own_update_told_in_both_lists_is_one_statement() -> None:
    own = {"DOI": "10.5555/w", "type": "retraction", "source": "publisher"}
    watched = {**own, "source": "retraction-watch"}

    reading = read_work(work(**{"update-to": [own], "updated-by": [watched]}))

    assert [each.asserted_by for each in reading.statements] == [("publisher", "retraction-watch")]


def test_one_notice_of_two_types_is_two_statements() -> None:
    updates = [{"DOI": "10.5555/n", "type": each} for each in ("correction", "retraction")]

    reading = read_work(work(**{"updated-by": updates}))

    assert natures(reading.statements) == ["correction", "retraction"]
    assert len(notices(reading.statements)) == 1


def test_new_version_is_no_flag_and_an_unknown_update_is_kept() -> None:
    reading = read_list(answer("crossref", "works_list.json"))["10.5555/odd.1"]
    found = verdict(reading.statements, asked=True)

    assert found.standing is Standing.CLEAN
    assert [each.stated_as for each in found.others] == ["publisher-note"]
    assert [each.date for each in reading.statements] == ["", "2020"]


@pytest.mark.parametrize(
    ("selected", "told"),
    [
        (None, True),
        (["DOI", "title"], False),
        (["DOI", "updated-by"], False),
        (["DOI", "updated-by", "update-to"], True),
    ],
)
def test_answer_without_the_flags_has_not_been_asked(
    selected: list[str] | None, told: bool
) -> None:
    assert read_work(work(title=["x"]), selected=selected).told is told


def test_title_alone_needs_a_look() -> None:
    retracted = read_work(work(title=["RETRACTED: A study"]))
    notice = read_work(work(title=["Retraction note: A study"]))
    flagged = read_work(
        work(
            title=["RETRACTED: A study"],
            **{"updated-by": [{"DOI": "10.5555/n", "type": "retraction"}]},
        )
    )

    assert natures(retracted.statements) == ["title_hint"]
    assert natures(notice.statements) == ["is_notice"]
    assert natures(flagged.statements) == ["retraction"]


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "Resource not found.",
        {},
        {"message": {}},
        {"message": {"DOI": 5}},
        {"status": "failed", "message": [{"type": "parameter-not-allowed"}]},
    ],
)
def test_what_holds_no_work_is_no_answer(body: Any) -> None:
    with pytest.raises(NotAnswered):
        read_work(body)
    with pytest.raises(NotAnswered):
        read_list(body)


@pytest.mark.parametrize(
    "junk", [None, 5, "x", [None], [5], ["x"], [{}], [[]], {"DOI": "10.5555/x"}, [{"DOI": None}]]
)
def test_flags_of_the_wrong_shape_are_passed_over(junk: Any) -> None:
    fields = {"updated-by": junk, "update-to": junk, "title": junk, "container-title": junk}

    reading = read_work(work(**fields))

    assert verdict(reading.statements, asked=True).standing is Standing.CLEAN


def test_text_that_cannot_be_stored_is_made_fit() -> None:
    odd = json.loads(r'"RETRACTED: a\u0000b \ud800 \ud83d\ude00"')

    (hint,) = read_work(work(title=[odd])).statements

    assert hint.title == "RETRACTED: ab \ufffd \U0001f600"
    assert hint.title.encode()


def test_update_of_nobody_is_about_nobody() -> None:
    reading = read_work(work(**{"update-to": [{"type": "retraction"}]}))

    assert natures(reading.statements) == ["is_notice"]


def test_item_without_a_doi_is_left_out_of_a_list() -> None:
    assert read_list({"message": {"items": [None, {}, {"DOI": "10.5555/w"}]}}).keys() == {
        "10.5555/w"
    }


def test_date_of_the_wrong_shape_is_unknown() -> None:
    for updated in (None, [], {"date-parts": []}, {"date-parts": [[None]]}, {"date-parts": [5]}):
        update = {"DOI": "10.5555/n", "type": "retraction", "updated": updated}

        assert read_work(work(**{"updated-by": [update]})).statements[0].date == ""


# --- Real answers -----------------------------------------------------------------------------


def load(shared: Path, name: str) -> Any:
    return json.loads((real(shared, "crossref") / name).read_text(encoding="utf-8"))


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["work_retracted_wakefield_lancet_1998.json", "pruned_retracted_wakefield.json"]
)
def test_wakefield_1998_is_retracted_with_both_notices(shared: Path, name: str) -> None:
    reading = read_work(load(shared, name))
    found = verdict(reading.statements, asked=reading.told)

    assert (found.standing, found.date) == (Standing.RETRACTED, "2010-02-06")
    assert [(each.doi, each.worst.nature) for each in notices(reading.statements)] == [
        ("10.1016/s0140-6736(10)60175-4", "retraction"),
        ("10.1016/s0140-6736(04)15715-2", "correction"),
    ]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "standing"),
    [
        ("pruned_retracted_without_title_prefix.json", Standing.RETRACTED),
        ("pruned_expression_of_concern_only.json", Standing.CONCERN),
        ("item_self_update_correction.json", Standing.CORRECTED),
        ("item_updated_by_correction.json", Standing.CORRECTED),
        ("work_pnas_old.json", Standing.CORRECTED),
        ("pruned_new_version_cochrane.json", Standing.CLEAN),
        ("pruned_clean_has_review.json", Standing.CLEAN),
        ("item_correction_notice_plos.json", Standing.CLEAN),
        ("item_erratum_title_only_hindawi.json", Standing.CLEAN),
        ("work_full_nature_mi.json", Standing.CLEAN),
        ("work_preprint_biorxiv_posted_content.json", Standing.CLEAN),
    ],
)
def test_real_work_has_the_standing_that_it_has(
    shared: Path, name: str, standing: Standing
) -> None:
    reading = read_work(load(shared, name))
    own = [each for each in reading.statements if each.doi == reading.doi]

    assert verdict(own, asked=reading.told).standing is standing


@pytest.mark.shared
def test_real_concern_told_twice_is_one_statement(shared: Path) -> None:
    reading = read_work(load(shared, "pruned_expression_of_concern_only.json"))

    assert [each.asserted_by for each in reading.statements] == [("publisher", "retraction-watch")]
    assert reading.statements[0].date == "2024-06-27"


@pytest.mark.shared
def test_real_list_that_selected_its_fields_told_nothing(shared: Path) -> None:
    meta = load(shared, "works_select_retracted_item_no_flags.meta.json")
    selected = meta["request"]["url"].split("select=")[1].split("%2C")

    found = read_list(load(shared, "works_select_retracted_item_no_flags.json"), selected=selected)

    assert [each.told for each in found.values()] == [False]
    assert verdict([], asked=False).standing is Standing.NOT_ASKED


@pytest.mark.shared
def test_every_real_list_is_read(shared: Path) -> None:
    assert len(read_list(load(shared, "works_cursor_page.json"))) == 20
    assert read_list(load(shared, "works_empty_results.json")) == {}
    for name in ("err_400_rows_not_integer.json", "err_400_sample_too_large.json"):
        with pytest.raises(NotAnswered):
            read_list(load(shared, name))
