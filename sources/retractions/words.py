"""What natures of notices and findings about them are called, in both languages. Pure."""

from collections.abc import Mapping

from workbench.lib.texts import Text

from .statements import (
    CROSSREF,
    EUROPE_PMC,
    IS_NOTICE,
    OPENALEX,
    PARTIAL,
    PUBMED,
    REINSTATEMENT,
    RETRACTION_WATCH,
    TITLE_HINT,
    Severity,
    severity_of,
)

PROVIDERS: Mapping[str, str] = {
    RETRACTION_WATCH: "Retraction Watch",
    CROSSREF: "Crossref",
    PUBMED: "PubMed",
    EUROPE_PMC: "Europe PMC",
    OPENALEX: "OpenAlex",
}
NATURES: Mapping[str, Text] = {
    "retraction": Text("retraction", "撤稿"),
    "withdrawal": Text("withdrawal", "撤回"),
    "removal": Text("removal", "移除"),
    PARTIAL: Text("partial retraction", "部分撤稿"),
    "retracted_and_republished": Text("retracted and republished", "撤稿后重新发表"),
    "expression_of_concern": Text("expression of concern", "关注声明"),
    "correction": Text("correction", "更正"),
    "corrigendum": Text("corrigendum", "作者更正"),
    "erratum": Text("erratum", "勘误"),
    "corrected_and_republished": Text("corrected and republished", "更正后重新发表"),
    "addendum": Text("addendum", "补充说明"),
    "clarification": Text("clarification", "澄清"),
    "new_version": Text("new version", "新版本"),
    "new_edition": Text("new edition", "新版次"),
    REINSTATEMENT: Text("reinstatement", "恢复"),
    TITLE_HINT: Text("its title says so", "标题提示"),
    IS_NOTICE: Text("is a notice itself", "本身是声明"),
}
UNKNOWN_UPDATE = Text("unknown update", "未知更新")
TIMING: Mapping[str, Text] = {
    "before": Text("It was opened before the notice.", "打开时声明尚未发布。"),
    "after": Text("It was opened after the notice.", "打开时声明已发布。"),
    "unclear": Text(
        "The dates do not tell whether it was opened before the notice.",
        "日期不够精确，无法判断打开时声明是否已发布。",
    ),
    "unknown": Text(
        "It is not known whether it was opened before the notice.",
        "不清楚打开时声明是否已发布。",
    ),
}
_NONE = Text("not known", "未知")

RETRACTED, PARTLY_RETRACTED = "retracted", "partly_retracted"
CONCERN, CORRECTED, OTHER_UPDATE = "expression_of_concern", "corrected", "other_update"
REINSTATED, SUSPECTED = "reinstated", "retraction_suspected"
TITLE_SUGGESTS, SOURCE_IS_NOTICE = "title_suggests_retraction", "source_is_notice"

# Severity and words of each finding. ``nature``, ``date``, ``notice``, ``says`` and ``cited`` are
# filled in the reader's language.
FINDINGS: Mapping[str, tuple[str, Text]] = {
    RETRACTED: (
        "error",
        Text(
            "{nature} of {date}, notice {notice} ({says}). {cited}",
            "{nature}，{date}，声明 {notice}（{says}）。{cited}",
        ),
    ),
    PARTLY_RETRACTED: (
        "error",
        Text(
            "A part of it was retracted on {date}, notice {notice} ({says}). {cited}",
            "部分内容已于 {date} 撤稿，声明 {notice}（{says}）。{cited}",
        ),
    ),
    CONCERN: (
        "warning",
        Text(
            "Expression of concern of {date}, notice {notice} ({says}). {cited}",
            "关注声明，{date}，声明 {notice}（{says}）。{cited}",
        ),
    ),
    CORRECTED: (
        "info",
        Text(
            "{nature} of {date}, notice {notice} ({says}). {cited} "
            "See whether what you cite was corrected.",
            "{nature}，{date}，声明 {notice}（{says}）。{cited}请核对所引内容是否已更正。",
        ),
    ),
    OTHER_UPDATE: (
        "info",
        Text(
            "{nature} “{stated}” of {date}, notice {notice} ({says}). {cited}",
            "{nature}“{stated}”，{date}，声明 {notice}（{says}）。{cited}",
        ),
    ),
    REINSTATED: (
        "info",
        Text(
            "It was retracted on {date}, notice {notice} ({says}), and reinstated later.",
            "曾于 {date} 撤稿，声明 {notice}（{says}），之后恢复。",
        ),
    ),
    SUSPECTED: (
        "warning",
        Text(
            "{says} counts it as retracted; nobody names a notice. It needs a look.",
            "{says} 将其列为已撤稿，但没有任何一方给出声明。需要人工查看。",
        ),
    ),
    TITLE_SUGGESTS: (
        "warning",
        Text(
            "Its title at {says} is marked as that of a retracted work; nobody names a notice. "
            "It needs a look.",
            "{says} 上的标题带有撤稿标记，但没有任何一方给出声明。需要人工查看。",
        ),
    ),
    SOURCE_IS_NOTICE: (
        "warning",
        Text(
            "The source is itself a notice about another work ({says}).",
            "该信源本身是关于另一文献的声明（{says}）。",
        ),
    ),
}


def nature_text(nature: str) -> Text:
    """Name a nature; one that nobody documents is an unknown update."""
    return NATURES.get(nature, UNKNOWN_UPDATE)


def code_of(nature: str) -> str:
    """Give the code of the finding that a standing notice of a nature raises; "" for none."""
    if nature == PARTIAL:
        return PARTLY_RETRACTED
    codes = {
        Severity.RETRACTION: RETRACTED,
        Severity.CONCERN: CONCERN,
        Severity.CORRECTION: CORRECTED,
        Severity.OTHER: OTHER_UPDATE,
    }
    return codes.get(severity_of(nature), "")


def render_finding(code: str, params: Mapping[str, str], language: str) -> str:
    """Say what a finding found, in the language of a BCP 47 tag. KeyError for an unknown code."""
    nature = nature_text(params.get("nature", ""))
    filled = {
        "nature": nature.render(language),
        "stated": params.get("stated", ""),
        "date": params.get("date") or _NONE.render(language),
        "notice": params.get("notice") or _NONE.render(language),
        "says": params.get("says", ""),
        "cited": TIMING.get(params.get("cited", ""), TIMING["unknown"]).render(language),
    }
    said = FINDINGS[code][1].render(language, **filled)
    return said[:1].upper() + said[1:]


def line_of(facts: Mapping[str, str], language: str) -> str:
    """Say a notice on one line: date, nature, its name, and who says so."""
    nature, says = nature_text(facts.get("nature", "")).render(language), facts.get("says", "")
    parts = (facts.get("date"), nature, facts.get("notice"), f"({says})" if says else "")
    return " ".join(part for part in parts if part)


# Why a provider gave no answer, by the code that a check keeps; faults of the network have theirs.
SILENCE: Mapping[str, Text] = {
    "rate-limit": Text("asked too often for now", "请求过于频繁，暂停询问"),
    "no-answer": Text("the answer cannot be read", "应答无法读取"),
    "no-flags": Text("the answer does not tell of notices", "应答不含声明信息"),
    "status": Text("it refuses with status {more}", "拒绝应答，状态码 {more}"),
}


def silence_text(detail: str, faults: Mapping[str, Text], language: str) -> str:
    """Say why there was no answer; ``faults`` are the words for faults of the network."""
    code, _, more = detail.partition(" ")
    text = SILENCE.get(code.rstrip(":")) or faults.get(code)
    return text.render(language, more=more) if text else detail
