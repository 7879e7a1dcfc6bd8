"""RIS, the format of most reference managers, in and out through rispy. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import rispy

from sources.exchange.keys import Json
from sources.exchange.references import (
    BadReferences,
    Reference,
    authors_of,
    flat,
    joined,
    kept_fields,
    set_date,
)
from workbench.lib.texts import Text

NAME = "ris"
UNFINISHED = Text(
    en="{found} references begin in this file, but {read} end with ER; it may be cut off.",
    zh="此文件中有 {found} 条参考文献开头，却只有 {read} 条以 ER 结束，文件可能不完整。",
)
BROKEN = Text("The file is no readable RIS: {reason}", "此文件不是可读取的 RIS：{reason}")

# Types that read back as they were written; anything else is GEN, and says nothing.
_TYPES = {"journal": "JOUR", "patent": "PAT", "report": "RPRT", "news": "NEWS"}
_SAID = frozenset({*_TYPES.values(), "GEN"})  # what ``type`` says by itself
_READ_TYPES = {
    **{ris: ours for ours, ris in _TYPES.items()},
    "EJOUR": "journal", "JFULL": "journal", "MGZN": "news", "BLOG": "news", "GOVDOC": "regulatory",
}  # fmt: skip
_START = re.compile(r"^\ufeff?TY  ?- ", re.MULTILINE)
_TITLES = ("title", "primary_title")
_VENUES = ("secondary_title", "journal_name", "alternate_title3", "alternate_title2")
_DATES = ("date", "year", "publication_year")
_ABSTRACTS = ("abstract", "notes_abstract")


def read_ris(text: str) -> Iterator[Reference]:
    """Give every reference of a file. Raises BadReferences where it is none or cut off."""
    starts = [text.count("\n", 0, found.start()) + 1 for found in _START.finditer(text)]
    try:
        # Semicolons are part of addresses: no tag is parted at them.
        records = rispy.loads(text, delimiter_tags_mapping={})
    except (rispy.parser.ParseError, ValueError, KeyError, IndexError) as fault:
        raise BadReferences(BROKEN, reason=flat(fault)) from fault
    if len(records) != len(starts):
        raise BadReferences(UNFINISHED, found=len(starts), read=len(records))
    for number, record in zip(starts, records, strict=True):
        yield Reference(number, _line(dict(record)))


def _line(record: dict[str, Any]) -> dict[str, Json]:
    line: dict[str, Json] = {}
    if name := flat(record.pop("id", "")):
        line["id"] = name
    kind = record.pop("type_of_reference", "")
    if kind in _READ_TYPES:
        line["type"] = _READ_TYPES[kind]
    _take(record, line, "title", _TITLES)
    authors = record.pop("authors", None) or record.pop("first_authors", None)
    if authors:
        line["authors"] = [flat(name) for name in authors]
    for date in _DATES:
        if record.get(date):
            set_date(line, str(record.pop(date)))
    _take(record, line, "venue", _VENUES)
    _take(record, line, "doi", ("doi",))
    urls = record.pop("urls", None)
    if urls:
        line["url"] = flat(urls[0])
        if len(urls) > 1:
            record["urls"] = list(urls[1:])
    _take(record, line, "abstract", _ABSTRACTS)
    if notes := record.pop("notes", None):
        line["notes"] = joined(notes)
    _take(record, line, "accessed_at", ("access_date",))
    unknown = record.pop("unknown_tag", None)
    if unknown:
        record["unknown_tag"] = {tag: list(values) for tag, values in unknown.items()}
    if kind and kind not in _SAID:
        record["type_of_reference"] = kind
    if record:
        line[NAME] = record
    return line


def _take(record: dict[str, Any], line: dict[str, Json], key: str, names: Iterable[str]) -> None:
    for name in names:
        if record.get(name):
            line[key] = flat(record.pop(name))
            return


def write_ris(lines: Iterable[Mapping[str, Json]]) -> str:
    """Give lines of sources as RIS."""
    return str(rispy.dumps([_record(line) for line in lines]))


def _record(line: Mapping[str, Json]) -> dict[str, Any]:
    kept = kept_fields(line, NAME)
    kind = kept.pop("type_of_reference", None) or _TYPES.get(str(line.get("type")), "GEN")
    record: dict[str, Any] = {"type_of_reference": kind, "id": flat(line["id"])}
    for key, name in (("title", "title"), ("venue", "secondary_title"), ("doi", "doi")):
        if line.get(key):
            record[name] = flat(line[key])
    if authors := authors_of(line):
        record["authors"] = authors
    if line.get("published_at"):
        record["date"] = flat(line["published_at"]).replace("-", "/")
    if line.get("year"):
        record["year"] = flat(line["year"])
    urls = [flat(line["url"])] if line.get("url") else []
    if urls or kept.get("urls"):
        record["urls"] = [*urls, *kept.pop("urls", [])]
    if line.get("abstract"):
        record["abstract"] = flat(line["abstract"])
    if line.get("notes"):
        record["notes"] = [part for part in str(line["notes"]).splitlines() if part.strip()]
    if line.get("accessed_at"):
        record["access_date"] = flat(line["accessed_at"])
    return {**record, **kept}
