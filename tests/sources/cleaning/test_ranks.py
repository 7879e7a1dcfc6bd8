import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.cleaning import Item
from sources.cleaning.writing import ranks

REASON = {
    "D1": ("missing_date", "D1"),
    "D2": ("anonymous_source", "D2"),
    "D3": ("content_farm", "D3"),
}


def items(levels: list[str]) -> list[Item]:
    made = []
    for number, level in enumerate(levels):
        item = Item(number)
        made.append(item.downranked(*REASON[level]) if level else item)  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (["D1", *[""] * 11], [5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]),
        (["D2", *[""] * 11], [10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12]),
        (["D3", *[""] * 5], [6, 1, 2, 3, 4, 5]),
        (["D1", "D1", *[""] * 6], [5, 6, 1, 2, 3, 4, 7, 8]),
        ([*[""] * 3, "D1"], [1, 2, 3, 4]),
        (["D2", "", "D1"], [2, 1, 3]),
        (["D3", "D3"], [1, 2]),
        (["D3", "", "D1", "D3"], [3, 1, 2, 4]),
        ([], []),
    ],
)
def test_items_go_down_by_their_level_and_never_past_the_end(
    levels: list[str], expected: list[int]
) -> None:
    assert ranks(items(levels)) == expected


def test_of_two_that_want_one_place_the_earlier_one_has_it() -> None:
    # The first wants place 10 by nine, the sixth by four.
    levels = ["D2", "", "", "", "", "D1", *[""] * 8]

    found = ranks(items(levels))

    assert (found[0], found[5]) == (10, 11)


@given(st.lists(st.sampled_from(["", "", "D1", "D2", "D3"]), max_size=40))
def test_every_rank_is_given_once_and_nothing_goes_up_that_goes_down(levels: list[str]) -> None:
    made = items(levels)
    found = ranks(made)

    assert sorted(found) == list(range(1, len(levels) + 1))
    last = [rank for rank, level in zip(found, levels, strict=True) if level == "D3"]
    assert last == list(range(len(levels) - len(last) + 1, len(levels) + 1))
    kept = [rank for rank, level in zip(found, levels, strict=True) if not level]
    assert kept == sorted(kept)
