"""Whether a source is admitted, stays a candidate, or is turned away, and by which rule. Pure.

The order is fixed: blacklist, retraction, score with the weight of its tier, ``score >= 4.0``.
Rulebook section 3. Everything compares the unrounded score: 3.96 is not admitted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from sources.retractions.words import line_of
from sources.scoring.bands import ADMITTED_FROM, STRONG_COI_MOST, rounded
from workbench.lib.texts import Text

VERSION = "admission-1"

RETRACTED, LOW_SCORE, STRONG_COI, BY_HAND = "retracted", "low_score", "strong_coi", "by_hand"
# What an unfinished candidate lacks.
NEEDS_RECEIPT, NOT_SCORED, UNREAD_LEAD = "needs_receipt", "not_scored", "unread_lead"

_AND = Text("; ", "；")

type Status = Literal["candidate", "admitted", "rejected"]
type Facts = Mapping[str, Any]
type Turned = tuple[str, Facts]  # a rule and what it read

RULES: Mapping[str, Text] = {
    "blacklist_domain": Text("Blacklisted place", "黑名单站点"),
    "press_copy": Text("Press copy", "软文或新闻稿"),
    "stale": Text("Out of date", "时效过期"),
    "wikipedia": Text("Wikipedia", "维基百科"),
    "anonymous": Text("Anonymous origin", "匿名消息"),
    RETRACTED: Text("Retracted", "已撤稿"),
    LOW_SCORE: Text("Score below 4.0", "评分低于 4.0"),
    STRONG_COI: Text("Strong conflict of interest", "强利益冲突"),
    BY_HAND: Text("Turned away by a person", "由人拒收"),
}
REASONS: Mapping[str, Text] = {
    "blacklist": Text(
        "A rule of the blacklist hits it: {patterns}.", "黑名单规则命中：{patterns}。"
    ),
    "blacklist_unnamed": Text("A rule of the blacklist hits it.", "黑名单规则命中。"),
    RETRACTED: Text("It is retracted: {notices}.", "已被撤稿：{notices}。"),
    "retracted_unnamed": Text("It is retracted.", "已被撤稿。"),
    LOW_SCORE: Text(
        "Its score is {score}; 4.0 is needed. It stays in the discovery library.",
        "评分为 {score}，入库需 4.0；仅存入发现库。",
    ),
    STRONG_COI: Text(
        "A strong conflict of interest caps its score at {most}. It stays, but carries no "
        "conclusion: {conflict}",
        "强利益冲突使评分不超过 {most}；信源保留，但不得支撑结论：{conflict}",
    ),
}
LACKS: Mapping[str, Text] = {
    NEEDS_RECEIPT: Text(
        "No receipt of a search or an opened page names it.", "没有检索回执提到该信源。"
    ),
    NOT_SCORED: Text("It has no score yet.", "尚未评分。"),
    UNREAD_LEAD: Text(
        "Only a search snippet was seen: a lead, never support.",
        "只见过检索摘要：仅为线索，不能支撑事实。",
    ),
}


@dataclass(frozen=True, slots=True)
class AdmissionFacts:
    """What is known of a source when it asks to be admitted; unknown values are empty."""

    url: str = ""
    doi: str = ""
    blacklist: str = ""  # kind of the rule that wins, if it blocks and was not lifted
    patterns: tuple[str, ...] = ()  # of the rules of that kind that hit it
    retracted: bool = False  # as the most severe standing notice says, not acknowledged
    notices: tuple[Mapping[str, str], ...] = ()  # date, nature, notice, says; the worst first
    score: Decimal | None = None  # after weight and cap, unrounded
    tier: int | None = None
    strong_coi: bool = False
    conflict: str = ""
    receipts: tuple[str, ...] = ()  # ids that the log of searches knows
    access_status: str = ""
    dead_link: bool = False  # marked, never a reason to go
    passed: tuple[Turned, ...] = ()  # what a person re-opened it from


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a source. A rule is written down as a rejection, also where it stays."""

    status: Status
    rule: str = ""  # empty: nothing turns it away
    facts: Facts = field(default_factory=dict)  # what the rule read
    lacks: str = ""  # what a candidate lacks, a key of LACKS
    log_line: str = ""

    def reason(self, language: str) -> str:
        """Say why it is turned away, in the language of a BCP 47 tag."""
        if not self.rule:
            return ""
        facts = self.facts
        if self.rule == RETRACTED:
            code = RETRACTED if facts["notices"] else "retracted_unnamed"
        elif self.rule in {LOW_SCORE, STRONG_COI}:
            code = self.rule
        else:
            code = "blacklist" if facts["patterns"] else "blacklist_unnamed"
        values = {name: _listed(value) for name, value in facts.items()}
        if self.rule == RETRACTED:
            values["notices"] = _AND.render(language).join(
                line_of(each, language) for each in facts["notices"]
            )
        if self.rule == LOW_SCORE:
            values["score"] = said(Decimal(facts["score"]))
        return REASONS[code].render(language, **values)


def decide(facts: AdmissionFacts) -> Decision:
    """Give what the fixed order of rules makes of a source.

    A rule that a person re-opened it from is passed over as long as it reads the same facts.
    """
    read: dict[str, Any]
    if facts.blacklist:
        read = {"kind": facts.blacklist, "patterns": sorted(facts.patterns)}
        if (facts.blacklist, read) not in facts.passed:
            return _rejected(facts.blacklist, read, f"BLACKLIST: {facts.url}")
    if facts.retracted:
        read = {"doi": facts.doi, "notices": [dict(each) for each in facts.notices]}
        if _weighed(read) not in [_weighed(old) for rule, old in facts.passed if rule == RETRACTED]:
            return _rejected(RETRACTED, read, f"RETRACTED: {facts.doi or facts.url}")
    if facts.score is None:
        return Decision("candidate", lacks=NOT_SCORED)
    if facts.strong_coi:
        return _with_strong_coi(facts)
    if facts.score < ADMITTED_FROM:
        read = {"score": format(facts.score.normalize(), "f"), "tier": facts.tier}
        if (LOW_SCORE, read) not in facts.passed:
            line = f"LOW SCORE ({said(facts.score)}): {facts.url}"
            return _rejected(LOW_SCORE, read, line)
    return _with_receipt(facts)


def _weighed(read: Facts) -> list[tuple[str, ...]]:
    """Give what counts of the notices that were read: not how many providers speak of one."""
    told = [each for each in read["notices"] if isinstance(each, dict)]
    return sorted((each["nature"], each["notice"] or each["date"]) for each in told)


def _with_strong_coi(facts: AdmissionFacts) -> Decision:
    """Keep it where its receipts put it, and write the rejection. Rulebook section 2."""
    kept = _with_receipt(facts)
    read = {"most": str(STRONG_COI_MOST), "conflict": facts.conflict}
    if (STRONG_COI, read) in facts.passed:
        return kept
    shown = said(facts.score) if facts.score is not None else ""
    line = f"LOW SCORE ({shown}): {facts.url}"
    return Decision(kept.status, STRONG_COI, read, kept.lacks, line)


def _with_receipt(facts: AdmissionFacts) -> Decision:
    if not facts.receipts:
        return Decision("candidate", lacks=NEEDS_RECEIPT)
    if facts.access_status == "snippet_only":
        return Decision("candidate", lacks=UNREAD_LEAD)
    return Decision("admitted")


def _rejected(rule: str, facts: Facts, log_line: str) -> Decision:
    return Decision("rejected", rule, facts, log_line=log_line)


def said(score: Decimal) -> str:
    """Give a score as a line says it: one decimal, unless that would say what it is not.

    3.96 stays "3.96": "4.0" would say that it was admitted.
    """
    short = rounded(score)
    if score < ADMITTED_FROM <= short:
        return format(score.normalize(), "f")
    return str(short)


def _listed(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
