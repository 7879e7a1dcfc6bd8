"""Paths into foreign records: keys, lists, and look-ups in other lists by id.

``source_urls[]`` gives each item of a list; ``evidence[].quote`` a key of each. After ``->`` the
value so far is looked up: ``evidence_ids[] -> :fragments[id].excerpt`` goes to the items of the
file's own ``fragments`` whose ``id`` it is, ``… -> cards.jsonl:[id].quote`` to those of another
file of the same upload.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from workbench.lib.notices import Spoken
from workbench.lib.texts import Text

from .values import text_of

_LOOKUP = re.compile(
    r"(?P<file>[^:\[\]]*):(?P<list>[^\[\]]*)\[(?P<key>[^\[\]]+)\](?:\.(?P<rest>.+))?"
)
_STEP = re.compile(r"(?P<key>[^\[\]]*)(?P<each>\[\])?")
MAX_LENGTH = 500
MAX_LOOKUPS = 5

type Index = tuple[int, ...]
type Lookup = Callable[[str, str, str, str], list[dict[str, Any]]]  # file, list, key, value


class PathError(Spoken):
    """The text is no path; it says where it ends to be one."""


@dataclass(frozen=True, slots=True)
class Step:
    """One key, or every item of a list."""

    key: str
    each: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Steps from a record; before all but the first, the look-up that gave the record."""

    steps: tuple[Step, ...]
    file: str = ""
    list_path: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A value, its place among others, and the object that it stood in."""

    index: Index
    value: Any
    holder: dict[str, Any] | None
    key: str


def parse_path(text: str) -> tuple[Part, ...]:
    """Read a path, or raise PathError."""
    if len(text) > MAX_LENGTH:
        raise PathError(
            Text("“{text}…” is longer than {limit} characters", "“{text}……”超过 {limit} 个字符"),
            text=text[:40],
            limit=MAX_LENGTH,
        )
    first, *lookups = (part.strip() for part in text.split("->"))
    if len(lookups) > MAX_LOOKUPS:
        raise PathError(
            Text("“{text}” looks up more than {limit} times", "“{text}”查找超过 {limit} 次"),
            text=text,
            limit=MAX_LOOKUPS,
        )
    parts = [Part(_steps(first, text))]
    for lookup in lookups:
        found = _LOOKUP.fullmatch(lookup)
        if found is None:
            raise PathError(
                Text(
                    "“{lookup}” is no look-up; write file:list[key].field",
                    "“{lookup}”不是查找；请写成 file:list[key].field",
                ),
                lookup=lookup,
            )
        steps = _steps(found["rest"] or "", text)
        parts.append(Part(steps, found["file"], found["list"].removesuffix("[]"), found["key"]))
    return tuple(parts)


def _steps(text: str, whole: str) -> tuple[Step, ...]:
    steps = []
    for piece in text.split(".") if text else []:
        found = _STEP.fullmatch(piece)
        if found is None or not piece:
            raise PathError(
                Text(
                    "“{piece}” in “{whole}” is no key; write key or key[]",
                    "“{whole}”中的“{piece}”不是键；请写成 key 或 key[]",
                ),
                piece=piece,
                whole=whole,
            )
        steps.append(Step(found["key"], bool(found["each"])))
    return tuple(steps)


def walk(record: Any, path: tuple[Part, ...], lookup: Lookup) -> Iterator[Found]:
    """Give every value that a path leads to, with its place."""
    yield from _walk(Found((), record, None, ""), path, lookup)


def _walk(found: Found, path: tuple[Part, ...], lookup: Lookup) -> Iterator[Found]:
    part, rest = path[0], path[1:]
    for value in _follow(found, part.steps):
        if not rest:
            yield value
            continue
        after = rest[0]
        wanted = text_of(value.value).strip()
        rows = lookup(after.file, after.list_path, after.key, wanted) if wanted else []
        for number, row in enumerate(rows):
            yield from _walk(Found((*value.index, number), row, None, ""), rest, lookup)


def _follow(found: Found, steps: tuple[Step, ...]) -> Iterator[Found]:
    if not steps:
        yield found
        return
    step, rest = steps[0], steps[1:]
    value, holder = found.value, found.holder
    if step.key:
        if not isinstance(value, dict) or value.get(step.key) is None:
            return
        holder, value = value, value[step.key]
    if not step.each:
        yield from _follow(Found(found.index, value, holder, step.key or found.key), rest)
        return
    items = value if isinstance(value, list) else [value]
    for number, item in enumerate(items):
        yield from _follow(Found((*found.index, number), item, holder, step.key), rest)
