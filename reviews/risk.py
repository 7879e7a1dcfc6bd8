"""Risk of a claim: how much of it its source does not show. A shown sum, never a verdict. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sources.passages import ClaimTerms, Passage, Sentences, rank
from sources.terms import script
from workbench.lib.texts import Text

# The most that each term adds (specification of texts, "Risk of a claim"). Its weight of 2 for
# words that are found is split: one half asks for them to stand together, as words found all over
# a page are found by chance. That lifts the AUC from .80 to .82 on WiCE and by .01 on labelled
# citations (python -m benchmarks.claims); finer weights did not hold on both.
WORDS = 1.0
TOGETHER = 1.0
NUMBERS = 0.7
NAMES = 0.7
CAUSAL = 0.2
SUPERLATIVE = 0.1
# A word that cannot be compared counts half: as much as a word of an average claim does (WiCE).
UNKNOWN = 0.5

READ = 5  # best passages that words, numbers and names are looked for in
# A text is written in a script from this share of its words; below it holds some names only.
WRITTEN = 0.2

TITLES: Mapping[str, Text] = {
    "coverage": Text(en="Words missing from the best passages", zh="最佳段落中缺少的词"),
    "together": Text(en="Words not found in one place", zh="未在同一处出现的词"),
    "numbers": Text(en="Numbers missing from the best passages", zh="最佳段落中缺少的数字"),
    "entities": Text(en="Names missing from the best passages", zh="最佳段落中缺少的名称"),
    "causal": Text(en="Claims a cause", zh="表述为因果关系"),
    "superlative": Text(en="Claims an extreme", zh="表述为最高级或唯一"),
    "other_language": Text(
        en="Source in another script: words that cannot be compared count half",
        zh="信源使用另一种文字：无法比较的词按一半计",
    ),
}

_CAUSAL = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|led to|leads? to|leading to|owing to|thanks to"
    r"|result(?:s|ed|ing)? (?:in|from)|as a result|therefore|consequently|driven by"
    r"|attributed to)\b"
    r"|因为|由于|因此|所以|因而|导致|造成|引起|引发|促使|致使|得益于|归因于|源于",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(?:most|best|worst|largest|biggest|highest|lowest|greatest|smallest|youngest|oldest|longest"
    r"|fastest|the first|the only|the last|never|always)\b"
    r"|最(?!近|终|后)|首次|首个|首家|第一(?!季|章|部分|阶段)|唯一|从未|始终|史上|所有",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Risk:
    """What makes a claim worth a look: the sum, its terms, the passages that were read."""

    value: float | None  # 0 to 3.7; None: nothing to compare
    terms: Mapping[str, float] = field(default_factory=dict)  # keys of TITLES; they sum to value
    passages: tuple[Passage, ...] = ()


def assess(claim: str, sentences: Sentences | Sequence[str]) -> Risk:
    """Say term by term how much of a claim its source does not show.

    None where the claim or the source has no words. A claim in another script than its source
    (Chinese against English) can only be compared by numbers and by the names and words that the
    source has too; each other word counts half, shown as ``other_language``, so that such a claim
    is neither riskless nor the riskiest. Languages of one script are not told apart.
    """
    wanted = ClaimTerms.of(claim)
    if not isinstance(sentences, Sentences):
        sentences = Sentences.of_list(sentences)
    passages = tuple(rank(wanted, sentences))
    if not wanted.all or not sentences.term_count:
        return Risk(None, {}, passages)
    terms = {
        **_missing(wanted, sentences, passages),
        "causal": CAUSAL * bool(_CAUSAL.search(claim)),
        "superlative": SUPERLATIVE * bool(_SUPERLATIVE.search(claim)),
    }
    shown = {name: round(terms[name], 4) for name in TITLES}
    return Risk(round(sum(shown.values()), 4), shown, passages)


def _missing(
    claim: ClaimTerms, sentences: Sentences, passages: Sequence[Passage]
) -> dict[str, float]:
    weights = {term: sentences.weight(term) for term in claim.all}
    ones = dict.fromkeys(claim.names, 1.0)
    unknown = _incomparable(claim, sentences)
    around = _found_around(claim.all, sentences, [passage.index for passage in passages])
    read = frozenset().union(*(found for found, _ in around[:READ]))
    together = max((near for _, near in around), key=lambda near: _share(weights, near))
    numbers = dict.fromkeys(claim.numbers, 1.0)
    return {
        "coverage": WORDS * _share(weights, weights.keys() - read - unknown),
        "together": TOGETHER * _share(weights, weights.keys() - together - unknown),
        "numbers": NUMBERS * _share(numbers, numbers.keys() - read),
        "entities": NAMES * _share(ones, ones.keys() - read - unknown),
        "other_language": UNKNOWN
        * ((WORDS + TOGETHER) * _share(weights, unknown) + NAMES * _share(ones, unknown)),
    }


def _found_around(
    wanted: Iterable[str], sentences: Sentences, indexes: Sequence[int]
) -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each sentence, the terms found in it, and those found in it or a neighbour."""
    found: dict[int, set[str]] = {near: set() for i in indexes for near in (i - 1, i, i + 1)}
    for term in wanted:
        for index in sentences.having(term):
            if index in found:
                found[index].add(term)
    return [
        (frozenset(found[i]), frozenset(found[i - 1] | found[i] | found[i + 1])) for i in indexes
    ]


def _share(weights: Mapping[str, float], some: Collection[str]) -> float:
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in some) / total if total else 0.0


def _incomparable(claim: ClaimTerms, sentences: Sentences) -> frozenset[str]:
    """Terms that the source could not show, as the claim is in a script that it is not in."""
    own = Counter(script(term) for term in claim.all)
    del own["number"]
    written = {name for name, share in sentences.scripts.items() if share >= WRITTEN}
    if not own or not written or own.most_common(1)[0][0] in written:
        return frozenset()
    return frozenset(
        term
        for term in claim.all
        if script(term) not in written | {"number"} and not sentences.having(term)
    )
