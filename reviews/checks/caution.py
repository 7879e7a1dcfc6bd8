"""Checks that doubt, attribution and premises of a source survive in the claim. Pure.

Rulebook section 7, A3: "discloses/claims/expects X" must not become fact; forecasts keep their
premises.
"""

from collections.abc import Iterator

from reviews.checks.base import Check, ClaimFacts, EvidenceFacts, Finding, Message, Severity
from reviews.checks.doubts import (
    ATTRIBUTIONS,
    CAUTIONS,
    DISCLOSURES,
    FORECASTS,
    FUTURE,
    HEDGES,
    KEPT_PREMISES,
    PREMISES,
)
from reviews.checks.samples import claim, evidence
from reviews.checks.wording import has, hits, nearest, shared, texts
from reviews.checks.words import Words
from workbench.lib.texts import Text

# A sentence that shares less with the claim is about something else.
_ABOUT = 0.4
_PLAINLY = 0.6  # what a sentence shares that says the claim itself

# code, words of the source, words with which the claim keeps it; the first that fits is raised.
_RULES: tuple[tuple[str, Words, Words], ...] = (
    ("forecast_as_fact", FORECASTS, FUTURE),
    ("attribution_dropped", ATTRIBUTIONS, CAUTIONS),
    ("hedge_dropped", HEDGES, CAUTIONS),
    ("disclosure_as_fact", DISCLOSURES, DISCLOSURES),
)


def hedge_dropped(facts: ClaimFacts) -> Iterator[Finding]:
    """Find doubt or attribution of the source that the claim does not keep."""
    raised = [found for piece in texts(facts) if (found := _dropped(facts, piece))]
    told_plainly = any(_tells_plainly(facts, piece) for piece in texts(facts))
    if raised and not told_plainly:
        yield raised[0]


def _dropped(facts: ClaimFacts, piece: EvidenceFacts) -> Finding | None:
    for sentence in nearest(facts.text, piece.passage):
        if not _is_about(facts.text, sentence):
            continue
        for code, words, kept in _RULES:
            seen = [hit for hit in hits(sentence, words, quoted=False) if not hit.denied]
            if not seen or has(facts.text, kept):
                continue
            if code == "disclosure_as_fact" and facts.kind != "interpretive":
                continue  # a fact of its own affairs is what a company's notice proves
            if code == "forecast_as_fact" and facts.kind == "projective":
                continue
            word = seen[0].word
            return Finding(code, _severity(code, facts), {"found": word}, piece.key, word)
    return None


def _severity(code: str, facts: ClaimFacts) -> Severity:
    if code == "disclosure_as_fact":
        return "info"
    return "error" if facts.is_key else "warning"


def _is_about(text: str, sentence: str) -> bool:
    share = shared(text, sentence)
    return share is None or share >= _ABOUT


def _tells_plainly(facts: ClaimFacts, piece: EvidenceFacts) -> bool:
    """Tell whether this evidence says the thing itself, without doubt."""
    for sentence in nearest(facts.text, piece.passage):
        share = shared(facts.text, sentence)
        doubt = has(sentence, HEDGES, ATTRIBUTIONS, FORECASTS, DISCLOSURES)
        if share is not None and share >= _PLAINLY and not doubt:
            return True
    return False


def forecast_premise(facts: ClaimFacts) -> Iterator[Finding]:
    """Find a forecast whose condition the claim leaves out."""
    forecast = facts.kind == "projective" or has(facts.text, FUTURE)
    if not forecast or has(facts.text, KEPT_PREMISES):
        return
    for piece in texts(facts):
        for sentence in nearest(facts.text, piece.passage):
            if not has(sentence, FUTURE) or not _is_about(facts.text, sentence):
                continue
            seen = hits(sentence, PREMISES, quoted=False)
            if seen:
                severity: Severity = "error" if facts.is_key else "warning"
                word = seen[0].word
                yield Finding("premise_dropped", severity, {"found": word}, piece.key, word)
                return


HEDGE_DROPPED = Check(
    id="hedge-dropped",
    version=1,
    title=Text("Doubt and attribution are kept", "保留原文的不确定与归属"),
    description=Text(
        "Reads, in each located passage, the sentence most like the claim. If it hedges (may, "
        "suggests, 可能), lets somebody claim it, or only expects it, and the claim is flat, "
        "the claim is stronger than its source. Not raised where another passage says the thing "
        "plainly. A company's statement about itself is a note, only under interpretive claims.",
        "在每段已定位的原文中取与论断最接近的一句：若原文有保留（可能、提示、may）、是他人声称，或只是预期，"
        "而论断直接当作事实，则论断强于原文。另有原文明确陈述同一事实时不提示。公司对自身的陈述只在解读类论断下提示。",
    ),
    messages={
        "hedge_dropped": Message(
            Text(
                "The source is cautious (“{found}”); the claim is not.",
                "原文有保留（“{found}”），论断没有。",
            ),
            Text("Keep the doubt in the claim.", "请在论断中保留原文的不确定性。"),
        ),
        "attribution_dropped": Message(
            Text(
                "In the source somebody else says so (“{found}”); the claim tells it as a fact.",
                "原文是他人的说法（“{found}”），论断当作了事实。",
            ),
            Text("Say who claims it, or verify it.", "请写明是谁的说法，或另行核实。"),
        ),
        "forecast_as_fact": Message(
            Text(
                "The source only expects it (“{found}”); the claim tells it as done.",
                "原文只是预期（“{found}”），论断写成了事实。",
            ),
            Text("Tell it as a forecast, and whose.", "请写成预测，并注明由谁作出。"),
        ),
        "disclosure_as_fact": Message(
            Text(
                "The source is a statement of the company itself (“{found}”).",
                "原文是公司自己的陈述（“{found}”）。",
            ),
            Text(
                "It proves that the company said so. Say that, or add an independent source.",
                "这只能证明公司如此表示；请写明，或补充独立信源。",
            ),
        ),
    },
    run=hedge_dropped,
    examples=(
        (
            claim("X lowers blood pressure.", evidence("X may lower blood pressure.")),
            ("hedge_dropped",),
        ),
        (
            claim("该政策降低了排放。", evidence("The policy might have cut emissions.")),
            ("hedge_dropped",),
        ),
        (claim("X might lower blood pressure.", evidence("X may lower blood pressure.")), ()),
        (claim("X opened in 2024.", evidence("X opened on 3 May 2024.")), ()),
        (
            claim("该设备降低能耗 30%。", evidence("该公司声称该设备降低能耗 30%。")),
            ("attribution_dropped",),
        ),
        (
            claim("Revenue grows by 12%.", evidence("Revenue is expected to grow by 12%.")),
            ("forecast_as_fact",),
        ),
        (
            claim(
                "The market is turning to shore power.",
                evidence("The company said the market is turning to shore power."),
                kind="interpretive",
            ),
            ("disclosure_as_fact",),
        ),
    ),
    defect="H3",
)

FORECAST_PREMISE = Check(
    id="forecast-premise",
    version=1,
    title=Text("Forecasts keep their premises", "预测保留前提"),
    description=Text(
        "The sentence of the passage most like a forecasting claim has a condition (if, assuming, "
        "若, 前提) and the claim has none.",
        "原文中与预测类论断最接近的一句带有条件（若、前提、if、assuming），而论断没有。",
    ),
    messages={
        "premise_dropped": Message(
            Text(
                "The source's forecast has a condition (“{found}”); the claim has none.",
                "原文的预测带有条件（“{found}”），论断没有。",
            ),
            Text("Add the condition to the claim.", "请在论断中补上该前提。"),
        )
    },
    run=forecast_premise,
    examples=(
        (
            claim(
                "Use will rise in 2026.",
                evidence("Use will rise in 2026 if tariffs stay as they are."),
                kind="projective",
            ),
            ("premise_dropped",),
        ),
        (
            claim(
                "2026 年用量预计上升（前提：电价不变）。",
                evidence("若电价不变，2026 年用量预计上升。"),
                kind="projective",
            ),
            (),
        ),
    ),
    defect="S1",
)
