"""Passages of a snapshot that speak of a claim, best first. Pure; the machine only proposes."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import accumulate
from math import log
from typing import Self

from sources.sentences import Span, split
from sources.terms import is_number, names, script, terms

# BM25 as Anserini sets it for passages. A sentence's length says little, so B is low; the usual
# 1.2 and 0.75 find less on WiCE (python -m benchmarks.claims).
K1 = 0.9
B = 0.4
# What a sentence gains at most, where the best BM25 of the text is 1 (WiCE, development set).
NUMBERS = 0.3
NAMES = 0.2
NEIGHBOURS = 0.3  # times the mean score of the sentence before and the one after

BEST = 10


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence proposed for a claim. Places are code points, half-open."""

    index: int  # of the sentence, from 0
    start: int
    end: int
    score: float  # 0 shares nothing with the claim; comparable within one ranking only


@dataclass(frozen=True, slots=True)
class ClaimTerms:
    """The terms of a claim, each once, in reading order; numbers and names are among them."""

    all: tuple[str, ...]
    numbers: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, claim: str) -> Self:
        """Read the terms of a claim."""
        found = tuple(dict.fromkeys(terms(claim)))
        return cls(found, tuple(filter(is_number, found)), tuple(names(claim)))


class Sentences:
    """The sentences of one text, indexed once to be asked for many claims."""

    def __init__(self, sentences: Iterable[str], spans: Sequence[Span]) -> None:
        self.spans = spans
        self._lengths = array("I")
        # A sentence stands here once for each occurrence: small, as equal numbers are shared.
        self._places: dict[str, list[int]] = {}
        places = self._places
        for index, sentence in enumerate(sentences):
            found = terms(sentence)
            self._lengths.append(len(found))
            for term in found:
                if term in places:
                    places[term].append(index)
                else:
                    places[term] = [index]
        self.term_count = sum(self._lengths)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Split a text and index its sentences; their places are those in the text."""
        spans = split(text)
        return cls((text[start:end] for start, end in spans), spans)

    @classmethod
    def of_list(cls, sentences: Sequence[str]) -> Self:
        """Index given sentences; their places are those in all of them joined by one LF."""
        ends = accumulate(len(sentence) + 1 for sentence in sentences)
        return cls(
            sentences,
            [(end - 1 - len(text), end - 1) for text, end in zip(sentences, ends, strict=True)],
        )

    def __len__(self) -> int:
        return len(self.spans)

    def having(self, term: str) -> Sequence[int]:
        """List the sentences that hold a term, in order, one entry for each occurrence."""
        return self._places.get(term, ())

    def weight(self, term: str) -> float:
        """Give the weight of a term, the greater the fewer sentences hold it (BM25's IDF)."""
        return _weight(len(self), len(set(self.having(term))))

    @cached_property
    def scripts(self) -> dict[str, float]:
        """Give the share of each script in the words of the text; numbers are not counted."""
        counts: Counter[str] = Counter()
        for term, places in self._places.items():
            counts[script(term)] += len(places)
        del counts["number"]
        return {name: count / counts.total() for name, count in counts.items()}

    def relevance(self, wanted: Sequence[str], *, k1: float = K1, b: float = B) -> list[float]:
        """Score every sentence by BM25 for some terms."""
        scores = [0.0] * len(self)
        mean = self.term_count / len(self) if self.term_count else 1.0
        for term in wanted:
            counts = Counter(self.having(term))
            weight = _weight(len(self), len(counts)) * (k1 + 1)
            for index, count in counts.items():
                length = k1 * (1 - b + b * self._lengths[index] / mean)
                scores[index] += weight * count / (count + length)
        return scores


def rank(
    claim: str | ClaimTerms, sentences: Sentences | Sequence[str], *, limit: int = BEST
) -> list[Passage]:
    """List the sentences that speak of a claim, best first, at most ``limit`` of them.

    BM25 over the best one's, and what shared numbers, shared names and neighbours add. Equal
    scores keep the order of the text. A claim without terms has no passages.
    """
    claim = ClaimTerms.of(claim) if isinstance(claim, str) else claim
    if not isinstance(sentences, Sentences):
        sentences = Sentences.of_list(sentences)
    if not claim.all:
        return []
    scores = _scores(claim, sentences)
    best = nsmallest(limit, range(len(scores)), key=lambda index: (-scores[index], index))
    return [Passage(index, *sentences.spans[index], round(scores[index], 4)) for index in best]


def _scores(claim: ClaimTerms, sentences: Sentences) -> list[float]:
    scores = sentences.relevance(claim.all)
    top = max(scores, default=0.0)
    if not top:
        return scores
    scores = [score / top for score in scores]
    for bonus, wanted in ((NUMBERS, claim.numbers), (NAMES, claim.names)):
        for term in wanted:
            for index in set(sentences.having(term)):
                scores[index] += bonus / len(wanted)
    return list(_with_neighbours(scores))


def _with_neighbours(scores: Sequence[float]) -> Iterator[float]:
    padded = [0.0, *scores, 0.0]
    for before, score, after in zip(padded, scores, padded[2:], strict=False):
        yield score + NEIGHBOURS * (before + after) / 2


def _weight(sentences: int, holding: int) -> float:
    return log(1 + (sentences - holding + 0.5) / (holding + 0.5))
