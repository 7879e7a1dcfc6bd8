"""The numbers of a quote and of its passage, for the number guard.

The guard asks whether the same numbers are written, so what multiplies them, superscripts and
numbers in words belong to them; amounts are compared elsewhere, in ``sources.quantities``.
"""

import re
from collections import Counter

_CHINESE = "零〇一二三四五六七八九十百千万亿两"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    "|hundred|thousand|million|billion|trillion"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = re.compile(
    # Digits also inside a word (my6sense), with what multiplies them.
    r"(?P<sign>(?<![^\s(\[<>=~])-)?(?P<digits>\d+(?:[.,]\d+)*)"
    r"(?P<times>\s?(?:[十百千]?[万亿]亿?|千|百)|\s?(?:thousand|million|billion|trillion|bn)\b)?"
    # Superscripts, fractions, circled and Roman numbers: as they are.
    r"|(?P<other>[²³¹⁰-⁹₀-₉¼-¾⅐-ↈ①-⓿❶-➓]+)"
    # 一 alone is mostly no number (一直, 一带一路).
    rf"|(?P<chinese>百分之[{_CHINESE}点]+|[{_CHINESE}]{{2,}}(?:点[{_CHINESE}]+)?)"
    # "one" alone is mostly a pronoun; the hyphen of twenty-five may have been folded away.
    rf"|\b(?P<word>(?:{_TENS})[-\s]?(?:{_ONES})?|{_TEENS}|{_ONES.removeprefix('one|')})\b"
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def number_values(folded: str) -> Counter[str]:
    """Count the numbers of a folded text by their value; 1,000 and 1000 are one value."""
    return Counter(_value(match) for match in _NUMBER.finditer(folded))


def _value(match: re.Match[str]) -> str:
    if match["digits"] is None:
        return match[0]
    figure = match["digits"]
    if _GROUPED.fullmatch(figure):
        figure = figure.replace(",", "")
    whole, point, decimals = figure.partition(".")
    if "." not in decimals and "," not in figure:
        whole = whole.lstrip("0") or "0"
        decimals = decimals.rstrip("0")
        figure = f"{whole}.{decimals}" if point and decimals else whole
    return f"{match['sign'] or ''}{figure}{(match['times'] or '').strip()}"
