"""Checks of the evidence contract, of ids that leak, and of claims out of place. Pure."""

import re
from collections.abc import Iterator

from reviews.checks.base import (
    Check,
    ClaimFacts,
    ContractViolation,
    Finding,
    Message,
    Params,
    apart,
)
from reviews.checks.doubts import ACCESS
from reviews.checks.samples import claim, evidence
from reviews.checks.wording import hits
from workbench.lib.texts import Text

# Ids of the pipeline and of notes; "d1.c3" is no version, no measure and no vitamin.
_LEAKED = re.compile(
    r"\[\^[\w.:-]{1,60}\]|(?<![\w.])d\d{1,3}\.[cw]\d{1,4}(?![\w.]\w)|\[cite:[^\]\n]{1,40}\]"
    r"|【\d{1,3}†[^】\n]{0,40}】|\ue200[^\ue201]{0,80}\ue201?|\boaicite:\S{0,40}|:contentReference\[",
    re.IGNORECASE,
)


def contract(facts: ClaimFacts) -> Iterator[Finding]:
    """Give every rule of the evidence contract that the claim breaks."""
    return apart(_broken(found) for found in facts.violations)


def _broken(found: ContractViolation) -> Finding:
    params: Params = {
        "rule": found.rule,
        "message": found.message,
        "message_zh": found.message_zh or found.message,
        "path": found.path,
    }
    return Finding("broken", "error", params, found.evidence_key, found.rule)


def citation_ids(facts: ClaimFacts) -> Iterator[Finding]:
    """Find ids that leak into the claim, and evidence whose source id leads nowhere."""
    seen = set()
    for found in _LEAKED.finditer(facts.text):
        if found.group() not in seen:
            seen.add(found.group())
            yield Finding("leaked", "error", {"id": found.group()}, "", found.group())
    for piece in facts.evidence:
        if piece.source is None:
            params: Params = {"number": piece.position, "id": piece.source_ref}
            code = "unresolved" if piece.source_ref.strip() else "unnamed"
            yield Finding(code, "error", params, piece.key, piece.source_ref)


def context_as_claim(facts: ClaimFacts) -> Iterator[Finding]:
    """Find claims about access, sampling or comparability of data."""
    found = hits(facts.text, ACCESS, quoted=False)
    if found:
        yield Finding("context", "info", {"word": found[0].word}, "", found[0].word)


CONTRACT = Check(
    id="contract",
    version=1,
    title=Text("The evidence contract holds", "符合证据合同"),
    description=Text(
        "Every rule of the evidence format (V001 to V066) that this claim or its evidence breaks, "
        "under its own number. Other checks may explain the same fault in more words.",
        "列出该论断或其证据违反的每一条证据格式规则（V001 至 V066）及其编号；"
        "同一问题可能另有检查作更详细的说明。",
    ),
    messages={
        "broken": Message(
            Text("{rule} at {path}: {message}", "{rule}，位于 {path}：{message}"),
            Text(
                "Correct the evidence file and import it again.",
                "请更正证据文件后重新导入。",
            ),
        )
    },
    run=contract,
    examples=(
        (claim("Use rose.", evidence("use rose")), ()),
        (
            claim(
                "Use rose.",
                evidence("use rose"),
                violations=(
                    ContractViolation("V040", "only tertiary sources", "claims[0].evidence"),
                ),
            ),
            ("broken",),
        ),
    ),
)

CITATION_IDS = Check(
    id="citation-ids",
    version=2,
    title=Text("Citation ids resolve, and do not leak", "引用编号可解析且未泄漏"),
    description=Text(
        "Ids of claims, notes or a model's own citation marks stand in the text of the claim; or a "
        "piece of evidence names no source, or one that is not in the list.",
        "论断正文中出现论断编号、脚注编号或模型自带的引用标记；或证据没有写明信源，或引用了信源列表中不存在的编号。",
    ),
    messages={
        "leaked": Message(
            Text("The text of the claim holds the id {id}.", "论断正文中出现编号 {id}。"),
            Text("Remove it, or turn it into a citation.", "请删除，或改为正式引用。"),
        ),
        "unresolved": Message(
            Text(
                "Evidence {number} names the source {id}, which is not in the list.",
                "第 {number} 条证据引用的信源 {id} 不在列表中。",
            ),
            Text("Add the source, or correct the id.", "请补上该信源，或更正编号。"),
        ),
        "unnamed": Message(
            Text("Evidence {number} names no source.", "第 {number} 条证据没有写明信源。"),
            Text("Add the source, or remove the evidence.", "请补上信源，或删除该证据。"),
        ),
    },
    run=citation_ids,
    examples=(
        (claim("Vitamin d1.2 and v1.2.3 are no ids.", evidence("use rose")), ()),
        (claim("Use rose [^d1.c2], as d1.c3 says.", evidence("use rose")), ("leaked", "leaked")),
        (
            claim("Use rose.", evidence("use rose", source=None, source_ref="S9")),
            ("unresolved",),
        ),
        (claim("Use rose.", evidence("use rose", source=None, source_ref="")), ("unnamed",)),
    ),
    defect="H9",
)

CONTEXT_AS_CLAIM = Check(
    id="context-as-claim",
    version=1,
    title=Text("Notes on data are not claims", "数据说明不写成论断"),
    description=Text(
        "A claim about access to data, sample coverage or comparability belongs in "
        "writing_context[].",
        "关于数据获取、样本覆盖或可比性的说明应放入 writing_context[]。",
    ),
    messages={
        "context": Message(
            Text(
                "The claim speaks of the data themselves (“{word}”).",
                "该论断讲的是数据本身（“{word}”）。",
            ),
            Text(
                "Move it to writing_context[], unless it is a finding of the research.",
                "除非它本身是研究结论，否则请移入 writing_context[]。",
            ),
        )
    },
    run=context_as_claim,
    examples=(
        (claim("两港统计口径不同，数据不可比。", evidence("口径")), ("context",)),
        (claim("The figures are not directly comparable.", evidence("use rose")), ("context",)),
        (claim("Use rose.", evidence("use rose")), ()),
    ),
    defect="S4",
)
