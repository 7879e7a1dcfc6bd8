"""Cells that a spreadsheet program must never take for formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.lib.spreadsheets import neutral_cell, plain_cell


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "+1+1", "-1+1", "@SUM(A1)", "|cmd", "%0A", "\t=1", "\r=1", "＝1", "＋1", "－x",
        "＠x",        "  =1", "\n=1", "\u00a0=1", "\u3000=1", "-", "=", "+49 30 1",
    ],
)  # fmt: skip
def test_formula_gets_an_apostrophe(text: str) -> None:
    assert neutral_cell(text) == "'" + text


@pytest.mark.parametrize("value", ["A", "", "a=b", "'quoted'", "-1.5", "+3", 7, None, 2.5, True])
def test_everything_else_stays(value: object) -> None:
    assert neutral_cell(value) == value
    assert plain_cell(value) == value


def test_apostrophe_before_a_formula_survives() -> None:
    assert plain_cell(neutral_cell("'=1")) == "'=1"


@given(st.text(max_size=20))
def test_round_trip_changes_nothing(text: str) -> None:
    assert plain_cell(neutral_cell(text)) == text
