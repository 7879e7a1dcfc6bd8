"""Show what a file of unknown keys holds, so that a person can judge or write a mapping."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.lib.archives import ArchiveError, Tree
from workbench.lib.json_errors import JsonError

from .documents import parse, read_lines
from .ledgers import Documents, records_of
from .mapping import Mapping as Fields
from .mapping import MappingError
from .paths import Part, walk
from .problems import Log
from .proposing import FIRST_LINES, JSON_SUFFIXES, LOOKED_AT
from .values import objects, text_of

RECORDS = 40  # looked at for one list
VALUES = 3  # shown for one key
CHARACTERS = 140  # of one value
KEYS = 60  # of one list
LISTS = 12
FILES = 20
DEEPEST = 4


def examples_of(tree: Tree, mapping: Any) -> dict[str, Any]:
    """Give the lists of records of an upload with their keys, and the values a mapping takes.

    ``lists`` is ``[{"file", "records", "count", "keys": [[key, [value, …]], …]}]``, ``fields`` is
    field of ours → values. Both are samples: neither says how often a key is there.
    """
    lists: list[dict[str, Any]] = []
    fields: dict[str, list[str]] = {}
    documents = Documents(tree)
    read = _usable(mapping)
    for entry in tree.entries[:FILES]:
        root = _load(tree, entry.path, entry.size)
        if root is None:
            continue
        file = "" if tree.kind == "file" else entry.path
        lists += [_described(file, place, rows) for place, rows in _lists(root, "")]
        if read is not None and read.takes(entry.path if file else "records.json"):
            documents.give(entry.path, root)
            _sample(read, root, entry.path, documents, fields)
    lists.sort(key=lambda each: -len(each["keys"]) if each["count"] else 0)
    return {"lists": lists[:LISTS], "fields": fields}


def _load(tree: Tree, path: str, size: int) -> Any:
    if path.endswith(JSON_SUFFIXES[1:]):
        lines = zip(read_lines(tree, path, Log()), range(FIRST_LINES), strict=False)
        return [row for (_line, row), _number in lines]
    if size > LOOKED_AT:
        return None
    try:
        return parse(tree.read(path)).value
    except (ArchiveError, JsonError):
        return None


def _usable(mapping: Any) -> Fields | None:
    try:
        return Fields.read(mapping)
    except MappingError:
        return None


def _lists(value: Any, place: str, depth: int = 0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    if isinstance(value, list):
        if rows := objects(value):
            yield f"{place}[]", rows
    elif isinstance(value, dict) and depth < DEEPEST:
        for key, inner in list(value.items())[:KEYS]:
            if "." not in key and "[" not in key:
                yield from _lists(inner, f"{place}.{key}" if place else key, depth + 1)


def _described(file: str, place: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    values: dict[str, list[str]] = {}
    for row in rows[:RECORDS]:
        for key, value in _leaves(row, "", 0):
            held = values.setdefault(key, [])
            if value and value not in held and len(held) < VALUES:
                held.append(value)
    keys = [[key, held] for key, held in list(values.items())[:KEYS]]
    return {"file": file, "records": place, "count": len(rows), "keys": keys}


def _leaves(value: Any, place: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth < DEEPEST:
        for key, inner in list(value.items())[:KEYS]:
            if "." not in key and "[" not in key:
                yield from _leaves(inner, f"{place}.{key}" if place else key, depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        for inner in value[:VALUES]:
            yield from _leaves(inner, f"{place}[]", depth + 1)
    elif place:
        yield place, _short(value)


def _sample(
    mapping: Fields, root: Any, path: str, documents: Documents, fields: dict[str, list[str]]
) -> None:
    rows = objects(records_of(root, mapping.records))
    for row in rows[:RECORDS]:
        for target, alternatives in mapping.fields.items():
            held = fields.setdefault(target, [])
            if len(held) < VALUES:
                _add(held, _first(row, alternatives, path, documents))


def _first(
    row: Any, alternatives: Sequence[tuple[Part, ...]], path: str, documents: Documents
) -> list[str]:
    for alternative in alternatives:
        found = walk(row, alternative, lambda *wanted: documents.lookup(path, *wanted))
        values = [_short(each.value) for each, _number in zip(found, range(VALUES), strict=False)]
        if any(values):
            return values
    return []


def _add(held: list[str], values: Sequence[str]) -> None:
    for value in values:
        if value and value not in held and len(held) < VALUES:
            held.append(value)


def _short(value: Any) -> str:
    text = text_of(value).strip()
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"
