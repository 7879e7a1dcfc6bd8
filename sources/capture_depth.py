"""Tell whether a captured text is the page, or only what stood in its way. Pure.

The words below are those of servers, robot checks and paywalls as seen in captured pages. A long
text is condemned only by words at its beginning: pages that write *about* errors stay whole.
"""

import re
from typing import Literal

from workbench.lib.texts import Text

type Depth = Literal[
    "full", "abstract_only", "paywall", "error_page", "captcha", "too_short", "no_text"
]

SHORT = 300  # characters: less than this is no abstract
SMALL = 600  # characters: an error page with its navigation is hardly longer
TAIL = 1_500  # characters at the end of a page in which a paywall says that it is one
HEAD = 400  # characters: where a longer text says that it is an error page
LONG = 6_000  # characters: a page of this length is a page, whatever words it begins with

MIN_CHARACTERS = 40  # below this there is nothing that a quote could be found in

_CAPTCHA = re.compile(
    r"verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)"
    r"|are you a (?:human|robot)\?|checking your browser|just a moment\.\.\."
    r"|enable javascript and cookies to continue|complete the (?:captcha|security check)"
    r"|unusual traffic from your|press (?:&|and) hold to confirm|attention required! \| cloudflare"
    r"|prove (?:that )?you(?:'re| are) (?:not a robot|human)|cf-challenge|ray id:"
    r"|人机验证|安全验证|请完成验证|滑动验证|拖动滑块|请输入验证码|访问过于频繁|检测到异常(?:流量|访问)"
    r"|百度安全验证",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:403|http(?: error)? 403)\b[^\n]{0,20}forbidden|\bforbidden\b[^\n]{0,20}\b403\b"
    r"|client error '?4\d\d|server error '?5\d\d|\b4(?:04|10)\b[^\n]{0,20}(?:not found|gone)"
    r"|\berror (?:403|404|410|429|50[0-4])\b|\b(?:502 bad gateway|503 service|504 gateway)"
    r"|^\W*(?:page|file|document|article|content)? ?not found\b|page (?:can(?:no|')t|could not) be "
    r"(?:found|displayed)|the page you (?:are|were) looking for|(?:this|the) page (?:does not|"
    r"doesn't|no longer) exist|page isn't available|access(?: to this \w+)?(?: has been| is| was)? "
    r"denied|you don't have permission to access|too many requests|internal server error"
    r"|failed to (?:fetch|retrieve|load)|网页抓取失败|抓取失败"
    r"|页面(?:不存在|未找到|找不到|已删除|走丢)"
    r"|您(?:所)?访问的(?:页面|内容)(?:不存在|已)|访问(?:被拒绝|受限)|无法访问此?(?:网站|页面)"
    r"|该(?:内容|文章|页面)已(?:被)?(?:删除|下线)|文章不存在|服务器(?:内部)?错误|404\s*(?:错误|页面)",
    re.IGNORECASE | re.MULTILINE,
)
_PAYWALL = re.compile(
    r"paywalled|(?:remainder|rest) of (?:this|the) (?:article|story) is (?:for|available to) "
    r"subscribers|subscri(?:be|ption)(?: required)? to (?:continue|read|keep reading|unlock)"
    r"|to (?:continue|keep) reading,? (?:please )?(?:subscribe|log ?in|sign ?in|create)"
    r"|already a subscriber\?|this (?:article|content|story) is (?:for|reserved for|only available "
    r"to|exclusively for) (?:\w+ )?(?:subscribers|members)|purchase (?:this article|access|pdf)"
    r"|(?:buy|rent) this article|get (?:full )?access to this article|log in via (?:an|your) "
    r"institution|access through your institution|subscribe now for full access"
    r"|订阅后(?:可|继续)?(?:阅读|查看)|(?:开通|成为)(?:会员|vip)(?:后)?(?:可|即可|继续)?(?:阅读|查看)"
    r"|付费(?:后)?(?:阅读|内容|可读)|登录后(?:可)?(?:查看|阅读)(?:全文|更多)?|剩余\s*\d+\s*%\s*(?:内容)?",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"^\W{0,3}(?:abstract|summary|摘\s*要)\b|^\W{0,3}摘\s*要", re.IGNORECASE | re.M
)
_FULL_TEXT_PARTS = re.compile(
    r"^\W{0,3}(?:\d+\.?\s*)?(?:introduction|background|methods?|materials and methods|results|"
    r"discussion|conclusions?|references|引言|前言|方法|结果|讨论|结论|参考文献)\W{0,3}$",
    re.IGNORECASE | re.M,
)
_ABSTRACT_NOTE = re.compile(
    r"content_type:\s*abstract|abstract only|full text (?:is )?not available|仅(?:提供|有)摘要",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？]")
# The reasons below that are rules, not words of a page. They are stored as they stand here.
_RULES = (
    (re.compile(r"no letter or digit"), Text("no letter or digit", "没有字母或数字")),
    (
        re.compile(r"(?P<n>\d+) replacement characters"),
        Text("{n} replacement characters", "{n} 个替换字符"),
    ),
    (
        re.compile(r"(?P<n>\d+) letters and digits"),
        Text("{n} letters and digits", "{n} 个字母和数字"),
    ),
)


def capture_depth(text: str) -> tuple[Depth, str]:
    """Tell what a captured text is, and the words or the rule that told.

    ``full`` means that nothing speaks against it. The reason is empty for a full text.
    """
    body = text.strip()
    letters = sum(character.isalnum() for character in body[:20_000])
    if not letters:
        return "no_text", "no letter or digit"
    damaged = body.count("\ufffd")
    if damaged * 20 > len(body):
        return "error_page", f"{damaged} replacement characters"
    if len(body) > LONG:
        return "full", ""
    head = body if len(body) <= SMALL else body[:HEAD]
    if found := _CAPTCHA.search(head):
        return "captcha", _shown(found)
    if found := _ERROR.search(head):
        return "error_page", _shown(found)
    if found := _PAYWALL.search(body, max(0, len(body) - TAIL)):
        # An offer to subscribe stands on many whole pages; a wall is the end of a short one.
        return "paywall", _shown(found)
    if (found := _ABSTRACT_NOTE.search(body[:HEAD])) or (found := _abstract(body)):
        return "abstract_only", _shown(found)
    if letters < MIN_CHARACTERS and not _SENTENCE_END.search(body):
        return "too_short", f"{letters} letters and digits"
    return "full", ""


def reason_in(reason: str, language: str) -> str:
    """Say the rule that told, in a language; words of the page are given as they stand."""
    for pattern, text in _RULES:
        if found := pattern.fullmatch(reason):
            return text.render(language, **found.groupdict())
    return reason


def _abstract(body: str) -> re.Match[str] | None:
    found = _ABSTRACT.search(body[: 2 * TAIL])
    if found is None or len(body) < SHORT:
        return None
    parts = {part.group().strip().lower() for part in _FULL_TEXT_PARTS.finditer(body)}
    return found if len(parts) < 2 else None


def _shown(found: re.Match[str]) -> str:
    return " ".join(found.group().split())[:200]
