"""The reader of quantities: one pass over a text, from left to right."""

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, localcontext

from sources.quantities.amounts import Amount, amount_at, money_start, writes_amount
from sources.quantities.building import decade_at, looks_like_year, pair, scalar, share_unit
from sources.quantities.context import around
from sources.quantities.dates import MONTHS, Date, date_at, month_at, quarter_words_at
from sources.quantities.ignored import end_of_token, ignored_spans, inside_name
from sources.quantities.model import Quantity
from sources.quantities.numerals import CHINESE, GLYPHS, WORDS, fold
from sources.quantities.units import UNIT, UNITS, canonical

_MULTIPLES = {
    "doubled": 2, "doubling": 2, "twice": 2, "twofold": 2, "tripled": 3, "trebled": 3,
    "threefold": 3, "quadrupled": 4, "fourfold": 4, "tenfold": 10,
}  # fmt: skip
_ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip


def _cased(words: Iterable[str]) -> str:
    # Two cases of the first letter are found much faster than IGNORECASE finds any.
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in ordered)


_SCAN = re.compile(
    r"(?P<digits>[0-9]+)|(?P<half>[一过大]半|半数|半(?=年|个月|小时|天))"
    rf"|(?P<chinese>[{CHINESE}]+)|(?P<glyph>[{''.join(GLYPHS)}])|(?P<turn>翻(?:一番|番|倍))"
    r"|(?<![A-Za-z])(?=[a-zA-Z])(?:"
    r"(?P<quarter>(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth)[ -]quarter)"
    r"|(?P<share>[Aa]n? (?:third|quarter|fifth|tenth)|[Hh]alf)"
    rf"|(?P<month>{_cased(month[:3] for month in MONTHS)})[a-z]*"
    rf"|(?P<word>[Aa] hundred|{_cased([*WORDS, 'dozen'])})"
    rf"|(?P<ordinal>{_cased(_ORDINALS)})"
    rf"|(?P<times>{_cased(_MULTIPLES)})"
    r")(?![A-Za-z])"
)
_SHARES = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_RANGE = re.compile(r"\s?(?:-|–|~|至|到)\s?|\s+to\s+(?:about |approximately )?")
_AND = re.compile(r"\s(?:and|to)\s|\s?(?:和|与|至|到)\s?")
_BETWEEN = re.compile(r"(?:\b[Bb]etween |介于 ?|在 ?)$")
_FROM = re.compile(r"(?:\b[Ff]rom |[从由自] ?)[^0-9,;.，；。]{0,12}$")
_CI_LEVEL = re.compile(
    r"(?:9[059]|80)(?:\.[05])?\s?%[ -]?(?:CIs?|confidence intervals?|CrI|credible intervals?"
    r"|置信区间|可信区间)"
    r"(?:\s?[\[(](?:CI|95%CI)[\])])?(?:\s?(?:of|was|is|为|是))?[,:，\s]{0,2}[\[(]?\s?"
)
_COMMA = re.compile(r"\s?[,，]\s?|\s?[;；]\s?")
_RATIO = re.compile(r"([0-9]{1,6})(?:\s?:\s?|/)([0-9]{1,6})(?![0-9:/.])")
_SEASON = re.compile(r"(?:19|20)([0-9]{2})[/–-]([0-9]{2})(?![0-9])")
_LETTER_AFTER = re.compile(r"-[A-Z](?![a-z])")  # Form 8-K, 3-D
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_DASHED = re.compile(r"[0-9]+(?:-[0-9]+){2,}")
_HALF_OF = re.compile(r" an? (million|billion|hour|dozen|year|century)")
_PART_HALF = re.compile(r"(?:first|second|latter|other|better|and a|opening) $")
_SHARE_OF = re.compile(r"\s(?:of|the|to)\b|[.,;)]|$")
_RANKED = re.compile(r"(?:rank(?:s|ed|ing)?|placed|in) $")
_LATER = frozenset({"second", "third", "fifth", "tenth"})


class _Reader:
    def __init__(self, text: str) -> None:
        self.original = text
        self.text = fold(text)
        self.floor = 0  # nothing before it belongs to the next quantity
        self.found: list[Quantity] = []

    def run(self) -> tuple[Quantity, ...]:
        ignored = ignored_spans(self.text)
        span = next(ignored, None)
        place = 0
        while (match := _SCAN.search(self.text, place)) is not None:
            while span is not None and span[1] <= match.start():
                span = next(ignored, None)
            if span is not None and span[0] <= match.start():
                place = self.floor = span[1]
                continue
            place = max(self._candidate(match), match.start() + 1)
        return tuple(self.found)

    def _candidate(self, match: re.Match[str]) -> int:
        kind, start = match.lastgroup, match.start()
        if kind == "digits":
            return self._digits(start)
        if kind == "chinese":
            return self._chinese(start, match.end())
        if kind == "month":
            return self._dated(month_at(self.text, start)) or match.end()
        if kind == "quarter":
            return self._dated(quarter_words_at(self.text, start)) or match.end()
        if kind == "glyph":
            return self._amount(start) or match.end()
        if kind == "word":
            return self._word(match)
        return self._fixed(match, kind or "")

    def _digits(self, start: int) -> int:
        text = self.text
        if start and text[start - 1] in "Qq" and (start < 2 or not text[start - 2].isalnum()):
            end = self._dated(date_at(text, start - 1))
            if end:
                return end
        if inside_name(text, start):
            return self._skip(start)
        if start and text[start - 1] == "." and (start < 2 or not text[start - 2].isalnum()):
            start -= 1
        end = self._dated(date_at(text, start)) or self._season(start) or self._interval(start)
        if end:
            return end
        for identifier in (_DOTTED, _DASHED):
            found = identifier.match(text, start)
            if found is not None:
                return self._skip(start)
        return self._ratio(start) or self._amount(start) or self._skip(start)

    def _skip(self, start: int) -> int:
        self.floor = end_of_token(self.text, start)
        return self.floor

    def _chinese(self, start: int, end: int) -> int:
        dated = date_at(self.text, start)
        if dated is not None:
            return self._dated(dated)
        if writes_amount(self.text, start, end):
            return self._amount(start) or end
        # In 十分之 and the like a later character may still begin a figure.
        return end

    def _word(self, match: re.Match[str]) -> int:
        start, end = match.span("word")
        if match["word"].lower() == "a hundred":
            start += 2
            amount = Amount(match.start(), end, Decimal(100), 1, Decimal(1), written="words")
            return self._finish(amount)
        amount_read = amount_at(self.text, start, self.floor)
        if amount_read is None:
            return end
        lonely = self.text[start : amount_read.end].lower() == "one"
        return end if lonely else self._finish(amount_read)

    def _fixed(self, match: re.Match[str], kind: str) -> int:
        start, end, words = match.start(), match.end(), match[0].lower()
        amount = Amount(start, end, Decimal(0), 1, None, written="words")
        if kind in ("times", "turn"):
            amount.value = Decimal(_MULTIPLES.get(words, 2))  # 翻番 is twice
            amount.unit, amount.quantum = "times", Decimal(1)
            return self._finish(amount)
        if kind == "ordinal":
            return self._ordinal(amount, words)
        if kind == "half":
            amount.value, amount.unit = Decimal("0.5"), "fraction"
            amount.over = words[0] in "过大"
            if words == "半":
                _unit_of_half(self.text, amount)
            return self._finish(amount)
        return self._share(amount, words)

    def _ordinal(self, amount: Amount, words: str) -> int:
        ranked = _RANKED.search(self.text[max(0, amount.start - 8) : amount.start])
        if words in _LATER and not ranked:
            return amount.end
        amount.value, amount.ordinal, amount.quantum = Decimal(_ORDINALS[words]), True, Decimal(1)
        return self._finish(amount)

    def _share(self, amount: Amount, words: str) -> int:
        text, start, end = self.text, amount.start, amount.end
        amount.unit = "fraction"
        if words == "half":
            part = _PART_HALF.search(text[max(0, start - 8) : start])
            if part or text.startswith(("-", " time"), end):
                return end
            amount.value = Decimal("0.5")
            large = _HALF_OF.match(text, end)
            if large is not None:
                return self._half_of(amount, large)
            return self._finish(amount)
        amount.value = Decimal(1) / _SHARES[words.split()[1]]
        if not _SHARE_OF.match(text, end):
            return end
        return self._finish(amount)

    def _half_of(self, amount: Amount, large: re.Match[str]) -> int:
        amount.end = large.end()
        if large[1] in ("hour", "year"):
            amount.unit = large[1]
        elif large[1] in ("million", "billion"):
            amount.unit, amount.quantum = "", Decimal("0.1")
            amount.times(Decimal(10) ** (6 if large[1] == "million" else 9))
        return self._finish(amount)

    def _dated(self, date: Date | None) -> int:
        if date is None:
            return 0
        minutes = None if date.minutes is None else Decimal(date.minutes)
        value = Decimal(date.year) if date.kind == "year" and date.year else minutes
        near = around(self.text, date.start, date.end, self.floor)
        start = near.start if near.approximate else date.start
        self._add(
            Quantity(
                start, date.end, self.original[start : date.end], date.kind, value,
                approximate=near.approximate, precision=4 if date.kind == "year" else 0,
                year=date.year, month=date.month, day=date.day, quarter=date.quarter,
            )
        )  # fmt: skip
        return date.end

    def _season(self, start: int) -> int:
        found = _SEASON.match(self.text, start)
        if found is None or (int(found[1]) + 1) % 100 != int(found[2]):
            return 0
        first = int(self.text[start : start + 4])
        self._dated(Date(start, start + 4, "year", first))
        return self._dated(Date(found.start(2), found.end(), "year", first + 1))

    def _interval(self, start: int) -> int:
        level = _CI_LEVEL.match(self.text, start)
        if level is None:
            return 0
        low = amount_at(self.text, level.end(), level.end()) if self._begins(level.end()) else None
        if low is None:
            return 0
        link = _RANGE.match(self.text, low.end) or _COMMA.match(self.text, low.end)
        high = (
            amount_at(self.text, link.end(), link.end())
            if link and self._begins(link.end())
            else None
        )
        if high is None:
            return 0
        low.start = start
        return self._pair(low, high, self.text[start : start + 2] + "% CI")

    def _begins(self, place: int) -> bool:
        return place < len(self.text) and (self.text[place].isdigit() or self.text[place] in ".")

    def _ratio(self, start: int) -> int:
        found = _RATIO.match(self.text, start)
        if found is None or UNIT.match(self.text, found.end()):
            return 0
        above, below = Decimal(found[1]), Decimal(found[2])
        end = found.end()
        if not below or (start and self.text[start - 1] in ":/"):
            return 0
        self._add(
            Quantity(
                start,
                end,
                self.original[start:end],
                "ratio",
                above / below,
                above,
                below,
                unit="fraction" if "/" in found[0] and above <= below else "",
            )
        )
        return end

    def _amount(self, start: int) -> int:
        amount = amount_at(self.text, start, self.floor)
        if amount is None:
            return 0
        if self._is_token(amount):
            return 0
        link = _RANGE.match(self.text, amount.end)
        if _BETWEEN.search(self.text[max(self.floor, amount.start - 9) : amount.start]):
            link = link or _AND.match(self.text, amount.end)
        if link is not None and not amount.ordinal:
            end = self._range(amount, link)
            if end:
                return end
        return self._finish(amount)

    def _is_token(self, amount: Amount) -> bool:
        # 9f3c, 78A and 5G go on in letters that are no unit: an identifier.
        if amount.written != "digits" or amount.end >= len(self.text):
            return False
        after = self.text[amount.end]
        if _LETTER_AFTER.match(self.text, amount.end):
            return True
        if decade_at(self.text, amount.end) or not (after.isascii() and after.isalpha()):
            return after == "_"
        return self.text[amount.end - 1].isdigit()

    def _range(self, low: Amount, link: re.Match[str]) -> int:
        place = money_start(self.text, link.end())
        if not (self._begins(place) or self.text[place : place + 1] in tuple(CHINESE)):
            return 0
        if link[0].strip().startswith(("to", "至", "到")) and _FROM.search(
            self.text[max(self.floor, low.start - 24) : low.start]
        ):
            return 0
        if date_at(self.text, place) is not None or (
            place == link.end() and inside_name(self.text, place)
        ):
            return 0
        high = amount_at(self.text, place, link.end())
        if high is None or high.ordinal or self._is_token(high):
            return 0
        if looks_like_year(low) and looks_like_year(high):
            return 0
        low = replace(low)  # the end that is no range after all must stay as it was
        share_unit(low, high)
        same = low.unit == high.unit or UNITS.get(low.unit) == UNITS.get(high.unit)
        if not same or not low.value < high.value:
            return 0
        return self._pair(low, high)

    def _pair(self, low: Amount, high: Amount, name: str = "") -> int:
        self._add(pair(self.original, self.text, low, high, self.floor, name))
        return high.end

    def _finish(self, amount: Amount) -> int:
        self._add(scalar(self.original, self.text, amount, self.floor))
        return max(self.floor, amount.end)

    def _add(self, quantity: Quantity) -> None:
        self.found.append(quantity)
        self.floor = quantity.end


def _unit_of_half(text: str, amount: Amount) -> None:
    unit = UNIT.match(text, amount.end)
    if unit is not None:
        amount.unit, amount.end, amount.quantum = canonical(unit[1]), unit.end(), Decimal("0.5")


def parse_quantities(text: str) -> tuple[Quantity, ...]:
    """Read every number, amount and date of a text, in order.

    Identifiers, citation marks, addresses and telephone numbers are left out. Time grows with the
    length of the text. Never raises.
    """
    with localcontext(prec=50):
        return _Reader(text).run()
