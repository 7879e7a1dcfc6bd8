"""Checks of wording against what the located passages say: strength, cause. Pure.

Rulebook section 7, A3 and B1.
"""

import re
from collections.abc import Iterator

from reviews.checks.base import (
    Check,
    ClaimFacts,
    EvidenceFacts,
    Finding,
    Message,
    Severity,
)
from reviews.checks.doubts import CORRELATIONS, EFFECTS, KEPT_PRECLINICAL, PRECLINICAL
from reviews.checks.samples import claim, evidence
from reviews.checks.wording import Hit, around, has, hits, texts
from reviews.checks.words import CAUSE, DEGREE, STRENGTHS, Strength
from workbench.lib.texts import Text

_P_VALUE = re.compile(
    r"\bp(?:[-\s]?value)?\s{0,2}(?P<sign>[=<>≥≤＝])\s{0,2}(?P<value>0?\.\d{1,6})", re.I
)
_ALPHA = 0.05  # the usual level; a source that names another is for the reviewer to read
_NO_DIFFERENCE = re.compile(
    r"(?:not|no|n[’']t)\s(?:\w+\s){0,2}significan|non-?significant|无(?:统计学|显著)|不显著|未达到?显著"
    r"|没有显著|无明显差异",
    re.I,
)
# A passage that gives a large change in figures needs no adjective to support one.
_LARGE = re.compile(
    r"\b[1-9]\d(?:\.\d+)?\s?(?:%|％|per ?cent)|[1-9]\d{2,}\s?%|\d\s?(?:-?fold|倍|times\b)"
)
_SIGNIFICANT = re.compile(r"significan|显著", re.I)
_DETERMINERS = ("the ", "a ", "an ", "as ")


def strong_words(facts: ClaimFacts) -> Iterator[Finding]:
    """Find strong words of a claim that nothing located says as strongly."""
    located = [around(piece) for piece in texts(facts)]
    if not located:
        return
    unread = [piece.snippet for piece in facts.evidence if not (piece.passage or piece.context)]
    heard = "\n".join((*located, *unread))
    for strength in STRENGTHS:
        asserted = _asserted(facts.text, strength)
        if not asserted:
            continue
        if strength is DEGREE:
            tested = _tested(asserted, [_result(piece) for piece in texts(facts)])
            if tested is not None:
                yield tested
                continue
        if strength is CAUSE and _correlates(facts):
            continue  # causal-mismatch says it better
        yield from _unheard(strength, asserted[0], heard, key=facts.is_key)


def _asserted(text: str, strength: Strength) -> list[Hit]:
    found = hits(text, strength.claims, quoted=False)
    return [hit for hit in found if not hit.denied and not hit.doubted]


def _unheard(strength: Strength, hit: Hit, heard: str, *, key: bool) -> Iterator[Finding]:
    said = hits(heard, strength.claims, strength.equals)
    if any(not other.denied for other in said):
        return
    if strength is DEGREE and _LARGE.search(heard):
        return
    word = _bare(hit.word)
    if any(_stem(other.word) == _stem(hit.word) for other in said):
        yield Finding("denied", "error", {"word": word}, place=word)
        return
    severity: Severity = "error" if key and strength.code in _HARD else "warning"
    yield Finding(strength.code, severity, {"word": word}, place=word)


def _tested(asserted: list[Hit], located: list[str]) -> Finding | None:
    hit = next((hit for hit in asserted if _SIGNIFICANT.search(hit.word)), None)
    if hit is None:
        return None
    for text in located:
        values = [(found["sign"], found) for found in _P_VALUE.finditer(text)]
        large = [found.group() for sign, found in values if _is_large(sign, found["value"])]
        if values and len(large) == len(values):
            params = {"word": hit.word, "found": large[0]}
            return Finding("not_significant", "error", params, place=hit.word)
        denial = _NO_DIFFERENCE.search(text)
        if denial and not values:
            start, end = max(0, denial.start() - 20), denial.end() + 20
            params = {"word": hit.word, "found": text[start:end].strip()}
            return Finding("not_significant", "error", params, place=hit.word)
    return None


def _result(piece: EvidenceFacts) -> str:
    # Neighbouring sentences give the P values of other comparisons.
    own = _P_VALUE.search(piece.passage) or _NO_DIFFERENCE.search(piece.passage)
    return piece.passage if own else around(piece)


def _is_large(sign: str, value: str) -> bool:
    return sign not in "<≤" and float(value) >= _ALPHA


def _bare(word: str) -> str:
    for determiner in _DETERMINERS:
        if word.lower().startswith(determiner):
            return word[len(determiner) :]
    return word


def _stem(word: str) -> str:
    return _bare(word).casefold()[:4]


_HARD = frozenset({"proof", "cause", "certainty", "first", "only"})


def causal_mismatch(facts: ClaimFacts) -> Iterator[Finding]:
    """Find a cause in the claim where the passages speak of an association."""
    found = _correlates(facts)
    if found is None:
        return
    hit, seen, key = found
    severity: Severity = "error" if facts.is_key else "warning"
    params = {"word": hit.word, "found": seen}
    yield Finding("correlation_as_cause", severity, params, evidence_key=key, place=hit.word)


def _correlates(facts: ClaimFacts) -> tuple[Hit, str, str] | None:
    """Give the cause of the claim, the association that stands for it, and the evidence's key."""
    if has(facts.text, CORRELATIONS):
        return None
    asserted = [
        hit
        for hit in hits(facts.text, CAUSE.claims, EFFECTS, quoted=False)
        if not hit.denied and not hit.doubted
    ]
    if not asserted:
        return None
    seen: tuple[str, str] | None = None
    for piece in texts(facts):
        if any(not hit.denied for hit in hits(around(piece), CAUSE.claims)):
            return None
        associations = hits(piece.passage, CORRELATIONS)
        if associations and seen is None:
            seen = associations[0].word, piece.key
    return (asserted[0], *seen) if seen else None


def preclinical(facts: ClaimFacts) -> Iterator[Finding]:
    """Find a claim that drops the animals or cells in which something was seen."""
    if has(facts.text, KEPT_PRECLINICAL):
        return
    for piece in texts(facts):
        title = piece.source.title if piece.source else ""
        seen = hits(piece.passage, PRECLINICAL) or hits(title, PRECLINICAL)
        if seen:
            severity: Severity = "error" if facts.is_key else "warning"
            word = seen[0].word
            yield Finding("preclinical", severity, {"found": word}, piece.key, place=word)
            return


def _unheard_message(strength: Strength) -> Message:
    en, zh = strength.label.en, strength.label.zh
    return Message(
        Text(
            f"“{{word}}” asserts {en}; no passage that was located says it as strongly.",
            f"“{{word}}”断言了{zh}，但已定位的原文没有同等强度的说法。",
        ),
        Text(
            "Read the passages. Narrow the wording, or add evidence that carries it.",
            "请核对原文：收窄措辞，或补充能支撑该说法的证据。",
        ),
    )


STRONG_WORDS = Check(
    id="strong-words",
    version=2,
    title=Text("Strong words are in the source", "强势措辞有原文支撑"),
    description=Text(
        "Looks for words of proof, cause, certainty, being first or only, leading places, highest "
        "degrees, large effects and breakthroughs in the claim, and for an equally strong word, in "
        "either language, in the located passages and their neighbourhood. Words in quotation "
        "marks, denied words (“not the first”) and hedged ones (“may cause”) are left alone; so "
        "is a claim of which no passage is located.",
        "在论断中查找表示证明、因果、必然、首次、唯一、领先、最高级、幅度很大和突破性的词，再到已定位的原文"
        "及其上下文中查找同等强度的词（中英互查）。引号中的词、被否定的词（“并非首次”）和已有保留的词（“可能导致”）"
        "不计；没有任何已定位原文的论断不检查。",
    ),
    messages={
        **{strength.code: _unheard_message(strength) for strength in STRENGTHS},
        "denied": Message(
            Text(
                "The claim says “{word}”; the passage has the word only to deny it.",
                "论断写了“{word}”，而原文中这个词是被否定的。",
            ),
            Text(
                "Read the passage. If it denies what the claim asserts, the claim is contradicted.",
                "请核对原文：若原文否定了该说法，论断即与证据相反。",
            ),
        ),
        "not_significant": Message(
            Text(
                "The claim says “{word}”, but the passage says “{found}”.",
                "论断写了“{word}”，但原文是“{found}”。",
            ),
            Text(
                "State the result without significance, or cite the analysis that reached it.",
                "请去掉“显著”类表述，或引用达到显著性的分析。",
            ),
        ),
    },
    run=strong_words,
    examples=(
        (
            claim(
                "Shore power causes lower emissions.", evidence("Shore power causes less smoke.")
            ),
            (),
        ),
        (
            claim("The trial proves that X works.", evidence("The trial suggests that X works.")),
            ("proof",),
        ),
        (claim("该研究证明 X 有效。", evidence("The study demonstrated that X works.")), ()),
        (claim("补贴导致岸电用量上升。", evidence("补贴发放后，岸电用量上升。")), ("cause",)),
        (
            claim("Use will inevitably rise.", evidence("Use rose in 2024.")),
            ("certainty",),
        ),
        (claim("云屿港是全国首个岸电港口。", evidence("Yunyu port has shore power.")), ("first",)),
        (claim("It is not the first port.", evidence("Other ports came before.")), ()),
        (
            claim("It is the only port with shore power.", evidence("The port has shore power.")),
            ("only",),
        ),
        (claim("该公司在业内领先。", evidence("该公司经营岸电设备。")), ("leading",)),
        (
            claim("It is the largest port.", evidence("The port handled 4 million boxes.")),
            ("superlative",),
        ),
        (claim("用量大幅上升。", evidence("用量由 40 升至 41。")), ("degree",)),
        (claim("用量大幅上升。", evidence("Use rose by 64 per cent.")), ()),
        (claim("这是一项突破性技术。", evidence("这是一项接电技术。")), ("novelty",)),
        (
            claim("This proves the effect.", evidence("This does not prove the effect.")),
            ("denied",),
        ),
        (
            claim("药物 X 显著优于化疗。", evidence("hazard ratio 0.68; P=0.07")),
            ("not_significant",),
        ),
    ),
    defect="H3",
)

CAUSAL_MISMATCH = Check(
    id="causal-mismatch",
    version=1,
    title=Text("An association is not told as a cause", "相关不写成因果"),
    description=Text(
        "The claim speaks of a cause or an effect, while a located passage speaks of an "
        "association, a correlation or an observational study, and no passage names a cause.",
        "论断写的是因果或作用，而已定位的原文讲的是相关、关联或观察性研究，且没有任何原文写明因果。",
    ),
    messages={
        "correlation_as_cause": Message(
            Text(
                "The claim says “{word}”; the passage says “{found}”.",
                "论断写的是“{word}”，原文写的是“{found}”。",
            ),
            Text(
                "Say that the two go together, or cite evidence of the cause.",
                "请改写为相关关系，或补充能证明因果的证据。",
            ),
        )
    },
    run=causal_mismatch,
    examples=(
        (
            claim(
                "Coffee reduces mortality.",
                evidence("Coffee intake was associated with lower mortality."),
            ),
            ("correlation_as_cause",),
        ),
        (
            claim("饮酒导致血压升高。", evidence("Alcohol intake correlated with blood pressure.")),
            ("correlation_as_cause",),
        ),
        (
            claim(
                "咖啡与死亡率下降相关。", evidence("Coffee was associated with lower mortality.")
            ),
            (),
        ),
        (
            claim(
                "Smoking causes cancer.",
                evidence("Smoking is associated with, and causes, lung cancer."),
            ),
            (),
        ),
    ),
    defect="H1",
)

PRECLINICAL_DROPPED = Check(
    id="preclinical-dropped",
    version=1,
    title=Text("Animals and cells are named", "动物与细胞实验如实注明"),
    description=Text(
        "A located passage, or the title of its source, speaks of animals or cells, and the claim "
        "does not say so: the scope is wider than the evidence.",
        "已定位的原文或信源标题讲的是动物或细胞实验，而论断没有说明，范围大于证据。",
    ),
    messages={
        "preclinical": Message(
            Text(
                "The source speaks of “{found}”; the claim does not say so.",
                "原文讲的是“{found}”，论断没有说明。",
            ),
            Text(
                "Name the animals or cells in the claim, or cite evidence in people.",
                "请在论断中注明实验对象，或补充人体证据。",
            ),
        )
    },
    run=preclinical,
    examples=(
        (
            claim("X slows tumour growth.", evidence("X slowed tumour growth in mice.")),
            ("preclinical",),
        ),
        (claim("X 抑制肿瘤生长。", evidence("X 在小鼠体内抑制肿瘤生长。")), ("preclinical",)),
        (claim("X slows tumours in mice.", evidence("X slowed tumour growth in mice.")), ()),
    ),
    defect="H1",
)
