"""Propose a support and a trust class for each piece of evidence, with reasons. Pure.

A proposal is shown in grey until a person confirms it; it never decides. In doubt there is none.
Rulebook section 7, A1 to A3.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from reviews.checks.base import ClaimFacts, EvidenceFacts, Finding
from reviews.checks.captures import LOCATED, UNUSABLE
from reviews.checks.caution import HEDGE_DROPPED
from reviews.checks.hosts import host_of, kind_of
from reviews.checks.origins import CIRCULAR_SOURCE, RESERVED_HOST
from reviews.checks.quotes import is_quote
from reviews.checks.strength import CAUSAL_MISMATCH, PRECLINICAL_DROPPED, STRONG_WORDS
from reviews.checks.trust import RETRACTED_SOURCE
from reviews.checks.wording import around, shared
from sources.quantities import LedgerRow
from workbench.lib.texts import Text

type Support = Literal["full", "partial", "none", "contradicts", ""]
type Trust = Literal["trusted_primary", "professional_secondary", "weak_untrusted", "unusable", ""]

# Share of the claim's terms that a passage must have before "full" is proposed.
FULL_COVERAGE = 0.7
_KEPT = frozenset({"equal", "converted", "rounded"})
_WORDING = (STRONG_WORDS, CAUSAL_MISMATCH, PRECLINICAL_DROPPED, HEDGE_DROPPED)


@dataclass(frozen=True, slots=True)
class Reasoned[T]:
    """What the machine would say, and why; an empty value is no proposal."""

    value: T
    reason: Text


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for one piece of evidence; the reasons are filled in, ready to show."""

    support: Support
    trust: Trust
    reasons: tuple[Text, ...]


NO_TEXT = Text("There is no full text to judge by.", "没有可供判断的全文。")
NO_PASSAGE = Text(
    "A paraphrase needs a passage that a reviewer confirms.", "转述需由审查人确认对应的原文段落。"
)
QUOTE_ABSENT = Text("The quote is not in the full text.", "引文不在全文中。")
QUOTE_ALTERED = Text("The quote differs from the text.", "引文与原文有出入。")
OPPOSITE = Text(
    "“{claim}” goes the other way in the source: “{found}”.", "“{claim}”与原文方向相反：“{found}”。"
)
NUMBERS_DIFFER = Text("“{claim}” is “{found}” in the source.", "“{claim}”在原文中为“{found}”。")
NUMBERS_MISSING = Text("“{claim}” is not in the passage.", "该段原文中没有“{claim}”。")
WORDING = Text(
    "The claim is worded more strongly than the passage (“{word}”).",
    "论断措辞强于原文（“{word}”）。",
)
ALL_THERE = Text(
    "The quote is located, {percent}% of the claim's terms and all its numbers are there.",
    "引文已定位，论断中 {percent}% 的词语及全部数字均见于原文。",
)
TOO_LITTLE = Text(
    "The passage has only {percent}% of the claim's terms.", "该段原文仅含论断 {percent}% 的词语。"
)
OTHER_LANGUAGE = Text("The passage is in another language than the claim.", "原文与论断语言不同。")

UNRESOLVED = Text("The source is not in the list.", "信源不在列表中。")
BAD_CAPTURE = Text("The capture holds no text of the source.", "快照中没有信源正文。")
RETRACTED = Text("The source is retracted.", "信源已被撤稿。")
CIRCULAR = Text("The source is the report itself.", "信源就是报告自身。")
UNREAL = Text("The address cannot exist in public.", "该网址不可能公开存在。")
WEAK_HOST = Text("{host}: anybody may publish there.", "{host}：任何人都可在此发布。")
SAID_TERTIARY = Text("The report itself declares it tertiary.", "报告自己声明其为三手信源。")
OFFICIAL_HOST = Text(
    "A government, regulator, registry or exchange.", "政府、监管机构、登记机构或交易所。"
)
NEWS_HOST = Text("A medium with an editorial process.", "有编辑流程的媒体。")
UNKNOWN_HOST = Text("Nothing certain is known of its publisher.", "发布方情况不明。")


def propose(claim: ClaimFacts) -> tuple[Proposal, ...]:
    """Propose support and trust class for every piece of evidence of a claim, in its order."""
    proposals = []
    for piece in claim.evidence:
        support, trust = propose_support(claim, piece), propose_trust(claim, piece)
        proposals.append(Proposal(support.value, trust.value, (support.reason, trust.reason)))
    return tuple(proposals)


def propose_support(claim: ClaimFacts, piece: EvidenceFacts) -> Reasoned[Support]:
    """Propose how far one piece of evidence supports the claim.

    "full" only for a located quote that holds the claim's numbers and most of its terms in the
    same language; "contradicts" only for a number that goes the other way; "none" only for a quote
    absent from a full text. Everything else is "partial" for a named fault, or no proposal.
    """
    if piece.depth in UNUSABLE or piece.grade == "not_checkable":
        return _said("", NO_TEXT)
    if piece.grade == "absent" and is_quote(piece):
        return _said("none", QUOTE_ABSENT) if piece.depth == "full" else _said("", NO_TEXT)
    text = around(piece)
    if not text or piece.grade == "absent":
        return _said("", NO_PASSAGE)
    return _by_numbers(piece) or _by_wording(claim, piece) or _by_terms(claim, piece, text)


def _by_numbers(piece: EvidenceFacts) -> Reasoned[Support] | None:
    faults = [row for row in piece.ledger if row.relation not in _KEPT]
    opposite = next(
        (row for row in faults if row.note == "direction" and row.origin == "passage"), None
    )
    if opposite is not None and piece.grade in LOCATED:
        return _said("contradicts", OPPOSITE, **_sides(opposite))
    if piece.number_mismatch:
        return _said("partial", QUOTE_ALTERED)
    if not faults:
        return None
    worst = next((row for row in faults if row.relation == "different"), faults[0])
    text = NUMBERS_DIFFER if worst.relation == "different" else NUMBERS_MISSING
    return _said("partial", text, **_sides(worst))


def _sides(row: LedgerRow) -> dict[str, str | int]:
    return {"claim": row.claim.raw, "found": row.passage.raw if row.passage else ""}


def _by_wording(claim: ClaimFacts, piece: EvidenceFacts) -> Reasoned[Support] | None:
    finding = _first(replace(claim, evidence=(piece,)))
    if finding is None:
        return None
    return _said("partial", WORDING, word=finding.params.get("word", finding.place))


def _first(claim: ClaimFacts) -> Finding | None:
    found = (finding for check in _WORDING for finding in check.run(claim))
    return next((finding for finding in found if finding.severity != "info"), None)


def _by_terms(claim: ClaimFacts, piece: EvidenceFacts, text: str) -> Reasoned[Support]:
    share = shared(claim.text, text)
    if share is None:
        return _said("", OTHER_LANGUAGE)
    percent = round(share * 100)
    if share < FULL_COVERAGE:
        return _said("", TOO_LITTLE, percent=percent)
    if piece.grade not in LOCATED:
        return _said("", QUOTE_ALTERED if is_quote(piece) else NO_PASSAGE)
    return _said("full", ALL_THERE, percent=percent)


def propose_trust(claim: ClaimFacts, piece: EvidenceFacts) -> Reasoned[Trust]:
    """Propose the trust class of one source for this claim.

    A declared quality is never taken as proof of a better class, only of a worse one.
    """
    cited = piece.source
    if cited is None:
        return _said_trust("unusable", UNRESOLVED)
    alone = replace(claim, evidence=(piece,))
    if any(finding.severity == "error" for finding in RETRACTED_SOURCE.run(alone)):
        return _said_trust("unusable", RETRACTED)
    if any(finding.code == "report_itself" for finding in CIRCULAR_SOURCE.run(alone)):
        return _said_trust("unusable", CIRCULAR)
    if any(finding.severity == "error" for finding in RESERVED_HOST.run(alone)):
        return _said_trust("unusable", UNREAL)
    if piece.depth in UNUSABLE:
        return _said_trust("unusable", BAD_CAPTURE)
    return _by_host(cited.url, cited.quality.strip().casefold())


def _by_host(url: str, declared: str) -> Reasoned[Trust]:
    kind = kind_of(url)
    if kind in {"wiki", "social", "self_media"}:
        return _said_trust("weak_untrusted", WEAK_HOST, host=host_of(url))
    if declared == "tertiary":
        return _said_trust("weak_untrusted", SAID_TERTIARY)
    if kind == "official":
        return _said_trust("trusted_primary", OFFICIAL_HOST)
    if kind == "news":
        return _said_trust("professional_secondary", NEWS_HOST)
    return _said_trust("", UNKNOWN_HOST)


def _said(value: Support, text: Text, **params: str | int) -> Reasoned[Support]:
    return Reasoned(value, _filled(text, params))


def _said_trust(value: Trust, text: Text, **params: str | int) -> Reasoned[Trust]:
    return Reasoned(value, _filled(text, params))


def _filled(text: Text, params: Mapping[str, str | int]) -> Text:
    return Text(en=text.render("en", **params), zh=text.render("zh", **params))
