"""The names that cleaning stores, and what they say in both languages. Pure. Rulebook section 5.

Names are stored: never renamed, never reused.
"""

from collections.abc import Mapping
from typing import NamedTuple

from workbench.lib.texts import Text


class DropReason(NamedTuple):
    """A reason to drop an item."""

    category: str  # ``noise_category`` of the output
    text: Text


DROPS: Mapping[str, DropReason] = {
    "pure_advertisement": DropReason("ad", Text("Nothing but an advertisement", "纯广告")),
    "marketing_content": DropReason("marketing", Text("Marketing copy", "营销软文")),
    "off_topic": DropReason("off_topic", Text("About another subject", "与主题完全无关")),
    "pure_dom_noise": DropReason(
        "dom", Text("Nothing but remains of a page: markup, menus, code", "纯 DOM 噪声")
    ),
    "pseudo_entity": DropReason(
        "entity", Text("It rests on a person or body that does not exist", "伪实体引用")
    ),
    "ai_hallucination": DropReason(
        "hallucination",
        Text("It rests on a work that no registry knows", "引用不存在的文献（疑似 AI 幻觉）"),
    ),
    "tampered_content": DropReason(
        "tampered", Text("It differs badly from its original", "内容与原文严重不符")
    ),
    "paywall_empty": DropReason(
        "paywall", Text("Empty, or only a wall in front of the text", "付费墙或空内容")
    ),
    "low_snr_after_cleaning": DropReason(
        "low_snr", Text("Less than 10 % of it is text", "清洗后信息量低于 10%")
    ),
    "duplicate": DropReason("duplicate", Text("The same as another item", "与其他条目重复")),
}


class DownrankReason(NamedTuple):
    """A reason to rank an item lower, and its warning."""

    level: str
    text: Text
    warning: Text


_CHECK = Text(
    "The content may have been altered: check it against another source",
    "内容可能被篡改，建议交叉验证",
)
DOWNRANKS: Mapping[str, DownrankReason] = {
    "missing_date": DownrankReason(
        "D1", Text("No date", "缺乏时间标注"), Text("No date of publication", "缺少发布日期")
    ),
    "partial_repost": DownrankReason(
        "D1",
        Text("Partly taken from elsewhere", "部分转载"),
        Text("Partly reposted: read the original", "部分内容为转载，建议查阅原文"),
    ),
    "anonymous_source": DownrankReason(
        "D2",
        Text("Anonymous source", "匿名来源"),
        Text("Anonymous source, not independently verified", "匿名来源，未经独立验证"),
    ),
    "unverified_self_media": DownrankReason(
        "D2",
        Text("Self-media without a sign of verification", "未认证自媒体"),
        Text("Self-media that nobody has verified: use with care", "未认证自媒体，建议谨慎使用"),
    ),
    "secondary_repost": DownrankReason("D2", Text("Second-hand repost", "二手转载"), _CHECK),
    "unverifiable_expert": DownrankReason(
        "D2",
        Text("An expert who cannot be verified", "引用专家身份无法验证"),
        Text("The identity of the expert cannot be verified", "引用专家身份无法验证"),
    ),
    "relevance_60_80": DownrankReason(
        "D2",
        Text("Indirectly relevant (60 to 80 %)", "与主题间接相关（60%–80%）"),
        Text("Only indirectly relevant: background", "与主题间接相关，作为背景材料"),
    ),
    "relevance_below_60": DownrankReason(
        "D3",
        Text("Hardly relevant (below 60 %)", "与主题相关度低于 60%"),
        Text("Hardly relevant to the subject", "与主题相关度低"),
    ),
    "aggregator_repost": DownrankReason(
        "D3", Text("Taken over by an aggregator", "聚合平台搬运"), _CHECK
    ),
    "content_farm": DownrankReason(
        "D3",
        Text("Content farm or marketing account", "农场号/营销号"),
        Text(
            "A content farm or marketing account: do not rely on it", "疑似农场号或营销号，不宜采信"
        ),
    ),
}

ACTIONS: Mapping[str, Text] = {
    "dom_stripped": Text("Remains of the page were removed", "剥离 DOM 噪声"),
    "entities_decoded": Text("HTML entities were decoded", "解码 HTML 实体"),
    "width_unified": Text("Full-width signs became half-width", "全角统一为半角"),
    "quotes_unified": Text("Quotation marks were unified", "统一引号"),
    "trimmed": Text("White space and invisible signs were removed", "去除多余空白与不可见字符"),
    "truncated_restored": Text("A cut head or tail was marked", "标注截断"),
    "encoding_repaired": Text("Wrongly decoded characters were repaired", "修复编码"),
    "source_missing_marked": Text("The missing address was marked", "标注缺失网址"),
    "name_corrected": Text("A person corrected a name", "由人修正名称"),
    "encoding_marked": Text("Damaged characters were marked", "标注未修复的编码"),
    "ocr_marked": Text("Gaps and doubtful signs of scanned text were marked", "标注扫描文本疑点"),
    "ocr_joined": Text("Signs that scanning set apart were joined", "合并扫描时被拆开的字"),
    "raw_text_used": Text(
        "The snippet held no text; raw_text was used", "摘要无正文，改用 raw_text"
    ),
}

FLAGS: Mapping[str, Text] = {
    "same_source_contradiction": Text("Its own source says otherwise elsewhere", "同源矛盾"),
    "similar_name": Text("A name that is easily mistaken", "相似名称"),
    "unverifiable_entity": Text("A person, body or event without an anchor", "实体缺少可验证锚点"),
    "ai_hallucination": Text("It may cite what does not exist", "疑似 AI 幻觉引用"),
    "tampered_content": Text("It differs from the stored snapshot", "与已存快照不符"),
    "auxiliary_reference": Text("At the end of the list, for reference only", "辅助参考"),
    "relevance_unknown": Text(
        "Another language than the subject: relevance cannot be told", "语言不同，相关度无法判断"
    ),
    "paywalled": Text("The rest is behind a wall", "其余内容在付费墙后"),
    "format_severely_corrupted": Text("Badly damaged, but readable", "格式严重损坏"),
    "doubtful_drop": Text(
        "It looked like noise, but something speaks for it", "疑似噪声，因存疑未移除"
    ),
    "title_only": Text("A record without a text: its title is shown", "仅有题名的记录"),
}

# What a doubt says; ``words`` is what was found.
DOUBTS: Mapping[str, Text] = {
    "unverifiable_entity": Text("Cannot be verified: {words}", "无法核实：{words}"),
    "ai_hallucination": Text("May not exist: {words}", "可能不存在：{words}"),
    "tampered_content": Text(
        "Differs from the stored snapshot: {words}", "与已存快照不符：{words}"
    ),
    "relevance_unknown": Text(
        "Relevance cannot be told across languages: add names of the subject in both",
        "语言不同，相关度无法判断：请补充主体的中英文名称",
    ),
    "format_severely_corrupted": Text("[FORMAT_SEVERELY_CORRUPTED]", "[FORMAT_SEVERELY_CORRUPTED]"),
    "doubtful_drop": Text(
        "Looks like “{words}”, but was not dropped: something speaks for it",
        "疑似“{words}”，因存疑降权而未移除",
    ),
}

PROPOSALS: Mapping[str, Text] = {
    "similar_name": Text(
        "“{found}” may be meant as “{instead}”: correct it if so",
        "“{found}”或应为“{instead}”，请人工确认",
    ),
    "ocr": Text(
        "[OCR_POSSIBLE_ERROR] “{found}” may read “{instead}”",
        "[OCR_POSSIBLE_ERROR]“{found}”或应为“{instead}”",
    ),
}

TRUNCATED = "[TRUNCATED]"
SOURCE_MISSING = "[SOURCE_MISSING]"
ENCODING_UNRESOLVED = "[ENCODING_UNRESOLVED]"
OCR_FRAGMENT = "[OCR_FRAGMENT]"
OCR_POSSIBLE_ERROR = "[OCR_POSSIBLE_ERROR]"
CHART_NOT_EXTRACTED = "[CHART_NOT_EXTRACTED]"
