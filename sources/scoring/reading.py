"""Read the facts of a source from one line of sources.jsonl, however it was written. Pure.

Formats section 1. Real lines differ: a number as id, authors as one text, a year as a text, an
address under another key. What no reading fits is a problem of the line, named by its field.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from sources.canonical import canonical_url
from sources.dois import fold_doi
from sources.identifiers import TEXTS, identifiers_of
from workbench.lib.texts import Text

from .bands import STRONG_COI_MOST
from .coi import states_conflict
from .coi_form import CoiAnswers
from .dates import published_on
from .facts import SourceFacts

URLS = ("url", "raw_url", "canonical_url", "source_url", "link", "canonical_uri")
DATES = ("published_at", "publication_date", "publish_date", "pub_date", "date")
VENUES = ("venue", "journal", "journal_title")
NOT_A_TEXT = Text("it must be a text, not {found}.", "应为文本，而不是{found}。")
NOT_A_NUMBER = Text("it must be a number, not “{found}”.", "应为数字，而不是“{found}”。")
NOT_YES_OR_NO = Text(
    "it must be true or false, not “{found}”.", "应为 true 或 false，而不是“{found}”。"
)

_EMPTY = frozenset({"", "n/a", "na", "none", "null", "-", "–", "unknown", "未知", "无"})
_YES = frozenset({"true", "yes", "1", "是"})
_NO = frozenset({"false", "no", "0", "否"})
_BETWEEN = re.compile(r"\s*[;；|、]\s*")
_MOST_DIGITS = 12  # of a figure; a longer one is no impact factor and no score


@dataclass(frozen=True, slots=True)
class Problem:
    """A field that could not be read."""

    field: str
    text: Text
    found: str

    def render(self, language: str) -> str:
        """Say which field it is and what is wrong with it."""
        return f"`{self.field}`: {self.text.render(language, found=self.found)}"


class _Reader:
    """Takes values out of a record and notes what could not be read."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.problems: list[Problem] = []

    def text(self, *names: str) -> str:
        """Give the first text under some names; numbers count as texts."""
        for name in names:
            value = self.record.get(name)
            if value is None or value == "":
                continue
            if isinstance(value, str):
                return value
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            self.problems.append(Problem(name, NOT_A_TEXT, _shape(value)))
        return ""

    def said(self, name: str) -> str:
        """Give a text that may have come as a list of texts."""
        value = self.record.get(name)
        return "; ".join(_texts(value)) if isinstance(value, list) else self.text(name)

    def list(self, *names: str) -> tuple[str, ...]:
        """Give a list of texts that may have come as one text."""
        found: list[str] = []
        for name in names:
            value = self.record.get(name)
            if isinstance(value, list):
                found.extend(_texts(value))
            elif isinstance(value, str):
                found.extend(part for part in _BETWEEN.split(value.strip()) if part)
            elif value is not None:
                self.problems.append(Problem(name, NOT_A_TEXT, _shape(value)))
        return tuple(found)

    def number(self, name: str) -> Decimal | None:
        """Give a number that may have come as a text."""
        value = self.record.get(name)
        found = decimal_of(value)
        empty = value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY)
        if found is None and not empty:
            self.problems.append(Problem(name, NOT_A_NUMBER, _shape(value)))
        return found

    def flag(self, *names: str) -> bool | None:
        """Give true or false, or None where nothing is said."""
        for name in names:
            value = self.record.get(name)
            if value is None or value == "":
                continue
            word = str(value).strip().lower()
            if isinstance(value, bool | int | str) and word in _YES | _NO:
                return word in _YES
            self.problems.append(Problem(name, NOT_YES_OR_NO, _shape(value)))
        return None


def decimal_of(value: object) -> Decimal | None:
    """Read a number of a record; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    text = str(value).strip().lstrip("+")
    if not text or len(text) > 40:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) <= _MOST_DIGITS else None


def read_facts(record: Mapping[str, Any]) -> tuple[SourceFacts, tuple[Problem, ...]]:
    """Give the facts of a line, and the fields that could not be read."""
    reader = _Reader(record)
    url = reader.text(*URLS)
    conflict = reader.said("conflict_of_interest")
    figure = reader.number("impact_factor")
    if figure is not None and figure < 0:
        reader.problems.append(Problem("impact_factor", NOT_A_NUMBER, str(figure)))
        figure = None
    names = identifiers_of(_identifying(record))
    year, published = _year(reader), reader.text(*DATES)
    facts = SourceFacts(
        url=url,
        canonical_url=canonical_url(url) if url else "",
        title=reader.text("title"),
        abstract=reader.text("abstract"),
        type=reader.text("type").strip(),
        source_type=reader.text("source_type").strip(),
        venue=reader.text(*VENUES),
        authors=_authors(reader),
        doi=fold_doi(reader.text("doi")) or next((n.value for n in names if n.scheme == "doi"), ""),
        schemes=schemes_of((name.scheme, name.found_in) for name in names),
        impact_factor=figure,
        published=published,
        year=year,
        access_status=reader.text("access_status").strip(),
        dead_link=bool(reader.flag("dead_link")),
        conflict_of_interest=conflict,
        funding_statement=reader.said("funding_statement"),
        disclosure=reader.said("disclosure"),
        coi=CoiAnswers.read(record.get("coi_form")),
        strong_coi=is_strong(
            bool(reader.flag("strong_coi")),
            record.get("coi_form") or record.get("strong_coi") is False,
            conflict,
            record.get("imported_score", record.get("score")),
        ),
        **extra_facts(reader),
    )
    return facts, tuple(reader.problems)


def extra_facts(reader: "_Reader | Mapping[str, Any]") -> dict[str, Any]:
    """Read what the format has no key for, and sources still carry: the facts of ``extra``."""
    found = reader if isinstance(reader, _Reader) else _Reader(reader)
    in_force = found.flag("in_force", "is_current_version")
    superseded = found.flag("superseded")
    if in_force is None and (superseded or found.text("superseded_by").strip()):
        in_force = False
    elif in_force is None and superseded is False:
        in_force = True
    data = found.text("data_url", "raw_data_url").strip().startswith(("http://", "https://"))
    return {
        "publisher": found.text("publisher"),
        "issns": found.list("issn", "issns", "eissn"),
        "publication_types": found.list(
            "publication_types", "publication_type", "article_type", "study_type"
        ),
        "in_force": in_force,
        "raw_data": data or bool(found.flag("raw_data")),
        "results_posted": bool(found.flag("has_results", "results_posted")),
    }


def schemes_of(found: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Give the schemes of a source's own identifiers; one that a text mentions may be another's."""
    return tuple(sorted({scheme for scheme, field in found if field.lower() not in TEXTS}))


def is_strong(flag: bool, form: object, conflict: str, stated_score: object) -> bool:
    """Tell whether a conflict is strong: as said, or as the file marks it and nobody judged."""
    return flag or (not form and says_strong(conflict, stated_score))


def says_strong(conflict: str, stated_score: object) -> bool:
    """Tell whether a file marks a strong conflict in the seed's way: a text, and at most 3.0."""
    stated = decimal_of(stated_score)
    return states_conflict(conflict) and stated is not None and stated <= STRONG_COI_MOST


def _identifying(record: Mapping[str, Any]) -> dict[str, str]:
    """Give what may hold an identifier as texts; a PMID often comes as a number."""
    found = {}
    for name, value in record.items():
        if isinstance(value, str):
            found[name] = value
        elif isinstance(value, int) and not isinstance(value, bool):
            found[name] = str(value)
    return found


def _year(reader: _Reader) -> int | None:
    value = reader.record.get("year")
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        reader.problems.append(Problem("year", NOT_A_NUMBER, _shape(value)))
        return None
    when = published_on(str(value))
    return when.day.year if when else None


def _authors(reader: _Reader) -> tuple[str, ...]:
    value = reader.record.get("authors")
    if not isinstance(value, list):
        return reader.list("authors")
    names = (each.get("name") if isinstance(each, dict) else each for each in value)
    return tuple(name for name in names if isinstance(name, str) and name.strip())


def _texts(values: Iterable[object]) -> Iterable[str]:
    return (str(each) for each in values if isinstance(each, str | int) and each != "")


def _shape(value: object) -> str:
    shapes = {list: "[…]", dict: "{…}", bool: "true/false"}
    return shapes.get(type(value), str(value)[:60])
