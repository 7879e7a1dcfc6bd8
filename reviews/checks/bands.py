"""Checks of what the scores of a claim's sources may carry. Pure. Rulebook sections 2 and 3.

A source without a score is not a bad one. These checks speak of a claim only once every source
that it cites is scored; a report whose sources nobody scored gets no findings from them.
Decision 0011.
"""

from collections.abc import Iterator

from reviews.checks.base import (
    Check,
    ClaimFacts,
    Finding,
    Message,
    Params,
    Severity,
    SourceFacts,
)
from reviews.checks.hosts import kind_of
from reviews.checks.independence import origins_of
from reviews.checks.origins import sources_of
from reviews.checks.samples import claim, evidence, source
from workbench.lib.texts import Text

CORE, CORROBORATE, REFERENCE, DISCOVERY = "core", "corroborate", "reference", "discovery"
ENOUGH = 2  # corroborating origins that carry a conclusion


def is_scored(facts: ClaimFacts) -> bool:
    """Tell whether a claim cites sources and every one of them has a score."""
    cited = sources_of(facts)
    return bool(cited) and all(found.band for found, _piece in cited)


def carries(found: SourceFacts) -> bool:
    """Tell whether a source was read and not turned away, so that its band counts."""
    return found.status != "rejected" and found.access_status not in {"failed", "snippet_only"}


def severity_for(facts: ClaimFacts) -> Severity:
    """A key claim may not stand on what carries nothing."""
    return "error" if facts.is_key else "warning"


def band_insufficient(facts: ClaimFacts) -> Iterator[Finding]:
    """Find claims without a core source and without two corroborating ones of other origin."""
    if not is_scored(facts):
        return
    usable = [found for found, _piece in sources_of(facts) if carries(found)]
    if any(found.band == CORE for found in usable):
        return
    ids = {found.id for found in usable if found.band == CORROBORATE}
    origins = origins_of(facts, ids)
    if origins < ENOUGH:
        params = {"count": len(ids), "origins": origins}
        # Where each source is told to support nothing, this only sums up: one fault, one answer.
        severity = severity_for(facts) if any(_supports(found) for found in usable) else "warning"
        yield Finding("band_insufficient", severity, params)


def _supports(found: SourceFacts) -> bool:
    return found.band != DISCOVERY and found.tier != 4


def reference_only(facts: ClaimFacts) -> Iterator[Finding]:
    """Find claims whose best sources may never be the only support."""
    if not is_scored(facts):
        return
    bands = [found.band for found, _piece in sources_of(facts) if carries(found)]
    if REFERENCE in bands and not {CORE, CORROBORATE} & set(bands):
        params = {"count": bands.count(REFERENCE)}
        yield Finding("reference_only", "warning", params)


def discovery_used(facts: ClaimFacts) -> Iterator[Finding]:
    """Find sources that may only stand in the discovery library.

    Where the tier, the snippet or the rejection is why, the check of that says so.
    """
    for cited, piece in sources_of(facts):
        if cited.band == DISCOVERY and cited.tier != 4 and carries(cited):
            params = {"source": cited.id}
            yield Finding("discovery_used", severity_for(facts), params, piece.key, cited.id)


def tier3_without_tier12(facts: ClaimFacts) -> Iterator[Finding]:
    """Find claims that tier 3 sources carry without one of tier 1 or 2 beside them."""
    if not is_scored(facts):
        return
    cited = [found for found, _piece in sources_of(facts) if carries(found)]
    third = [found for found in cited if found.tier == 3]
    if third and not any(found.tier in {1, 2} for found in cited):
        params: Params = {"source": third[0].id, "count": len(third)}
        yield Finding("tier3_without_tier12", severity_for(facts), params)


def tier4_support(facts: ClaimFacts) -> Iterator[Finding]:
    """Find ordinary web pages given as support. Encyclopaedias have a check of their own.

    Where the page was turned away or not read, the check of that asks for the answer.
    """
    for cited, piece in sources_of(facts):
        if cited.tier == 4 and kind_of(cited.url) != "wiki":
            params = {"source": cited.id}
            severity = severity_for(facts) if carries(cited) else "warning"
            yield Finding("tier4_support", severity, params, piece.key, cited.id)


_CORE = source(id="trial", url="https://trials.fi/1", band=CORE, tier=1)
_SECOND = source(id="gazette", url="https://gazette.fi/2025", band=CORROBORATE, tier=2)
_FIRST = source(band=CORROBORATE, tier=2)
_THIRD = source(id="preprint", url="https://preprints.fi/1", band=REFERENCE, tier=3)


def _resting_on(*sources: SourceFacts, is_key: bool = False) -> ClaimFacts:
    return claim("Use rose.", *(evidence("use rose", source=s) for s in sources), is_key=is_key)


BAND_INSUFFICIENT = Check(
    id="band-insufficient",
    version=2,
    title=Text("Sources may carry the claim", "信源足以支撑论断"),
    description=Text(
        "A conclusion rests on one core source (8.0 and more), or on two corroborating ones (6.0 "
        "to 7.9) of different independence clusters. Sources that were turned away, could not be "
        "opened or were seen as a snippet only do not count. It is a warning where each source is "
        "told to support nothing. Nothing is said while a cited source has no score.",
        "结论需有一个核心信源（8.0 及以上），或两个属于不同独立性簇的佐证信源（6.0–7.9）。"
        "已拒收、无法打开或只见过摘要的信源不计。各信源均已另行提示不得支撑的，此处仅为警告。"
        "所引信源尚有未评分的，本检查不作提示。",
    ),
    messages={
        "band_insufficient": Message(
            Text(
                "No core source, and {count} corroborating source(s) of {origins} origin(s).",
                "没有核心信源，佐证信源 {count} 个，分属 {origins} 个独立性簇。",
            ),
            Text(
                "Add a core source, or a corroborating one of another origin.",
                "请补充一个核心信源，或一个属于其他独立性簇的佐证信源。",
            ),
        )
    },
    run=band_insufficient,
    examples=(
        (_resting_on(_CORE), ()),
        (_resting_on(_FIRST, _SECOND), ()),
        (_resting_on(_FIRST), ("band_insufficient",)),
        (
            _resting_on(
                source(band=CORROBORATE, cluster="K7"),
                source(id="wire", url="https://w.fi", band=CORROBORATE, cluster="K7"),
            ),
            ("band_insufficient",),
        ),
        (_resting_on(_FIRST, source(id="new", url="https://n.fi")), ()),
        (_resting_on(source()), ()),
    ),
    defect="H2",
)

REFERENCE_ONLY = Check(
    id="reference-only",
    version=1,
    title=Text("Reference sources are not the only support", "参考信源不是唯一支撑"),
    description=Text(
        "Sources of the band reference (4.0 to 5.9) are never the only support of a claim.",
        "参考分档（4.0–5.9）的信源不得作为论断的唯一支撑。",
    ),
    messages={
        "reference_only": Message(
            Text(
                "Only reference sources support this ({count}).",
                "仅有参考分档的信源支撑（{count} 个）。",
            ),
            Text(
                "Add a core or corroborating source, or drop the claim.",
                "请补充核心或佐证信源，否则删去该论断。",
            ),
        )
    },
    run=reference_only,
    examples=(
        (_resting_on(_THIRD), ("reference_only",)),
        (_resting_on(_THIRD, _FIRST), ()),
    ),
    defect="H2",
)

DISCOVERY_USED = Check(
    id="discovery-used",
    version=1,
    title=Text("Sources below 4.0 support nothing", "低于 4.0 的信源不作支撑"),
    description=Text(
        "A source of the band discovery (below 4.0, or under a strong conflict of interest) "
        "carries no conclusion and stands in the discovery library alone.",
        "线索分档的信源（低于 4.0，或存在强利益冲突）不得支撑结论，只能存入发现库。",
    ),
    messages={
        "discovery_used": Message(
            Text("{source} is in the band discovery.", "{source} 属于线索分档。"),
            Text(
                "Replace it by a source that may carry a claim.",
                "请换用可以支撑论断的信源。",
            ),
        )
    },
    run=discovery_used,
    examples=(
        (_resting_on(source(band=DISCOVERY, tier=2)), ("discovery_used",)),
        (_resting_on(source(band=REFERENCE, tier=2)), ()),
        (_resting_on(source(band=DISCOVERY, tier=4)), ()),
    ),
    defect="H2",
)

TIER3_ALONE = Check(
    id="tier-three-alone",
    version=1,
    title=Text("Tier 3 stands beside tier 1 or 2", "三级信源须有一、二级信源并列"),
    description=Text(
        "Preprints, broker research and conference abstracts (tier 3) carry a claim only beside "
        "a source of tier 1 or 2.",
        "预印本、券商研报、会议摘要（三级）须有一级或二级信源并列，才能支撑论断。",
    ),
    messages={
        "tier3_without_tier12": Message(
            Text(
                "{source} is of tier 3 ({count} such), and none of tier 1 or 2 stands beside it.",
                "{source} 为三级信源（共 {count} 个），且没有一级或二级信源并列。",
            ),
            Text("Add a source of tier 1 or 2.", "请补充一级或二级信源。"),
        )
    },
    run=tier3_without_tier12,
    examples=(
        (_resting_on(_THIRD), ("tier3_without_tier12",)),
        (_resting_on(_THIRD, _FIRST), ()),
    ),
    defect="H2",
)

TIER4_SUPPORT = Check(
    id="tier-four-support",
    version=2,
    title=Text("Ordinary web pages support nothing", "普通网页不作支撑"),
    description=Text(
        "Tier 4, an ordinary web page that no table knows, is an entrance to its originals and "
        "never support for a conclusion, whatever its score. It is a warning where the page was "
        "turned away or not read: the check of that says so.",
        "四级信源，即各表均未收录的普通网页，只能作为追溯原始信源的入口，无论评分多少都不得支撑结论。"
        "该网页已被拒收或未能读到的，另有检查提示，此处仅为警告。",
    ),
    messages={
        "tier4_support": Message(
            Text("{source} is of tier 4.", "{source} 为四级信源。"),
            Text("Trace it to its original and cite that.", "请追溯到原始信源并改引原始信源。"),
        )
    },
    run=tier4_support,
    examples=(
        (_resting_on(source(tier=4, band=DISCOVERY)), ("tier4_support",)),
        (_resting_on(source(tier=3, band=REFERENCE)), ()),
    ),
    defect="H2",
)
