"""Look for phrases in texts, fast enough for a hundred thousand abstracts. Pure."""

import re
from dataclasses import dataclass

READ = 4_000  # characters of a text that are looked at

_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_WORD = re.compile(r"[a-z]+")
_LETTERS_ONLY = str.maketrans({chr(n): " " for n in range(128) if not chr(n).islower()})


@dataclass(frozen=True, slots=True)
class Folded:
    """The beginning of a text in lower case, one space between words, plain hyphens."""

    text: str
    words: frozenset[str]  # its runs of Latin letters


def fold_text(text: str) -> Folded:
    """Fold a text for ``Phrases``."""
    folded = " ".join(text[:READ].lower().split())
    if folded.isascii():
        return Folded(folded, frozenset(folded.translate(_LETTERS_ONLY).split()))
    folded = folded.translate(_DASHES)
    return Folded(folded, frozenset(_WORD.findall(folded)))


class Phrases:
    """Phrases to look for in folded text: whole words; ``*`` at the end lets a word go on.

    Chinese has no word boundaries, so a Chinese phrase is found anywhere.
    """

    def __init__(self, *phrases: str) -> None:
        # First word (None: it may go on), phrase, whether its last word must end there.
        self._whole = [
            (_first_word(phrase), phrase.rstrip("*"), not phrase.endswith("*"))
            for phrase in phrases
            if phrase.isascii()
        ]
        self._anywhere = [phrase for phrase in phrases if not phrase.isascii()]

    def find(self, folded: Folded) -> str:
        """Give the first of the phrases, in their own order, that a text holds; else nothing."""
        text, words = folded.text, folded.words
        for word, phrase, closed in self._whole:
            likely = word is None or word in words
            if likely and phrase in text and _stands_alone(text, phrase, closed):
                return phrase
        if not text.isascii():
            for phrase in self._anywhere:
                if phrase in text:
                    return phrase
        return ""

    def starts(self, folded: Folded) -> bool:
        """Tell whether a text begins with one of the phrases, brackets and quotes left out."""
        text = folded.text.lstrip("[(【《\"'“‘「 ")
        for _word, phrase, closed in self._whole:
            end = len(phrase)
            if text.startswith(phrase) and not (closed and _joins(text[end : end + 1])):
                return True
        return any(text.startswith(phrase) for phrase in self._anywhere)


def _first_word(phrase: str) -> str | None:
    found = _WORD.match(phrase)
    return None if found is None or phrase[found.end() :] == "*" else found[0]


def _stands_alone(text: str, phrase: str, closed: bool) -> bool:
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not _joins(text[at - 1 : at]) and not (closed and _joins(text[end : end + 1])):
            return True
        at = text.find(phrase, at + 1)
    return False


def _joins(sign: str) -> bool:
    """Tell whether a sign makes one word with a Latin letter beside it; Chinese does not."""
    return sign.isascii() and sign.isalnum()
