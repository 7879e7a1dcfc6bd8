"""The words of review files and reports, in the language of the project. Pure."""

from workbench.lib.texts import Text

REVIEW_VERDICT = Text("Review verdict", "审查结论")
FINDINGS = Text("Findings", "问题清单")
HARD = Text("🔴 Hard defects", "🔴 硬伤")
SUGGESTIONS = Text("🟡 Suggestions", "🟡 改进建议")
VERIFICATION = Text("Verification log", "核验记录")
NOTES = Text("Notes", "审查说明")
NONE = Text("None.", "无。")
NO_WORDS = Text("(no words given)", "（未写明问题）")
NO_ACTION = Text("(no change proposed)", "（未提出改法）")
COMMA = Text(", ", "、")
SEMICOLON = Text("; ", "；")
BY = Text(" ({names})", "（{names}）")
SAID = Text("{name}: {text}", "{name}：{text}")

BY_RULE = Text(
    "The verdict follows from the rule: “revise” while a hard defect is open, else “pass”.",
    "结论由规则得出：有未解决的硬伤即为 revise，否则为 pass。",
)
NOTHING_AUDITED = Text(
    "Nothing was audited yet. The verdict says only that no hard defect is recorded.",
    "尚未审查任何论断。该结论仅表示没有记录硬伤。",
)
AUDITED = Text(
    "Audited: {audited} of {total} claims; not audited: {open}; stale: {stale}; "
    "in conflict: {conflict}; cannot be judged: {cannot_judge}.",
    "已审查 {audited} 条，共 {total} 条论断；未审查 {open} 条；已过期 {stale} 条；"
    "有分歧 {conflict} 条；无法判断 {cannot_judge} 条。",
)
EVIDENCE = Text(
    "Evidence: {assessed} of {total} pieces judged by a person; machine proposals that nobody "
    "confirmed: {unconfirmed}; without a snapshot: {without_snapshot}; capture unusable: "
    "{unusable}; abstract only: {abstract_only}.",
    "证据：{total} 条中有 {assessed} 条经人工判断；未经确认的机器建议 {unconfirmed} 条；"
    "没有快照 {without_snapshot} 条；快照不可用 {unusable} 条；仅有摘要 {abstract_only} 条。",
)
QUOTES = Text(
    "Direct and numeric quotes: {total}; found: {found}; not found: {not_found} (of these in "
    "pieces: {interleaved}); not checked: {not_checked}.",
    "直接引文与数字引文 {total} 条：找到 {found} 条；未找到 {not_found} 条"
    "（其中分散出现 {interleaved} 条）；未核对 {not_checked} 条。",
)
NO_QUOTES = Text(
    "There are no direct or numeric quotes to check.", "没有可核对的直接引文或数字引文。"
)
NUMBERS = Text(
    "Numbers in claims: {total}; equal in a located passage: {equal}; different or missing "
    "there: {differs}; not checked: {not_checked}.",
    "论断中的数字 {total} 个：与已定位段落一致 {equal} 个；不一致或缺失 {differs} 个；"
    "未核对 {not_checked} 个。",
)
NO_NUMBERS = Text("There are no numbers to check.", "没有可核对的数字。")
CHECKS = Text(
    "Findings of the checks: open {open} (errors: {open_errors}), confirmed {confirmed}, "
    "dismissed {dismissed}, outdated {outdated}.",
    "检查的发现：待处理 {open} 条（其中错误 {open_errors} 条），已确认 {confirmed} 条，"
    "已驳回 {dismissed} 条，已失效 {outdated} 条。",
)
NOT_FIXED = Text(
    "The version of the source was not fixed by the evidence for {count} pieces; the one judged is "
    "a stored version of its address: {examples}.",
    "有 {count} 条证据没有指明信源版本，所判断的是该网址的一个已存版本：{examples}。",
)
AND_MORE = Text(" and {count} more", " 等，另有 {count} 条")
SETTLED = {
    "resolved": Text("Resolved", "已解决"),
    "rejected": Text("Rejected", "已否决"),
}
VERSIONS = Text("Written by {tool}; checks {checks}.", "由 {tool} 生成；检查版本 {checks}。")
TWIN = Text("The same with ids, names and times: {name}.", "含编号、姓名与时间的机器版本：{name}。")

TITLE = Text("Review of “{title}”, version {number}", "《{title}》审查报告，第 {number} 版")
BUILT = Text(
    "Built {at} by {by}; audit trail {length} events, {hash}.",
    "生成于 {at}，生成人 {by}；审计记录 {length} 条，{hash}。",
)
QUESTION = Text("Original query", "原始问题")
CLAIMS = Text("Claims", "论断")
SOURCES = Text("Sources", "信源")
LIMITS = Text("Limits", "局限")
AGREEMENT = Text("Agreement", "一致性")
AGREED = Text(
    "Claims with two or more verdicts: {double} of {audited} audited; the same decision in {same}.",
    "有两份及以上结论的论断：已审查 {audited} 条中有 {double} 条；结论相同 {same} 条。",
)
NO_AGREEMENT = Text(
    "No claim has two verdicts; agreement is not defined.", "没有论断有两份结论，一致性无从计算。"
)
NOT_RECORDED = Text("Not recorded yet in this project: {what}.", "本项目尚未记录：{what}。")
SEARCHES = Text("searches and receipts", "检索与检索回执")
PRISMA = Text("the PRISMA flow", "PRISMA 流程")
REJECTIONS = Text("rejected sources", "被拒信源")
SCORES = Text("source scores and tiers", "信源评分与级别")
DROPPED = Text(
    "Open defects of claims that the report no longer has, not counted here: {count}.",
    "报告中已删除的论断仍有未解决缺陷 {count} 条，未计入本报告。",
)
COLUMNS = {
    "claim": Text("Claim", "论断"),
    "text": Text("Text", "内容"),
    "verdict": Text("Verdict", "结论"),
    "support": Text("Support", "支持程度"),
    "trust": Text("Trust", "可信等级"),
    "quotes": Text("Quotes found", "引文找到"),
    "numbers": Text("Numbers equal", "数字一致"),
    "who": Text("Who", "审查人"),
    "source": Text("Source", "信源"),
    "title": Text("Title", "标题"),
    "address": Text("Address", "网址"),
    "quality": Text("Declared", "声明等级"),
    "versions": Text("Versions", "版本数"),
    "used": Text("Claims", "引用论断数"),
}
VALUES = {
    "pass": Text("pass", "通过"),
    "revise": Text("revise", "需修改"),
    "cannot_judge": Text("cannot judge", "无法判断"),
    "open": Text("not audited", "未审查"),
    "stale": Text("stale", "已过期"),
    "conflict": Text("conflict", "有分歧"),
    "full": Text("full", "完全支持"),
    "partial": Text("partly", "部分支持"),
    "none": Text("none", "不支持"),
    "contradicts": Text("contradicts", "相矛盾"),
    "trusted_primary": Text("trusted primary", "可信一手"),
    "professional_secondary": Text("professional secondary", "专业二手"),
    "weak_untrusted": Text("weak, untrusted", "弱信源"),
    "unusable": Text("unusable", "不可用"),
}


def value(name: str, language: str) -> str:
    """Say a stored value in words; an unknown one as it is."""
    return VALUES[name].render(language) if name in VALUES else name
