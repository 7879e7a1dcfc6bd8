"""Signs in the words of a page: inflated titles, figures, quotes, praise, limits, sources. Pure.

Each list is Chinese and English. The words in quotation marks in rulebook section 4 are all here;
the others are of the same kind. Lists of words find signs for a rule; none of them decides alone.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

from sources.quotes.scripts import simplify

READ = 10_000  # characters of a text that are looked at
ENOUGH = 200  # characters from which the absence of something says something
_SHOWN = 5  # words of one sign that are kept for the reader
_APART = 60  # characters between a person and what he does


class Words:
    """Words to look for: Chinese anywhere, English as whole words; ``*`` lets a word go on."""

    def __init__(self, *words: str) -> None:
        # The longer one of two that begin alike is the one that is meant.
        ordered = sorted(words, key=len, reverse=True)
        self._plain = [word for word in ordered if not word.isascii()]
        self._whole = [
            (word.rstrip("*"), re.compile(rf"\b{word.replace('*', '[a-z]*')}\b", re.ASCII))
            for word in ordered
            if word.isascii()
        ]

    def find(self, folded: str, most: int = _SHOWN) -> tuple[str, ...]:
        """Give the words that a folded text holds, at most so many."""
        return tuple(found for found, _ in zip(self._found(folded), range(most), strict=False))

    def _found(self, folded: str) -> Iterator[str]:
        kept: list[str] = []
        for word in self._plain:
            if word in folded and not any(word in longer for longer in kept):
                kept.append(word)
                yield word
        for word, pattern in self._whole:
            # The look for the letters alone is a hundred times as fast as the pattern.
            if word in folded and (match := pattern.search(folded)):
                yield match[0]


# "Breakthrough therapy" and the like are terms of regulators and clinicians, "leading cause" too.
INFLATED = re.compile(
    r"重磅(?:发布|推出|上市|官宣|登场)?|(?:全球|世界|全国|国内|行业)?首创|引领|颠覆性?|划时代|里程碑式|震撼"
    r"|史无前例|前所未有|遥遥领先"
    r"|\bbreakthroughs?\b(?![- ](?:therap(?:y|ies)|designations?|devices?|infections?|cases?|pain"
    r"|cancer pain|bleeding|seizures?|symptoms?|hemorrhage|treatment designation))"
    r"|\b(?:in-)?world[- ‑]first\b|\bworld['’]s[- ]first\b|\bfirst[- ]in[- ]the[- ]world\b"
    r"|\bgame[- ]chang(?:er|ing)\b|\brevolutioni[sz](?:e|es|ed|ing)\b|\brevolutionary\b"
    r"|\bground-?breaking\b|\bunprecedented\b|\bunparalleled\b|\bindustry-leading\b|\bbest-ever\b",
    re.IGNORECASE | re.ASCII,
)
PRAISE = Words(
    "优势", "领先", "卓越", "优异", "显著", "高效", "先进", "创新", "独特", "优质", "一流",
    "强大", "完美", "突破", "权威", "首选", "赋能", "superior", "best-in-class", "leading",
    "innovative", "excellent", "outstanding", "unique", "cutting-edge", "state-of-the-art",
    "world-class", "advanced", "powerful", "exceptional", "remarkable", "unparalleled", "premier",
    "transformative", "proven", "unmatched",
)  # fmt: skip
LIMITS = Words(
    "局限", "不足之处", "存在不足", "风险", "副作用", "不良反应", "不良事件", "安全性问题",
    "挑战", "然而", "但是", "尚未", "尚需", "仍需", "有待", "限制", "不确定", "缺点", "争议",
    "警告", "禁忌", "失败", "未达到", "未能", "停药", "死亡", "limitation*", "limited", "risk*",
    "adverse", "side effect*", "side-effect*", "however", "although", "caution*", "uncertain*",
    "not yet", "failed", "failure*", "warning*", "drawback*", "challenge*", "concern*",
    "shortcoming*", "contraindicat*", "weakness*", "discontinu*", "death*",
)  # fmt: skip
# What companies print under every release; it names no limits of the thing itself.
_BOILERPLATE = (
    "前瞻性陈述", "前瞻性声明", "前瞻性表述", "免责声明", "投资有风险", "投资者风险",
    "forward-looking statement", "safe harbor", "disclaimer",
)  # fmt: skip

_PERSON = (
    r"(?:首席[\u4e00-\u9fff]{1,6}官|董事长|总裁|总经理|创始人|负责人|专家|教授|院士|主任|博士|分析师|发言人"
    r"|\b(?:CEO|CMO|CSO|CFO|chief \w+(?: \w+)? officer|president|founder|co-founder"
    r"|chair(?:man|woman)?|experts?|professor|analysts?|spokes(?:man|woman|person)"
    r"|vice president|director)\b|\bDr\.)"
)
_SAYING = (
    r"(?:表示|指出|强调|认为|介绍|透露|称[，,:：“]|说[，,:：“道]"
    r"|\b(?:said|says|commented|noted|stated|added|explained|remarked|believes?)\b)"
)
QUOTES = re.compile(
    rf"{_PERSON}[^。！？\n]{{0,{_APART}}}?{_SAYING}|{_SAYING}[^。！？\n]{{0,{_APART}}}?{_PERSON}",
    re.IGNORECASE | re.ASCII,
)

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
# Digits that are no figures: dates, times, telephones, names of things, phases, ordinals, links.
_NO_FIGURE = re.compile(
    r"https?://\S+|www\.\S+"
    r"|\d{4}\s*年(?:\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?)?|\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?"
    r"|(?<!\d)\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?!\d)|(?<!\d)\d{1,2}[:：]\d{2}(?::\d{2})?(?!\d)"
    rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?\d{{4}}\b"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}"
    r"|(?<!\d)(?:19|20)\d\d(?!\d|\s*(?:[%％‰万亿千百例人名家件元个种倍]|mg|patients|people"
    r"|participants|subjects|units|doses|sites|companies))"
    r"|\+?\d{2,4}[- ]\d{3,4}[- ]\d{3,8}|(?<!\d)1\d{10}(?!\d)"
    r"|\b[a-z][a-z0-9]*-?\d[\w-]*|\bphase\s*[1-4]\b|[1-4]\s*期|第\s*\d+|\b\d+(?:st|nd|rd|th)\b"
    r"|\[\^?\d+\]|24/7",
    re.IGNORECASE | re.ASCII,
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*\s?[%％‰]?", re.ASCII)
_AROUND = 32  # characters before and after digits that tell a date or a name
_FIGURE_IN_WORDS = re.compile(
    r"百分之[一二三四五六七八九十百零点]+|[一二两三四五六七八九]成"
    r"|[一二两三四五六七八九十百千数]+(?:余|多)?(?:倍|亿|万)|翻[一两]番"
    r"|\b(?:one|two|three|four|nine)[- ](?:thirds?|quarters?|fifths?|tenths?)\b"
    r"|\b(?:doubled|tripled|quadrupled|halved)\b",
    re.IGNORECASE | re.ASCII,
)

ANONYMOUS = re.compile(
    r"业内人士|知情人士|消息人士|圈内人士|内部人士|不愿(?:意)?(?:具名|透露姓名)|匿名(?:人士|消息|来源)"
    r"|据传|有消息称|坊间"
    r"|\baccording to (?:people|sources?|insiders?|persons?) (?:familiar|close|with knowledge)"
    r"|\b(?:people|sources?|persons?) (?:familiar|close|with (?:direct )?knowledge)"
    r"(?: (?:with|to|of)\b)?"
    r"|\b(?:industry )?insiders? (?:say|said|claim|claimed|reveal|revealed|told)\b"
    r"|\banonymous(?:ly)? (?:sources?|officials?|insiders?)\b|\bcondition of anonymity\b"
    r"|\basked not to be (?:named|identified)\b|\bunnamed (?:sources?|officials?|insiders?)\b",
    re.IGNORECASE | re.ASCII,
)
_ANONYMOUS_HINTS = (
    "人士", "不愿", "匿名", "据传", "有消息称", "坊间", "close to", "close with", "familiar",
    "knowledge of", "insider", "anonym", "asked not to", "unnamed",
)  # fmt: skip
# A source that a reader could look up.
NAMED = re.compile(
    r"(?:10\.\d{4,9}/\S+|\bNCT\d{8}\b|\bChiCTR\w{6,})"
    r"|(?:据|根据)(?:了)?[《“]?(?!业内|知情|消息|圈内|内部|传|悉|报道|了解|介绍|此)[\w\u4e00-\u9fff·（）()]{2,24}?"
    r"(?:公告|年报|财报|数据|报告|统计|披露|招股书|官网|通报|公报|论文|》)"
    r"|(?:公告|年报|财报|招股书|说明书)(?:显示|披露|称|指出)|《[^》]{2,40}》(?:报道|发表|刊登|刊发)?"
    r"|\b[Aa]ccording to (?:an? |the )?(?:[A-Z][\w&.'-]*|\d{4} (?:report|study|survey))"
    r"|\b(?:data|figures|report|study|survey|analysis) (?:from|by|of|published by)"
    r" (?:the )?[A-Z]\w+"
    r"|\b(?:published|reported|appeared) in (?:the )?[A-Z]\w+"
    r"|\b(?:in|with) (?:a|an|its) (?:statement|filing|annual report|regulatory filing"
    r"|press release)\b"
    r"|\btold (?:Reuters|Bloomberg|STAT|[A-Z]\w+ (?:News|Times|Journal|Post))\b"
    r"|\b[A-Z][a-z]+ [A-Z][\w'-]+(?:,[^.\n]{0,80},)? (?:said|says|told|added|noted|explained)\b"
    r"|\b(?:said|says|told|added) (?:[A-Z][\w.'-]+ ){1,2}[A-Z]\w+",
    re.ASCII,
)


class Signs:
    """What the words of one page show; each sign is looked for when it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = unicodedata.normalize("NFKC", text[:READ])
        self.characters = len(self._text.strip())

    @property
    def enough(self) -> bool:
        """Whether there is so much text that what it lacks says something."""
        return self.characters >= ENOUGH

    @cached_property
    def _folded(self) -> str:
        return simplify(self._text).lower()

    @cached_property
    def _own(self) -> int:
        """Characters before what companies print under every release."""
        places = (self._folded.find(words, ENOUGH) for words in _BOILERPLATE)
        return min((at for at in places if at >= 0), default=len(self._text))

    @cached_property
    def figures(self) -> tuple[str, ...]:
        """The first figures, as written; dates, names and numbers of phases are none."""
        own = self._text[: self._own]
        found = tuple(digits for digits, _ in zip(_figures(own), range(_SHOWN), strict=False))
        return found or _matches(_FIGURE_IN_WORDS, own)

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        """Executives and experts who say something."""
        return _matches(QUOTES, self._text[: self._own])

    @cached_property
    def praise(self) -> tuple[str, ...]:
        """Different words of praise."""
        return PRAISE.find(self._folded[: self._own])

    @cached_property
    def limits(self) -> tuple[str, ...]:
        """The first word that names a limit."""
        return LIMITS.find(self._folded[: self._own], most=1)

    @cached_property
    def anonymous(self) -> tuple[str, ...]:
        """Words that name a source without a name."""
        hinted = any(hint in self._folded for hint in _ANONYMOUS_HINTS)
        return _matches(ANONYMOUS, self._text) if hinted else ()

    @cached_property
    def named(self) -> tuple[str, ...]:
        """Sources that a reader could look up."""
        return _matches(NAMED, self._text)


def inflated_words(title: str) -> tuple[str, ...]:
    """Give the inflated words of a title."""
    return _matches(INFLATED, unicodedata.normalize("NFKC", title))


def _figures(text: str) -> Iterator[str]:
    """Yield digits that tell an amount."""
    for digits in _DIGITS.finditer(text):
        start = max(0, digits.start() - _AROUND)
        around = text[start : digits.end() + _AROUND]
        at = digits.start() - start
        if not any(no.start() <= at < no.end() for no in _NO_FIGURE.finditer(around)):
            yield digits[0]


def _matches(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    """Give the first different matches as they are written; Traditional Chinese counts too."""
    kept: dict[str, str] = {}
    for match in pattern.finditer(simplify(text)):
        word = " ".join(text[match.start() : match.end()].split())[:80]
        kept.setdefault(word.casefold(), word)
        if len(kept) == _SHOWN:
            break
    return tuple(kept.values())
