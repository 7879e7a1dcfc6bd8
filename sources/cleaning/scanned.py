"""What scanning does to text: gaps, pictures, set-apart letters, wrong signs. Pure.

Rulebook section 5, step 5. Gaps and pictures are marked, set-apart signs are joined, a sign that
may be wrong is marked and its proposal goes to a person.
"""

import re
from typing import NamedTuple

from sources.terms import CJK

from .base import Proposal
from .words import CHART_NOT_EXTRACTED, OCR_FRAGMENT, OCR_POSSIBLE_ERROR

_MOST = 20  # proposals for one text

_GAP = re.compile(
    rf"(?:[□■▢▯◻◼█▇]\s?){{2,}}|(?<=[{CJK}])[□■▢▯◻]|\[(?:illegible|unreadable|\?{{2,}})\]"
    rf"|[（(【\[](?:字迹(?:模糊|不清)|无法识别|缺字|此处(?:模糊|缺失))[）)】\]]"
    rf"|(?<=[{CJK}\w])\s?\?{{3,}}\s?(?=[{CJK}\w])",
    re.IGNORECASE,
)
_CHART = re.compile(
    r"[（(【\[<]\s*(?:(?:此处(?:为|是)?)?(?:图表?|图片|图像|表格|插图|示意图|柱状图|折线图"
    r"|饼图)\s*[\d.-]{0,6}\s*(?:略|缺失|未识别|无法识别)?"
    r"|chart|figure|image|graph|picture|table|diagram)\s*[\d.-]{0,6}\s*(?:omitted|here"
    r"|not (?:shown|available|extracted))?\s*[）)】\]>]"
    r"|!\[[^\]\n]{0,80}\]\([^)\n]{0,200}\)",
    re.IGNORECASE,
)
_APART = re.compile(rf"(?<![{CJK}])(?:[{CJK}] ){{3,}}(?=[{CJK}])")
_MAY_BE_LOST = re.compile(r"[□■▢▯◻◼█▇(（【\[<]|\?{3}")
_MAY_BE_WRONG = re.compile(r"\d[OolI]|[OolI][\d.,]|\brn|[a-z]1[a-z]")
_HYPHEN = re.compile(r"(?<=[a-z]{2})-\n(?=[a-z]{2})")
# Letters among digits: "2O24", "l5.3%", "1O,000". "10l" is ten litres, "O2" is oxygen.
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9.,])(?=[\d.,]*[OolI])(?=[OolI.,]*\d)[\dOolI]+(?:[.,][\dOolI]+)*(?![A-Za-z0-9])"
)
_BARS = re.compile("[lI]")
_LOOKS_LIKE = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1"})
# Words in which "m" was read as "rn", or "l" as "1".
_LETTERS = re.compile(r"\b(?:rn[a-z]{3,}|[a-z]{2,}1[a-z]{2,})\b")
_KNOWN_WORDS = """
    model models market markets medical medicine method methods material materials month months
    more most million manufacturing management clinical control global results total include
    including policy people alliance
    """
_WORDS = frozenset(_KNOWN_WORDS.split())


class Scanned(NamedTuple):
    """A text with its marks, and what a person may correct."""

    text: str
    marked: bool
    joined: bool
    gaps: int
    proposals: tuple[Proposal, ...]


def mend(text: str) -> Scanned:
    """Mark what scanning lost, join what it set apart."""
    joined = text
    if not text.isascii() and " " in text:
        joined = _APART.sub(lambda run: run[0].replace(" ", ""), joined)
    if "-\n" in text:
        joined = _HYPHEN.sub("", joined)
    marked, gaps, charts = joined, 0, 0
    if _MAY_BE_LOST.search(joined):
        marked, gaps = _GAP.subn(OCR_FRAGMENT, joined)
        marked, charts = _CHART.subn(CHART_NOT_EXTRACTED, marked)
    proposals: list[Proposal] = []

    def doubt(found: re.Match[str]) -> str:
        instead = _instead(found[0])
        ends = found.string.startswith(OCR_POSSIBLE_ERROR, found.end())
        if not instead or (len(proposals) == _MOST and not ends):
            return found[0]
        proposals.append(Proposal("ocr", found[0], instead))
        return found[0] if ends else found[0] + OCR_POSSIBLE_ERROR

    if _MAY_BE_WRONG.search(marked):
        marked = _LETTERS.sub(doubt, _DIGITS.sub(doubt, marked))
    done = bool(gaps or charts or proposals)
    return Scanned(marked, done, joined != text, gaps, tuple(proposals))


def _instead(found: str) -> str:
    """Give what a doubtful word may be; empty where it is none."""
    if found[0] in "rabcdefghijkmnopqstuvwxyz" and found[-1].isalpha() and found.islower():
        likely = "m" + found[2:] if found.startswith("rn") else found.replace("1", "l")
        return likely if likely in _WORDS else ""
    if len(found) < 3 or found[-1] in "lI" or found.startswith("I"):
        return ""
    digits = sum(map(str.isdigit, found))
    if digits * 2 < len(found) - found.count(".") - found.count(",") and _BARS.search(found):
        return ""
    return found.translate(_LOOKS_LIKE)
