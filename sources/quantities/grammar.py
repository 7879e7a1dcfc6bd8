"""The reader of quantities: one pass over a text, from left to right."""

import re
from dataclasses import replace
from decimal import Decimal, localcontext

from sources.quantities.amounts import Amount, amount_at, money_start, writes_amount
from sources.quantities.context import around, direction, name_before, p_value_before
from sources.quantities.dates import MONTH, Date, date_at, month_at, quarter_words_at
from sources.quantities.ignored import end_of_token, ignored_spans, inside_name
from sources.quantities.model import Kind, Quantity
from sources.quantities.numerals import CHINESE, GLYPHS, WORDS, fold
from sources.quantities.units import POINTS, UNIT, UNITS, canonical, unit_of

_WORDS = "|".join(sorted([*WORDS, "dozen"], key=len, reverse=True))
_ORDINALS = {
    word: i
    for i, word in enumerate(
        "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 2
    )
}
_SCAN = re.compile(
    rf"(?P<digits>[0-9]+)|(?P<half>[一过大]半|半数|半(?=年|个月|小时|天))|(?P<chinese>[{CHINESE}]+)|(?P<glyph>[{''.join(GLYPHS)}])"
    rf"|\b(?i:(?P<quarter>(?:first|second|third|fourth)[ -]quarter)"
    rf"|(?P<share>an? (?:third|quarter|fifth|tenth)\b|half(?![A-Za-z])|thirds?\b)"
    rf"|(?P<month>{MONTH})|(?P<word>(?:a hundred|{_WORDS})(?![A-Za-z]))"
    rf"|(?P<ordinal>(?:{'|'.join(_ORDINALS)})(?![A-Za-z]))"
    r"|(?P<times>doubled|doubling|twice|tripled|trebled|quadrupled|twofold|threefold|fourfold|tenfold)\b)"
    r"|(?P<turn>翻(?:一番|番|倍))"
)
_TIMES = {"do": 2, "tw": 2, "tr": 3, "th": 3, "qu": 4, "fo": 4, "te": 10, "翻": 2}
_SHARES = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_RANGE = re.compile(r"\s?(?:-|–|~|至|到)\s?|\s+to\s+(?:about |approximately )?")
_AND = re.compile(r"\s(?:and|to)\s|\s?(?:和|与|至|到)\s?")
_BETWEEN = re.compile(r"(?:\b[Bb]etween |介于 ?|在 ?)$")
_FROM = re.compile(r"(?:\b[Ff]rom |[从由自] ?)[^0-9,;.，；。]{0,12}$")
_CI_LEVEL = re.compile(
    r"(?:9[059]|80)(?:\.[05])?\s?%[ -]?(?:CIs?|confidence intervals?|CrI|credible intervals?|置信区间|可信区间)"
    r"(?:\s?[\[(](?:CI|95%CI)[\])])?(?:\s?(?:of|was|is|为|是))?[,:，\s]{0,2}[\[(]?\s?"
)
_COMMA = re.compile(r"\s?[,，]\s?|\s?[;；]\s?")
_RATIO = re.compile(r"([0-9]{1,6})(?:\s?:\s?|/)([0-9]{1,6})(?![0-9:/.])")
_SEASON = re.compile(r"(?:19|20)([0-9]{2})[/–-]([0-9]{2})(?![0-9])")
_DECADE = re.compile(r"(?:'?s|年代)(?![A-Za-z])")
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_DASHED = re.compile(r"[0-9]+(?:-[0-9]+){2,}")
_COUNTED = re.compile(
    r" (?:\w+ ){0,1}(?:patients|participants|people|persons|cases|women|men|samples|calls|units)\b"
)
_PLUS_MINUS = re.compile(r"[±]\s?$")
_ONLY_WITH_UNIT = frozenset("one")
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
        lonely = self.text[start : amount_read.end].lower() in _ONLY_WITH_UNIT
        return end if lonely else self._finish(amount_read)

    def _fixed(self, match: re.Match[str], kind: str) -> int:
        start, end, words = match.start(), match.end(), match[0].lower()
        amount = Amount(start, end, Decimal(0), 1, None, written="words")
        if kind in ("times", "turn"):
            key = words[0] if kind == "turn" else words[:2]
            amount.value, amount.unit, amount.quantum = Decimal(_TIMES[key]), "times", Decimal(1)
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
        ranked = re.search(
            r"(?:rank(?:s|ed|ing)?|placed|the|a|in|its|his|her) $",
            self.text[max(0, amount.start - 8) : amount.start],
        )
        if words in _LATER and not ranked:
            return amount.end
        amount.value, amount.ordinal, amount.quantum = Decimal(_ORDINALS[words]), True, Decimal(1)
        return self._finish(amount)

    def _share(self, amount: Amount, words: str) -> int:
        text, start, end = self.text, amount.start, amount.end
        amount.unit = "fraction"
        if words.startswith("third"):
            return end
        if words == "half":
            part = re.search(
                r"(?:first|second|latter|other|better|and a|opening) $",
                text[max(0, start - 8) : start],
            )
            if part or text.startswith(("-", " time"), end):
                return end
            amount.value = Decimal("0.5")
            large = re.compile(r" an? (million|billion|hour|dozen|year|century)").match(text, end)
            if large is not None:
                return self._half_of(amount, large)
            return self._finish(amount)
        amount.value = Decimal(1) / _SHARES[words.split()[1]]
        if not re.compile(r"\s(?:of|the|to)\b|[.,;)]|$").match(text, end):
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
        return self._pair(low, high, "interval", self.text[start : start + 2] + "% CI")

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
            Quantity(start, end, self.original[start:end], "ratio", above / below, above, below)
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
        if _DECADE.match(self.text, amount.end) or not (after.isascii() and after.isalpha()):
            return after == "_"
        return self.text[amount.end - 1].isdigit()

    def _range(self, low: Amount, link: re.Match[str]) -> int:
        place = money_start(self.text, link.end())
        if not (self._begins(place) or self.text[place : place + 1] in tuple(CHINESE)):
            return 0
        if link[0].strip() == "to" and _FROM.search(
            self.text[max(self.floor, low.start - 24) : low.start]
        ):
            return 0
        if (
            date_at(self.text, place) is not None
            or inside_name(self.text, place)
            and place == link.end()
        ):
            return 0
        high = amount_at(self.text, place, link.end())
        if high is None or high.ordinal or self._is_token(high):
            return 0
        if _looks_like_year(low) and _looks_like_year(high):
            return 0
        low = replace(low)  # the end that is no range after all must stay as it was
        _share_unit(low, high)
        same = low.unit == high.unit or UNITS.get(low.unit) == UNITS.get(high.unit)
        if not same or not low.value < high.value:
            return 0
        return self._pair(low, high, "range", "")

    def _pair(self, low: Amount, high: Amount, kind: Kind, name: str) -> int:
        _share_unit(low, high)
        start, label = low.start, name
        near = around(self.text, start, high.end, self.floor)
        if not name:
            label, start = name_before(self.text, start, self.floor)
            kind = "interval" if label == "CI" else kind
        start = min(start, near.start) if near.approximate else start
        self._add(
            Quantity(
                start, high.end, self.original[start : high.end], kind,
                low=low.value, high=high.value, unit=high.unit, scale=high.scale,
                approximate=near.approximate, precision=max(low.digits, high.digits),
                quantum=high.quantum, name=label,
                direction=direction(self.text, start, high.end, self.floor),
            )
        )  # fmt: skip
        return high.end

    def _finish(self, amount: Amount) -> int:
        text = self.text
        decade = _DECADE.match(text, amount.end) if _looks_like_year(amount) else None
        if decade is not None:
            amount.end = decade.end()
        kind = self._kind(amount)
        near = around(text, amount.start, amount.end, self.floor)
        p_value = None if amount.unit else p_value_before(text, amount.start, self.floor)
        name, start = "", near.start
        if _PLUS_MINUS.search(text[max(self.floor, start - 2) : start]):
            name = "±"
        elif p_value is None and not amount.ordinal and kind not in ("year", "percent"):
            name, begin = name_before(text, near.start, self.floor)
            start = min(start, begin)
        quantity = Quantity(
            start, near.end, "", kind, amount.value,
            unit="decade" if decade else amount.unit, scale=amount.scale,
            comparator=">" if amount.over and near.comparator == "=" else near.comparator,
            approximate=near.approximate, precision=amount.digits, quantum=amount.quantum,
            name=name, year=int(amount.value) if kind == "year" else None,
        )  # fmt: skip
        if p_value is not None:
            comparator, begin = p_value
            quantity = replace(
                quantity, kind="p_value", comparator=comparator, start=begin, name="p"
            )
        elif name in ("HR", "OR", "RR", "IRR") and kind == "number":
            quantity = replace(quantity, kind="ratio")
        elif kind not in ("year", "ordinal"):
            way = direction(text, start, near.end, self.floor)
            quantity = replace(quantity, direction=way)
        raw = self.original[quantity.start : quantity.end]
        self._add(replace(quantity, raw=raw))
        return max(near.end, amount.end)

    def _kind(self, amount: Amount) -> Kind:
        dimension = unit_of(amount.unit).dimension
        if amount.ordinal:
            return "ordinal"
        if amount.unit in ("%", "‰"):
            return "percent"
        if dimension == POINTS:
            return "percentage_point"
        if dimension.startswith("currency") and "/" not in dimension:
            return "currency"
        if amount.unit in ("fraction", "tenth"):
            return "ratio"
        if amount.unit:
            return "measure"
        if _looks_like_year(amount) and not _COUNTED.match(self.text, amount.end):
            before = self.text[max(0, amount.start - 6) : amount.start]
            return (
                "number"
                if re.search(r"[约近~≈±超]$|bout $|over $|than $|=\s?$", before)
                else "year"
            )
        return "number"

    def _add(self, quantity: Quantity) -> None:
        self.found.append(quantity)
        self.floor = quantity.end


def _looks_like_year(amount: Amount) -> bool:
    return (
        amount.written == "digits" and not amount.unit and not amount.ordinal
        and amount.scale == 1 and amount.quantum == 1 and amount.digits == 4
        and 1800 <= amount.value <= 2100 and amount.end - amount.start == 4
    )  # fmt: skip


def _share_unit(low: Amount, high: Amount) -> None:
    # In "3-5 million" and "$3-5" one end carries what both mean.
    if not low.unit or low.prefixed:
        if low.scale == 1 and high.scale != 1:
            low.times(high.scale)
        low.unit = low.unit or high.unit
    if not high.unit:
        high.unit = low.unit


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
