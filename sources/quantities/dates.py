"""Dates, quarters, years and times of day in both languages."""

import re
from typing import NamedTuple

from sources.quantities.model import Kind
from sources.quantities.numerals import CHINESE, chinese_value


class Date(NamedTuple):
    """A date as far as the text gives it."""

    start: int
    end: int
    kind: Kind
    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    minutes: int | None = None  # after midnight


MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_Y = r"(1[0-9]{3}|2[01][0-9]{2})(?![0-9])"
_CD = "〇零一二三四五六七八九"
_D = rf"([0-9]{{1,2}}|[{CHINESE}]{{1,3}})"

_ISO = re.compile(
    rf"{_Y}(?:-(\d{{1,2}})-(\d{{1,2}})|/(\d{{1,2}})/(\d{{1,2}})|\.(\d{{1,2}})\.(\d{{1,2}}))(?![\d.-])"
    r"(?:T\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_ISO_MONTH = re.compile(rf"{_Y}-(0[1-9]|1[0-2])(?![\d-]|\.\d)")
_DAY_FIRST = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)(?![\d.])")
_CHINESE_DATE = re.compile(
    rf"(1[0-9]{{3}}|2[01][0-9]{{2}}|[{_CD}]{{4}}) ?年(?: ?{_D} ?月(?: ?{_D} ?[日号])?)?"
)
_CHINESE_MONTH = re.compile(rf"{_D} ?月(?: ?{_D} ?[日号])?(?![供票])")
_CHINESE_DAY = re.compile(rf"{_D} ?日(?![元本均])")
_DAY_MONTH = re.compile(
    rf"(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ \n-](?:the )?({MONTH})(?:,?[ \n-]{_Y})?", re.IGNORECASE
)
_MONTH_DAY = re.compile(
    rf"({MONTH})[ \n](\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[,.:]\d|\s?%)(?:,?[ \n]{_Y})?", re.IGNORECASE
)
_MONTH_YEAR = re.compile(rf"({MONTH}),?[ \n](?:of )?{_Y}", re.IGNORECASE)
_MONTH_ALONE = re.compile(f"(?:{'|'.join(MONTHS)})(?![a-z])", re.IGNORECASE)
_BEFORE_MONTH = re.compile(
    r"\b(?:in|of|since|until|by|from|late|early|mid|to|through|last|between)[ -]$", re.IGNORECASE
)
_QUARTER = re.compile(
    rf"Q([1-4])(?:[ -]?(?:of )?(?:FY ?|'|/)?{_Y})?(?![A-Za-z0-9])"
    rf"|{_Y}[ -]?年?(?:[ -]?Q([1-4])(?![A-Za-z0-9])| ?第?([一二三四1-4]) ?季度)"
    r"|([1-4])Q[ -]?(?:'|FY)?((?:20)?\d\d)(?!\d)"
    r"|第?([一二三四1-4]) ?季度"
)
_QUARTER_WORDS = re.compile(
    r"(first|second|third|fourth|1st|2nd|3rd|4th)[ -]quarter(?!s|-)"
    rf"(?:(?: of|,)?(?: fiscal)? {_Y})?",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s?([ap])\.?m\b\.?)?", re.IGNORECASE
)
_AFTER_DIGIT = re.compile(r"[0-9][:.]$")
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}


def date_at(text: str, start: int) -> Date | None:
    """Read the date, quarter or time that begins at a place; None if there is none."""
    for reader in _READERS:
        found = reader(text, start)
        if found is not None:
            return found
    return None


def month_at(text: str, start: int) -> Date | None:
    """Read the date that begins with the name of a month in English."""
    found = _MONTH_DAY.match(text, start)
    if found is not None and int(found[2]) <= 31:
        year = int(found[3]) if found[3] else None
        return Date(start, found.end(), "date", year, _month(found[1]), int(found[2]))
    found = _MONTH_YEAR.match(text, start)
    if found is not None:
        return Date(start, found.end(), "date", int(found[2]), _month(found[1]))
    found = _MONTH_ALONE.match(text, start)
    if found is not None and _BEFORE_MONTH.search(text[max(0, start - 9) : start]):
        return Date(start, found.end(), "date", None, _month(found[0]))
    return None


def _month(name: str) -> int:
    key = name.lower()[:3]
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(key))


def _number(written: str | None) -> int | None:
    if written is None:
        return None
    return int(written) if written.isdecimal() else chinese_value(written)


def _dated(
    start: int, end: int, year: int | None, month: int | None, day: int | None
) -> Date | None:
    if month is not None and not 1 <= month <= 12:
        return None
    if day is not None and not 1 <= day <= 31:
        return None
    return Date(start, end, "year" if month is None and day is None else "date", year, month, day)


def _iso(text: str, start: int) -> Date | None:
    found = _ISO.match(text, start)
    if found is not None:
        year, month, day = (int(part) for part in found.groups() if part)
        return _dated(start, found.end(), year, month, day)
    found = _ISO_MONTH.match(text, start)
    return _dated(start, found.end(), int(found[1]), int(found[2]), None) if found else None


def _day_first(text: str, start: int) -> Date | None:
    found = _DAY_FIRST.match(text, start)
    if found is None:
        return None
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if first > 12 or found[2] == ".":
        return _dated(start, found.end(), year, second, first)
    if second > 12:
        return _dated(start, found.end(), year, first, second)
    # 3/5/2024 is March in one country and May in another: only the year is certain.
    known = first if first == second else None
    return _dated(start, found.end(), year, known, known)


def _chinese(text: str, start: int) -> Date | None:
    found = _CHINESE_DATE.match(text, start)
    if found is not None:
        return _dated(start, found.end(), *(_number(part) for part in found.groups()))
    found = _CHINESE_MONTH.match(text, start)
    if found is not None:
        month, day = _number(found[1]), _number(found[2])
        return None if month is None else _dated(start, found.end(), None, month, day)
    found = _CHINESE_DAY.match(text, start)
    if found is not None and _number(found[1]):
        return _dated(start, found.end(), None, None, _number(found[1]))
    return None


def _day_month(text: str, start: int) -> Date | None:
    found = _DAY_MONTH.match(text, start)
    if found is None:
        return None
    year = int(found[3]) if found[3] else None
    return _dated(start, found.end(), year, _month(found[2]), int(found[1]))


def _quarter(text: str, start: int) -> Date | None:
    found = _QUARTER.match(text, start)
    if found is None:
        return None
    q1, y1, y2, q2, q3, q4, y4, q5 = found.groups()
    quarter = q1 or q2 or q3 or q4 or q5
    year = int(y1 or y2 or y4 or 0) or None
    if year is not None and year < 100:
        year += 2000
    number = _ORDER.get(quarter) or int(quarter)
    return Date(start, found.end(), "quarter", year, quarter=number)


def quarter_words_at(text: str, start: int) -> Date | None:
    """Read "the fourth quarter of 2025" from its ordinal on."""
    found = _QUARTER_WORDS.match(text, start)
    if found is None:
        return None
    order = found[1].lower()
    number = _ORDER.get(order) or int(order[0])
    return Date(start, found.end(), "quarter", int(found[2]) if found[2] else None, quarter=number)


def _clock(text: str, start: int) -> Date | None:
    found = _CLOCK.match(text, start)
    if found is None or _AFTER_DIGIT.search(text, max(0, start - 2), start):
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return Date(start, found.end(), "time", minutes=60 * hour + int(found[2]))


_READERS = (_quarter, quarter_words_at, _iso, _day_first, _chinese, _day_month, _clock)
