"""Ready queries: rounds as templates, in both languages, for PubMed with MeSH and booleans. Pure.

Rulebook section 6. A subject is what a person calls it; the glossary of the project turns its
terms into headings and into the other language. What it cannot turn is named, never guessed.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from search.coverage import COUNTER, ROUNDS
from search.glossary import Term, plain

WINDOW, MECHANISM = 3, 10  # years back
type Language = Literal["en", "zh"]
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_EMPTY = {
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with",
    "not", "与", "和", "的", "及",
}  # fmt: skip
_WORD = re.compile(r"[^\s,.;:!?，。；：！？、/]+")
_HEADING = re.compile(r'"([^"]{1,200})"\[MeSH Terms\]', re.IGNORECASE)

# Rulebook section 6, round 3, as PubMed reads them.
COUNTER_PUBMED = " OR ".join(
    (
        "limitations[tiab]", '"adverse events"[tiab]', '"adverse effects"[Subheading]',
        '"side effects"[tiab]', "discontinuation[tiab]", '"failed trial"[tiab]',
        '"FDA rejection"[tiab]', "withdrawn[tiab]", '"conflict of interest"[tiab]',
        '"industry-funded"[tiab]', '"retracted publication"[pt]', '"replication failure"[tiab]',
        '"failed to replicate"[tiab]',
    )
)  # fmt: skip
REVIEWS_PUBMED = (
    '"systematic review"[pt] OR "meta-analysis"[pt] OR "practice guideline"[pt] OR review[pt]'
)
# The same for engines that read words, in portions that the shortest of them takes.
COUNTER_WORDS: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        ("scholar", "limitations adverse events side effects discontinuation"),
        ("news", "failed trial OR FDA rejection OR withdrawn"),
        ("general", "conflict of interest OR industry-funded OR retraction OR replication failure"),
    ),
    "zh": (
        ("scholar", "局限性 不良事件 副作用 停药"),
        ("news", "试验失败 拒批 撤市"),
        ("general", "利益冲突 企业资助 撤稿 无法重复"),
    ),
}


@dataclass(frozen=True, slots=True)
class Ready:
    """A query that may be asked as it stands."""

    round: int
    language: Language
    route: str
    text: str
    year_low: int | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """A subject in one language."""

    text: str
    left: tuple[str, ...] = ()  # words that the glossary does not turn into it


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    term: Term | None = None


def in_language(subject: str, terms: Iterable[Term], language: Language) -> Wording:
    """Say a subject in a language, by the glossary."""
    said, left = [], []
    for piece in _pieces(subject, terms):
        if piece.term is not None and (name := getattr(piece.term, language)):
            said.append(name)
            continue
        for word in _WORD.findall(piece.text):
            if word.casefold() in _EMPTY:
                continue
            said.append(word)
            if bool(_HAN.search(word)) != (language == "zh") and not _is_name(word):
                left.append(word)
    return Wording(" ".join(dict.fromkeys(said)), tuple(dict.fromkeys(left)))


def _is_name(word: str) -> bool:
    """Tell whether a word is the same in every language: a code such as NCT01234567 or PD-1."""
    return any(sign.isdigit() for sign in word) or (word.isascii() and word.isupper())


def for_pubmed(subject: str, terms: Iterable[Term]) -> str:
    """Write a subject for PubMed: each term by heading and free text, all of them together."""
    groups = []
    for piece in _pieces(subject, terms):
        if piece.term is not None:
            names = [name for name in piece.term.names() if not _HAN.search(name)]
            free = [f'"{name}"[tiab]' for name in names if name != piece.term.mesh]
            heading = [f'"{piece.term.mesh}"[MeSH Terms]'] if piece.term.mesh else []
            groups.append(_either([*heading, *free]))
            continue
        # PubMed maps plain words to headings itself; quoted ones it does not.
        words = [word for word in _WORD.findall(piece.text) if word.casefold() not in _EMPTY]
        groups += [plain(word) for word in words if not _HAN.search(word)]
    return " AND ".join(dict.fromkeys(filter(None, groups)))


def _either(ways: Sequence[str]) -> str:
    return f"({' OR '.join(ways)})" if len(ways) > 1 else "".join(ways)


def _pieces(subject: str, terms: Iterable[Term]) -> list[_Piece]:
    """Cut a subject at the terms that it names, the longest first."""
    by_name = {name.casefold(): term for term in terms for name in term.names()}
    subject = plain(subject)
    if not by_name:
        return [_Piece(subject)] if subject else []
    longest = sorted(by_name, key=len, reverse=True)
    ways = "|".join(rf"(?<!\w){re.escape(n)}(?!\w)" if n.isascii() else re.escape(n)
                    for n in longest)  # fmt: skip
    found, end = [], 0
    for match in re.finditer(ways, subject, re.IGNORECASE):
        found.append(_Piece(subject[end : match.start()]))
        found.append(_Piece(match[0], by_name.get(match[0].casefold())))
        end = match.end()
    found.append(_Piece(subject[end:]))
    return [piece for piece in found if piece.text.strip()]


def ready_queries(
    subject: str, terms: Sequence[Term], *, year: int, mechanism: bool = False
) -> list[Ready]:
    """Give queries of all rounds in both languages; ``year`` is the present one."""
    low = year - (MECHANISM if mechanism else WINDOW)
    english = in_language(subject, terms, "en").text
    chinese = in_language(subject, terms, "zh").text
    found: list[tuple[int, Language, str, str]] = []
    if pubmed := for_pubmed(subject, terms):
        found += [
            (1, "en", "pubmed", pubmed),
            (2, "en", "pubmed", f"({pubmed}) AND ({REVIEWS_PUBMED})"),
            (COUNTER, "en", "pubmed", f"({pubmed}) AND ({COUNTER_PUBMED})"),
        ]
    if english:
        found += [
            (1, "en", "trials", english),
            (1, "en", "regulatory", english),
            (2, "en", "general", f"{english} market report"),
            *((COUNTER, "en", route, f"{english} {more}") for route, more in COUNTER_WORDS["en"]),
            (4, "en", "general", english),
        ]
    if chinese:
        found += [
            (1, "zh", "scholar", chinese),
            (1, "zh", "general", f"{chinese} 国家药监局 批准"),
            (2, "zh", "scholar", f"{chinese} 系统评价 综述 指南"),
            (2, "zh", "general", f"{chinese} 市场 研究报告"),
            *((COUNTER, "zh", route, f"{chinese} {more}") for route, more in COUNTER_WORDS["zh"]),
            (4, "zh", "general", chinese),
        ]
    return [Ready(*each, year_low=low) for each in sorted(found, key=lambda each: each[:2])]


def that_fill(queries: Iterable[Ready], faults: Iterable[tuple[str, int | None]]) -> list[Ready]:
    """Keep the queries that would fill a gap; faults are codes of coverage with their round."""
    wanted = list(faults)
    return [query for query in queries if any(_fills(query, *fault) for fault in wanted)]


def _fills(query: Ready, code: str, number: int | None) -> bool:
    if code in {"round_missing", "round_failed", "cell_unexplained", "counter_few"}:
        return query.round == number
    if code in {"chinese_missing", "english_missing"}:
        return query.language == code[:2].replace("ch", "zh") and query.round in ROUNDS
    if code == "mesh_missing":
        return query.route == "pubmed" and query.round == 1
    return code == "window_missing" and query.round == 1


def headings_of(translated: str) -> list[str]:
    """Give the MeSH headings in PubMed's own translation of a query."""
    return list(dict.fromkeys(_HEADING.findall(translated)))
