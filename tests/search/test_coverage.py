"""The matrix of searches: dimension by round, and what keeps a dimension from being complete."""

from typing import Any

import pytest

from search.coverage import (
    FAULTS,
    Excuse,
    Part,
    Row,
    Screened,
    Searched,
    is_complete,
    rows_of,
)

PART = Part(1, "d1", "Efficacy")
MESH = '"neoplasms"[MeSH Terms] AND osimertinib[All Fields]'


def searched(number: int, **given: Any) -> Searched:
    values = {"language": "en", "route": "general", "results": 20, "windowed": True}
    return Searched(f"srch_{number:04d}", 1, number, **{**values, **given})


def kept(number: int, count: int, state: str = "kept") -> Screened:
    return Screened(1, number, state, count)


FULL = (
    [
        searched(1, route="pubmed", provider="pubmed", translated=MESH),
        searched(2, language="zh-Hans"),
        searched(3),
        searched(4),
    ],
    [kept(1, 4), kept(2, 2), kept(3, 5), kept(4, 1)],
)


def row(
    searches: list[Searched], screened: list[Screened], excuses: tuple[Excuse, ...] = ()
) -> Row:
    (found,) = rows_of([PART], searches, screened, excuses)
    return found


def codes(found: Row) -> list[str]:
    return [each.code for each in found.faults]


def test_four_rounds_in_two_languages_with_mesh_and_a_window_are_complete() -> None:
    found = row(*FULL)

    assert codes(found) == []
    assert found.complete
    assert [cell.state for cell in found.cells] == ["done"] * 4
    assert (found.languages, found.mesh) == (("en", "zh"), (MESH,))
    assert is_complete([found])


@pytest.mark.parametrize("missing", [1, 2, 3, 4])
def test_round_that_is_missing_blocks_completion(missing: int) -> None:
    searches = [each for each in FULL[0] if each.round != missing]

    found = row(searches, [each for each in FULL[1] if each.round != missing])

    assert found.cells[missing - 1].state == "missing"
    assert "round_missing" in codes(found)
    assert not is_complete([found])


def test_round_that_kept_nothing_needs_a_reason() -> None:
    screened = [kept(1, 4), kept(2, 2), kept(3, 5), kept(4, 8, "dropped")]
    excuse = Excuse(1, 4, "none_newer", "none newer")

    assert codes(row(FULL[0], screened)) == ["cell_unexplained"]
    assert row(FULL[0], screened, (excuse,)).complete
    assert row(FULL[0], screened, (excuse,)).cells[3].state == "excused"


def test_search_without_results_needs_a_reason_as_well() -> None:
    searches = [*FULL[0][:3], searched(4, results=0)]

    assert codes(row(searches, FULL[1][:3])) == ["cell_unexplained"]


def test_search_that_nobody_answered_is_no_search() -> None:
    searches = [*FULL[0][:3], searched(4, answered=False)]

    assert codes(row(searches, FULL[1][:3])) == ["round_failed"]


def test_records_that_wait_block_completion() -> None:
    found = row(FULL[0], [*FULL[1], kept(2, 7, "open")])

    assert codes(found) == ["to_screen"]
    assert found.faults[0].render("en") == "7 record(s) of round 2 are still to be screened."
    assert found.faults[0].render("zh-Hans") == "第 2 轮还有 7 条记录待筛选。"


@pytest.mark.parametrize(
    ("count", "met", "faults"),
    [(2, "gap", ["counter_few"]), (3, "note", []), (4, "note", []), (5, "met", []), (6, "met", [])],
)
def test_counter_evidence_is_a_gap_below_three_and_met_from_five(
    count: int, met: str, faults: list[str]
) -> None:
    screened = [each for each in FULL[1] if each.round != 3]

    found = row(FULL[0], [*screened, kept(3, count)])

    assert (found.counter_met, codes(found)) == (met, faults)


def test_counter_search_that_found_nothing_is_told_by_its_cell_alone() -> None:
    found = row(FULL[0], [each for each in FULL[1] if each.round != 3])

    assert codes(found) == ["cell_unexplained"]


def test_both_languages_are_wanted_and_dialects_count() -> None:
    only = [searched(each.round or 1, route=each.route, translated=each.translated)
            for each in FULL[0]]  # fmt: skip

    found = row(only, FULL[1])

    assert codes(found) == ["chinese_missing"]


def test_pubmed_without_mesh_is_told_and_another_route_is_not() -> None:
    plain = [searched(1, route="pubmed", translated="osimertinib[All Fields]"), *FULL[0][1:]]
    general = [searched(1, route="scholar"), *FULL[0][1:]]

    assert codes(row(plain, FULL[1])) == ["mesh_missing"]
    assert codes(row(general, FULL[1])) == []


def test_window_of_time_is_wanted() -> None:
    searches = [
        searched(each.round or 1, language=each.language, windowed=False) for each in FULL[0]
    ]

    assert codes(row(searches, FULL[1])) == ["window_missing"]


def test_dimension_that_nobody_searched_tells_its_rounds_alone() -> None:
    assert codes(row([], [])) == ["round_missing"] * 4


def test_searches_without_a_dimension_have_a_row_of_their_own_that_blocks_nothing() -> None:
    stray = Searched("srch_0009", None, None, results=3)

    rows = rows_of([PART], [*FULL[0], stray], FULL[1], ())

    assert [each.part.key for each in rows] == [1, None]
    assert is_complete(rows)


def test_project_without_dimensions_is_one_row() -> None:
    (only,) = rows_of([], [], [], ())

    assert only.part.key is None
    assert not is_complete([only])


def test_every_fault_is_said_in_both_languages() -> None:
    filled = {"round": 1, "count": 2, "least": 3}
    for text in FAULTS.values():
        assert "{" not in text.render("en", **filled)
        assert "{" not in text.render("zh-Hans", **filled)
