"""Texts that are nearly the same: more than 85 % alike. Pure. Design: text.md section 6.

Few texts are all compared by RapidFuzz within their lengths. For more, MinHash with locality
sensitive hashing proposes pairs and RapidFuzz judges them; up to 10,000 texts with the finer bands,
which lose none but texts with noise in every word (recall 0.98 there, 1.0 elsewhere).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

from rapidfuzz import fuzz
from rensa import RMinHash, RMinHashLSH  # type: ignore[attr-defined]  # names of its binary

THRESHOLD = 85.0  # per cent; rulebook section 5, step 3
COMPARED = 4_000  # code points of a text that are compared
MOST_COPIES = 300  # a text that more sources share is a placeholder, not a copy
FEW, FEW_LENGTH = 1_000, 300_000  # texts, and code points of all, up to which pairs are compared
MANY = 10_000  # texts, beyond which the coarser bands propose
_CANDIDATES = 200  # of one text that are judged
_ALIKE = 0.12  # estimated share of common shingles below which no pair is 85 % alike
_SEED = 42
_AT_ONCE = 1_000

_NO_WORD = re.compile(r"[\W_]+")
_IDEOGRAPH = re.compile("[\u2e80-\uffff]")

type Allowed = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two texts that are alike, and how much: 85.0 to 100.0 per cent."""

    first: int
    second: int
    share: float


def fold(text: str) -> str:
    """Give a text's words without case, width, punctuation and spacing, to compare by."""
    plain = unicodedata.normalize("NFKC", text[: 2 * COMPARED]).casefold()
    return _NO_WORD.sub(" ", plain).strip()[:COMPARED]


def near_pairs(
    texts: Mapping[int, str],
    allowed: Allowed,
    *,
    min_length: int,
    most_copies: int = MOST_COPIES,
    few: int = FEW,
) -> Iterator[NearPair]:
    """Give pairs of keys whose folded texts are alike and that ``allowed`` does not refuse.

    Only as many as hold each group of alike texts together: a pair that is linked through others
    already is left out. ``min_length`` counts code points; ideographs count twice. ``few`` texts at
    most are compared each with each.
    """
    forest = Forest()
    groups: dict[str, list[int]] = defaultdict(list)
    for key in sorted(texts):
        if _weight(texts[key]) >= min_length:
            groups[texts[key]].append(key)
    heads: list[tuple[int, str]] = []
    members: dict[int, list[int]] = {}
    for text, keys in groups.items():
        if len(keys) <= most_copies:
            yield from _equal(keys, allowed, forest)
            heads.append((keys[0], text))
            members[keys[0]] = keys
    for first, second, share in _alike(heads, few):
        # Copies of either stand for it where a person or an identifier tells the two apart.
        found = _allowed_pair(members[first], members[second], allowed, forest)
        if found is not None:
            forest.join(*found)
            yield NearPair(*found, round(share, 1))


class Forest:
    """Keys that belong together, by union and find."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def root(self, key: int) -> int:
        """Give the key that stands for all that belong together."""
        parents = self._parents
        while (parent := parents.setdefault(key, key)) != key:
            parents[key] = parents[parent]
            key = parents[key]
        return key

    def join(self, left: int, right: int) -> None:
        """Let two belong together."""
        first, second = sorted((self.root(left), self.root(right)))
        self._parents[second] = first


def _equal(keys: Sequence[int], allowed: Allowed, forest: Forest) -> Iterator[NearPair]:
    for at, key in enumerate(keys):
        for other in keys[:at]:
            if forest.root(other) != forest.root(key) and allowed(other, key):
                forest.join(other, key)
                yield NearPair(other, key, 100.0)


def _allowed_pair(
    left: Sequence[int], right: Sequence[int], allowed: Allowed, forest: Forest
) -> tuple[int, int] | None:
    for first in left[:_CANDIDATES]:
        for second in right[:_CANDIDATES]:
            if forest.root(first) == forest.root(second):
                return None
            if allowed(first, second):
                return (first, second) if first < second else (second, first)
    return None


def _alike(texts: list[tuple[int, str]], few: int) -> Iterator[tuple[int, int, float]]:
    texts.sort(key=lambda each: (len(each[1]), each[0]))
    if len(texts) <= few and sum(len(text) for _key, text in texts) <= FEW_LENGTH:
        candidates = _within_lengths(texts)
    else:
        candidates = _by_hashing(texts)
    for left, right in candidates:
        share = fuzz.ratio(texts[left][1], texts[right][1], score_cutoff=THRESHOLD)
        # "More than 85 %"; a text exactly at the bound is not.
        if share > THRESHOLD:
            yield texts[left][0], texts[right][0], share


def _within_lengths(texts: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    for left, end in enumerate(_ends(texts)):
        for right in range(left + 1, end):
            yield left, right


def _ends(texts: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Give for each text where those begin that are too long to be alike to it."""
    most = (200 - THRESHOLD) / THRESHOLD  # of a length to the shorter one, where 85 % can be
    end = 0
    for _key, text in texts:
        while end < len(texts) and len(texts[end][1]) <= len(text) * most:
            end += 1
        yield end


def _by_hashing(texts: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    rows, bands = (2, 64) if len(texts) <= MANY else (3, 42)
    index = RMinHashLSH(threshold=0.3, num_perm=rows * bands, num_bands=bands)
    sketches: list[RMinHash] = []
    for part in batched(texts, _AT_ONCE):
        shingles = [_shingles(text) for _key, text in part]
        sketches += RMinHash.from_token_sets(shingles, num_perm=rows * bands, seed=_SEED)
    index.insert_many(sketches)
    for left, (sketch, end) in enumerate(zip(sketches, _ends(texts), strict=True)):
        likely = [
            (alike, -right)
            for right in index.query(sketch)
            if left < right < end and (alike := sketch.jaccard(sketches[right])) >= _ALIKE
        ]
        for _alike_share, right in sorted(likely, reverse=True)[:_CANDIDATES]:
            yield left, -right


def _shingles(text: str) -> list[str]:
    size = 3 if 2 * _ideographs(text) > len(text) else 5
    return list({text[at : at + size] for at in range(max(1, len(text) - size + 1))})


def _ideographs(text: str) -> int:
    return 0 if text.isascii() else len(_IDEOGRAPH.findall(text))


def _weight(text: str) -> int:
    return len(text) + _ideographs(text)
