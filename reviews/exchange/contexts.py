"""Find where the report says a claim: the sentence, and the ones beside it. A modest guess."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from sources.sentences import split

from . import rules
from .problems import Log
from .records import ClaimRecord
from .values import text_of

_MARK = re.compile(r"\[\^([^\[\]\s]+)\]|\[cite:\s*([^\[\]]+)\]|\[(\d{1,4})\](?!\()")
_DEFINITION = re.compile(r"^\[\^[^\]]+\]:", re.MULTILINE)
_WORD = re.compile(r"[a-z0-9]+(?:[.,]\d+)*|[\u3400-\u9fff]")
_REFERENCES = re.compile(
    r"^#{1,6}\s*(?:references|sources|bibliography|works cited|参考文献|参考资料|引用来源|来源)"
    r"\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_LIST_OF_SOURCES = re.compile(r"^\*\*(?:sources|references)\s*:?\*\*\s*:?\s*$", re.I | re.M)

MANY = 60  # sentences that cite one source are compared with a claim; more say little
LIKE = 0.5  # share of a claim's words that its sentence must hold
LIKE_CITED = 0.25  # likewise where the sentence also cites a source of the claim
LONGEST = 600  # characters kept of a sentence


@dataclass(slots=True)
class ReportText:
    """A text of the report, cut into sentences that know what they cite."""

    path: str
    sentences: list[str] = field(default_factory=list)
    words: list[frozenset[str]] = field(default_factory=list)
    citing: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    having: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def index_text(path: str, text: str, aliases: Mapping[str, str]) -> ReportText:
    """Cut a report text into sentences; numbers mean sources through ``aliases`` only."""
    report = ReportText(path)
    for start, end in split(text):
        sentence = text[start:end]
        number = len(report.sentences)
        report.sentences.append(sentence)
        words = words_of(sentence)
        report.words.append(words)
        for mark in marks_of(sentence):
            report.citing[aliases.get(mark, mark)].append(number)
        for word in words:
            report.having[word].append(number)
    return report


def marks_of(text: str) -> list[str]:
    """Give every citation marker of a text, without its brackets."""
    found = []
    for match in _MARK.finditer(text):
        if match[2] is not None:
            found += [part.strip() for part in match[2].split(",")]
        else:
            found.append(match[1] or match[3])
    return found


def words_of(text: str) -> frozenset[str]:
    """Give the words of a text, Chinese ones by pairs of characters."""
    plain = _MARK.sub(" ", text).lower()
    words = _WORD.findall(plain)
    pairs = {a + b for a, b in pairwise(words) if len(a) == len(b) == 1}
    return frozenset(pairs | {word for word in words if len(word) > 1})


def add_contexts(claims: Iterable[ClaimRecord], reports: Iterable[ReportText]) -> None:
    """Store in each claim the sentence of the report that seems to say it, where one does."""
    held = [report for report in reports if report.sentences]
    for claim in claims:
        for report in held:
            if found := _context(claim, report):
                claim.context = found
                break


def _context(claim: ClaimRecord, report: ReportText) -> dict[str, str] | None:
    words = words_of(claim.text)
    if not words:
        return None
    refs = {item.source_ref for item in claim.evidence} | {claim.raw_id}
    cited = {number for ref in refs for number in report.citing.get(ref, ())[:MANY]}
    rare = sorted(words, key=lambda word: len(report.having.get(word, ())) or MANY)[:4]
    near = {number for word in rare for number in report.having.get(word, ())[:MANY]}
    best, place = 0.0, -1
    for number in sorted(cited | near):
        share = len(words & report.words[number]) / len(words)
        enough = LIKE_CITED if number in cited else LIKE
        if share >= enough and share > best:
            best, place = share, number
    if place < 0:
        return None
    around = report.sentences
    return {
        "before": around[place - 1][-LONGEST:] if place else "",
        "sentence": around[place][:LONGEST],
        "after": around[place + 1][:LONGEST] if place + 1 < len(around) else "",
        "path": report.path,
    }


def note_markers(
    path: str, text: str, known: set[str], aliases: Mapping[str, str], log: Log
) -> None:
    """Count the markers of a text that lead to no source; report a second list of references."""
    lost = [m for m in marks_of(_DEFINITION.sub("", text)) if m not in known and m not in aliases]
    if lost:
        shown = tuple(dict.fromkeys(text_of(mark) for mark in lost[:20]))
        log.notice(rules.UNRESOLVED_MARKERS, path, count=len(lost), examples=shown)
    lists = len(_REFERENCES.findall(text)) + len(_LIST_OF_SOURCES.findall(text))
    if lists > 1:
        log.notice(rules.SECOND_REFERENCES, path, count=lists)
