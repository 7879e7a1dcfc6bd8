"""One amount of a text: figure, multiplier, unit and currency, before words around it."""

import re
from dataclasses import dataclass
from decimal import Decimal

from sources.quantities.numerals import GLYPHS, Numeral, read_chinese, read_digits, read_words
from sources.quantities.units import (
    MONEY_LETTER,
    MULTIPLIER,
    MULTIPLIERS,
    SYMBOLS,
    UNIT,
    alternatives,
    canonical,
    unit_of,
)


@dataclass(slots=True)
class Amount:
    """A figure with what belongs to it. ``scale`` is the multiplier already in ``value``."""

    start: int
    end: int
    value: Decimal
    digits: int
    quantum: Decimal | None
    scale: Decimal = Decimal(1)
    unit: str = ""
    prefixed: bool = False  # its currency stands before it
    over: bool = False  # 300余人, 10多万
    ordinal: bool = False
    written: str = "digits"  # digits | chinese | words

    def times(self, scale: Decimal) -> None:
        """Apply a multiplier that was found elsewhere, as in "3-5 million"."""
        self.value *= scale
        self.scale *= scale
        self.quantum = None if self.quantum is None else self.quantum * scale


_CURRENCY_BEFORE = re.compile(rf"(?:(?<![A-Za-z])|(?<=\$))({alternatives(list(SYMBOLS))})\s?$")
_MONEY_START = re.compile(rf"(?:{alternatives([s for s in SYMBOLS if len(s) < 4])})\s?(?=[0-9])")
_SIGN = re.compile(r"(?:^|[\s(（\[:：,，、=<>~\u4e00-\u9fff])([-+])\s?$")
_ORDINAL_BEFORE = re.compile(
    r"(?:第 ?|#|(?<![A-Za-z])(?:No|Nos|no)\. ?|\b(?:phase|stage|grade|type|tier|level|chapter"
    r"|section|figure|fig\.?|table|pages?|p\.|part|article|step|episode|version|rank(?:s|ed|ing)?"
    r"|appendix|line|claim|cohort) (?:#|no\. ?)?)$",
    re.IGNORECASE,
)
_ORDINAL_AFTER = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z])")
_OVER = re.compile(r"\s?[余多](?=[\u4e00-\u9fff])(?![元边年种样次])")
_PERCENT_OF = {"百": "%", "千": "‰"}
_SHARE_BEFORE = re.compile("([百千])分之([0-9〇零一二两三四五六七八九十百点]+)")
_FRACTION = re.compile("分之")
_DENOMINATOR = re.compile(
    r"[- ](hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?"
    r"|tenths?|hundredths?)(?![A-Za-z])",
    re.IGNORECASE,
)
_DENOMINATORS = {
    "hal": 2, "thi": 3, "qua": 4, "fou": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8, "nin": 9,
    "ten": 10, "hun": 100,
}  # fmt: skip
_IN = re.compile(r" (?:in|out of) (?:every )?(?=[0-9a-z])")
_PLAIN_RUN = re.compile("[十百千廿卅]")
_CALENDAR = re.compile("[ ]?[月日号]")
_GENERIC_ONE = frozenset("个家项次条只名位人种款类例份件起部间本层处场支门张")
_CHENG_HALF = re.compile("[一二三四五六七八九半]")


def numeral_at(text: str, start: int) -> tuple[Numeral, str] | None:
    """Read the figure that begins at a place, and how it is written."""
    char = text[start]
    if char in GLYPHS:
        above, below = GLYPHS[char]
        return Numeral(start, start + 1, Decimal(above) / below, 1, None), "fraction"
    if char.isdigit() or char == ".":
        digits = read_digits(text, start)
        return (digits, "digits") if digits else None
    if char.isascii():
        words = read_words(text, start)
        return (words, "words") if words else None
    chinese = read_chinese(text, start)
    return (chinese, "chinese") if chinese else None


def _percent_at(text: str, start: int) -> Amount | None:
    found = _SHARE_BEFORE.match(text, start)
    if found is not None:
        inner = numeral_at(text, found.start(2))
        if inner is not None:
            figure = inner[0]
            unit = _PERCENT_OF[found[1]]
            return Amount(start, figure.end, figure.value, figure.digits, figure.quantum, unit=unit)
    return None


def _share(text: str, figure: Numeral, written: str) -> Amount | None:
    """Read what makes a figure a share: 三分之二, four fifths, one in five, 六成五."""
    if written == "fraction":
        return _fraction(figure.start, figure.end, figure.value, Decimal(1))
    over = _FRACTION.match(text, figure.end)
    if over is not None and over.end() < len(text) and figure.value:
        above = numeral_at(text, over.end())
        if above is not None:
            return _fraction(figure.start, above[0].end, above[0].value, figure.value)
    if text.startswith("成", figure.end) and written != "words":
        return _tenths(text, figure)
    if written != "words":
        return None
    below = _DENOMINATOR.match(text, figure.end)
    if below is not None:
        denominator = _DENOMINATORS[below[1].lower()[:3]]
        if figure.value < denominator:
            return _fraction(figure.start, below.end(), figure.value, Decimal(denominator))
    link = _IN.match(text, figure.end)
    if link is not None and figure.value <= 10:
        of = numeral_at(text, link.end())
        if of is not None and figure.value < of[0].value <= 1000:
            return _fraction(figure.start, of[0].end, figure.value, of[0].value)
    return None


def _fraction(start: int, end: int, above: Decimal, below: Decimal) -> Amount:
    return Amount(start, end, above / below, 1, None, unit="fraction", written="words")


def _tenths(text: str, figure: Numeral) -> Amount | None:
    unit = UNIT.match(text, figure.end)
    if unit is None or unit[1] != "成":
        return None
    end, value, quantum = figure.end + 1, figure.value, figure.quantum
    half = _CHENG_HALF.match(text, end)
    if half is not None and not UNIT.match(text, end + 1):
        tail = read_chinese(text, end)
        extra = Decimal(5) if half[0] == "半" else (tail.value if tail else Decimal(0))
        if 0 < extra < 10:
            value, quantum, end = value + extra / 10, Decimal("0.1"), end + 1
    return Amount(figure.start, end, value, figure.digits, quantum, unit="tenth")


def amount_at(text: str, start: int, floor: int) -> Amount | None:
    """Read the amount whose figure begins at a place."""
    percent = _percent_at(text, start) if text[start] in _PERCENT_OF else None
    read = None if percent else numeral_at(text, start)
    if read is None:
        return percent
    figure, written = read
    shared = _share(text, figure, written)
    if shared is not None:
        return shared
    amount = Amount(start, figure.end, figure.value, figure.digits, figure.quantum, written=written)
    _before(text, amount, floor)
    if amount.ordinal:
        return amount
    _multiplied(text, amount)
    if not amount.prefixed:
        _united(text, amount)
    return amount


def _before(text: str, amount: Amount, floor: int) -> None:
    window = text[max(floor, amount.start - 16) : amount.start]
    shift = amount.start - len(window)
    label = _ORDINAL_BEFORE.search(window)
    if label is not None:
        amount.start, amount.ordinal = shift + label.start(), True
        counted = UNIT.match(text, amount.end) if label[0].startswith("第") else None
        if counted is not None and len(counted[1]) == 1:
            amount.end = counted.end()
        return
    if amount.written == "digits" and _ORDINAL_AFTER.match(text, amount.end):
        amount.end, amount.ordinal = amount.end + 2, True
        return
    money = _CURRENCY_BEFORE.search(window)
    if money is not None:
        amount.unit, amount.prefixed = SYMBOLS[money[1]], True
        amount.start = shift + money.start()
        window = window[: money.start()]
    sign = _SIGN.search(window) if amount.written == "digits" else None
    if sign is not None:
        amount.start = shift + sign.start(1)
        if sign[1] == "-":
            amount.value = -amount.value


def _multiplied(text: str, amount: Amount) -> None:
    over = _OVER.match(text, amount.end)
    if over is not None:
        amount.over, amount.end = True, over.end()
    for _ in range(2):
        found = MULTIPLIER.match(text, amount.end)
        if found is None:
            break
        name = found["zh"] or found["letter"] or found["word"].lower()
        amount.times(Decimal(MULTIPLIERS[name]))
        amount.over = amount.over or bool(found["over"])
        amount.end = found.end()
        if found["zh"]:
            _smaller_part(text, amount)
    letter = MONEY_LETTER.match(text, amount.end) if amount.prefixed else None
    if letter is not None:
        amount.times(Decimal(MULTIPLIERS[letter[1]]))
        amount.end = letter.end()


def _smaller_part(text: str, amount: Amount) -> None:
    # 1亿2千万 is one amount; 3万5千 as well.
    if amount.end >= len(text) or not (
        text[amount.end].isdigit() or text[amount.end] in "一二三四五六七八九"
    ):
        return
    part = numeral_at(text, amount.end)
    if part is None:
        return
    found = MULTIPLIER.match(text, part[0].end)
    if found is None or not found["zh"] or found["over"]:
        return
    scale = Decimal(MULTIPLIERS[found["zh"]])
    if part[0].value * scale < amount.scale:
        amount.value += part[0].value * scale
        amount.quantum = None if part[0].quantum is None else part[0].quantum * scale
        amount.digits += part[0].digits
        amount.end = found.end()


def _united(text: str, amount: Amount) -> None:
    over = None if amount.over else _OVER.match(text, amount.end)
    if over is not None:
        amount.over, amount.end = True, over.end()
    found = UNIT.match(text, amount.end)
    if found is None or (found[0] == "s" and amount.quantum == 1 and amount.value >= 1000):
        return  # "1980s" is a decade
    unit = canonical(found[1])
    amount.end = found.end()
    if found[2] is not None:
        below = canonical(found[2])
        if unit_of(below).dimension == "count":
            amount.end = found.end(1)
        else:
            unit = f"{unit}/{below}"
    amount.unit = unit
    if unit == "hour":
        _minutes(text, amount)


_MINUTES = re.compile(r",? ?(?:and )?([0-9]{1,2}) ?(?:minutes?|mins?|分钟|分)(?![A-Za-z之])")


def _minutes(text: str, amount: Amount) -> None:
    found = _MINUTES.match(text, amount.end)
    if found is not None:
        amount.value = amount.value * 60 + Decimal(found[1])
        amount.unit, amount.quantum, amount.end = "minute", Decimal(1), found.end()
        amount.digits += 1


def writes_amount(text: str, start: int, end: int) -> bool:
    """Tell whether a run of Chinese numerals counts something, unlike 统一, 一个 or 千万别."""
    if text.startswith("分之", end) or (start and text[start - 1] == "第"):
        return True
    figure = read_chinese(text, start)
    if figure is None:
        return False
    unit = UNIT.match(text, figure.end)
    if figure.end == start + 1 and text[start] == "一":
        return unit is not None and unit[1][0] not in _GENERIC_ONE and figure.end == end
    if unit is not None or figure.end < end:
        return True
    run = text[start:end]
    if len(run) > 1 and _PLAIN_RUN.search(run):
        return True
    return len(run) > 2 or _CALENDAR.match(text, end) is not None


def money_start(text: str, start: int) -> int:
    """Give the place after a currency sign that stands before a figure, else the place itself."""
    found = _MONEY_START.match(text, start)
    return found.end() if found else start
