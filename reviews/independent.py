"""Queries for independent evidence of a claim: from what it names, counts and dates. Pure.

Rulebook section 3: two sources count as two only where neither rests on the other. So the words
come from the claim alone, never from the title of a source that is cited already, and hosts that
are cited already are left out where an engine can do that.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from search.glossary import Term
from search.wording import Language, for_pubmed, in_language
from sources.quantities import Quantity, parse_quantities
from sources.terms import CJK, STOP_CHARACTERS, STOP_WORDS

WORDS, FEW = 10, 5  # words of a query; of one that is joined by AND
NUMBERS = 3
_TITLE = re.compile(r"《([^《》]{1,60})》")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-/+.][A-Za-z0-9]+)*")
_HAN = re.compile(rf"[{CJK}]+")
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_PART = re.compile(f"[^{''.join(sorted(STOP_CHARACTERS))}]{{2,}}")
# What a claim says of its subject, and another source may say otherwise.
_SAYING = frozenset({
    "claim", "claims", "compared", "demonstrate", "demonstrated", "demonstrates", "found",
    "observed", "report", "reported", "reports", "respectively", "showed", "shown", "shows",
    "significant", "significantly", "studies", "study", "suggest", "suggested", "suggests",
    "versus",
})  # fmt: skip
_SAYING_HAN = re.compile(
    "显著|表明|显示|认为|研究|报告|相比|分别|约为|达到|以及|通过|进行|可以|已经"
)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A query that may be asked as it stands, in a language, by a route."""

    language: Language
    route: str
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """What a claim holds that another source would hold too, in reading order."""

    entities: tuple[str, ...]  # names, codes, titles, terms of the glossary
    words: tuple[str, ...]  # the other words that tell it from others
    numbers: tuple[str, ...]  # as written, with their units
    years: tuple[str, ...]


def named_in(claim: str, terms: Sequence[Term] = ()) -> Named:
    """Read a claim; its numbers are no words, and words that only say how it is said are none."""
    amounts = parse_quantities(claim)
    rest = _without(claim, [(each.start, each.end) for each in amounts])
    # By their place in the claim, which is the order that a person would ask in.
    entities = {match.start(1): match[1] for match in _TITLE.finditer(rest)}
    spans = [match.span() for match in _TITLE.finditer(rest)]
    for name in sorted({n for term in terms for n in term.names()}, key=len, reverse=True):
        for start, end in _places(_without(rest, spans), name):
            entities[start] = name
            spans.append((start, end))
    rest = _without(rest, spans)
    words: dict[int, str] = {}
    for match in _LATIN.finditer(rest):
        word = match[0]
        if word.lower() not in STOP_WORDS | _SAYING and len(word) > 1:
            (entities if _is_entity(word, claim[: match.start()]) else words)[match.start()] = word
    for run in _HAN.finditer(rest):
        for part in _PART.finditer(_SAYING_HAN.sub("的的", run[0])):
            words[run.start() + part.start()] = part[0]
    return Named(
        entities=_in_order(entities),
        words=_in_order(words),
        numbers=_once(_written(each) for each in amounts if _tells(each))[:NUMBERS],
        years=_once(each.iso[:4] for each in amounts if each.iso[:1].isdecimal())[:2],
    )


def queries_for(claim: str, terms: Sequence[Term] = ()) -> list[Proposed]:
    """Propose queries for a claim, the most telling first; none where it names nothing.

    In the claim's own language as it stands; in the other one only as far as the glossary goes.
    """
    found = named_in(claim, terms)
    subject = [*found.entities, *found.words][:WORDS]
    if not subject:
        return []
    own: Language = "zh" if _HAN.search("".join(found.words)) else "en"
    other: Language = "en" if own == "zh" else "zh"
    figures = [*found.numbers, *found.years]
    said = in_language(" ".join(subject), terms, own).text or " ".join(subject)
    proposed = [
        Proposed(own, "general", " ".join([said, *figures])),
        Proposed(own, "scholar", " ".join([said, *found.years[:1]])),
    ]
    few = found.entities if len(found.entities) > 1 else subject
    pubmed = for_pubmed(" ".join(few[:FEW]), terms)
    if pubmed:
        proposed.append(Proposed("en", "pubmed", pubmed))
    turned = in_language(" ".join(subject), terms, other)
    kept = [word for word in turned.text.split() if word not in turned.left]
    known = {name.casefold() for term in terms for name in term.names()}
    if any(name.casefold() in known for name in found.entities):
        bare = [match[0] for match in map(_FIGURE.search, found.numbers) if match]  # no units
        proposed.append(Proposed(other, "general", " ".join([*kept, *bare, *found.years])))
    return proposed


def hosts_of(addresses: Iterable[str]) -> tuple[str, ...]:
    """Give the hosts of the sources that are cited already, each once."""
    found = []
    for address in addresses:
        try:
            found.append((urlsplit(address).hostname or "").removeprefix("www."))
        except ValueError:
            continue
    return _once(found)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


def _places(text: str, name: str) -> list[tuple[int, int]]:
    pattern = rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _is_entity(word: str, before: str) -> bool:
    """Tell whether a word is a name or a code; a capital that begins a sentence tells nothing."""
    if any(sign.isdigit() for sign in word) or not word[1:].islower():
        return not word.islower()
    begins = not before.strip() or before.rstrip()[-1] in ".!?:。！？："
    return word[0].isupper() and not begins


def _tells(amount: Quantity) -> bool:
    return not amount.iso and bool(amount.unit or amount.name)


def _written(amount: Quantity) -> str:
    return " ".join(amount.raw.split())


def _in_order(found: dict[int, str]) -> tuple[str, ...]:
    return _once(found[place] for place in sorted(found))


def _once(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in found if each))
