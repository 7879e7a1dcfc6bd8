"""Read when something was published, as far as it is said. Pure. Rulebook section 2, recency."""

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sources.quantities.dates import Date, date_at, month_at

_PARTS = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ]\d{2}:\d{2}.*)?")
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")
_QUARTER = re.compile(r"(\d{4})[-/ ]?Q([1-4])", re.IGNORECASE)
_HALF = re.compile(r"(\d{4})[-/ ]?H([12])", re.IGNORECASE)
_YEAR = re.compile(r"(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class Published:
    """A date to count from, and how exact it was given."""

    day: date
    precision: str  # "day", "month", "quarter", "half" or "year"


@lru_cache(maxsize=20_000)
def published_on(text: str, year: int | None = None) -> Published | None:
    """Give the day that an age is counted from, or None.

    A bare year counts as 1 July, a year with a month as its 15th (rulebook), and so the middle of
    a quarter or half. ``year`` is used where the text tells nothing.
    """
    written = text.strip()[:60]
    found = _written(written) if written else None
    if found is None and year is not None:
        found = _made(year)
    return found


def _written(text: str) -> Published | None:
    if parts := _PARTS.fullmatch(text):
        return _made(*(int(part) if part else None for part in parts.groups()))
    if parts := _COMPACT.fullmatch(text):
        return _made(*(int(part) for part in parts.groups()))
    if parts := _QUARTER.fullmatch(text):
        return _middle(int(parts[1]), 3 * int(parts[2]) - 1, "quarter")
    if parts := _HALF.fullmatch(text):
        return _middle(int(parts[1]), 6 * int(parts[2]) - 2, "half")
    read = date_at(text, 0) or month_at(text, 0)
    if read is not None and read.year is not None:
        return _of(read)
    year = _YEAR.search(text)
    return _made(int(year[1])) if year else None


def _of(read: Date) -> Published | None:
    if read.quarter:
        return _middle(read.year or 0, 3 * read.quarter - 1, "quarter")
    return _made(read.year, read.month, read.day)


def _middle(year: int, month: int, precision: str) -> Published | None:
    found = _made(year, month)
    return Published(found.day, precision) if found else None


def _made(
    year: int | None = None, month: int | None = None, day: int | None = None
) -> Published | None:
    """Make the date of what is given; a part that no calendar has counts as not given."""
    if year is None or not 1 <= year <= 9999:
        return None
    if month is None or not 1 <= month <= 12:
        return Published(date(year, 7, 1), "year")
    try:
        return Published(date(year, month, day or 15), "day" if day else "month")
    except ValueError:
        return Published(date(year, month, 15), "month")


def whole_years(start: date, end: date) -> int:
    """Give the completed years between two days; 0 where the first is the later one."""
    years = end.year - start.year - ((end.month, end.day) < (start.month, start.day))
    return max(0, years)
