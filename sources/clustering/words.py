"""Say why two sources are linked, in the reader's language. Pure."""

from collections.abc import Mapping
from typing import Any

from workbench.lib.texts import Text

REASONS: Mapping[str, Text] = {
    "same_address": Text("The same address: {address}", "网址相同：{address}"),
    "same_work": Text("The same work: {value}", "同一作品：{value}"),
    "same_registry_id": Text("The same trial registration: {value}", "同一试验登记：{value}"),
    "same_patent_family": Text("The same patent family: {value}", "同一专利族：{value}"),
    "same_filing": Text("The same filing: {value}", "同一披露文件：{value}"),
    "preprint": Text("An article and its preprint: {value}", "论文与其预印本：{value}"),
    "stated": Text("The file puts both into {cluster}", "文件将二者归入 {cluster}"),
    "near_identical": Text("{share} % the same text", "文本相同 {share}%"),
    "reprint_line": Text("It says “{line}”", "页面写明“{line}”"),
    "same_release": Text(
        "Copies of one release ({mark}), {days} days apart",
        "同一新闻稿的不同副本（{mark}），相隔 {days} 天",
    ),
    "by_hand": Text("Joined by a person", "由人归并"),
}
_VALUES = (
    "doi", "pmid", "pmcid", "nct", "chictr", "euctr", "isrctn", "family", "patent", "accession",
    "arxiv", "biorxiv", "title",
)  # fmt: skip


def reason(rule: str, facts: Mapping[str, Any], language: str) -> str:
    """Give why a link holds; a rule that is not known any more is given as it is stored."""
    text = REASONS.get(rule)
    if text is None:
        return rule
    value = next((str(facts[name]) for name in _VALUES if name in facts), "")
    try:
        return text.render(language, **{**facts, "value": value})
    except KeyError:  # a link of an older version, with other facts
        return rule
