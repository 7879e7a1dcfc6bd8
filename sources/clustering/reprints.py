"""Lines that say whose text a page shows: "转载自", "originally published by". Pure."""

import re
from dataclasses import dataclass

_LOOKED_AT = 1_500  # code points at either end of a text, where such lines stand
_NAME = r"[:：]?\s{0,3}[《〈“\"'‘「【\[(（]?(?P<name>https?://[^\s<>\"）)]+|[^\s，。；;、|｜<>《》〈〉“”\"'‘’「」【】()（）\[\]]{2,60})"
_LATIN_NAME = r"\s{0,3}[:：]?\s{0,3}[“\"'(]?(?P<name>https?://[^\s<>\")]+|[^\n.,;:|<>“”\"()]{2,60})"

# A strong line says that the text is another's; a weak one may name a source of data as well.
_STRONG = (
    re.compile(
        r"(?:本文|文章|稿件)?(?:转载自|转自|摘自|原载于?|原刊于?|首发于|首发[:：]|转载[:：]|转载来源[:：])"
        + _NAME
    ),
    re.compile(
        r"\b(?:originally|first)\s+(?:published|appeared|posted|ran)\s+(?:by|in|on|at|with)"
        + _LATIN_NAME,
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:reprinted|republished|reproduced|syndicated|reposted)\s+"
        r"(?:from|with\s+(?:the\s+)?(?:kind\s+)?permission\s+(?:from|of|by))" + _LATIN_NAME,
        re.IGNORECASE,
    ),
)
_WEAK = (
    re.compile(
        r"(?<!数据)(?<!图片)(?<!资料)(?<!图表)(?:文章|稿件|新闻|消息|信息)?来源\s{0,2}[:：]" + _NAME
    ),
    re.compile(r"^\s{0,4}source\s{0,2}[:：]" + _LATIN_NAME, re.IGNORECASE | re.MULTILINE),
    # How wires end a release: "SOURCE Acme Therapeutics, Inc."
    re.compile(r"^\s{0,4}SOURCE\s+(?P<name>[A-Z][^\n]{2,60})$", re.MULTILINE),
)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ReprintLine:
    """A line that names where a text comes from."""

    name: str  # of a body, or an address
    words: str  # the line as it stands
    strong: bool  # says that the whole text is another's


def reprint_lines(body: str, *others: str) -> tuple[ReprintLine, ...]:
    """Find such lines at the ends of a text and anywhere in the others."""
    ends = (body,) if len(body) <= 2 * _LOOKED_AT else (body[:_LOOKED_AT], body[-_LOOKED_AT:])
    found: dict[str, ReprintLine] = {}
    for text in (*ends, *others):
        if not text:
            continue
        for patterns, strong in ((_STRONG, True), (_WEAK, False)):
            for pattern in patterns:
                for match in pattern.finditer(text):
                    name = match["name"].strip().rstrip(".。，,")
                    words = _SPACE.sub(" ", match[0]).strip()
                    found.setdefault(name, ReprintLine(name, words, strong))
    return tuple(found.values())


def folded(name: str) -> str:
    """Give the letters and digits of a name, to compare by."""
    return "".join(filter(str.isalnum, name.casefold()))


def names_body(name: str, *, host: str, venue: str, title: str, address: str) -> bool:
    """Tell whether a line's name is that of a page's host, venue or site, or its address."""
    if name.casefold().startswith(("http://", "https://")):
        return bool(address) and _bare(name) == _bare(address)
    wanted = folded(name)
    if len(wanted) < 2:
        return False
    labels = folded(host.removesuffix(".com"))
    place = folded(venue)
    # "reuters" in "reuters.com"; three letters of a host are in too many others.
    if len(wanted) >= 4 and (wanted in folded(host) or (len(labels) >= 4 and labels in wanted)):
        return True
    return wanted == place or (len(wanted) >= 3 and folded(title).endswith(wanted))


def _bare(address: str) -> str:
    return address.partition("://")[2].removeprefix("www.").rstrip("/").casefold()
