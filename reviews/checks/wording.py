"""Find words of a sense in a text: whole, not quoted, and whether denied or doubted. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from reviews.checks.base import ClaimFacts, EvidenceFacts
from reviews.checks.doubts import HEDGES, NEGATIONS, NO_NEGATIONS
from reviews.checks.words import Words
from sources.terms import CJK, terms

NEAR_EN = 45  # code points before a word in which a negation or a hedge still governs it
NEAR_ZH = 8
MAX_TEXT = 20_000  # of one passage; a longer one is no passage

_QUOTED = re.compile(
    r"“[^“”]{0,300}”|「[^「」]{0,300}」|『[^『』]{0,300}』|《[^《》]{0,200}》|\"[^\"\n]{0,300}\""
)
_CLAUSE_END = re.compile(r"[.;!?:。；！？：，\n]\s?|,\s")
_SENTENCE_END = re.compile(r"[。！？；\n]+|[.!?]+[”\"’)]*\s+(?=[A-Z“\"(\d])")
_CJK = re.compile(f"[{CJK}]")
# Without these a Chinese claim about an English passage would look unrelated to it.
_SAME_SCRIPT = 0.2


@dataclass(frozen=True, slots=True)
class Hit:
    """A word found in a text."""

    word: str
    start: int
    denied: bool  # "not the first"
    doubted: bool  # "may cause"


@lru_cache(maxsize=256)
def pattern(*senses: Words) -> re.Pattern[str]:
    """Compile words into one pattern; English in whole words, Chinese anywhere."""
    english = "|".join(word for sense in senses for word in sense.en)
    chinese = "|".join(word for sense in senses for word in sense.zh)
    return re.compile(rf"\b(?:{english})\b|(?:{chinese})", re.IGNORECASE)


def has(text: str, *senses: Words) -> bool:
    """Tell whether any of the words stands in the text, denied or not."""
    return pattern(*senses).search(text[:MAX_TEXT]) is not None


def hits(text: str, *senses: Words, quoted: bool = True) -> list[Hit]:
    """List the words found in a text, in order.

    ``quoted`` False leaves out what stands between quotation marks or in a title 《…》: there
    somebody else speaks.
    """
    text = text[:MAX_TEXT]
    searched = text if quoted else blank_quoted(text)
    found = []
    for match in pattern(*senses).finditer(searched):
        before = _before(text, match.start())
        denied = _denies(before) and not _is_caution(match.group())
        found.append(Hit(match.group(), match.start(), denied, has(before, HEDGES)))
    return found


def blank_quoted(text: str) -> str:
    """Blank out what stands between quotation marks, keeping every offset."""
    return _QUOTED.sub(lambda match: " " * len(match.group()), text)


def sentences(text: str) -> list[str]:
    """Split a passage into sentences, roughly; short tails stay."""
    pieces = (piece.strip() for piece in _SENTENCE_END.split(text[:MAX_TEXT]))
    return [piece for piece in pieces if piece]


def texts(facts: ClaimFacts) -> list[EvidenceFacts]:
    """List the evidence whose place in a snapshot is known, so that it can be read."""
    return [piece for piece in facts.evidence if piece.passage or piece.context]


def around(piece: EvidenceFacts) -> str:
    """Give the widest text known of a piece of evidence."""
    return piece.context if len(piece.context) >= len(piece.passage) else piece.passage


def shared(claim: str, text: str) -> float | None:
    """Give the share of the claim's terms that a text has, 0 to 1.

    None where it cannot be known: the two are in different languages, or the claim has no terms.
    """
    if other_language(claim, text):
        return None
    wanted = frozenset(terms(claim[:MAX_TEXT]))
    return _share(wanted, text) if wanted else None


def _share(wanted: frozenset[str], text: str) -> float:
    return len(wanted.intersection(terms(text[:MAX_TEXT]))) / len(wanted)


def other_language(claim: str, text: str) -> bool:
    """Tell whether one text is mainly Chinese, Japanese or Korean and the other is not."""
    return _is_cjk(claim) != _is_cjk(text)


def _is_cjk(text: str) -> bool:
    text = text[:MAX_TEXT]
    letters = sum(character.isalpha() for character in text)
    return len(_CJK.findall(text)) > _SAME_SCRIPT * letters if letters else False


def nearest(claim: str, passage: str) -> Iterable[str]:
    """Give the sentence of a passage that the claim resembles most.

    Nothing where the languages differ and there are several sentences to choose from.
    """
    pieces = sentences(passage)
    if len(pieces) <= 1:
        return pieces
    wanted = frozenset(terms(claim[:MAX_TEXT]))
    if not wanted or other_language(claim, passage):
        return []
    scored = [(_share(wanted, piece), -place, piece) for place, piece in enumerate(pieces)]
    score, _place, piece = max(scored)
    return [piece] if score > 0 else []


def _before(text: str, start: int) -> str:
    """Give the part of the clause before a place that may govern what follows."""
    window = text[max(0, start - NEAR_EN) : start]
    ends = list(_CLAUSE_END.finditer(window))
    clause = window[ends[-1].end() :] if ends else window
    found = _CJK.search(clause[-NEAR_ZH:])
    return clause[-NEAR_ZH:] if found else clause


def _denies(before: str) -> bool:
    plain = pattern(NO_NEGATIONS).sub(" ", before)
    return pattern(NEGATIONS).search(plain) is not None


def _is_caution(word: str) -> bool:
    # "not clear", "不可避免" hold their negation themselves.
    return word.startswith(("not ", "不", "未"))
