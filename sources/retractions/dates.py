"""Dates that know how exact they are: "2010", "2010-02" or "2010-02-06"; "" is unknown. Pure."""

import calendar
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?", re.ASCII)
_MONTHS = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
# "Lancet. 2010 Feb 6;375(9713):445", "J Int Oral Health. 2015 Sep;7(9):65-9."
_CITED = re.compile(
    r"(?<![\d/.])((?:19|20)\d{2})(?:\s+([A-Za-z]{3,9})\.?(?:\s*[-/]\s*[A-Za-z]{3,9})?(?:\s+(\d{1,2}))?)?"
    r"\s*(?=[;:.,(]|$)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Span:
    """The days that a date may mean."""

    first: date
    last: date


def span_of(text: str) -> Span | None:
    """Give the days of a date with precision; None where it is unknown or none."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day:
        return Span(first, first)
    last_month = month or 12
    return Span(first, date(year, last_month, calendar.monthrange(year, last_month)[1]))


def from_parts(*parts: object) -> str:
    """Give a date from year, month and day, as exact as they are; "" without a year.

    What cannot be, such as a 31 June, is cut to what can.
    """
    numbers = [number for part in parts[:3] if (number := _number(part)) is not None]
    if len(numbers) < min(len(parts), 3):
        numbers = numbers[: next(i for i, part in enumerate(parts) if _number(part) is None)]
    while numbers:
        text = "-".join([f"{numbers[0]:04d}", *(f"{n:02d}" for n in numbers[1:])])
        if span_of(text) is not None:
            return text
        numbers.pop()
    return ""


@lru_cache(maxsize=20_000)  # a table of many rows has few days
def from_american(text: str) -> str:
    """Read ``2/6/2010 0:00``, month first, or an ISO date; "" where it is neither."""
    head = text.strip().split(" ")[0].split("T")[0]
    pieces = head.split("/")
    if len(pieces) == 3:
        month, day, year = pieces
        given = from_parts(year, month, day)
        return given if len(given) == 10 else ""
    return head if span_of(head) else ""


def month_number(text: str) -> int | None:
    """Read a month by its English name or number; None where it is none."""
    text = text.strip().rstrip(".")
    if text.isascii() and text.isdigit():
        return int(text) if 1 <= int(text[:3]) <= 12 else None
    return _MONTHS.get(text.casefold())


def from_citation(text: str) -> str:
    """Give the date within a citation as MEDLINE writes it; "" where there is none."""
    found = _CITED.search(text)
    if found is None:
        return ""
    month = month_number(found[2]) if found[2] else None
    if month is None:
        return from_parts(found[1])
    return from_parts(found[1], month, found[3]) if found[3] else from_parts(found[1], month)


def _number(part: object) -> int | None:
    if isinstance(part, bool):
        return None
    if isinstance(part, int):
        return part if 0 < part < 10_000 else None
    text = str(part).strip() if part is not None else ""
    if not (text.isascii() and text.isdigit()) or len(text) > 4:
        return None
    return int(text) or None
