"""References of other programs as lines of sources.jsonl, and back. Pure.

A format of references says less than a line: what it does not say is left alone. Fields that a
line has no key for are kept under the name of the format, and written again.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sources.exchange.keys import Json
from workbench.lib.notices import Spoken
from workbench.lib.texts import Text

MOST_BYTES = 64 * 2**20  # of a file of references, which is read as one
TOO_LARGE = Text(
    en="This file of references is larger than {limit} MB. Split it.",
    zh="此参考文献文件超过 {limit} MB，请拆分。",
)
_DAY = re.compile(r"(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?")


class BadReferences(Spoken):
    """A file of references, or one of them, that cannot be read."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One record of a file, as the keys of a line; or what is wrong with it."""

    number: int  # line of the file, from 1
    line: dict[str, Json]
    fault: BadReferences | None = None


def day_of(text: str) -> tuple[int | None, str]:
    """Give the year of a date, and the date as we write one: 2024, 2024-05, 2024-05-01."""
    found = _DAY.search(text)
    if found is None:
        return None, ""
    parts = [found[1], *(part.zfill(2) for part in found.groups()[1:] if part)]
    return int(found[1]), "-".join(parts)


def set_date(line: dict[str, Json], text: str) -> None:
    """Say year and, where it is known more exactly, day of publication."""
    year, day = day_of(text)
    if year is None:
        return
    line.setdefault("year", year)
    if len(day) > len("2024"):
        line["published_at"] = day


def flat(value: object) -> str:
    """Give a value on one line."""
    return " ".join(str(value).split())


def authors_of(line: Mapping[str, Json]) -> list[str]:
    """Give the names of a line's authors, each on one line."""
    authors = line.get("authors")
    names = authors if isinstance(authors, list) else [authors] if authors else []
    return [flat(name.get("name", name) if isinstance(name, dict) else name) for name in names]


def kept_fields(line: Mapping[str, Json], name: str) -> dict[str, Any]:
    """Give the fields of a format that an import of it kept."""
    held = line.get(name)
    return dict(held) if isinstance(held, dict) else {}


def joined(values: Iterable[object]) -> str:
    """Give several texts as one, a line each."""
    return "\n".join(text for each in values if (text := str(each).strip()))
