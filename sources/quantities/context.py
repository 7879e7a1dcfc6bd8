"""Words around a figure that change what it says: comparators, approximation, direction, names."""

import re
from typing import Literal, NamedTuple

from sources.quantities.model import Comparator

_GE = (
    "no less than|no fewer than|not less than|at least|a minimum of|minimum of"
    "|不低于|不少于|不小于|至少|最少|大于等于|≥|>="
)
_LE = (
    "no more than|not more than|at most|up to|a maximum of|as many as|as much as"
    "|不超过|不高于|不多于|不大于|至多|最多|最高|小于等于|≤|<="
)
_GT = (
    "more than|greater than|higher than|larger than|upwards of|in excess of|exceeding|exceeded"
    "|exceeds|exceed|surpassing|surpassed|surpasses|surpass|topping|topped|above|over"
    "|超过了|超过|突破|高于|大于|多于|超出|逾|超|>"
)
_LT = (
    "fewer than|less than|lower than|smaller than|under|below|低于|少于|小于|不足|不到|未满|未达|<"
)
_APPROX = (
    "approximately|approx|roughly|around|about|nearly|almost|circa|ca|close to|an estimated"
    "|estimated|some|大约为|大约|约为|约合|约有|约占|约|接近|将近|近|大概|大致|差不多|~|≈"
)


def _side(words: str) -> str:
    parts = words.split("|")
    latin = "|".join(re.escape(p) for p in parts if p[0].isascii() and p[0].isalpha())
    other = "|".join(re.escape(p) for p in parts if not (p[0].isascii() and p[0].isalpha()))
    return rf"\b(?i:{latin})\b\.?|{other}" if latin else other


_BEFORE = re.compile(
    rf"(?:(?P<ge>{_side(_GE)})|(?P<le>{_side(_LE)})|(?P<gt>{_side(_GT)})|(?P<lt>{_side(_LT)})"
    rf"|(?P<approx>{_side(_APPROX)})|(?P<eq>=|[Ii]s|为|was|of))\s*$"
)
_AFTER = re.compile(
    r"\s?(?:(?P<ge>(?:及|或)?以上|\+(?![0-9])|or (?:more|higher|older|greater|above)"
    r"|and (?:above|over|older))"
    r"|(?P<le>(?:及|或)?以下|以内|or (?:less|fewer|lower|below))"
    r"|(?P<gt>[余多](?=[\u4e00-\u9fff])(?![元边年数方种样次]))"
    r"|(?P<approx>左右|上下|or so\b))"
)
_SIGNS: dict[str, Comparator] = {"ge": ">=", "le": "<=", "gt": ">", "lt": "<"}
_WINDOW = 28


class Around(NamedTuple):
    """What the words next to a figure say of it."""

    start: int
    end: int
    comparator: Comparator
    approximate: bool


def around(text: str, start: int, end: int, floor: int) -> Around:
    """Read comparator and approximation before and after a span, not before ``floor``."""
    comparator: Comparator = "="
    approximate = False
    for _ in range(3):
        left = max(floor, start - _WINDOW)
        found = _BEFORE.search(text[left:start])
        if found is None or found.lastgroup is None:
            break
        if found.lastgroup == "approx":
            approximate = True
        elif found.lastgroup in _SIGNS and comparator == "=":
            comparator = _SIGNS[found.lastgroup]
        elif found["eq"] != "=":
            break
        start = left + found.start()
    after = _AFTER.match(text, end)
    if after is not None and after.lastgroup is not None:
        end = after.end()
        if after.lastgroup == "approx":
            approximate = True
        elif comparator == "=":
            comparator = _SIGNS[after.lastgroup]
    return Around(start, end, comparator, approximate)


_NAMES = (
    ("HR", r"hazard ratio|(?<![A-Za-z])a?HR|风险比|危险比"),
    ("OR", r"odds ratio|(?<![A-Za-z])a?OR(?![A-Za-z])|比值比|优势比"),
    ("RR", r"relative risk|risk ratio|(?<![A-Za-z])RR|相对危险度|相对风险"),
    ("IRR", r"incidence rate ratio|(?<![A-Za-z])IRR"),
    ("SMD", r"standardi[sz]ed mean difference|(?<![A-Za-z])SMD"),
    ("AUC", r"area under the curve|(?<![A-Za-z])AUROC|(?<![A-Za-z])AUC|曲线下面积"),
    ("IF", r"impact factor|(?<![A-Za-z])IF|影响因子"),
    ("IQR", r"interquartile range|(?<![A-Za-z])IQR|四分位距|四分位间距"),
    ("SD", r"standard deviation|(?<![A-Za-z])SD|标准差"),
    ("CI", r"confidence interval|(?<![A-Za-z])CI(?![A-Za-z])|置信区间"),
    ("BMI", r"body mass index|(?<![A-Za-z])BMI|体重指数"),
)
_NAME = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _NAMES))
_NAME_LINK = re.compile(r"[,:=\s(\[]*(?:was|is|of|为|是)?[\s=:,]*\Z")
_NAME_OF = re.compile(r"(?: for [a-z -]{1,40}| of [a-z -]{1,30})?[^0-9;.。；]{0,14}\Z")
_P_VALUE = re.compile(
    r"(?<![A-Za-z])[Pp](?:[- ]?values?| ?值)?(?: for [a-z]+)?\s?(?:was|of|为)?"
    r"\s?(<=|>=|[<>=≤≥])\s?\Z"
)
_P_SIGNS: dict[str, Comparator] = {
    "<": "<", ">": ">", "=": "=", "≤": "<=", "≥": ">=", "<=": "<=", ">=": ">="
}  # fmt: skip


def _last(pattern: re.Pattern[str], text: str, start: int = 0) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text, start):
        found = match
    return found


def name_before(text: str, start: int, floor: int) -> tuple[str, int]:
    """Give the statistic named before a figure, and where its span may begin; "" for none."""
    left = max(floor, start - 64)
    window = text[left:start]
    last = _last(_NAME, window)
    if last is None or last.lastgroup is None:
        return "", start
    rest = window[last.end() :]
    if _NAME_LINK.match(rest):
        return last.lastgroup, left + last.start()
    return (last.lastgroup, start) if _NAME_OF.match(rest) else ("", start)


def p_value_before(text: str, start: int, floor: int) -> tuple[Comparator, int] | None:
    """Give the comparator of a p-value whose figure begins at a place, and its own begin."""
    left = max(floor, start - 28)
    found = _P_VALUE.search(text[left:start])
    return (_P_SIGNS[found[1]], left + found.start()) if found else None


_UP = (
    r"\b(?:rose|risen|ris(?:e|es|ing)|increas\w{0,4}|grew|grow(?:n|s|th|ing)?|gain(?:s|ed)?|climb\w{0,3}"
    r"|jump\w{0,3}|surg(?:e|ed|es|ing)|soar\w{0,3}|higher|up(?! to))\b"
    r"|增长|增加|增至|增幅|上升|上涨|涨幅|升至|升高|提高|提升|攀升|扩大"
)
_DOWN = (
    r"\b(?:fell|fall(?:s|en|ing)?|declin\w{0,3}|decreas\w{0,3}|drop(?:s|ped|ping)?|reduc\w{0,4}|down|lower(?:s|ed|ing)?"
    r"|cut(?:s|ting)?|shr[aiu]nk\w{0,3}|plung\w{0,3}|slump\w{0,3}|slid)\b"
    r"|下降|减少|减至|降至|降低|降幅|下跌|跌幅|跌至|下滑|缩减|萎缩|回落|缩短"
)
_DIRECTION = re.compile(f"(?P<up>{_UP})|(?P<down>{_DOWN})", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:，。；：！？!?\n]|\.\s| and | while | but |而|但")
_FOLLOWING = re.compile(
    r"[ -]?(?:的|year-on-year |yoy |annual |relative |absolute )?"
    rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))",
    re.IGNORECASE,
)


def direction(text: str, start: int, end: int, floor: int) -> Literal["", "up", "down"]:
    """Tell whether the clause says that a figure is a rise or a fall; "" if it says neither."""
    window = text[max(floor, start - 40) : start]
    begin = 0
    for stop in _CLAUSE.finditer(window):
        begin = stop.end()
    found = _last(_DIRECTION, window, begin) or _FOLLOWING.match(text, end)
    if found is None:
        return ""
    return "up" if found["up"] else "down"
