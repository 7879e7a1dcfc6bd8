"""Step 2.5, ``same_source_contradiction``: one origin, two opposite statements. Pure.

Rulebook section 5. Both stay, both are flagged. Origins are named bodies, authors of data and hosts
of publishers; statements are sentences that speak of the same thing and differ in their direction
or in a figure of the same kind.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from sources.quantities import Quantity, parse_quantities
from sources.quantities.compare import compare
from sources.scoring.names import place_of
from sources.sentences import split
from sources.terms import is_number, terms
from workbench.lib.texts import Text

from .base import CleaningStep, Conflict, ConflictKind, Context, Item, Items, StepExample
from .normal import plain
from .starter import AGGREGATORS, SELF_MEDIA

READ = 4_000  # characters of a text that are looked at
ALIKE = 0.5  # share of the shorter statement's terms that two of the same thing have in common
_BEFORE = 24  # characters before a word in which it may be denied
_MOST_STATEMENTS = 8  # of one item
_MOST_PAIRS = 20_000  # that are compared under one origin
_FEWEST_TERMS = 2  # that two statements must share

# "据Gartner报告", "MIT研究显示", "according to Gartner", "a study by MIT", "Gartner said".
_WORD = r"[A-Z][A-Za-z0-9&.-]*"
_LATIN_BODY = rf"(?P<name>{_WORD}(?: (?:of |and |for |the )?{_WORD}){{0,4}})"
_BODIES = (
    "大学", "学院", "研究院", "研究所", "科学院", "医院", "协会", "学会", "委员会", "统计局",
    "总局",
    "药监局", "卫健委", "证券", "银行", "咨询", "公司", "集团", "机构", "基金会", "实验室", "中心",
    "智库",
)  # fmt: skip
_HAN_BODY = rf"(?P<name>[\u4e00-\u9fff]{{2,12}}?(?:{'|'.join(_BODIES)}))"
_SAYS = (
    r"\s?的?(?:最新)?(?:一项)?(?:研究|报告|数据|调查|调研|统计|论文|预测|白皮书|表示|指出|认为"
    r"|预计|发布"
    r"|称|显示|发现)"
)
_HAN_ORIGINS = tuple(
    re.compile(pattern)
    for pattern in (rf"(?:据|根据|来自)\s?{_HAN_BODY}", rf"(?<![\u4e00-\u9fff]){_HAN_BODY}{_SAYS}")
)
_LATIN_ORIGINS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:据|根据|来自)\s?{_LATIN_BODY}",
        rf"{_LATIN_BODY}{_SAYS}",
        r"\b(?:[Aa]ccording to|(?:study|report|data|survey|research|analysis|forecast|figures)"
        rf" (?:by|from|of)) (?:the )?{_LATIN_BODY}",
        rf"{_LATIN_BODY} (?:researchers?|study|report|data|survey|analysts?|scientists?|said|says"
        r"|found|finds|reported|reports|estimates?|estimated|predicts?|forecasts?|projects)\b",
    )
)
_NO_BODIES = """
    the this that these those a an our their his her its new study report data research survey
    analysis we they it he she in on at by for although however but researchers scientists experts
"""
_NO_BODY = frozenset(_NO_BODIES.split())

_UP = (
    "提升", "提高", "增长", "上升", "增加", "扩大", "上涨", "加快", "增强", "改善", "促进", "利好",
    "有效",
    "有益", "优于", "超过预期", "支持", "看好", "安全", "可行", "成功", "increase", "rise", "rose",
    "rising",
    "grow", "grew", "growth", "improve", "boost", "enhance", "gain", "accelerat", "effective",
    "beneficial", "benefit", "superior", "outperform", "succe", "support", "safe", "raises",
    "higher",
)  # fmt: skip
_DOWN = (
    "降低", "下降", "减少", "下滑", "萎缩", "缩小", "下跌", "放缓", "削弱", "恶化", "抑制", "利空",
    "无效", "有害",
    "不及", "低于预期", "反对", "看空", "不安全", "不可行", "失败", "损害", "decrease", "decline",
    "fall", "fell",
    "falling", "drop", "reduc", "shrink", "shrank", "worsen", "weaken", "lower", "ineffective",
    "harm",
    "inferior", "underperform", "fail", "oppose", "unsafe", "slow", "hinder", "impair", "hurt",
)  # fmt: skip
_NOT = re.compile(
    r"(?:不|没有|并未|未能|未|无|难以|并不|不会|无法)(?:能|会|是|显著|明显|有效)?\s?$"
    r"|\b(?:no|not|never|without|fail(?:s|ed)? to|does not|did not|doesn['’]t|didn['’]t|cannot"
    r"|hardly)"
    r"(?:\s\w+){0,2}\s$",
    re.IGNORECASE,
)
_COMPARED = frozenset({"percent", "percentage_point", "currency", "measure", "number"})


@dataclass(slots=True)
class _Statement:
    """A sentence that says where something goes, or how much it is."""

    item: int  # place in the list
    sentence: str
    direction: int  # 1 up, -1 down, 0 neither
    words: frozenset[str]
    _amounts: tuple[tuple[Quantity, ...], frozenset[int]] | None = None

    def amounts(self) -> tuple[tuple[Quantity, ...], frozenset[int]]:
        """Give its figures, and the years that it names; read when they are asked for."""
        if self._amounts is None:
            has_digit = _HAS_DIGIT.search(self.sentence) is not None
            found = parse_quantities(self.sentence) if has_digit else ()
            figures = (each for each in found if each.kind in _COMPARED and each.value is not None)
            years = frozenset(each.year for each in found if each.year)
            self._amounts = tuple(figures), years
        return self._amounts


def same_source_contradiction(items: Items, context: Context) -> Items:
    """Flag both items of each pair under one origin that say opposite things."""
    groups: dict[str, dict[int, str]] = defaultdict(dict)
    for at, item in enumerate(items):
        if item.is_kept:
            for key, name in _origins(item):
                groups[key].setdefault(at, name)
    found: dict[tuple[int, int], Conflict] = {}
    said: dict[int, list[_Statement]] = {}
    for members in groups.values():
        if len(members) < 2:
            continue
        for at in members:
            if at not in said:
                said[at] = _statements(at, items[at])
        for left, right, kind in _contradicting([s for at in members for s in said[at]]):
            pair = (min(left, right), max(left, right))
            found.setdefault(pair, Conflict(pair[1], members[pair[0]], kind))
    return _flagged(items, found)


def _flagged(items: Items, found: dict[tuple[int, int], Conflict]) -> Items:
    changed = list(items)
    for (left, right), conflict in found.items():
        for at, other in ((left, right), (right, left)):
            one = replace(conflict, other=items[other].number)
            item = changed[at].flagged("same_source_contradiction")
            changed[at] = item._replace(conflicts=(*item.conflicts, one))
    return tuple(changed)


def _origins(item: Item) -> Iterator[tuple[str, str]]:
    """Give the bodies that an item rests on, folded and as written, and its own host."""
    text = f"{item.title}\n{plain(item.text[:READ])}"
    for name in _named(text):
        words = name.casefold().split()
        while words and words[0] in _NO_BODY:
            words.pop(0)
        if words and len("".join(words)) > 1:
            kept = name[len(name) - len(" ".join(words)) :]
            yield "body:" + "".join(words), kept
    host, _path = place_of(item.url)
    if host and host not in AGGREGATORS and host not in SELF_MEDIA:
        yield "host:" + host, host


def _named(text: str) -> Iterator[str]:
    patterns = _LATIN_ORIGINS if _CAPITAL.search(text) else ()
    if any(map(text.__contains__, _BODIES)):
        patterns += _HAN_ORIGINS
    for pattern in patterns:
        for found in pattern.finditer(text):
            yield found["name"].strip(" .")


_CAPITAL = re.compile(r"[A-Z]")


def _statements(at: int, item: Item) -> list[_Statement]:
    text = plain(item.text)[:READ]
    folded = text.lower()
    ways = [(word, sign) for word, sign in _WAYS if word in folded]
    if not ways and not _HAS_DIGIT.search(text):
        return []
    made: list[_Statement] = []
    for start, end in split(text):
        sentence = text[start:end]
        direction, rest = _direction(sentence.lower(), ways)
        if not direction and not _HAS_DIGIT.search(sentence):
            continue
        words = frozenset(term for term in terms(rest) if not is_number(term))
        made.append(_Statement(at, sentence, direction, words))
        if len(made) == _MOST_STATEMENTS:
            break
    return made


_HAS_DIGIT = re.compile(r"\d")
# The longer of two words that begin alike comes first.
_WAYS = sorted(
    [(word, 1) for word in _UP] + [(word, -1) for word in _DOWN], key=lambda way: -len(way[0])
)


def _direction(folded: str, ways: list[tuple[str, int]]) -> tuple[int, str]:
    """Give where a sentence points, and the sentence without the words that told."""
    total = 0
    for word, sign in ways:
        at = folded.find(word)
        while at >= 0:
            end = at + len(word)
            if not word.isascii() or not folded[at - 1 : at].isalpha():
                turned = _NOT.search(folded[max(0, at - _BEFORE) : at]) is not None
                total += -sign if turned else sign
                while word.isascii() and folded[end : end + 1].isalpha():
                    end += 1
                folded = folded[:at] + " " * (end - at) + folded[end:]
            at = folded.find(word, end)
    return (total > 0) - (total < 0), folded


def _contradicting(said: list[_Statement]) -> Iterator[tuple[int, int, ConflictKind]]:
    for left, right in _likely(said):
        if left.item == right.item:
            continue
        shared = left.words & right.words
        if len(shared) < _FEWEST_TERMS:
            continue
        if len(shared) < ALIKE * min(len(left.words), len(right.words)):
            continue
        (ours, years), (theirs, others) = left.amounts(), right.amounts()
        if years and others and not years & others:
            continue
        if left.direction * right.direction < 0:
            yield left.item, right.item, "direction"
        elif _differ(left, right, ours, theirs):
            yield left.item, right.item, "numbers"


def _likely(said: list[_Statement]) -> Iterator[tuple[_Statement, _Statement]]:
    """Give pairs that share a term; of a large origin only those that share a rare one."""
    if len(said) * (len(said) - 1) // 2 <= _MOST_PAIRS:
        yield from combinations(said, 2)
        return
    by_term: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(said):
        for word in each.words:
            by_term[word].append(at)
    seen: set[tuple[int, int]] = set()
    for places in sorted(by_term.values(), key=len):
        if len(places) > 50 or len(seen) >= _MOST_PAIRS:
            break
        for pair in combinations(places, 2):
            if pair not in seen:
                seen.add(pair)
                yield said[pair[0]], said[pair[1]]


def _differ(
    left: _Statement,
    right: _Statement,
    ours: tuple[Quantity, ...],
    theirs: tuple[Quantity, ...],
) -> bool:
    """Tell whether two statements of the same thing have one figure of one kind that differs."""
    if len(ours) != len(theirs) or not ours:
        return False
    differs = False
    for one, other in zip(ours, theirs, strict=True):
        if one.kind != other.kind or one.unit != other.unit:
            return False
        match = compare(one, other)
        if match is None:
            return False
        differs = differs or match.relation == "different"
    words = left.words | right.words
    return differs and len(left.words & right.words) >= 0.6 * len(words)


CONTRADICTION = CleaningStep(
    "same_source_contradiction",
    "2.5",
    1,
    Text("Look for one source that says opposite things", "同源矛盾检测"),
    Text(
        "Items that rest on the same institution, author of data or publisher, and of which two "
        "sentences about the same thing point in opposite directions or give other figures. None "
        "is dropped and none is merged: both get the flag and a note, and a warning names them. "
        "Sentences about other years are not compared.",
        "同一机构、数据源或发布者的两条证据，就同一事项结论方向相反或数据不一致时，"
        "双方均保留且不合并，"
        "同时加标记、说明与警告；涉及不同年份的句子不作比较。",
    ),
    same_source_contradiction,
    (
        StepExample(
            "AI 工具",
            (
                {"snippet": "MIT研究显示，AI编程工具使开发者效率提升26%。"},
                {"snippet": "MIT研究显示，AI编程工具使开发者效率下降19%。"},
                {"snippet": "据Gartner预测，2025年AI芯片市场规模为710亿美元。"},
                {"snippet": "据Gartner预测，2025年AI芯片市场规模为920亿美元。"},
                {"snippet": "据IDC预测，2025年AI芯片市场规模为800亿美元。"},
            ),
            (
                "kept: MIT研究显示，AI编程工具使开发者效率提升26%。 (same_source_contradiction)",
                "kept: MIT研究显示，AI编程工具使开发者效率下降19%。 (same_source_contradiction)",
                "kept: 据Gartner预测，2025年AI芯片市场规模为710亿美元。 "
                "(same_source_contradiction)",
                "kept: 据Gartner预测，2025年AI芯片市场规模为920亿美元。 "
                "(same_source_contradiction)",
                "kept: 据IDC预测，2025年AI芯片市场规模为800亿美元。",
            ),
        ),
    ),
)
