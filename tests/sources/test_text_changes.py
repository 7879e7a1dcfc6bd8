"""What changed between two versions of a text."""

import time

import pytest

from sources.text_changes import MOST_CHARACTERS, Row, changes

OLD = (
    "# Port\n\nThe market grew by 12 % in 2024.\n\nIt has 14 berths.\n\n"
    "市场在 2024 年增长 12%。\n\nGulls."
)
NEW = OLD.replace("12 %", "9 %").replace("12%", "9%").replace("Gulls.", "A new quay opens in May.")


def rows(old: str, new: str) -> list[Row]:
    return list(changes(old, new).rows)


def test_equal_texts_have_no_change_whatever_their_blanks() -> None:
    assert {row.kind for row in rows(OLD, OLD.replace("\n\n", "\n \n"))} == {"same"}


def test_paragraph_that_changed_stands_beside_what_it_became() -> None:
    kinds = [row.kind for row in rows(OLD, NEW)]

    assert kinds == ["same", "changed", "same", "changed", "gone", "new"]


def test_words_and_numbers_that_differ_are_told_in_both_scripts() -> None:
    changed = [row for row in rows(OLD, NEW) if row.kind == "changed"]

    marked = [
        ("".join(p.text for p in side if p.changed))
        for row in changed
        for side in (row.old_pieces, row.new_pieces)
    ]
    assert marked == ["12", "9", "12", "9"]
    assert [row.numbers for row in changed] == [(("12 %",), ("9 %",)), (("12%",), ("9%",))]


def test_pieces_put_together_are_the_paragraph() -> None:
    for row in rows(OLD, NEW):
        if row.old_pieces:
            assert row.old is not None
            assert row.new is not None
            assert "".join(p.text for p in row.old_pieces) == row.old.text
            assert "".join(p.text for p in row.new_pieces) == row.new.text


def test_offsets_are_code_points_of_the_whole_text() -> None:
    old = "😀 one\n\ntwo 𠮷"

    assert [old[r.old.start : r.old.end] for r in rows(old, "x") if r.old] == ["😀 one", "two 𠮷"]


def test_inserted_paragraph_is_new_and_its_neighbours_stay() -> None:
    assert [r.kind for r in rows("a one\n\nb two", "a one\n\nquite new\n\nb two")] == [
        "same", "new", "same",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("", "a"),
        (" \n" * 250_000, "\n " * 250_000),
        ("a b\n\n" * 100_000, "b a\n\n" * 100_000),
        ("word " * 100_000, "wort " * 100_000),
        ("." * MOST_CHARACTERS, "!" * MOST_CHARACTERS),
        ("药物使中位数延长" * 60_000, "药物令中位数延长" * 60_000),
    ],
)
def test_time_is_bounded_whatever_the_texts(old: str, new: str) -> None:
    begun = time.monotonic()

    found = changes(old, new)

    assert len(found.rows) <= 8_000
    assert time.monotonic() - begun < 20


def test_long_text_is_cut_and_says_so() -> None:
    assert changes("a" * (MOST_CHARACTERS + 1), "a").cut
    assert not changes("a" * 100, "a").cut
