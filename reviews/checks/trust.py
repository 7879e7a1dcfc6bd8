"""Checks of what kind of source carries a claim. Pure.

Rulebook section 7, A1; defects H2, H5, H7.
"""

import re
from collections.abc import Iterator

from reviews.checks.base import Check, ClaimFacts, Finding, Message, Severity, SourceFacts
from reviews.checks.hosts import kind_of
from reviews.checks.origins import sources_of
from reviews.checks.samples import claim, evidence, source
from workbench.lib.texts import Text

# Worded as publishers word a notice, so that a paper about retractions is left alone.
_RETRACTED_TITLE = re.compile(
    r"^\W*(?:retracted|withdrawn|retraction(?: notice| note)?)\b\W{0,3}[:：–—-]"
    r"|^\W*retracted article\b|[\[(](?:retracted|withdrawn)[\])]|\(retracted\b"
    r"|[【\[(（](?:已)?撤稿[】\])）]|^撤稿(?:声明|通知|公告)",
    re.IGNORECASE,
)
_RETRACTED_TEXT = re.compile(
    r"retracted article|^\W*retraction (?:note|notice)\b"
    r"|this (?:article|paper|preprint|study) (?:has been|was|is) (?:retracted|withdrawn)"
    r"|(?:本文|该文|此文)(?:已被?|被)?(?:撤稿|撤回)",
    re.IGNORECASE,
)
_LOW_KINDS = frozenset({"wiki", "social", "self_media"})


def factual_weak_only(facts: ClaimFacts) -> Iterator[Finding]:
    """Find factual claims that rest on sources declared tertiary alone."""
    cited = [found for found, _piece in sources_of(facts)]
    if facts.kind != "factual" or not cited:
        return
    if all(found.quality.strip().casefold() == "tertiary" for found in cited):
        severity: Severity = "error" if facts.is_key else "warning"
        yield Finding("tertiary_only", severity, {"count": len(cited)})


def quality_mislabelled(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources declared better than their host allows."""
    for cited, piece in sources_of(facts):
        declared = cited.quality.strip().casefold()
        kind = kind_of(cited.url)
        params = {"source": cited.id, "quality": declared}
        if kind in _LOW_KINDS and declared in {"primary", "secondary"}:
            severity: Severity = "error" if facts.is_key else "warning"
            yield Finding(kind, severity, params, piece.key, cited.id)
        elif kind == "news" and declared == "primary":
            yield Finding("news", "info", params, piece.key, cited.id)


def retracted_source(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that were retracted, or say so themselves."""
    heads = {piece.source_ref: piece.head for piece in facts.evidence if piece.head}
    for cited, piece in sources_of(facts):
        code = _retraction(cited, heads.get(piece.source_ref, ""))
        if code:
            severity: Severity = "warning" if code in {"concern", "correction"} else "error"
            yield Finding(code, severity, {"source": cited.id}, piece.key, cited.id)


def _retraction(cited: SourceFacts, head: str) -> str:
    if cited.retraction in {"retracted", "concern", "correction"}:
        return cited.retraction
    if any(_RETRACTED_TITLE.search(title) for title in (cited.title, *cited.url_titles)):
        return "title"
    return "snapshot" if _RETRACTED_TEXT.search(head[:600]) else ""


def blacklisted_source(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that a rule of the blacklist hits."""
    for cited, piece in sources_of(facts):
        for rule in cited.blacklisted_by:
            params = {"source": cited.id, "rule": rule}
            yield Finding("blacklisted", "error", params, piece.key, f"{cited.id} {rule}")


def _cited(**changes: str | tuple[str, ...]) -> ClaimFacts:
    return claim("Use rose in 2024.", evidence("use rose in 2024", source=source(**changes)))


def _retracted(en: str, zh: str) -> Message:
    return Message(
        Text(en, zh),
        Text(
            "Read the notice. A retracted source carries no claim.",
            "请阅读声明；已撤稿的信源不能支撑论断。",
        ),
    )


def _mislabelled(en: str, zh: str) -> Message:
    return Message(
        Text(en, zh),
        Text(
            "Judge its trust class for this claim, and trace it to its original.",
            "请就该论断判定其可信等级，并追溯到原始信源。",
        ),
    )


FACTUAL_WEAK_ONLY = Check(
    id="factual-weak-only",
    version=1,
    title=Text("Facts rest on more than tertiary sources", "事实不只依据三手信源"),
    description=Text(
        "A factual claim of which every source is declared tertiary has nothing that may carry it.",
        "事实性论断的所有信源都声明为三手时，没有可以支撑它的信源。",
    ),
    messages={
        "tertiary_only": Message(
            Text(
                "All sources of this fact are tertiary ({count}).",
                "该事实的全部信源都是三手（{count} 个）。",
            ),
            Text(
                "Look for one trusted primary source, or two independent professional ones.",
                "请寻找一个可信的一手信源，或两个独立的专业二手信源。",
            ),
        )
    },
    run=factual_weak_only,
    examples=(
        (_cited(quality="tertiary"), ("tertiary_only",)),
        (_cited(quality="secondary"), ()),
    ),
    defect="H2",
)

QUALITY_MISLABELLED = Check(
    id="quality-mislabelled",
    version=1,
    title=Text("Declared quality fits the host", "声明的信源等级与网站相符"),
    description=Text(
        "A source declared primary or secondary is on an encyclopaedia that anybody edits, a "
        "social network or a self-publishing site; or a news site is declared primary (a note: "
        "its own reporting may be).",
        "声明为一手或二手的信源实际位于百科、社交网站或自媒体平台；"
        "新闻网站声明为一手时仅作提示（其自采报道可能是一手）。",
    ),
    messages={
        "wiki": _mislabelled(
            "{source} is declared {quality}, but is an encyclopaedia that anybody edits.",
            "{source} 声明为{quality}，实际是人人可编辑的百科。",
        ),
        "social": _mislabelled(
            "{source} is declared {quality}, but is on a social network.",
            "{source} 声明为{quality}，实际来自社交网站。",
        ),
        "self_media": _mislabelled(
            "{source} is declared {quality}, but is on a self-publishing site.",
            "{source} 声明为{quality}，实际来自自媒体平台。",
        ),
        "news": _mislabelled(
            "{source} is declared {quality}, but is a news site.",
            "{source} 声明为{quality}，实际是新闻网站。",
        ),
    },
    run=quality_mislabelled,
    examples=(
        (_cited(url="https://en.wikipedia.org/wiki/Shore_power"), ("wiki",)),
        (_cited(url="https://www.zhihu.com/question/1"), ("social",)),
        (_cited(url="https://baijiahao.baidu.com/s?id=1", quality="secondary"), ("self_media",)),
        (_cited(url="https://www.reuters.com/a"), ("news",)),
        (_cited(url="https://www.reuters.com/a", quality="secondary"), ()),
        (_cited(url="https://en.wikipedia.org/wiki/Shore_power", quality="tertiary"), ()),
    ),
    defect="H2",
)

RETRACTED_SOURCE = Check(
    id="retracted-source",
    version=1,
    title=Text("Sources are not retracted", "信源未被撤稿"),
    description=Text(
        "The records, the title or the first lines of the snapshot say that the source was "
        "retracted or withdrawn. An expression of concern or a correction is a warning.",
        "撤稿记录、标题或快照开头表明该信源已被撤稿或撤回。关注声明和更正为警告。",
    ),
    messages={
        "retracted": _retracted("{source} is retracted.", "{source} 已被撤稿。"),
        "title": _retracted(
            "The title of {source} says that it is retracted.",
            "{source} 的标题表明已撤稿。",
        ),
        "snapshot": _retracted(
            "The snapshot of {source} says that it is retracted.",
            "{source} 的快照表明已撤稿。",
        ),
        "concern": _retracted(
            "There is an expression of concern about {source}.",
            "{source} 附有关注声明。",
        ),
        "correction": _retracted("{source} was corrected.", "{source} 已有更正。"),
    },
    run=retracted_source,
    examples=(
        (_cited(title="A study of retracted papers"), ()),
        (_cited(retraction="retracted"), ("retracted",)),
        (_cited(retraction="concern"), ("concern",)),
        (_cited(retraction="correction"), ("correction",)),
        (_cited(title="RETRACTED: Shore power and lungs"), ("title",)),
        (
            claim(
                "Use rose in 2024.",
                evidence("use rose in 2024", head="This article has been retracted at …"),
            ),
            ("snapshot",),
        ),
    ),
    defect="H7",
)

BLACKLISTED_SOURCE = Check(
    id="blacklisted-source",
    version=1,
    title=Text("Sources are not blacklisted", "信源不在黑名单"),
    description=Text(
        "A rule of the project's blacklist hits the source, and nobody has lifted it.",
        "项目黑名单中的规则命中该信源，且无人解除。",
    ),
    messages={
        "blacklisted": Message(
            Text("The blacklist rule {rule} hits {source}.", "黑名单规则 {rule} 命中 {source}。"),
            Text(
                "Replace the source, or lift the hit with a reason.",
                "请更换信源，或写明理由后解除命中。",
            ),
        )
    },
    run=blacklisted_source,
    examples=(
        (_cited(blacklisted_by=("press_copy",)), ("blacklisted",)),
        (_cited(), ()),
    ),
    defect="H7",
)
