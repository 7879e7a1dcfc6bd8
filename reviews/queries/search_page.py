"""The tables of fields in ``docs/search.md``, made from the fields themselves. Pure."""

from collections.abc import Iterable

from reviews.queries.fields import FIELDS, Field
from reviews.queries.rule_fields import RULE_FIELDS
from reviews.queries.source_fields import SOURCE_FIELDS

BEGIN, END = "<!-- fields: made by manage.py document_search -->", "<!-- end of fields -->"
BEGIN_SOURCES = "<!-- fields of sources: made by manage.py document_search -->"
END_SOURCES = "<!-- end of fields of sources -->"
BEGIN_RULES = "<!-- fields of rules: made by manage.py document_search -->"
END_RULES = "<!-- end of fields of rules -->"


def with_fields(page: str) -> str:
    """Give the page with its tables of fields as they are now. ValueError without the marks."""
    page = _between(page, BEGIN, END, FIELDS)
    page = _between(page, BEGIN_SOURCES, END_SOURCES, SOURCE_FIELDS)
    return _between(page, BEGIN_RULES, END_RULES, RULE_FIELDS)


def _between(page: str, begin: str, end: str, fields: Iterable[Field]) -> str:
    head, found_begin, rest = page.partition(begin)
    _table, found_end, tail = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"The page needs the marks {begin} and {end}.")
    return f"{head}{begin}\n\n{table(fields)}\n{end}{tail}"


def table(fields: Iterable[Field]) -> str:
    """Write one line for each field, in English and Chinese."""
    lines = ["| field | example | meaning | 含义 |", "| --- | --- | --- | --- |"]
    lines += [_line(field) for field in fields]
    return "\n".join(lines) + "\n"


def _line(field: Field) -> str:
    says, zh = field.says.en, field.says.zh
    if field.name in {"kind", "polarity"} or field.words is None or len(field.words) > 12:
        words = ""
    else:
        words = " Words: " + ", ".join(f"`{word}`" for word in field.words) + "."
    cells = (f"`{field.name}`", f"`{field.example}`", says + words, zh)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
