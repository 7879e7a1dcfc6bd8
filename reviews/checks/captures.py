"""Check that a capture is fit to support what is cited from it. Pure.

Text rules section 1 (depth); Rulebook section 7 (``unusable``); defect H5.
"""

import re
from collections.abc import Iterator

from reviews.checks.base import Check, ClaimFacts, EvidenceFacts, Finding, Message, Severity
from reviews.checks.quotes import is_quote
from reviews.checks.samples import claim, evidence
from workbench.lib.texts import Text

UNUSABLE = frozenset({"error_page", "captcha", "paywall", "too_short", "no_text"})
LOCATED = frozenset({"exact", "normalised", "interleaved"})

# What a server says instead of a page, found stored as evidence.
_REFUSAL = re.compile(
    r"^\W*(?:(?:error\s?)?(?:40[0-9]|429|50[0-4])\b.{0,40}(?:forbidden|not found|error|denied"
    r"|unavailable|too many|gateway|gone|bad request|unauthori[sz]ed)|access denied|forbidden"
    r"|page not found|just a moment|attention required|enable (?:javascript|cookies)"
    r"|verify (?:that )?you are (?:a )?human|are you a robot|captcha|请完成(?:安全)?验证"
    r"|访问(?:被拒绝|过于频繁)|页面不存在|您访问的页面)",
    re.IGNORECASE,
)
_MAX_REFUSAL = 300  # code points; longer texts are pages that only begin so
_REPLACEMENTS = 3  # U+FFFD in a snippet: the page was decoded with the wrong table


def capture_cannot_support(facts: ClaimFacts) -> Iterator[Finding]:
    """Find evidence whose capture is no page of the source, or too little of it."""
    for piece in facts.evidence:
        code = _fault(piece)
        if code:
            severity: Severity = "error" if facts.is_key else "warning"
            yield Finding(
                code, severity, {"number": piece.position, "depth": piece.depth}, piece.key
            )


def _fault(piece: EvidenceFacts) -> str:
    snippet = piece.snippet.strip()
    if len(snippet) <= _MAX_REFUSAL and _REFUSAL.search(snippet):
        return "refusal_as_evidence"
    if snippet.count("\ufffd") >= _REPLACEMENTS:
        return "damaged_text"
    # What a paywall leaves open is text of the source: a quote found there is found.
    if piece.depth == "paywall" and piece.grade in LOCATED:
        return ""
    if piece.depth in UNUSABLE:
        return "unusable_capture"
    if piece.depth == "abstract_only" and is_quote(piece) and piece.grade not in LOCATED:
        return "abstract_only"
    return ""


def _message(en: str, zh: str) -> Message:
    return Message(
        Text(en, zh),
        Text(
            "Import a full text of the source, and judge the evidence again.",
            "请导入信源全文后重新判断该证据。",
        ),
    )


CAPTURE_CANNOT_SUPPORT = Check(
    id="capture-cannot-support",
    version=2,
    title=Text("Captures hold the source", "快照确为信源内容"),
    description=Text(
        "The stored text is an error page, a captcha, a paywall, too short or empty; or it is only "
        "an abstract that lacks the quote; or the snippet itself is a server's refusal or damaged "
        "text.",
        "存下的是错误页、验证码、付费墙、过短或空白的文本；或仅有摘要且其中没有引文；或摘录本身就是拒绝访问信息或乱码。",
    ),
    messages={
        "unusable_capture": _message(
            "The capture behind evidence {number} is {depth}.",
            "第 {number} 条证据的快照是：{depth}。",
        ),
        "abstract_only": _message(
            "Only the abstract is stored, and quote {number} is not in it.",
            "只存有摘要，且第 {number} 条引文不在其中。",
        ),
        "refusal_as_evidence": _message(
            "Evidence {number} is a server's refusal, not a text.",
            "第 {number} 条证据是拒绝访问的提示，不是正文。",
        ),
        "damaged_text": _message(
            "Evidence {number} was decoded wrongly: letters are lost.",
            "第 {number} 条证据解码错误，文字已丢失。",
        ),
    },
    run=capture_cannot_support,
    examples=(
        (claim("Use rose in 2024.", evidence("use rose in 2024")), ()),
        (
            claim("Use rose.", evidence("use rose", depth="captcha", grade="not_checkable")),
            ("unusable_capture",),
        ),
        (
            claim("Use rose.", evidence("use rose", depth="abstract_only", grade="not_checkable")),
            ("abstract_only",),
        ),
        (claim("Use rose.", evidence("use rose", depth="abstract_only")), ()),
        (claim("Use rose.", evidence("use rose", depth="paywall")), ()),
        (claim("Use rose.", evidence("403 Forbidden")), ("refusal_as_evidence",)),
        (claim("Use rose.", evidence("\ufffd\ufffd\ufffd\ufffd rose")), ("damaged_text",)),
    ),
    defect="H5",
)
