"""Primacy, 0 to 2 points. Pure. Rulebook section 2, table "primacy"."""

from collections.abc import Mapping
from decimal import Decimal

from workbench.lib.texts import Text

from .facts import SourceFacts
from .marks import Mark, Rule
from .phrases import Phrases, fold_text
from .placing import Place

ORIGINAL = Decimal("2.0")
SYSTEMATIC = Decimal("1.5")
NARRATIVE = Decimal("1.0")
SECOND_HAND = Decimal("0.5")
THIRD_HAND = Decimal(0)

RECORDS = frozenset({"regulator_notice", "registry_record", "patent", "filing"})
_READINGS = frozenset({"news", "broker_report"})
_REPORTS = frozenset(
    {"consulting_report", "data_report", "association_paper", "company_page", "database"}
)

_HEARSAY = Phrases(
    "reportedly", "according to media report*", "according to reports",
    "according to people familiar", "according to sources", "according to insiders",
    "people familiar with the", "sources familiar with the", "source familiar with the",
    "industry insider*", "it is rumored", "it is rumoured", "据报道", "据媒体报道", "据外媒报道",
    "据悉", "据传", "业内人士", "知情人士", "有消息称",
)  # fmt: skip

RULES: Mapping[str, Rule] = {
    "original_record": Rule("2.0", Text("{kind}: original data → 2.0", "{kind}：一手数据 → 2.0")),
    "original_study": Rule(
        "2.0",
        Text("Original study (told by the {by}) → 2.0", "原始研究（依据：{by}） → 2.0"),
    ),
    "systematic_review": Rule(
        "1.5",
        Text(
            "Systematic review or meta-analysis (told by the {by}) → 1.5",
            "系统综述或 Meta 分析（依据：{by}） → 1.5",
        ),
    ),
    "narrative_review": Rule(
        "1.0",
        Text("Narrative review (told by the {by}) → 1.0", "叙述性综述（依据：{by}） → 1.0"),
    ),
    "second_hand": Rule("0.5", Text("{kind}: second-hand reading → 0.5", "{kind}：二次解读 → 0.5")),
    "third_hand": Rule(
        "0",
        Text("Third-hand: “{words}” → 0", "三次传播：“{words}” → 0"),
    ),
    "open_text": Rule(
        "0",
        Text("{kind}: retells what others found → 0", "{kind}：转述他人内容 → 0"),
    ),
    "paper_of_unknown_content": Rule(
        "1.0",
        Text(
            "A paper that shows no sign of an original study: counted as a review → 1.0",
            "论文未显示原始研究的迹象：按综述计 → 1.0",
        ),
    ),
    "report_of_unknown_data": Rule(
        "0.5",
        Text(
            "{kind}: nothing says that the data are its own → 0.5",
            "{kind}：未说明数据是否自采 → 0.5",
        ),
    ),
    "unknown_hand": Rule(
        "0",
        Text(
            "{kind}: nothing says where its statements come from → 0",
            "{kind}：未说明内容出处 → 0",
        ),
    ),
}


def primacy(facts: SourceFacts, place: Place) -> Mark:
    """Mark how near a source stands to the data. Rulebook section 2."""
    kind = {"kind": place.kind.name}
    if place.is_paper:
        return _of_paper(place)
    if place.kind.name in RECORDS:
        return Mark(ORIGINAL, "original_record", kind)
    if words := hearsay(facts):
        return Mark(THIRD_HAND, "third_hand", {"words": words}, ("original",))
    if place.content.by in {"override", "publication_type"}:
        return _of_paper(place)
    if place.kind.name in _READINGS:
        return Mark(SECOND_HAND, "second_hand", kind, ("original",))
    if place.kind.name in _REPORTS:
        return Mark(SECOND_HAND, "report_of_unknown_data", kind, ("own_data",), unknown=True)
    if place.kind.name in {"encyclopedia", "self_media"}:
        return Mark(THIRD_HAND, "open_text", kind, ("original",))
    return Mark(THIRD_HAND, "unknown_hand", kind, ("kind",), unknown=True)


def _of_paper(place: Place) -> Mark:
    by = {"by": place.content.by}
    if place.content.name == "original_study":
        return Mark(ORIGINAL, "original_study", by)
    if place.content.name == "systematic_review":
        return Mark(SYSTEMATIC, "systematic_review", by, ("original",))
    if place.content.name == "narrative_review":
        return Mark(NARRATIVE, "narrative_review", by, ("original",))
    if place.content.name == "comment":
        return Mark(SECOND_HAND, "second_hand", {"kind": "comment"}, ("original",))
    return Mark(NARRATIVE, "paper_of_unknown_content", {}, ("publication_type",), unknown=True)


def hearsay(facts: SourceFacts) -> str:
    """Give the words by which a text says that it heard of something; empty if it does not."""
    return _HEARSAY.find(fold_text(facts.title)) or _HEARSAY.find(fold_text(facts.abstract))
