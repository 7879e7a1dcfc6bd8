"""A plan of research as lines of text: dimensions, and below each its key questions. Pure.

    d1: Efficacy
      kq1: Does drug X lengthen overall survival?
    Safety

A line that begins with spaces or a dash is a key question of the dimension above it. An id before
a colon is kept; where there is none, the next free one is given: d1, d2 …, kq1, kq2 ….
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

MOST, MOST_QUESTIONS = 200, 50  # dimensions; key questions of one
LONGEST_NAME, LONGEST_QUESTION = 500, 10_000  # characters
# What looks like an id: letters and a number, as d1, ch03.sec2, kq12.
_ID = re.compile(r"[A-Za-z]{1,12}[-_]?\d[\w.\-]{0,40}")
_LABEL = re.compile(r"\s*([^:：]{1,200}?)\s*[:：]\s*(.*)", re.DOTALL)

_NO_DIMENSION = Text(
    "Line {line}: a key question needs a dimension above it, at the start of a line.",
    "第 {line} 行：关键问题上方须有维度（维度行不缩进）。",
)
_TWICE = Text("Line {line}: “{id}” stands above already.", "第 {line} 行：“{id}”在上文已出现。")
_LONG = Text("Line {line} is longer than {most} characters.", "第 {line} 行超过 {most} 个字符。")
_MANY = Text("Line {line}: there are more than {most}.", "第 {line} 行：数量超过 {most}。")
_EMPTY = Text("Line {line}: there is nothing behind the id.", "第 {line} 行：id 之后没有内容。")


class PlanTextError(InputError):
    """A plan that cannot be read; its text names the line."""


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A key question; ``id`` within its dimension."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class PlannedDimension:
    """A dimension with its key questions, in order."""

    id: str
    name: str
    questions: tuple[PlannedQuestion, ...] = ()


@dataclass(slots=True)
class _Line:
    number: int
    id: str
    text: str
    below: "list[_Line]"


def write_plan(plan: Iterable[PlannedDimension]) -> str:
    """Write a plan as the lines that are read again to the same."""
    lines = []
    for part in plan:
        lines.append(f"{part.id}: {flat(part.name)}".rstrip())
        lines += [f"  {each.id}: {flat(each.text)}".rstrip() for each in part.questions]
    return "\n".join(lines)


def read_plan(text: str, known: Collection[str] = ()) -> tuple[PlannedDimension, ...]:
    """Read lines; ``known`` are ids that stand, whatever they look like. Raises PlanTextError."""
    parts = _tree(text, frozenset(known))
    taken = {part.id for part in parts if part.id}
    ids = _free("d", taken)
    return tuple(
        PlannedDimension(part.id or next(ids), part.text, _questions(part.below)) for part in parts
    )


def _tree(text: str, known: frozenset[str]) -> list[_Line]:
    parts: list[_Line] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip():
            continue
        below = raw[0].isspace() or raw.lstrip()[0] in "-*•"
        body = raw.strip().lstrip("-*•").strip()
        if not body:
            continue
        if below and not parts:
            raise PlanTextError("no-dimension", _NO_DIMENSION, {"line": number})
        siblings = parts[-1].below if below else parts
        line = _read(number, body, known)
        most = LONGEST_QUESTION if below else LONGEST_NAME
        if len(line.text) > most:
            raise PlanTextError("long", _LONG, {"line": number, "most": most})
        if line.id and any(each.id == line.id for each in siblings):
            raise PlanTextError("twice", _TWICE, {"line": number, "id": shown(line.id)})
        siblings.append(line)
        limit = MOST_QUESTIONS if below else MOST
        if len(siblings) > limit:
            raise PlanTextError("many", _MANY, {"line": number, "most": limit})
    return parts


def _read(number: int, body: str, known: frozenset[str]) -> _Line:
    for name in known:
        if body.startswith((f"{name}:", f"{name}：")):
            return _Line(number, name, flat(body[len(name) + 1 :]), [])
    label = _LABEL.fullmatch(body)
    if label is None or not _ID.fullmatch(label[1]):
        return _Line(number, "", flat(body), [])
    if not label[2].strip():
        raise PlanTextError("empty", _EMPTY, {"line": number})
    return _Line(number, label[1], flat(label[2]), [])


def _questions(lines: list[_Line]) -> tuple[PlannedQuestion, ...]:
    ids = _free("kq", {line.id for line in lines if line.id})
    return tuple(PlannedQuestion(line.id or next(ids), line.text) for line in lines)


def _free(stem: str, taken: Collection[str]) -> Iterator[str]:
    number = 1
    while True:
        if f"{stem}{number}" not in taken:
            yield f"{stem}{number}"
        number += 1


def flat(text: str) -> str:
    """Give a text on one line, as a plan writes it."""
    return " ".join(text.split())
