"""Pairs of terms of a project, English and Chinese, with their MeSH heading. Pure.

A line of the page and of a file is ``English | 中文 | MeSH heading | other name; other name``; of
JSONL an object with ``en``, ``zh``, ``mesh``, ``also``; of CSV these four as columns.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

LONGEST = 200  # characters of a name
MOST = 2_000  # terms of a project
FIELDS = ("en", "zh", "mesh", "also")
_SIGNS = re.compile(r'["“”\[\]()|{}\x00-\x1f]+')

_EMPTY = Text(
    "Line {line}: a term needs an English or a Chinese name.",
    "第 {line} 行：术语须有英文或中文名称。",
)
_LONG = Text(
    "Line {line}: “{name}” is longer than 200 characters.", "第 {line} 行：“{name}”超过 200 字符。"
)
_TWICE = Text(
    "Line {line}: “{name}” stands in line {first} already.",
    "第 {line} 行：“{name}”已见于第 {first} 行。",
)
_MANY = Text("A glossary holds at most 2,000 terms.", "术语表最多 2,000 条。")
_JSON = Text("Line {line}: this is no JSON object.", "第 {line} 行：不是 JSON 对象。")
_COLUMNS = Text(
    "The first line of a CSV file names its columns: en, zh, mesh, also.",
    "CSV 文件首行须列出列名：en、zh、mesh、also。",
)


class GlossaryError(InputError):
    """A glossary that cannot be read; its text names the line."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing and what it is called."""

    en: str = ""
    zh: str = ""
    mesh: str = ""
    also: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Give all its names, each once."""
        every = (self.en, self.zh, self.mesh, *self.also)
        return tuple(dict.fromkeys(name for name in every if name))

    def as_line(self) -> str:
        """Write it as a line of the page."""
        parts = [self.en, self.zh, self.mesh, "; ".join(self.also)]
        while parts and not parts[-1]:
            parts.pop()
        return " | ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Write it as an object of JSONL."""
        return {"en": self.en, "zh": self.zh, "mesh": self.mesh, "also": list(self.also)}


def read_lines(text: str) -> list[Term]:
    """Read lines of the page; a line may be an object of JSONL. Raises GlossaryError."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.strip().lstrip("\ufeff")
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("{"):
            found.append((number, _from_json(bare, number)))
        else:
            parts = [*re.split(r"[|｜\t]", bare), "", "", ""]
            found.append((number, _term(*parts[:4])))
    return _checked(found)


def read_csv(text: str) -> list[Term]:
    """Read a CSV file. Raises GlossaryError."""
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    if not set(rows.fieldnames or ()) & {"en", "zh"}:
        raise GlossaryError("columns", _COLUMNS)
    found = [(rows.line_num, _term(*(row.get(name) or "" for name in FIELDS))) for row in rows]
    return _checked(found)


def write_csv(terms: Iterable[Term]) -> str:
    """Write a CSV file."""
    into = io.StringIO(newline="")
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(FIELDS)
    writer.writerows([each.en, each.zh, each.mesh, "; ".join(each.also)] for each in terms)
    return into.getvalue()


def _from_json(line: str, number: int) -> Term:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise GlossaryError("json", _JSON, {"line": number}) from None
    if not isinstance(value, dict):
        raise GlossaryError("json", _JSON, {"line": number})
    also = value.get("also") or []
    names = also if isinstance(also, list) else [also]
    en, zh, mesh = (str(value.get(name) or "") for name in ("en", "zh", "mesh"))
    return _term(en, zh, mesh, "; ".join(str(name) for name in names))


def _term(en: str, zh: str, mesh: str, also: str) -> Term:
    others = tuple(dict.fromkeys(filter(None, map(plain, re.split(r"[;；]", also)))))
    return Term(plain(en), plain(zh), plain(mesh), others)


def plain(name: str) -> str:
    """Give a name without the signs that a query reads as its own."""
    return " ".join(_SIGNS.sub(" ", name).split())


def _checked(found: Sequence[tuple[int, Term]]) -> list[Term]:
    if len(found) > MOST:
        raise GlossaryError("many", _MANY)
    first: dict[str, int] = {}
    for number, term in found:
        if not (term.en or term.zh):
            raise GlossaryError("empty", _EMPTY, {"line": number})
        for name in term.names():
            if len(name) > LONGEST:
                raise GlossaryError("long", _LONG, {"line": number, "name": shown(name)})
        for name in filter(None, {term.en.casefold(), term.zh.casefold()}):
            if name in first:
                values = {"line": number, "name": shown(name), "first": first[name]}
                raise GlossaryError("twice", _TWICE, values)
        first |= dict.fromkeys(filter(None, (term.en.casefold(), term.zh.casefold())), number)
    return [term for _number, term in found]
