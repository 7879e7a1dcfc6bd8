"""BibTeX in and out through bibtexparser. Pure."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bibtexparser.entrypoint import parse_string, write_string
from bibtexparser.library import Library
from bibtexparser.middlewares import LatexDecodingMiddleware
from bibtexparser.model import Block, Entry, Field

from sources.exchange.keys import Json
from sources.exchange.references import (
    BadReferences,
    Reference,
    authors_of,
    flat,
    kept_fields,
    set_date,
)
from workbench.lib.texts import Text

NAME = "bibtex"
BROKEN = Text("This entry cannot be read: {reason}", "无法读取此条目：{reason}")

# Types that read back as they were written; anything else is misc, and says nothing.
_TYPES = {"journal": "article", "patent": "patent", "report": "techreport"}
_SAID = frozenset({*_TYPES.values(), "misc"})  # what ``type`` says by itself
_OWN_ID = "source-id"  # an id that cannot be a key
_READ_TYPES = {**{bib: ours for ours, bib in _TYPES.items()}, "report": "report"}
_VERBATIM = frozenset({"url", "doi", "eprint", "file", "pmid", "pmcid", "urldate", "isbn", "issn"})
_KEYS = {
    "title": ("title",), "venue": ("journal", "journaltitle", "booktitle"), "doi": ("doi",),
    "url": ("url",), "abstract": ("abstract",), "notes": ("note", "annote", "annotation"),
    "accessed_at": ("urldate",), "pmid": ("pmid",), "pmcid": ("pmcid",),
}  # fmt: skip
_URL = re.compile(r"\\url\s*\{(.*)\}\s*\Z", re.DOTALL)
_ESCAPED = re.compile(r"\\([_%&#$])")
_SPECIAL = re.compile(r"[#$%&_{}\\~^]")
_WRITTEN = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_BAD_KEY = re.compile(r"[\s,{}()\"#%~\\=']+")

# What it finds wrong is in the library that it gives; here it need not be logged as well.
logging.getLogger("bibtexparser").setLevel(logging.ERROR)


class _Decoding(LatexDecodingMiddleware):
    """Reads LaTeX as text, but not where it stands for itself, as in addresses."""

    def transform_entry(self, entry: Entry, library: Library) -> Block:
        plain = Entry(
            entry.entry_type, entry.key, [f for f in entry.fields if f.key not in _VERBATIM]
        )
        decoded = super().transform_entry(plain, library)
        if isinstance(decoded, Entry):
            texts = {field.key: field.value for field in decoded.fields}
            for field in entry.fields:
                field.value = texts.get(field.key, field.value)
        return entry


def read_bibtex(text: str) -> Iterator[Reference]:
    """Give every entry of a file; those that cannot be read with their fault."""
    library = parse_string(text, append_middleware=[_Decoding()])
    for block in library.blocks:
        number = (block.start_line or 0) + 1
        if isinstance(block, Entry):
            yield Reference(number, _line(block))
        elif fault := getattr(block, "error", None):
            yield Reference(number, {}, BadReferences(BROKEN, reason=flat(fault) or "?"))


def _line(entry: Entry) -> dict[str, Json]:
    fields = {field.key.lower(): _plain(field) for field in entry.fields}
    line: dict[str, Json] = {"id": entry.key} if entry.key else {}
    kind = entry.entry_type.lower()
    if kind in _READ_TYPES:
        line["type"] = _READ_TYPES[kind]
    for key, names in _KEYS.items():
        for name in names:
            if fields.get(name):
                line[key] = fields.pop(name)
                break
    if people := fields.pop("author", ""):
        line["authors"] = [flat(name) for name in re.split(r"\s+and\s+", people) if name.strip()]
    for name in ("date", "year"):
        if fields.get(name):
            set_date(line, fields.pop(name))
    if fields.get("archiveprefix", fields.get("eprinttype", "")).lower() == "arxiv":
        line["arxiv"] = fields.get("eprint", "")
    if fields.get(_OWN_ID):
        line["id"] = fields.pop(_OWN_ID)
    if kind not in _SAID:
        fields["entry_type"] = kind
    if fields:
        line[NAME] = fields
    return line


def _plain(field: Field) -> str:
    value = flat(field.value)
    if field.key.lower() in _VERBATIM:
        found = _URL.match(value)
        return _ESCAPED.sub(r"\1", found[1] if found else value)
    return value.replace("\u02c6", "^")  # the reader gives \textasciicircum as an accent


def write_bibtex(lines: Iterable[Mapping[str, Json]]) -> str:
    """Give lines of sources as BibTeX."""
    library, taken = Library(), set[str]()
    for line in lines:
        name = _BAD_KEY.sub("-", flat(line["id"])).strip("-") or "source"
        while name in taken:
            name += "-"
        taken.add(name)
        library.add(_entry(name, line))
    return str(write_string(library))


def _entry(name: str, line: Mapping[str, Json]) -> Entry:
    kept = kept_fields(line, NAME)
    kind = kept.pop("entry_type", None) or _TYPES.get(str(line.get("type")), "misc")
    fields: dict[str, Any] = {_OWN_ID: flat(line["id"])} if name != line["id"] else {}
    if authors := authors_of(line):
        fields["author"] = " and ".join(authors)
    for key, names in _KEYS.items():
        if line.get(key):
            is_book = kind.startswith("in") and key == "venue"
            fields["booktitle" if is_book else names[0]] = flat(line[key])
    if line.get("published_at"):
        fields["date"] = flat(line["published_at"])
    if line.get("year"):
        fields["year"] = flat(line["year"])
    fields |= {key: value for key, value in kept.items() if key not in fields}
    return Entry(kind, name, [Field(key, _escaped(key, value)) for key, value in fields.items()])


def _escaped(key: str, value: object) -> str:
    text = flat(value)
    if key in _VERBATIM:
        return text.replace("{", "%7B").replace("}", "%7D")
    return _SPECIAL.sub(lambda sign: _WRITTEN.get(sign[0], f"\\{sign[0]}"), text)
