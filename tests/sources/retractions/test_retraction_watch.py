"""The table of Retraction Watch in both vintages, and what is wrong with copies of it."""

import io
from pathlib import Path

import pytest

from sources.retractions import Standing, Statement, notices, verdict
from sources.retractions.retraction_watch import COLUMNS, Passed, Problem, encoding_of, read_table
from workbench.lib.notices import InputError

from .recorded import FOLDER, real

OLD = FOLDER / "retraction_watch" / "table_2024.csv"
NEW = FOLDER / "retraction_watch" / "table_2026.csv"


def rows(path: Path) -> list[Statement | Problem | Passed]:
    with path.open(encoding=encoding_of(path), newline="") as stream:
        return list(read_table(stream))


def statements(path: Path) -> list[Statement]:
    return [each for each in rows(path) if isinstance(each, Statement)]


def of_text(text: str) -> list[Statement | Problem | Passed]:
    return list(read_table(io.StringIO(text, newline="")))


def table(**cells: str) -> str:
    filled = {"Record ID": "1", "RetractionNature": "Retraction", **cells}
    names = list(dict.fromkeys([*COLUMNS, *filled]))
    return ",".join(names) + "\n" + ",".join(f'"{filled.get(name, "")}"' for name in names) + "\n"


def test_both_vintages_say_the_same() -> None:
    old, new = statements(OLD), statements(NEW)

    for one, other in zip(old, new, strict=False):
        assert (one.key, one.nature, one.doi, one.pmid, one.date) == (
            other.key,
            other.nature,
            other.doi,
            other.pmid,
            other.date,
        )
        assert (one.notice_doi, one.notice_pmid) == (other.notice_doi, other.notice_pmid)
        assert one.reasons[0] == other.reasons[0]


def test_reasons_have_no_plus_and_no_empty_ones() -> None:
    assert statements(OLD)[0].reasons == (
        "Error in Results and/or Conclusions",
        "Updated to Retraction",
    )


def test_unavailable_is_no_doi_and_nought_no_pubmed_id() -> None:
    for path in (OLD, NEW):
        bare = statements(path)[2]

        assert (bare.doi, bare.pmid, bare.notice_doi, bare.notice_pmid) == ("", "", "", "")
        assert bare.title == "A Work Without a DOI"


def test_note_keeps_its_line_ends_and_the_rows_behind_it_stay_in_step() -> None:
    found = statements(NEW)

    assert found[1].raw["Notes"].endswith("\nSecond line of the note, with a comma.")
    assert [each.key for each in found] == [str(n) for n in range(90017, 90023)]


def test_column_without_a_name_is_nothing() -> None:
    assert all("" not in each.raw for each in statements(NEW))


def test_most_severe_row_of_a_work_decides() -> None:
    of_trial = [each for each in statements(NEW) if each.doi == "10.5555/trial.1998.1"]
    found = verdict(of_trial, asked=True)

    assert (found.standing, found.date) == (Standing.RETRACTED, "2010-02-06")
    assert len(notices(of_trial)) == 2


def test_reinstated_work_is_clean_and_its_retraction_is_kept() -> None:
    found = verdict([each for each in statements(NEW) if each.doi == "10.5555/back.1"], asked=True)

    assert found.standing is Standing.CLEAN
    assert [each.key for each in found.lifted] == ["90020"]


def test_notice_that_overwrote_its_work_has_the_same_doi() -> None:
    over = statements(NEW)[5]

    assert over.doi == over.notice_doi == "10.5555/over.1"


@pytest.mark.parametrize("prefix", ["", "\ufeff"])
def test_utf8_is_read_with_and_without_its_mark(tmp_path: Path, prefix: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(prefix + table(Title="Überleben 晚期"), encoding="utf-8")

    assert encoding_of(path) == "utf-8-sig"
    assert statements(path)[0].title == "Überleben 晚期"


def test_what_is_no_utf8_is_read_as_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(table(Title="Überleben").encode("latin-1"))

    assert encoding_of(path) == "latin-1"
    assert statements(path)[0].title == "Überleben"


def test_file_that_is_no_table_is_refused_with_the_column_it_lacks() -> None:
    for text in ("", "a,b,c\n1,2,3\n", "<html>Sign in</html>", "\n\n"):
        with pytest.raises(InputError) as stopped:
            of_text(text)

        assert "Record ID" in str(stopped.value)
        assert "Record ID" in stopped.value.render("zh-Hans")


def test_quotation_mark_that_never_closes_is_refused_with_its_line() -> None:
    broken = table(Title="good") + '2,"' + "x" * 2_000_000

    with pytest.raises(InputError) as stopped:
        of_text(broken)

    assert "Line " in str(stopped.value)


def test_row_without_an_id_or_a_nature_is_left_out_and_named() -> None:
    no_id, no_nature = of_text(table(**{"Record ID": ""})), of_text(table(RetractionNature=""))

    for found, code in ((no_id, "no-id"), (no_nature, "no-nature")):
        assert [each.code for each in found if isinstance(each, Problem)] == [code]
        assert [each for each in found if isinstance(each, Statement)] == []
        assert isinstance(found[0], Problem)
        assert (found[0].line, found[0].left_out) == (2, True)
        assert "2" in found[0].render("zh")


def test_date_that_cannot_be_read_is_unknown_and_named() -> None:
    problem, statement = of_text(table(RetractionDate="13/13/2020"))

    assert isinstance(problem, Problem)
    assert isinstance(statement, Statement)
    assert (problem.left_out, statement.date) == (False, "")
    assert "13/13/2020" in problem.render("en")


def test_rows_of_separators_only_are_nothing() -> None:
    assert len(of_text(table() + ",,,,,,\n\n,,\n")) == 1


def test_short_rows_and_long_rows_are_read_as_far_as_they_go() -> None:
    found = of_text(",".join(COLUMNS) + "\n5\n6,,,,,,Retraction,more,still more\n")

    assert [each.code for each in found if isinstance(each, Problem)] == ["no-nature"]
    assert [each.key for each in found if isinstance(each, Statement)] == ["6"]


def test_ids_written_as_floats_are_ids() -> None:
    (found,) = of_text(table(**{"Record ID": "12.0", "OriginalPaperPubMedID": "34.0"}))

    assert isinstance(found, Statement)
    assert (found.key, found.pmid) == ("12", "34")


@pytest.mark.parametrize("value", ["0", "0.0", "", "-5", "n/a", "1e9", "12345678901"])
def test_what_is_no_pubmed_id_is_none(value: str) -> None:
    (found,) = of_text(table(OriginalPaperPubMedID=value))

    assert isinstance(found, Statement)
    assert found.pmid == ""


def test_records_that_are_not_asked_for_are_named_with_their_oddities() -> None:
    text = table(RetractionDate="soon") + "2,,,,,,Retraction\n"

    found = list(read_table(io.StringIO(text, newline=""), only={"2"}))

    assert [type(each) for each in found] == [Problem, Passed, Statement]
    assert found[1] == Passed("1")


def test_nul_is_dropped() -> None:
    (found,) = of_text(table(Title="a\x00b"))

    assert isinstance(found, Statement)
    assert found.title == "ab"


# --- Real tables ------------------------------------------------------------------------------


@pytest.mark.shared
def test_real_tables_of_both_vintages_are_read_whole(shared: Path) -> None:
    folder = real(shared, "retractionwatch")
    old = rows(folder / "sample_2024_plus_reasons_part1.csv")
    new = rows(folder / "sample_2026_with_trailing_comma.csv")

    assert (len(old), len(new)) == (11, 13)
    assert all(isinstance(each, Statement) for each in [*old, *new])
    assert not [r for each in old if isinstance(each, Statement) for r in each.reasons if "+" in r]


@pytest.mark.shared
def test_real_rows_of_wakefield_come_to_retracted_with_both_notices(shared: Path) -> None:
    path = real(shared, "retractionwatch") / "sample_2026_with_trailing_comma.csv"
    found = [each for each in statements(path) if each.pmid == "9500320"]

    assert verdict(found, asked=True).date == "2010-02-06"
    assert [each.doi for each in notices(found)] == [
        "10.1016/s0140-6736(10)60175-4",
        "10.1016/s0140-6736(04)15715-2",
    ]


@pytest.mark.shared
def test_made_up_table_with_an_empty_last_row_is_read(shared: Path) -> None:
    assert len(rows(real(shared, "retractionwatch") / "mock_ash_williams.csv")) == 4
