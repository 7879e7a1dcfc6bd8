"""The number values of a text as written: what the number guard of quotes compares."""

import re
from collections import Counter

from sources.quantities.amounts import writes_amount
from sources.quantities.numerals import CHINESE, fold, plain, read_chinese

# No groups set apart by spaces here: white space folds in quotes, and "5 100" on two lines would
# then be another number than on one.
_VALUE = re.compile(
    r"(?P<group>[0-9]{1,3}(?:,[0-9]{3}){1,9}(?![0-9])(?:\.[0-9]+)?)"
    r"|(?P<continental>[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,6},[0-9]+(?![0-9,.]))"
    r"|(?P<digits>[0-9]+(?:\.[0-9]+)?)"
    rf"|(?P<chinese>[{CHINESE}]+(?:点[〇零一二三四五六七八九]+)?)"
)


def number_values(text: str) -> Counter[str]:
    """Count the number values of a text as written: "1,204" and "１２０４" are "1204".

    Digits inside names count too (COVID-19), since changing one changes the quote. Signs, units
    and multipliers do not: 12亿 is "12". English number words are left to ``parse_quantities``.
    Text.md section 2, number guard.
    """
    text = fold(text)
    values: Counter[str] = Counter()
    for found in _VALUE.finditer(text):
        kind = found.lastgroup
        if kind == "chinese":
            start, end = found.span()
            figure = read_chinese(text, start) if writes_amount(text, start, end) else None
            if figure is not None:
                values[_normal(str(figure.value))] += 1
        elif kind == "continental":
            values[_normal(str(plain(found[0])))] += 1
        else:
            values[_normal(found[0].replace(",", ""))] += 1
    return values


def _normal(figure: str) -> str:
    if "." in figure:
        figure = figure.rstrip("0").rstrip(".")
    if len(figure) > 1 and figure[0] == "0":
        figure = figure.lstrip("0") or "0"
        return f"0{figure}" if figure[0] == "." else figure
    return figure
