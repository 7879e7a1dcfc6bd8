"""Figures of a text, in digits, Chinese numerals and English words, to their values."""

import re
import unicodedata
from decimal import Decimal
from typing import NamedTuple

MAX_DIGITS = 30  # a longer run of digits is an identifier, not an amount


class Numeral(NamedTuple):
    """A figure at its place, before multiplier and unit."""

    start: int
    end: int
    value: Decimal
    digits: int  # significant digits written
    quantum: Decimal | None  # worth of one in the last digit; None for a fraction in words


_MATHEMATICAL = range(0x1D7CE, 0x1D800)


def _fold_table() -> dict[int, str]:
    table = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    del table[ord("，")]  # it separates clauses; between digits `fold` handles it
    for code in (*range(0x80, 0xFF00), *_MATHEMATICAL):
        value = unicodedata.decimal(chr(code), None)
        if value is not None:
            table[code] = str(int(value))
    table |= dict.fromkeys(map(ord, "−﹣‐‑⁃"), "-")
    table |= dict.fromkeys(map(ord, "–—‒―〜"), "–")
    table |= dict.fromkeys([0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
    pairs = "￥¥ ≦≤ ≧≥ ⩽≤ ⩾≥ ﹪% ’' µμ ∼~ ～~ 兩两 萬万 億亿 ○〇"
    return table | {ord(pair[0]): pair[1] for pair in pairs.split()}


_TABLE = _fold_table()
# Few characters of a text need folding; a pattern skips the others many times faster.
_FOLDABLE = re.compile(f"[{re.escape(''.join(chr(code) for code in _TABLE if code < 0x10000))}]+")
_BOLD = re.compile(f"[{chr(_MATHEMATICAL[0])}-{chr(_MATHEMATICAL[-1])}]")
_WIDE_COMMA = re.compile("(?<=[０-９])，(?=[０-９]{3}(?![０-９]))")


def fold(text: str) -> str:
    """Give the text with width, digits, dashes and spaces folded, at the same offsets."""
    if text.isascii():
        return text
    if "，" in text:
        text = _WIDE_COMMA.sub(",", text)
    if _BOLD.search(text):
        return text.translate(_TABLE)
    return _FOLDABLE.sub(lambda found: found[0].translate(_TABLE), text)


# Longest reading first. Groups of three need an exact fit, else "1,2045" would lose its tail.
DIGITS = (
    r"[0-9]{1,3}(?:,[0-9]{3}){1,9}(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}(?![0-9])"
    r"|[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,6},[0-9]+(?![0-9,.])"
    r"|[1-9][0-9]{0,2}(?: [0-9]{3}){1,6}(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]+,[0-9](?=\s?[%€])"
    r"|[0-9]+(?:\.[0-9]+)?"
)
_DIGITS = re.compile(rf"(?:{DIGITS})|\.[0-9]+")
_CONTINENTAL = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){1,6},[0-9]+|[0-9]+,[0-9]")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXPONENT = re.compile(
    r"\s?[x×*·]\s?10\s?(?:(?:\^\s?)([-+]?[0-9]{1,2})|(-[0-9]{1,2})|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))"
    r"(?![0-9⁰¹²³⁴⁵⁶⁷⁸⁹])|[eE]([-+]?[0-9]{1,2})(?![0-9A-Za-z])"
)
GLYPHS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅛": (1, 8)}


def plain(figure: str) -> Decimal:
    """Read digits with their separators."""
    if _CONTINENTAL.fullmatch(figure):
        return Decimal(figure.replace(".", "").replace(",", "."))
    return Decimal(figure.replace(",", "").replace(" ", ""))


def read_digits(text: str, start: int) -> Numeral | None:
    """Read the figure in digits that begins at a place, with an exponent if it has one."""
    found = _DIGITS.match(text, start)
    if found is None or found.end() - start > MAX_DIGITS:
        return None
    value = plain(found[0])
    exponent = value.as_tuple().exponent
    quantum = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    digits = len(value.as_tuple().digits)
    end = found.end()
    if end < len(text) and text[end] in GLYPHS and value == value.to_integral_value():
        above, below = GLYPHS[text[end]]
        return Numeral(start, end + 1, value + Decimal(above) / below, digits + 1, Decimal("0.01"))
    power = _EXPONENT.match(text, end)
    if power is not None:
        shift = int(next(part for part in power.groups() if part).translate(_SUPERSCRIPT))
        value, quantum, end = value.scaleb(shift), quantum.scaleb(shift), power.end()
    return Numeral(start, end, value, digits, quantum)


CHINESE = "〇零一二两三四五六七八九十百千万亿廿卅"
_CHINESE_DIGIT = {char: i for i, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_UNITS_OF_LAST = {"百": 10, "千": 100, "万": 1000, "亿": 10_000_000}
_UNIT_TAILS = ("瓦", "克", "米", "卡", "分点", "分之")
_CHINESE_RUN = re.compile(f"[{CHINESE}]+(?:点[〇零一二三四五六七八九]+)?")
_MAX_RUN = 24


def chinese_value(run: str) -> int | None:
    """Give the whole number that Chinese numerals write; None if they write none."""
    if not run or len(run) > _MAX_RUN:
        return None
    if all(char in _CHINESE_DIGIT for char in run):
        return int("".join(str(_CHINESE_DIGIT[char]) for char in run))
    run = run.replace("廿", "二十").replace("卅", "三十")
    total = section = 0
    digit: int | None = None
    for i, char in enumerate(run):
        if char in _CHINESE_DIGIT:
            if digit:
                return None
            digit = _CHINESE_DIGIT[char]
        elif char in _SMALL:
            if digit is None and char != "十":
                return None
            section += (1 if digit is None else digit) * _SMALL[char]
            digit = None
        elif i == 0:
            return None
        else:
            section += digit or 0
            total = total + section * 10_000 if char == "万" else (total + section) * 100_000_000
            section, digit = 0, None
    return total + section + _last_digit(run, digit)


def _last_digit(run: str, digit: int | None) -> int:
    # 两万五 is 25,000, 两万零五 is 20,005.
    if digit and run[-2] in _UNITS_OF_LAST:
        return digit * _UNITS_OF_LAST[run[-2]]
    return digit or 0


def read_chinese(text: str, start: int) -> Numeral | None:
    """Read the Chinese numerals that begin at a place, final 万 and 亿 left to the multiplier."""
    found = _CHINESE_RUN.match(text, start)
    if found is None:
        return None
    whole, _, decimals = found[0].partition("点")
    kept = whole if decimals else whole.rstrip("万亿")
    if kept[-1:] in ("百", "千") and text.startswith(_UNIT_TAILS, found.end()):
        kept = kept[:-1]  # 千 of 千瓦 and 百 of 百分点 belong to the unit
    value = chinese_value(kept)
    if value is None:
        return None
    if decimals:
        part = "".join(str(_CHINESE_DIGIT[char]) for char in decimals)
        number = Decimal(f"{value}.{part}")
        return Numeral(start, found.end(), number, len(part) + 1, Decimal(1).scaleb(-len(part)))
    digits = len(str(value).rstrip("0")) or 1
    return Numeral(start, start + len(kept), Decimal(value), digits, Decimal(1))


_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = {word: i for i, word in enumerate(_ONES)} | {
    word: 10 * i for i, word in enumerate(_TENS, 2)
}
_ONE = "|".join(_ONES[1:10])
_BELOW = f"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{_ONE}))?|{'|'.join(reversed(_ONES))})"
_WORDS = re.compile(
    rf"(?:({_BELOW})[ -]hundred(?: and ({_BELOW})| ({_BELOW}))?|({_BELOW})|(dozen))(?![A-Za-z])",
    re.IGNORECASE,
)


def _below_hundred(words: str | None) -> int:
    return sum(WORDS[word] for word in re.split("[- ]", words.lower())) if words else 0


def read_words(text: str, start: int) -> Numeral | None:
    """Read the English number words that begin at a place, up to the hundreds."""
    found = _WORDS.match(text, start)
    if found is None:
        return None
    hundreds, joined, rest, small, dozen = found.groups()
    if dozen:
        value = 12
    elif hundreds:
        value = 100 * _below_hundred(hundreds) + _below_hundred(joined or rest)
    else:
        value = _below_hundred(small)
    return Numeral(start, found.end(), Decimal(value), len(str(value)), Decimal(1))
