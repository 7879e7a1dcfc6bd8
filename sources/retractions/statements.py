"""What is said of a work's integrity, by whom, and what it comes to. Pure.

Statements of several providers stand side by side; the verdict is the most severe one that stands,
with its own date. Sources: the survey of providers, sections 5 and 8 to 11; rulebook section 4.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum, StrEnum
from typing import Any

from .dates import Span, span_of

RETRACTION_WATCH, CROSSREF, PUBMED = "retraction_watch", "crossref", "pubmed"
EUROPE_PMC, OPENALEX = "europepmc", "openalex"
PROVIDERS = (RETRACTION_WATCH, CROSSREF, PUBMED, EUROPE_PMC, OPENALEX)

REINSTATEMENT = "reinstatement"
PARTIAL = "partial_retraction"
TITLE_HINT = "title_hint"  # the title alone says so: needs a look
IS_NOTICE = "is_notice"  # the work itself is a notice about another one
KEY_LENGTH = 300


class Severity(IntEnum):
    """How much a statement of its nature weighs."""

    NO_FLAG = 0  # a new version is no doubt about the old one
    OTHER = 1  # addenda, clarifications, and what we do not know
    CORRECTION = 2
    CONCERN = 3
    RETRACTION = 4


class Standing(StrEnum):
    """What all statements come to. Nobody asked is not nothing said."""

    NOT_ASKED = "not_asked"
    CLEAN = "clean"
    CORRECTED = "corrected"
    CONCERN = "concern"
    RETRACTED = "retracted"


_SEVERITIES = {
    "retraction": Severity.RETRACTION,
    "withdrawal": Severity.RETRACTION,
    "removal": Severity.RETRACTION,
    PARTIAL: Severity.RETRACTION,
    "retracted_and_republished": Severity.RETRACTION,
    "expression_of_concern": Severity.CONCERN,
    "correction": Severity.CORRECTION,
    "corrigendum": Severity.CORRECTION,
    "erratum": Severity.CORRECTION,
    "corrected_and_republished": Severity.CORRECTION,
    "addendum": Severity.OTHER,
    "clarification": Severity.OTHER,
    "new_version": Severity.NO_FLAG,
    "new_edition": Severity.NO_FLAG,
    REINSTATEMENT: Severity.NO_FLAG,
    TITLE_HINT: Severity.NO_FLAG,
    IS_NOTICE: Severity.NO_FLAG,
}
_STANDINGS = {
    Severity.CORRECTION: Standing.CORRECTED,
    Severity.CONCERN: Standing.CONCERN,
    Severity.RETRACTION: Standing.RETRACTED,
}
KNOWN_NATURES = frozenset(_SEVERITIES)


class NotAnswered(ValueError):
    """The body is no answer to the question: an error in disguise, or cut. Nothing was told."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One provider's word about one work.

    ``doi`` and ``pmid`` are the work's, folded. ``date`` is the notice's, with its precision.
    ``told_by`` is the record of the provider that said so: the work's own, or a notice's.
    ``asserted_by`` names whose statements a provider passes on.
    """

    provider: str
    key: str  # natural key within the provider
    nature: str  # folded: see ``fold_nature``
    stated_as: str = ""
    doi: str = ""
    pmid: str = ""
    date: str = ""
    notice_doi: str = ""
    notice_pmid: str = ""
    title: str = ""
    journal: str = ""
    reasons: tuple[str, ...] = ()
    told_by: str = ""
    asserted_by: tuple[str, ...] = ()
    second_opinion: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def severity(self) -> Severity:
        """How much it weighs; a second opinion keeps its severity but never decides."""
        return severity_of(self.nature)

    @property
    def table(self) -> str:
        """Whose list it comes from: Crossref hands on the one of Retraction Watch."""
        if self.asserted_by and set(self.asserted_by) == {"retraction-watch"}:
            return RETRACTION_WATCH
        return self.provider

    @property
    def decides(self) -> bool:
        """Whether it may make a verdict on its own."""
        return not self.second_opinion and self.severity >= Severity.CORRECTION


@dataclass(frozen=True, slots=True)
class Reading:
    """What one record of a provider told of the work it is about, and of others.

    ``told`` is False where the record does not hold what was asked for: then silence says nothing.
    """

    doi: str = ""
    pmid: str = ""
    statements: tuple[Statement, ...] = ()
    told: bool = True


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice, and everybody who speaks of it. They may disagree about what it is."""

    statements: tuple[Statement, ...]

    @property
    def worst(self) -> Statement:
        """The most severe thing said of it; of equal ones the earliest."""
        return min(self.statements, key=_weight)

    @property
    def doi(self) -> str:
        return next((each.notice_doi for each in self.statements if each.notice_doi), "")

    @property
    def pmid(self) -> str:
        return next((each.notice_pmid for each in self.statements if each.notice_pmid), "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all statements about one work come to."""

    standing: Standing
    deciding: Statement | None = None
    stands: tuple[Statement, ...] = ()  # every one that decides, the most severe first
    lifted: tuple[Statement, ...] = ()  # by a later reinstatement of the same table
    others: tuple[Statement, ...] = ()  # unknown kinds, addenda
    needs_look: tuple[Statement, ...] = ()  # second opinions and titles
    is_notice: tuple[Statement, ...] = ()  # the work is a notice itself

    @property
    def date(self) -> str:
        """When the deciding notice appeared, with its precision."""
        return self.deciding.date if self.deciding else ""

    @property
    def partial(self) -> bool:
        """Whether no more than a part was retracted, as far as anybody says."""
        worst = [each for each in self.stands if each.severity is Severity.RETRACTION]
        return bool(worst) and all(each.nature == PARTIAL for each in worst)


def fold_nature(text: str) -> str:
    """Give the form in which natures are compared: lower case, blanks and hyphens as ``_``."""
    return re.sub(r"[\s-]+", "_", text.strip().casefold())[:40]


def severity_of(nature: str) -> Severity:
    """Tell how much a nature weighs; one that we do not know is kept as another update."""
    return _SEVERITIES.get(nature, Severity.OTHER)


def is_known(nature: str) -> bool:
    """Tell whether a nature is one of those that providers document."""
    return nature in KNOWN_NATURES


def key_of(*parts: str) -> str:
    """Give a natural key that fits its column."""
    key = "|".join(parts)
    if len(key) <= KEY_LENGTH:
        return key
    return "sha256:" + hashlib.sha256(key.encode()).hexdigest()


def verdict(statements: Iterable[Statement], *, asked: bool) -> Verdict:
    """Give the most severe statement that stands, and what became of the others.

    ``asked`` tells whether anybody who knows has answered about the work: only then is silence
    "clean". Of equally severe statements the earliest decides, and the more exact of two dates.
    """
    said = list(statements)
    lifted = [each for each in said if _is_lifted(each, said)]
    stands = sorted((s for s in said if s.decides and s not in lifted), key=_weight)
    deciding = stands[0] if stands else None
    if deciding is not None:
        standing = _STANDINGS[deciding.severity]
    else:
        standing = Standing.CLEAN if asked or lifted else Standing.NOT_ASKED
    return Verdict(
        standing=standing,
        deciding=deciding,
        stands=tuple(stands),
        lifted=tuple(lifted),
        others=tuple(s for s in said if s.severity is Severity.OTHER and not s.second_opinion),
        needs_look=tuple(
            s
            for s in said
            if s.nature == TITLE_HINT or (s.second_opinion and s.severity >= Severity.CORRECTION)
        ),
        is_notice=tuple(s for s in said if s.nature == IS_NOTICE),
    )


def notices(statements: Sequence[Statement]) -> tuple[Notice, ...]:
    """Put together what several say of one notice; the most severe first.

    Known by its DOI or PMID; where one provider tells only the one and another only the other, by
    its day and severity.
    """
    groups: list[list[Statement]] = []
    for each in sorted(statements, key=_weight):
        near = [group for group in groups if any(_same_notice(each, other) for other in group)]
        joined = [each, *(other for group in near for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append(sorted(joined, key=_weight))
    return tuple(Notice(tuple(group)) for group in sorted(groups, key=lambda g: _weight(g[0])))


def timing(cited_on: str, noticed_on: str) -> str:
    """Tell whether a work was cited "before" its notice or "after"; else "unclear" or "unknown".

    Unclear where the dates are not exact enough to tell; the day of the notice counts as after.
    """
    cited, noticed = span_of(cited_on), span_of(noticed_on)
    if cited is None or noticed is None:
        return "unknown"
    if cited.last < noticed.first:
        return "before"
    return "after" if cited.first >= noticed.last else "unclear"


def _same_notice(one: Statement, other: Statement) -> bool:
    dois, pmids = (one.notice_doi, other.notice_doi), (one.notice_pmid, other.notice_pmid)
    if any(all(pair) for pair in (dois, pmids)):
        return any(pair[0] and pair[0] == pair[1] for pair in (dois, pmids))
    # One knows its DOI, the other its PMID: the day and the weight tell.
    named = all(each.notice_doi or each.notice_pmid for each in (one, other))
    same_day = len(one.date) == len("2010-02-06") and one.date == other.date
    return named and same_day and one.severity is other.severity


def _is_lifted(statement: Statement, said: Iterable[Statement]) -> bool:
    """Only a reinstatement that is provably no earlier lifts; without dates nothing is proved."""
    if statement.severity is not Severity.RETRACTION:
        return False
    retracted = span_of(statement.date)
    return retracted is not None and any(
        each.nature == REINSTATEMENT
        and each.table == statement.table
        and (again := span_of(each.date)) is not None
        and retracted.last <= again.first
        for each in said
    )


def _weight(statement: Statement) -> tuple[int, date, date, str, str]:
    span = span_of(statement.date) or Span(date.max, date.max)
    return (
        -int(statement.severity),
        span.last,  # so that of "2010-02" and "2010-02-06" the exact one comes first
        span.first,
        statement.provider,
        statement.key,
    )
