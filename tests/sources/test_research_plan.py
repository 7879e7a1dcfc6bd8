"""A plan of research as lines: read, written, refused with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.research_plan import (
    PlannedDimension,
    PlannedQuestion,
    PlanTextError,
    read_plan,
    write_plan,
)

LINES = """d1: Efficacy
  kq1: Does drug X lengthen survival?
  - And in whom?
Safety: adverse events
d7：安全性
  kq2：停药率？

"""


def test_dimensions_and_their_key_questions_are_read() -> None:
    first, second, third = read_plan(LINES)

    assert (first.id, first.name) == ("d1", "Efficacy")
    assert [(each.id, each.text) for each in first.questions] == [
        ("kq1", "Does drug X lengthen survival?"),
        ("kq2", "And in whom?"),
    ]
    assert (second.id, second.name, second.questions) == ("d2", "Safety: adverse events", ())
    assert (third.id, third.name) == ("d7", "安全性")
    assert third.questions == (PlannedQuestion("kq2", "停药率？"),)


def test_id_that_stands_is_an_id_whatever_it_looks_like() -> None:
    (part,) = read_plan("the:odd id: Name", {"the:odd id"})

    assert (part.id, part.name) == ("the:odd id", "Name")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("  kq1: asked of nothing", "no-dimension", 1),
        ("d1: A\n\nd1: B", "twice", 3),
        ("d1: A\n kq1: a\n kq1: b", "twice", 3),
        ("d1:", "empty", 1),
        ("d1: " + "x" * 501, "long", 1),
        ("\n".join(f"part {n}" for n in range(201)), "many", 201),
        ("d1: A\n" + "\n".join(f" q {n}" for n in range(51)), "many", 52),
    ],
)
def test_line_that_cannot_be_is_named(text: str, code: str, line: int) -> None:
    with pytest.raises(PlanTextError) as refused:
        read_plan(text)

    assert refused.value.code == code
    assert f"Line {line}" in refused.value.render("en")
    assert f"第 {line} 行" in refused.value.render("zh-Hans")


@given(st.text(max_size=300))
def test_whatever_is_read_is_written_and_read_to_the_same(text: str) -> None:
    try:
        plan = read_plan(text)
    except PlanTextError:
        return
    ids = {part.id for part in plan} | {each.id for part in plan for each in part.questions}

    assert read_plan(write_plan(plan), ids) == plan


def test_plan_of_an_import_with_breaks_in_its_names_is_one_line_each() -> None:
    plan = (PlannedDimension("d1", "Two\nlines", (PlannedQuestion("kq1", " a\tb "),)),)

    assert write_plan(plan) == "d1: Two lines\n  kq1: a b"
