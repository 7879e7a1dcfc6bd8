"""Checks of quotes against the snapshot they were taken from. Pure.

Rulebook section 7, A2; defect H6. Grades: what locating a quote gives.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from reviews.checks.base import Check, ClaimFacts, EvidenceFacts, Finding, Message, Params
from reviews.checks.samples import claim, evidence
from reviews.checks.wording import MAX_TEXT, shared
from sources.terms import CJK
from workbench.lib.texts import Text

QUOTED = frozenset({"direct", "numeric"})
MAX_TOKENS = 200  # of a quote that is compared word by word
_SHOWN = 60  # code points of a difference
_REWORDED = 0.6  # share of the quote's terms that a passage has, to call the quote a paraphrase
_VERBATIM = 0.5  # share of its words in one run, above which it is a quote with a change

_TOKEN = re.compile(rf"[{CJK}]|[^\s{CJK}]+")


def is_quote(piece: EvidenceFacts) -> bool:
    """Tell whether the evidence says that its snippet stands in the source."""
    return piece.quote_type.strip().casefold() in QUOTED


def quote_grade(facts: ClaimFacts) -> Iterator[Finding]:
    """Say for every direct or numeric quote how it was found, unless word for word."""
    for piece in facts.evidence:
        if not is_quote(piece) or piece.grade == "exact":
            continue
        if piece.grade == "normalised":
            folded = ",".join(sorted(piece.folded))
            yield Finding(
                "normalised", "info", {"number": piece.position, "folded": folded}, piece.key
            )
        elif piece.grade == "not_checkable":
            yield Finding("not_checkable", "info", {"number": piece.position}, piece.key)
        elif piece.grade in {"script", "interleaved"}:
            yield Finding(piece.grade, "warning", {"number": piece.position}, piece.key)
        else:
            yield _not_located(piece)


def _not_located(piece: EvidenceFacts) -> Finding:
    number = piece.position
    compared = _compare(piece.snippet, piece.passage) if piece.passage else None
    if piece.number_mismatch and compared:
        _share, quote, found, _longest = compared
        shown: Params = {"number": number, "quote": quote, "found": found}
        return Finding("number_altered", "error", shown, piece.key)
    if _is_paraphrase(piece, compared[0] if compared else 0.0):
        return Finding("paraphrase_as_quote", "error", {"number": number}, piece.key)
    if piece.grade == "partial" and compared:
        _share, quote, found, longest = compared
        shown = {"number": number, "quote": quote, "found": found, "longest": longest}
        return Finding("partial", "error", shown, piece.key)
    return Finding("absent", "error", {"number": number}, piece.key)


def _is_paraphrase(piece: EvidenceFacts, verbatim: float) -> bool:
    text = piece.passage or piece.context
    if not text or piece.number_mismatch or verbatim >= _VERBATIM:
        return False
    return (shared(piece.snippet, text) or 0.0) >= _REWORDED


def _compare(snippet: str, passage: str) -> tuple[float, str, str, str] | None:
    """Give the share in one run, the first difference on both sides, the longest common run."""
    ours = [found.span() for found in _TOKEN.finditer(snippet[:MAX_TEXT])][:MAX_TOKENS]
    theirs = [found.span() for found in _TOKEN.finditer(passage[:MAX_TEXT])][:MAX_TOKENS]
    if not ours or not theirs:
        return None
    matcher = SequenceMatcher(None, _words(snippet, ours), _words(passage, theirs), autojunk=False)
    longest = matcher.find_longest_match()
    run = _span(snippet, ours[longest.a : longest.a + longest.size])
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    if not changed:
        return longest.size / len(ours), "", "", run
    _tag, left, right, their_left, their_right = changed[0]
    quote, found = _span(snippet, ours[left:right]), _span(passage, theirs[their_left:their_right])
    return longest.size / len(ours), quote, found, run


def _words(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end].casefold() for start, end in spans]


def _span(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return "–"
    whole = " ".join(text[spans[0][0] : spans[-1][1]].split())
    return whole if len(whole) <= _SHOWN else whole[: _SHOWN - 1] + "…"


QUOTE_GRADE = Check(
    id="quote-grade",
    version=1,
    title=Text("Quotes are in their snapshots", "引文见于快照"),
    description=Text(
        "Every direct or numeric quote must stand in the snapshot of its source. Found word for "
        "word: nothing is raised. Found with folded typography: a note that names the folding. "
        "Found in parts, or only in the other Chinese script: a warning. Altered, reworded or "
        "absent: an error. Without a full text it is “cannot be checked here” and counted apart, "
        "neither found nor missing.",
        "直接引文和数字引文必须见于信源快照。逐字找到：不提示；仅版式差异：提示并写明折叠了什么；"
        "分段找到或仅繁简不同：警告；有改动、被改写或找不到：错误。没有全文时为“此处无法核对”，单独计数，"
        "既不算找到，也不算缺失。",
    ),
    messages={
        "absent": Message(
            Text("Quote {number} is not in its snapshot.", "第 {number} 条引文不在快照中。"),
            Text(
                "Open the snapshot and look for it; if it is not there, the quote must go.",
                "请打开快照查找；若确实没有，应删除该引文。",
            ),
        ),
        "partial": Message(
            Text(
                "Quote {number} differs from its snapshot: it has “{quote}”, the page has "
                "“{found}”. Longest part in common: “{longest}”.",
                "第 {number} 条引文与快照不同：引文为“{quote}”，原文为“{found}”。"
                "最长相同部分：“{longest}”。",
            ),
            Text(
                "Compare the two and correct the quote.",
                "请对照两者并更正引文。",
            ),
        ),
        "number_altered": Message(
            Text(
                "A number in quote {number} differs from its snapshot: “{quote}”, there “{found}”.",
                "第 {number} 条引文中的数字与快照不符：引文为“{quote}”，原文为“{found}”。",
            ),
            Text(
                "Correct the number, and the claim that rests on it.",
                "请更正数字，并检查依据它的论断。",
            ),
        ),
        "paraphrase_as_quote": Message(
            Text(
                "Quote {number} is in the snapshot in sense, not in these words: a paraphrase "
                "marked as a quote.",
                "第 {number} 条引文的意思见于快照，但原文并非如此措辞：改写被标成了引文。",
            ),
            Text(
                "Mark it as a paraphrase, or quote the words of the source.",
                "请标为转述，或改用原文。",
            ),
        ),
        "normalised": Message(
            Text(
                "Quote {number} is in the snapshot up to typography: {folded}.",
                "第 {number} 条引文见于快照，仅版式不同：{folded}。",
            ),
            Text(
                "Nothing to do, unless a word-for-word quote is required.",
                "除非要求逐字一致，否则无需处理。",
            ),
        ),
        "interleaved": Message(
            Text(
                "The parts of quote {number} are in the snapshot, with other words between them.",
                "第 {number} 条引文的各部分见于快照，但中间另有文字。",
            ),
            Text(
                "Read what was left out: it may change the sense.",
                "请阅读被省略的部分，它可能改变原意。",
            ),
        ),
        "script": Message(
            Text(
                "Quote {number} is in the snapshot only in the other Chinese script.",
                "第 {number} 条引文仅在繁简转换后见于快照。",
            ),
            Text(
                "Quote the characters of the source.",
                "请使用原文的字形。",
            ),
        ),
        "not_checkable": Message(
            Text(
                "Quote {number} cannot be checked here: there is no full text of its source.",
                "第 {number} 条引文此处无法核对：没有信源全文。",
            ),
            Text(
                "Import a full snapshot, or read the source yourself and note it.",
                "请导入完整快照，或自行查阅信源并注明。",
            ),
        ),
    },
    run=quote_grade,
    examples=(
        (claim("Use rose.", evidence("the connection rate reached 63.5 per cent")), ()),
        (
            claim(
                "Use rose.",
                evidence("the “rate” reached 63.5", grade="normalised", folded=("quotes",)),
            ),
            ("normalised",),
        ),
        (
            claim(
                "Use rose.",
                evidence(
                    "the rate reached 63.5 per cent in all ports",
                    grade="partial",
                    passage="the rate reached 63.5 per cent",
                ),
            ),
            ("partial",),
        ),
        (
            claim(
                "Use rose.",
                evidence(
                    "the rate reached 65.3 per cent",
                    grade="partial",
                    passage="the rate reached 63.5 per cent",
                    number_mismatch=True,
                ),
            ),
            ("number_altered",),
        ),
        (
            claim(
                "Use rose.",
                evidence(
                    "calls with connected ships rose in the port",
                    grade="absent",
                    passage="",
                    context="In the port, ships that connected rose to half of its calls.",
                ),
            ),
            ("paraphrase_as_quote",),
        ),
        (claim("Use rose.", evidence("nobody connects", grade="absent", passage="")), ("absent",)),
        (claim("Use rose.", evidence("ships … connect", grade="interleaved")), ("interleaved",)),
        (claim("用量上升。", evidence("岸電用量上升", grade="script")), ("script",)),
        (
            claim("Use rose.", evidence("ships connect", grade="not_checkable", passage="")),
            ("not_checkable",),
        ),
        (
            claim("Use rose.", evidence("more use", quote_type="paraphrase", grade="absent")),
            (),
        ),
    ),
    defect="H6",
)
