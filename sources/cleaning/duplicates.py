"""Step 3, ``dedupe``: equal and nearly equal items, one event in many reports, reprints. Pure.

Rulebook section 5. Near-duplicates are found as text.md section 6 measured: RapidFuzz within
lengths for few, MinHash proposing and RapidFuzz judging for many. Two texts that are alike but
give different figures say different things and stay apart.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import lru_cache

from rapidfuzz import fuzz

from sources.clustering.near import THRESHOLD, Forest, fold, near_pairs
from sources.clustering.reprints import names_body, reprint_lines
from sources.scoring.dates import Published, published_on
from sources.scoring.names import place_of
from sources.terms import terms
from workbench.lib.texts import Text

from .base import CleaningStep, Context, Item, Items, StepExample
from .markup import weigh
from .normal import plain
from .reliability import rated, reprint_of

FEW = 60  # texts up to which each is compared with each
LEAST = 16  # weight of a text that can be nearly equal to another; ideographs count twice
EVENT_DAYS = 3  # between two reports of one event
_TITLE_LEAST = 16  # weight of a title that tells an event
_EVENT_TERMS = 0.3  # share of terms that two reports of one event have in common
_DATE = re.compile(
    r"\d{4}\s?[-/.年]\s?\d{1,2}(?:\s?[-/.月]\s?\d{1,2}\s?日?)?|\d{1,2}\s?月\s?\d{1,2}\s?日"
    r"|\d{1,2}:\d{2}"
    r"|\b(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)[a-z]* \d{1,4}(?:, \d{4})?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# What sites add to their titles: "… - Reuters", "…_新浪财经".
_DIVIDER = re.compile("[|｜_–—·•]| - ")
_SITE = re.compile(r"\s*(?:[|｜_]|\s[-–—·•]\s)\s*[^|｜_–—]{1,30}$")


def dedupe(items: Items, context: Context) -> Items:
    """Keep the best of each group of equal items; the others are dropped, and it names them."""
    work = tuple(rated(item, context) if item.is_kept else item for item in items)
    kept = {at: item for at, item in enumerate(work) if item.is_kept}
    apart = {(item.number, each.other) for item in kept.values() for each in item.conflicts}
    texts = {at: _compared(item) for at, item in kept.items()}

    def allowed(left: int, right: int) -> bool:
        one, other = kept[left], kept[right]
        if (one.number, other.number) in apart:
            return False
        return not _conflict(_numbers(one.text), _numbers(other.text))

    forest = Forest()
    for left, right in _equal(kept, texts):
        forest.join(left, right)
    heads = {forest.root(at): texts[at] for at in sorted(kept, reverse=True)}
    for pair in near_pairs(heads, allowed, min_length=LEAST, most_copies=len(heads), few=FEW):
        forest.join(pair.first, pair.second)
    for left, right in _events(kept, allowed):
        forest.join(left, right)
    groups: dict[int, list[int]] = defaultdict(list)
    for at in kept:
        groups[forest.root(at)].append(at)
    changed = list(work)
    for members in groups.values():
        if len(members) > 1:
            _merge(members, kept, texts, apart, changed)
    return tuple(changed)


def _compared(item: Item) -> str:
    """Give a text to compare by, without the line that says whose it is."""
    text = plain(item.text)
    line = reprint_of(item)
    return fold(text.replace(line, " ", 1) if line else text)


@lru_cache(maxsize=20_000)
def _folded_title(title: str) -> str:
    """Give a title to compare by, without the name of the site behind it."""
    return fold(_SITE.sub("", title[:500]) if _DIVIDER.search(title) else title)


def _equal(kept: Mapping[int, Item], texts: Mapping[int, str]) -> Iterable[tuple[int, int]]:
    """Give pairs with the same title and text, or the same address and text."""
    first: dict[tuple[str, str], int] = {}
    many = Counter(texts.values())
    for at, item in kept.items():
        if not texts[at]:
            continue
        if many[texts[at]] == 1:
            continue
        keys = [f"title {fold(plain(item.title))}"]
        keys += [f"url {item.url.strip()}"] if item.url.strip() else []
        for key in keys:
            head = first.setdefault((key, texts[at]), at)
            if head != at:
                yield head, at


def _events(
    kept: Mapping[int, Item], allowed: Callable[[int, int], bool]
) -> Iterable[tuple[int, int]]:
    """Give pairs of reports of one event: one title, within days, of the same things."""
    by_title: dict[str, list[int]] = defaultdict(list)
    for at, item in kept.items():
        title = _folded_title(item.title)
        if weigh(title) >= _TITLE_LEAST:
            by_title[title].append(at)
    for members in by_title.values():
        if len(members) < 2:
            continue
        head = members[0]
        mine = frozenset(terms(plain(kept[head].text)[:4_000]))
        for at in members[1:]:
            theirs = frozenset(terms(plain(kept[at].text)[:4_000]))
            shared = len(mine & theirs)
            alike = shared >= _EVENT_TERMS * max(1, min(len(mine), len(theirs)))
            if alike and _days(kept[head], kept[at]) <= EVENT_DAYS and allowed(head, at):
                yield head, at


def _merge(
    members: list[int],
    kept: Mapping[int, Item],
    texts: Mapping[int, str],
    apart: set[tuple[int, int]],
    changed: list[Item],
) -> None:
    """Let the best one stand for the others, as far as each is alike to it."""
    while len(members) > 1:
        best = _best(members, kept)
        one = kept[best]
        copies = [
            at
            for at in members
            if at != best
            and (one.number, kept[at].number) not in apart
            and _stands_for(texts[best], texts[at], one, kept[at])
        ]
        for at in copies:
            changed[at] = changed[at].dropped("duplicate", str(one.number))
        merged = tuple(sorted({*one.merged, *(kept[at].number for at in copies)}))
        changed[best] = changed[best]._replace(merged=merged)
        members = [at for at in members if at != best and at not in copies]


def _stands_for(mine: str, theirs: str, one: Item, other: Item) -> bool:
    if mine == theirs or _title(one) == _title(other) != "":
        return True
    return fuzz.ratio(mine, theirs, score_cutoff=THRESHOLD) > THRESHOLD


def _title(item: Item) -> str:
    title = _folded_title(item.title)
    return title if weigh(title) >= _TITLE_LEAST else ""


def _best(members: list[int], kept: Mapping[int, Item]) -> int:
    """Give the one to keep: the original of a chain of reprints, else the richest."""
    lines = {at: reprint_of(kept[at]) for at in members}
    chain = any(lines.values())

    def order(at: int) -> tuple[object, ...]:
        item = kept[at]
        named = chain and any(
            line and names_body(_name(line), host=place_of(item.url)[0], venue="",
                                title=item.title, address=item.url)
            for line in lines.values()
        )  # fmt: skip
        first = (_day(item) or date.max).toordinal()
        richest = -weigh(plain(item.text))
        age = (first, richest) if chain else (richest, first)
        return (bool(lines[at]), not named, item.reliability != "S", *age, at)

    return min(members, key=order)


def _name(line: str) -> str:
    return next((each.name for each in reprint_lines(line)), line)


def _day(item: Item) -> date | None:
    found: Published | None = published_on(item.published) if item.published.strip() else None
    return found.day if found else None


def _days(left: Item, right: Item) -> int:
    one, other = _day(left), _day(right)
    return abs((one - other).days) if one and other else 0


def _numbers(text: str) -> frozenset[str]:
    """Give the figures of a text without its dates: copies are dated differently."""
    return frozenset(_NUMBER.findall(_DATE.sub(" ", plain(text))))


def _conflict(left: frozenset[str], right: frozenset[str]) -> bool:
    """Tell whether each has a figure that the other lacks."""
    return bool(left - right) and bool(right - left)


DEDUPE = CleaningStep(
    "dedupe",
    "3",
    1,
    Text("Merge what says the same", "去重压缩"),
    Text(
        "Merges equal items, texts that are more than 85 % alike, reports of one event under one "
        "title within three days, and reprints. Of a chain of reprints the original stays: the "
        "one that the reprint names, else the earliest; of copies the richest, and what is of "
        "tier 1 before what is not. It lists the indexes that it stands for. Texts that each give "
        "a figure that the other lacks are never merged, and neither are the two sides of a "
        "contradiction.",
        "合并完全相同、相似度高于 85%、同题三日内的同一事件报道及转载。"
        "转载链保留原文：以转载注明者为先，其次最早；"
        "其余保留信息量最大者，一级信源优先。保留项列出其所代表的序号。"
        "双方各有对方所无的数字时不合并，同源矛盾双方亦不合并。",
    ),
    dedupe,
    (
        StepExample(
            "AI芯片",
            (
                {"title": "A", "snippet": "AI芯片出货量在2024年增长12%，主要来自数据中心的需求。"},
                {
                    "title": "B",
                    "snippet": "AI芯片出货量在2024年增长12%，主要来自数据中心的强劲需求。",
                },
                {"title": "C", "snippet": "AI芯片出货量在2024年增长21%，主要来自数据中心的需求。"},
                {"title": "A", "snippet": "AI芯片出货量在2024年增长12%，主要来自数据中心的需求。"},
            ),
            (
                "drop: duplicate",
                "kept: AI芯片出货量在2024年增长12%，主要来自数据中心的强劲需求。",
                "kept: AI芯片出货量在2024年增长21%，主要来自数据中心的需求。",
                "drop: duplicate",
            ),
        ),
        StepExample(
            "semaglutide",
            (
                {
                    "source_url": "https://blog.example/1",
                    "snippet": "Republished from Daily Health. Semaglutide lowered body weight by "
                    "15 % over 68 weeks in adults with obesity, the trial found.",
                },
                {
                    "source_url": "https://dailyhealth.example/1",
                    "snippet": "Semaglutide lowered body weight by 15 % over 68 weeks in adults "
                    "with obesity, the trial found, researchers said.",
                },
            ),
            (
                "drop: duplicate",
                "kept: Semaglutide lowered body weight by 15 % over 68 weeks in adults with "
                "obesity, the trial found, researchers said.",
            ),
        ),
    ),
)
