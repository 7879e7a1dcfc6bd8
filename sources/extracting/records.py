"""A record of a registry or an API in JSON: every name and value as lines of text. Pure."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .encodings import decode
from .kinds import JSON
from .results import Extracted, storable

DEEPEST = 60
MOST_LINES = 200_000
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_TITLES = ("briefTitle", "officialTitle", "title", "display_name", "name", "headline")
_DATES = (
    "studyFirstPostDateStruct", "studyFirstSubmitDate", "published", "publication_date",
    "pubDate", "datePublished", "firstPublicationDate", "issued", "effective_time", "date",
)  # fmt: skip
_PEOPLE = (
    "author",
    "authors",
    "authorships",
    "creator",
    "leadSponsor",
    "inventors",
    "sponsor_name",
)
_NAMES = ("name", "display_name", "fullName", "raw_author_name", "literal")


def read_record(body: bytes, content_type: str) -> Extracted:
    """Read a JSON document; what is none is read as the text it is."""
    source, encoding = decode(body, content_type)
    try:
        data = json.loads(source, strict=False, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as fault:
        text = storable(source).strip()
        return Extracted(
            JSON, text=text, encoding=encoding, notes=(f"not read as JSON: {fault}"[:200],),
            reason="" if text else "the JSON is empty",
        )  # fmt: skip
    text = storable("\n".join(_lines(data))).strip()
    record = _record_of(data)
    return Extracted(
        JSON,
        text=text,
        title=_found(record, _TITLES)[:1000],
        authors=_people(record),
        published=_date(record),
        encoding=encoding,
        by="record",
        reason="" if text else "the JSON holds no text",
    )


def _record_of(data: Any) -> Any:
    """Give the one record in the usual wrappings of APIs."""
    for _ in range(4):
        if isinstance(data, list) and len(data) == 1:
            data = data[0]
        elif isinstance(data, dict) and isinstance(data.get("message"), dict):
            data = data["message"]
        elif isinstance(data, dict) and isinstance(data.get("results"), list):
            data = data["results"]
        else:
            break
    return data


def _lines(data: Any) -> Iterator[str]:
    """Give "name: value" for every value, names of what holds them as lines of their own."""
    stack: list[tuple[str, Any, int]] = [("", data, 0)]
    said = 0
    while stack and said < MOST_LINES:
        name, value, depth = stack.pop()
        label = _label(name)
        if isinstance(value, dict | list) and depth < DEEPEST:
            if label and value:
                yield label
                said += 1
            pairs = value.items() if isinstance(value, dict) else (("", each) for each in value)
            stack.extend((key, each, depth + 1) for key, each in reversed(list(pairs)))
            continue
        if isinstance(value, dict | list) or value is None or value == "":
            continue
        shown = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
        yield f"{label}: {shown}" if label else shown
        said += 1


def _label(name: str) -> str:
    words = _CAMEL.sub(" ", name).replace("_", " ").split()
    return " ".join(words)[:200]


def _walk(data: Any) -> Iterator[tuple[str, Any]]:
    """Give names and values, the outer before the inner."""
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for each in level[:5_000]:
            pairs = each.items() if isinstance(each, dict) else (("", one) for one in each)
            for name, value in pairs:
                yield name, value
                if isinstance(value, dict | list):
                    inner.append(value)
        if not inner:
            return
        level = inner


def _found(data: Any, names: tuple[str, ...]) -> str:
    if not isinstance(data, dict | list):
        return ""
    values: dict[str, str] = {}
    for name, value in _walk(data):
        if name in names and name not in values:
            if isinstance(value, list) and value:
                value = value[0]
            if isinstance(value, str) and value.strip():
                values[name] = storable(" ".join(value.split()))
    return next((values[name] for name in names if name in values), "")


def _date(data: Any) -> str:
    if not isinstance(data, dict | list):
        return ""
    values: dict[str, str] = {}
    for name, value in _walk(data):
        if name in _DATES and name not in values and (said := _read_date(value)):
            values[name] = said
    return next((values[name] for name in _DATES if name in values), "")


def _read_date(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = value.get("date-parts")
        if isinstance(parts, list) and parts and isinstance(parts[0], list):
            whole = [str(part) for part in parts[0] if str(part).isdecimal()][:3]
            return "-".join([*whole[:1], *(part.zfill(2) for part in whole[1:])])
        value = value.get("date", "")
    if not isinstance(value, str):
        return ""
    if re.fullmatch(r"\d{8}", value):
        return f"{value[:4]}-{value[4:6]}-{value[6:]}"
    found = _DATE.match(value)
    return found.group() if found else ""


def _people(data: Any) -> tuple[str, ...]:
    if not isinstance(data, dict | list):
        return ()
    for name, value in _walk(data):
        if name in _PEOPLE and (names := [said for each in _each(value) if (said := _name(each))]):
            return tuple(dict.fromkeys(names))[:500]
    return ()


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _name(value: Any) -> str:
    if isinstance(value, str):
        return storable(value)[:200]
    if not isinstance(value, dict):
        return ""
    given, family = value.get("given") or value.get("firstName"), value.get("family")
    if isinstance(family := family or value.get("lastName"), str):
        return storable(f"{given or ''} {family}".strip())[:200]
    inner = value.get("author")
    for name in _NAMES:
        if isinstance(value.get(name), str) and value[name]:
            return storable(value[name])[:200]
    return _name(inner) if isinstance(inner, dict) else ""
