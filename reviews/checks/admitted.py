"""Checks that a claim's sources were read, admitted and called what they are. Pure.

Rulebook section 3.
"""

import re
from collections.abc import Iterator

from reviews.checks.bands import carries, is_scored, severity_for
from reviews.checks.base import Check, ClaimFacts, Finding, Message, SourceFacts
from reviews.checks.hosts import among, is_official, kind_of
from reviews.checks.origins import sources_of
from reviews.checks.samples import claim, evidence, source
from workbench.lib.texts import Text

# What counts as an official record, by formats.md section 1.
_RECORDS = frozenset({"regulator", "trial_registry", "patent", "filing"})
_LOW_SCORE = "low_score"
_PREPRINT_HOSTS = frozenset(
    {"arxiv.org", "biorxiv.org", "medrxiv.org", "chemrxiv.org", "ssrn.com", "researchsquare.com",
     "preprints.org", "psyarxiv.com", "osf.io/preprints", "chinaxiv.org", "techrxiv.org"}
)  # fmt: skip
_LABEL = re.compile(
    r"preprint|not (?:yet )?(?:been )?peer[- ]reviewed|un-?(?:peer[- ])?reviewed|before peer review"
    r"|(?:bio|med|chem|ar)rxiv|预印本|(?:尚未|未经|未)(?:经过?)?(?:同行)?评[议审]",
    re.IGNORECASE,
)


def snippet_only_support(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources of which only a search snippet was seen."""
    yield from _with_access(facts, "snippet_only", "snippet_only_support")


def failed_source_used(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that could not be opened."""
    yield from _with_access(facts, "failed", "failed_source_used")


def _with_access(facts: ClaimFacts, status: str, code: str) -> Iterator[Finding]:
    for cited, piece in sources_of(facts):
        if cited.access_status == status:
            params = {"source": cited.id}
            yield Finding(code, severity_for(facts), params, piece.key, cited.id)


def needs_opened_original(facts: ClaimFacts) -> Iterator[Finding]:
    """Find key claims of which no source was opened in the original or is an official record.

    Nothing is said where nobody noted how far a source was opened.
    """
    cited = [found for found, _piece in sources_of(facts)]
    if not facts.is_key or not cited or not all(found.access_status for found in cited):
        return
    if not any(carries(found) and _is_original(found) for found in cited):
        yield Finding("needs_opened_original", "error", {"count": len(cited)})


def _is_original(found: SourceFacts) -> bool:
    record = found.source_type.strip().casefold() in _RECORDS or is_official(found.url)
    return found.access_status == "opened_original" or record


def rejected_source_used(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that admission or a person turned away.

    A low score alone weighs as the band discovery does: an error for key claims.
    """
    for cited, piece in sources_of(facts):
        if cited.status == "rejected":
            params = {"source": cited.id, "rejection": cited.rejected_by or "unknown"}
            severity = severity_for(facts) if cited.rejected_by == _LOW_SCORE else "error"
            yield Finding("rejected_source_used", severity, params, piece.key, cited.id)


def wikipedia_cited(facts: ClaimFacts) -> Iterator[Finding]:
    """Find encyclopaedias that anybody edits."""
    for cited, piece in sources_of(facts):
        if kind_of(cited.url) == "wiki":
            params = {"source": cited.id}
            yield Finding("wikipedia_cited", severity_for(facts), params, piece.key, cited.id)


def preprint_unlabelled(facts: ClaimFacts) -> Iterator[Finding]:
    """Find preprints that are cited without saying that nobody reviewed them."""
    if not is_scored(facts) or _LABEL.search(facts.text):
        return
    for cited, piece in sources_of(facts):
        if cited.is_preprint or among(cited.url, _PREPRINT_HOSTS):
            params = {"source": cited.id}
            yield Finding("preprint_unlabelled", "warning", params, piece.key, cited.id)


def _cited(text: str = "Use rose.", *, is_key: bool = False, **changes: object) -> ClaimFacts:
    return claim(text, evidence("use rose", source=source(**changes)), is_key=is_key)


SNIPPET_ONLY_SUPPORT = Check(
    id="snippet-only-support",
    version=1,
    title=Text("Search snippets support nothing", "检索摘要不作支撑"),
    description=Text(
        "A source of which only a search snippet was seen is a lead, never support for a fact.",
        "只见过检索摘要的信源仅为线索，不能支撑正文事实。",
    ),
    messages={
        "snippet_only_support": Message(
            Text("Of {source} only a search snippet was seen.", "{source} 只见过检索摘要。"),
            Text("Open the source and quote it.", "请打开该信源并摘引原文。"),
        )
    },
    run=snippet_only_support,
    examples=(
        (_cited(access_status="snippet_only"), ("snippet_only_support",)),
        (_cited(access_status="opened_abstract"), ()),
    ),
    defect="H5",
)

FAILED_SOURCE_USED = Check(
    id="failed-source-used",
    version=1,
    title=Text("Sources could be opened", "信源能够打开"),
    description=Text(
        "Of a source that could not be opened nothing may be inferred, neither from its title nor "
        "from a search summary.",
        "无法打开的信源，不得根据其标题或检索摘要推断数据。",
    ),
    messages={
        "failed_source_used": Message(
            Text("{source} could not be opened.", "{source} 未能打开。"),
            Text(
                "Open it, or say that the data was not found.", "请设法打开，否则写明未找到该数据。"
            ),
        )
    },
    run=failed_source_used,
    examples=(
        (_cited(access_status="failed"), ("failed_source_used",)),
        (_cited(access_status="paywalled"), ()),
    ),
    defect="H5",
)

NEEDS_OPENED_ORIGINAL = Check(
    id="needs-opened-original",
    version=1,
    title=Text("A key claim has an original that was opened", "关键论断有打开过的原文"),
    description=Text(
        "An abstract or a page behind a paywall gives direction. A key claim also needs a source "
        "whose original was opened, or an official record.",
        "摘要与付费墙页面只能指明方向；关键论断还须有一个已打开原文的信源或官方记录。",
    ),
    messages={
        "needs_opened_original": Message(
            Text(
                "None of its {count} source(s) was opened in the original.",
                "{count} 个信源中没有一个打开过原文。",
            ),
            Text(
                "Open an original, or add an official record.",
                "请打开一份原文，或补充官方记录。",
            ),
        )
    },
    run=needs_opened_original,
    examples=(
        (_cited(access_status="paywalled", is_key=True), ("needs_opened_original",)),
        (_cited(access_status="opened_original", is_key=True), ()),
        (_cited(access_status="opened_abstract", source_type="trial_registry", is_key=True), ()),
        (_cited(access_status="paywalled"), ()),
        (_cited(is_key=True), ()),
    ),
    defect="H5",
)

REJECTED_SOURCE_USED = Check(
    id="rejected-source-used",
    version=2,
    title=Text("Sources were not turned away", "信源未被拒收"),
    description=Text(
        "A source that the rules of admission or a person turned away carries no claim. Turned "
        "away for its low score alone, it is an error under a key claim, a warning elsewhere.",
        "被入库规则或由人拒收的信源不能支撑论断。仅因评分过低被拒收的，关键论断为错误，其他论断为警告。",
    ),
    messages={
        "rejected_source_used": Message(
            Text("{source} was turned away: {rejection}.", "{source} 已被拒收：{rejection}。"),
            Text(
                "Replace it, or re-open the rejection with a reason.",
                "请换用其他信源，或写明理由后重新开放。",
            ),
        )
    },
    run=rejected_source_used,
    examples=(
        (_cited(status="rejected", rejected_by="low_score"), ("rejected_source_used",)),
        (_cited(status="candidate"), ()),
        (_cited(status="admitted"), ()),
    ),
    defect="H7",
)

WIKIPEDIA_CITED = Check(
    id="wikipedia-cited",
    version=1,
    title=Text("Wikipedia is not cited", "不引用维基百科"),
    description=Text(
        "An encyclopaedia that anybody edits helps to understand a term and is never cited in a "
        "conclusion; its references may be traced and cited instead.",
        "人人可编辑的百科只用于理解术语，结论中不得引用；可由其参考文献追溯到原始信源后改引。",
    ),
    messages={
        "wikipedia_cited": Message(
            Text(
                "{source} is an encyclopaedia that anybody edits.",
                "{source} 是人人可编辑的百科。",
            ),
            Text(
                "Trace its reference to the original and cite that.",
                "请由其参考文献追溯到原始信源并改引。",
            ),
        )
    },
    run=wikipedia_cited,
    examples=(
        (_cited(url="https://en.wikipedia.org/wiki/Shore_power"), ("wikipedia_cited",)),
        (_cited(url="https://www.port-authority.fi/wiki"), ()),
    ),
    defect="H5",
)

PREPRINT_UNLABELLED = Check(
    id="preprint-unlabelled",
    version=1,
    title=Text("Preprints are called preprints", "预印本须注明"),
    description=Text(
        "A claim that cites a preprint says that it is one, or that nobody reviewed it. Nothing is "
        "said while a cited source has no score.",
        "引用预印本的论断须注明其为预印本或未经同行评议。所引信源尚有未评分的，本检查不作提示。",
    ),
    messages={
        "preprint_unlabelled": Message(
            Text(
                "{source} is a preprint, and the claim does not say so.",
                "{source} 是预印本，论断未注明。",
            ),
            Text("Add “not peer reviewed”.", "请注明“未经同行评议”。"),
        )
    },
    run=preprint_unlabelled,
    examples=(
        (_cited(is_preprint=True, band="reference", tier=3), ("preprint_unlabelled",)),
        (_cited(url="https://arxiv.org/abs/1", band="reference", tier=3), ("preprint_unlabelled",)),
        (_cited("A preprint says use rose.", is_preprint=True, band="reference", tier=3), ()),
        (_cited("使用量上升（未经同行评议）。", is_preprint=True, band="reference", tier=3), ()),
        (_cited(band="core", tier=1), ()),
        (_cited(is_preprint=True), ()),
    ),
    defect="S1",
)
