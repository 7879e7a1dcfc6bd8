"""The tier of a source, 1 to 4. Pure. Rulebook section 2, "Tiers"."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from workbench.lib.texts import Text

from .authority import figure_of
from .facts import SourceFacts
from .marks import Rule
from .placing import Place, has_journal

WEIGHT = Decimal("1.2")  # of tier 1
HIGH_FIGURE = Decimal(10)  # an impact factor from which an article is tier 1
HIGH_BAND = Decimal("2.5")  # the authority of such a figure

CLASSES: Mapping[str, int] = {
    "regulator": 1,
    "exchange": 1,
    "registry": 1,
    "patent_office": 1,
    "top_consulting": 2,
    "data_vendor": 2,
    "association": 2,
    "professional_media": 2,
    "preprint": 3,
    "broker": 3,
    "conference": 3,
    "self_media": 4,
    "encyclopedia": 4,
}

RULES: Mapping[str, Rule] = {
    "preprint": Rule("3", Text("Preprint: not peer reviewed", "预印本：未同行评审")),
    "conference_abstract": Rule("3", Text("Conference abstract", "会议摘要")),
    "journal_row": Rule("1–4", Text("{journal} in the table of journals", "期刊表中的 {journal}")),
    "row_tier": Rule("1–4", Text("{row} in the site's tables", "站点表中的 {row}")),
    "publisher_class": Rule("1–4", Text("{row} is of class “{class}”", "{row} 属于“{class}”类")),
    "article_with_pmid": Rule(
        "1", Text("Peer-reviewed article with a PMID", "有 PMID 的同行评审论文")
    ),
    "article_high_impact": Rule(
        "1",
        Text("Peer-reviewed article, impact factor at least 10", "同行评审论文，影响因子不低于 10"),
    ),
    "article": Rule("2", Text("Peer-reviewed article", "同行评审论文")),
    "systematic_review": Rule(
        "2", Text("Systematic review or meta-analysis", "系统综述或 Meta 分析")
    ),
    "no_row": Rule(
        "4",
        Text(
            "An ordinary page: no row of the tables matches {host}",
            "普通网页：站点表中没有与 {host} 匹配的行",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class TierMark:
    """A tier, the rule that gave it and what it read."""

    tier: int
    rule: str
    facts: Mapping[str, str] = field(default_factory=dict)


def tier_of(facts: SourceFacts, place: Place) -> TierMark:
    """Give the tier by the page's own publisher. Rulebook section 2, "Tiers"."""
    kind = place.kind.name
    if kind in {"preprint", "conference_abstract"}:
        return TierMark(3, kind)
    if kind == "article" and (found := _of_article(facts, place)) is not None:
        return found
    if place.row_tier is not None:
        return TierMark(place.row_tier, "row_tier", {"row": place.row_name})
    if place.publisher_class in CLASSES:
        read = {"row": place.row_name, "class": place.publisher_class}
        return TierMark(CLASSES[place.publisher_class], "publisher_class", read)
    if place.content.name == "systematic_review" and place.is_paper:
        return TierMark(2, "systematic_review")
    return TierMark(4, "no_row", {"host": place.host or "–"})


def _of_article(facts: SourceFacts, place: Place) -> TierMark | None:
    row = place.journal
    if row is not None and row.tier is not None:
        return TierMark(row.tier, "journal_row", {"journal": row.title})
    if place.publisher_class and (place.row_tier or place.publisher_class in CLASSES):
        return None
    if not has_journal(facts, place):
        return None
    if "pmid" in facts.schemes:
        return TierMark(1, "article_with_pmid")
    figure = figure_of(facts, row)
    band = row.authority_band if row is not None and figure is None else None
    if (figure is not None and figure >= HIGH_FIGURE) or (band is not None and band >= HIGH_BAND):
        return TierMark(1, "article_high_impact")
    return TierMark(2, "article")
