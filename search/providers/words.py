"""What providers and we say about a search, in words."""

from workbench.lib.notices import Notice
from workbench.lib.texts import Text

_NO_TIME = Text(
    "{label} knows no limit of time; results of any year are shown.",
    "{label} 不支持时间限制，结果不限年份。",
)
_NO_SITES = Text(
    "{label} cannot be kept to sites; results of any site are shown.",
    "{label} 不支持限定网站，结果不限网站。",
)
_ALTERED = Text("The query was run as “{query}”.", "查询已改为“{query}”执行。")
_DROPPED = Text("Not found, and left out: {terms}.", "未找到并已略去：{terms}。")
_PHRASE = Text("Not found as a phrase: {terms}.", "未作为短语找到：{terms}。")
_WINDOW = Text(
    "PubMed shows only the first 9,999 of {total} results. Narrow the query, by dates for example.",
    "PubMed 只显示 {total} 条结果中的前 9,999 条。请缩小查询范围，例如按日期拆分。",
)
_OTHER = Text("{text}", "{text}")
_REPORTS = Text(
    "Counts of adverse event reports are no incidence: reports are voluntary and may be double.",
    "不良事件报告数不等于发生率：报告为自愿提交，可能重复。",
)
_UNGROUNDED = Text(
    "Ungrounded: the model cited no page. Nothing of its answer is kept.",
    "无依据：模型没有引用任何页面，其回答不予保留。",
)
_NOT_CROSSREF = Text(
    "Crossref does not know this DOI; another agency, such as DataCite, may.",
    "Crossref 没有此 DOI；其他机构（如 DataCite）可能有。",
)
_UNKNOWN_NAME = Text("{label} does not know {name}.", "{label} 没有 {name} 的记录。")
_CLOSED = Text("No open copy is known ({status}).", "没有已知的开放副本（{status}）。")
_LEADS = Text(
    "What a model cites is a lead: open and check a page before it is used.",
    "模型所引页面只是线索：使用前请打开并核对。",
)


def no_time(label: str) -> Notice:
    """Say that a limit of time was not applied."""
    return Notice("time-not-applied", _NO_TIME, {"label": label})


def no_sites(label: str) -> Notice:
    """Say that sites were not kept to."""
    return Notice("sites-not-applied", _NO_SITES, {"label": label})


def altered(query: str) -> Notice:
    """Say that another query was run than the one asked."""
    return Notice("query-altered", _ALTERED, {"query": query})


def dropped(terms: str) -> Notice:
    """Say which terms were left out."""
    return Notice("terms-dropped", _DROPPED, {"terms": terms})


def phrase(terms: str) -> Notice:
    """Say which phrases were read as single words."""
    return Notice("phrases-not-found", _PHRASE, {"terms": terms})


def window(total: int) -> Notice:
    """Say that PubMed does not show what lies behind its window."""
    return Notice("beyond-window", _WINDOW, {"total": total})


def other(text: str) -> Notice:
    """Pass on what a provider says in its own words."""
    return Notice("provider-says", _OTHER, {"text": text})


def reports() -> Notice:
    """Say what counts of adverse event reports are not."""
    return Notice("reports-no-incidence", _REPORTS)


def ungrounded() -> Notice:
    """Say that an answer rests on nothing."""
    return Notice("ungrounded", _UNGROUNDED)


def leads() -> Notice:
    """Say what cited pages are worth."""
    return Notice("leads", _LEADS)


def not_crossref() -> Notice:
    """Say what an unknown DOI means at Crossref."""
    return Notice("not-crossref", _NOT_CROSSREF)


def unknown_name(label: str, name: str) -> Notice:
    """Say that a provider has no record of a name."""
    return Notice("unknown-name", _UNKNOWN_NAME, {"label": label, "name": name})


def closed(status: str) -> Notice:
    """Say that a work has no open copy."""
    return Notice("no-open-copy", _CLOSED, {"status": status})
