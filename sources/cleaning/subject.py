"""How relevant a text is to the subject: the share of its weighted terms that the text has. Pure.

Rulebook section 5 (decided): aliases and both languages count. A term that has no name in the
language of a text cannot be looked for there and is left out; where none can, nothing is told.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sources.quotes.scripts import simplify
from sources.terms import CJK, STOP_CHARACTERS, STOP_WORDS, terms

from .starter import GENERIC, GLOSSARY, RELATIONS

READ = 20_000  # characters of a text that are looked at
HIGH, LOW = 0.8, 0.6  # rulebook: below these an item is ranked lower
_GENERIC_WEIGHT = 0.5  # of words that go with any subject
_MOST_TERMS = 40  # of a subject; a longer one is a text that went astray
_HEAD = 600  # characters that tell a text's languages
_FEW = 5  # ideographs, or Latin letters four times over, from which a text is in a language

_CJK = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_LATIN_WORD = re.compile(r"[^\W_\u2e80-\uffff]+(?:[.,][0-9]+)*")
_SOME_CJK = re.compile(f"(?:[{CJK}][^{CJK}]*+){{{_FEW}}}")
_LATIN = re.compile("[a-z]")
_SOME_LATIN = re.compile(f"(?:[a-z][^a-z]*+){{{4 * _FEW}}}")
_TOKEN = re.compile(rf"[a-z0-9][a-z0-9.+-]*|[{CJK}]+")
_WIDE = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, 0x2011: 0x2D, 0x2010: 0x2D}
_HAS_WIDE = re.compile("[\uff01-\uff5e\u3000\u2010\u2011]")
_SPLIT = re.compile(f"[{''.join(STOP_CHARACTERS)}]+")


@lru_cache(maxsize=10_000)
def _stems(form: str) -> frozenset[str]:
    # A form that has no term at all is nowhere.
    return frozenset(terms(form)) or frozenset({"\0"})


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a subject, with its names in both languages."""

    name: str
    forms: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Relation:
    """A name that belongs to a subject without being it: who makes, sells or supervises it."""

    names: tuple[str, ...]
    subjects: tuple[str, ...]  # words of subjects that it is related to; empty: to any
    words: str = ""  # what it is to them


@dataclass(frozen=True, slots=True)
class Relevance:
    """How relevant a text is, and by which terms."""

    share: float | None  # 0 to 1; None: it cannot be told
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    relation: str = ""  # the related name that the text has


def fold(text: str) -> str:
    """Give a text in lower case, half width and Simplified characters."""
    if text.isascii():
        return text.lower()
    wide = text.translate(_WIDE) if _HAS_WIDE.search(text) else text
    return simplify(wide.lower())


_fold_name = lru_cache(maxsize=10_000)(fold)


class Text:
    """A text to look for terms in."""

    def __init__(self, *parts: str) -> None:
        self.folded = fold("\n".join(part[:READ] for part in parts if part))
        self.words = frozenset(terms(" ".join(_LATIN_WORD.findall(self.folded))))
        head = self.folded[:_HEAD]
        self.has_cjk = _SOME_CJK.search(head) is not None or _is_mostly(_CJK, _LATIN, head)
        self.has_latin = _SOME_LATIN.search(head) is not None or _is_mostly(_LATIN, _CJK, head)

    def share(self, form: str) -> float:
        """Give how much of a form it has, 0 to 1. Of a long Chinese one a part may be there."""
        if not _CJK.search(form):
            return float(_stems(form) <= self.words)
        if form in self.folded:
            return 1.0
        if len(form) < 3 or not _CJK_RUN.fullmatch(form):
            return 0.0
        covered = [False] * len(form)
        for at in range(len(form) - 1):
            if form[at : at + 2] in self.folded:
                covered[at] = covered[at + 1] = True
        return sum(covered) / len(form)

    def reads(self, form: str) -> bool:
        """Tell whether a form is in a language of this text."""
        return self.has_cjk if _CJK.search(form) else self.has_latin


def _is_mostly(wanted: re.Pattern[str], other: re.Pattern[str], short: str) -> bool:
    """Tell the language of a short text: one with few letters of either."""
    return 0 < len(wanted.findall(short)) >= len(other.findall(short))


@dataclass(frozen=True)
class Subject:
    """What the evidence is about: one subject under one or more names."""

    name: str = ""
    names: tuple[tuple[Term, ...], ...] = ()
    relations: tuple[Relation, ...] = ()

    @classmethod
    def read(
        cls, name: str, aliases: Iterable[str] = (), relations: Iterable[Relation] = ()
    ) -> "Subject":
        """Read a subject from its name, its other names and what is related to it."""
        read = (tuple(_terms_of(each)) for each in (name, *aliases))
        folded = fold(name)
        starter = (each for each in RELATIONS if any(word in folded for word in each[1]))
        known = (Relation(*each) for each in starter)
        return cls(name, tuple(found for found in read if found), (*relations, *known))

    def relevance(self, *parts: str) -> Relevance:
        """Tell how relevant a text in parts (title, text) is; the name that fits best counts."""
        text = Text(*parts)
        best = Relevance(None)
        for name in self.names:
            found = _of_name(name, text)
            if found.share is not None and (best.share is None or found.share > best.share):
                best = found
        if best.share is not None and best.share >= HIGH:
            return best
        return Relevance(best.share, best.found, best.missing, self._related(text))

    def has(self, word: str) -> bool:
        """Tell whether the subject itself speaks of something."""
        return word in fold(self.name)

    def _related(self, text: Text) -> str:
        for relation in self.relations:
            for name in relation.names:
                if text.share(_fold_name(name)) == 1.0:
                    return f"{name}: {relation.words}" if relation.words else name
        return ""


def _of_name(name: tuple[Term, ...], text: Text) -> Relevance:
    got = of = 0.0
    found: list[str] = []
    missing: list[str] = []
    for term in name:
        share = max(text.share(form) for form in term.forms)
        if share == 0.0 and not any(text.reads(form) for form in term.forms):
            continue
        of += term.weight
        got += term.weight * share
        (found if share >= LOW else missing).append(term.name)
    return Relevance(got / of if of else None, tuple(found), tuple(missing))


def _terms_of(name: str) -> Iterator[Term]:
    seen: set[str] = set()
    for word in _words(fold(name)[:1_000]):
        known = _KNOWN.get(word)
        forms = known or (word,)
        if forms[0] in seen or (word in STOP_WORDS and known is None):
            continue
        seen.add(forms[0])
        light = word in GENERIC or word.isdigit()
        yield Term(word, forms, _GENERIC_WEIGHT if light else 1.0)
        if len(seen) == _MOST_TERMS:
            return


def _words(folded: str) -> Iterator[str]:
    """Cut a folded name into words: those of the glossary first, the longest where several fit."""
    at = 0
    for known in _NAMES.finditer(folded):
        yield from _unknown(folded[at : known.start()])
        yield known[0]
        at = known.end()
    yield from _unknown(folded[at:])


def _unknown(part: str) -> Iterator[str]:
    for token in _TOKEN.findall(part):
        if _CJK.match(token):
            yield from (run for run in _SPLIT.split(token) if run)
        else:
            yield token.strip(".+-") or token


_KNOWN = {form: forms for forms in GLOSSARY for form in forms}
# Latin ones as whole words, plural or not; a hyphen may go on to another word.
_NAMES = re.compile(
    "|".join(
        re.escape(form) if _CJK.search(form) else rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])"
        for form in sorted({*_KNOWN, *GENERIC}, key=len, reverse=True)
    )
)
