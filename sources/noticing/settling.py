"""Bring the standing of sources up to date with what is said of them today.

Writes ``Source.retraction``, findings for every notice, and an audit event where the standing
changed. Whether a retracted source is turned away is decided by admission, not here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from sources.following import SOURCES, STANDING, follow
from sources.models import (
    NoticeAcknowledgement,
    NoticeProvider,
    Project,
    RetractionCheck,
    RetractionRecord,
    Source,
)
from sources.raising import FindingsMerge, Found, count_findings
from sources.recording import Entry, hold_chain, record
from sources.retractions import Notice, Standing, Statement, Verdict, notices, timing, verdict
from sources.retractions import words as say
from sources.retractions.statements import Severity, severity_of

from .matching import Records, Work, as_statements, asked_for, records_of, works_of

VERSION = "retractions-1"
CHUNK = 500  # sources in one transaction
_ANSWERED = (RetractionCheck.Outcome.NOTHING, RetractionCheck.Outcome.NOTICES)
# That somebody was asked about a work, and said nothing, is no event of its trail.
_SILENT = frozenset({Standing.NOT_ASKED, Standing.CLEAN})


type Name = tuple[str, str]  # provider and key of a statement


@dataclass(frozen=True, slots=True)
class Judged:
    """A source's statements and what they come to."""

    source: Source
    statements: Sequence[Statement]
    verdict: Verdict


def settle(project: Project, source_ids: Collection[int] | None = None) -> int:
    """Judge sources of a project, or all of them, anew; give how many changed their standing.

    Five hundred at a time, each in a transaction of its own unless the caller has one; the number
    of queries does not depend on how many sources those are.
    """
    works = works_of(project, source_ids)
    parts = (works[at : at + CHUNK] for at in range(0, len(works), CHUNK))
    return sum(settle_part(project, part) for part in parts)


@transaction.atomic
def settle_part(project: Project, works: Sequence[Work], records: Records | None = None) -> int:
    """Judge some works of a project; ``records`` are what is said of them, where it is known."""
    hold_chain(project)
    judged = _judge(works, records)
    merge = FindingsMerge([each.source.pk for each in judged], say.FINDINGS)
    for each in judged:
        merge.put(each.source.pk, found_of(each))
    count_findings(merge.save())
    moved: dict[Standing, list[int]] = defaultdict(list)
    entries = []
    for each in judged:
        standing = each.verdict.standing
        if each.source.retraction != standing:
            moved[standing].append(each.source.pk)
            if not _SILENT.issuperset({each.source.retraction, standing}):
                entries.append(_entry(each.source, each.verdict))
    for standing, keys in moved.items():
        Source.objects.filter(pk__in=keys).update(retraction=standing)
    if entries:
        record(project, entries, by=None)
        follow(project, SOURCES, STANDING)
    return sum(map(len, moved.values()))


def _judge(works: Sequence[Work], records: Records | None = None) -> list[Judged]:
    said = as_statements(records_of(works) if records is None else records)
    asked = who_answered(works)
    rows = Source.objects.only("pk", "external_id", "retraction", "accessed_at")
    sources = rows.in_bulk([work.source for work in works])
    judged = []
    for work in works:
        source = sources.get(work.source)
        if source is not None:  # else it was deleted just now
            statements = said.get(work.source, [])
            found = verdict(statements, asked=bool(asked.get(work.source)))
            judged.append(Judged(source, statements, found))
    return judged


def who_answered(works: Sequence[Work]) -> Mapping[int, set[str]]:
    """Give the providers that know a work and have answered about it as it is known today.

    OpenAlex does not count: it is a second opinion. One query.
    """
    by_source = {work.source: work for work in works}
    rows = RetractionCheck.objects.filter(source__in=by_source, outcome__in=_ANSWERED)
    rows = rows.exclude(provider=NoticeProvider.OPENALEX)
    found: dict[int, set[str]] = defaultdict(set)
    for source, provider, name in rows.values_list("source", "provider", "asked_for"):
        if name == asked_for(by_source[source], provider):
            found[source].add(provider)
    return found


def _entry(source: Source, found: Verdict) -> Entry:
    new: dict[str, object] = {"retraction": found.standing.value}
    if found.deciding is not None:
        new |= {"date": found.date, "notice": name_of(Notice((found.deciding,)))}
        new["says"] = found.deciding.provider
    old = {"retraction": source.retraction}
    name = "source.retraction_changed"
    return Entry(name, "source", source.external_id, old=old, new=new, rule_version=VERSION)


# --- Findings ---------------------------------------------------------------------------------


def found_of(judged: Judged) -> list[Found]:
    """Give one finding for each notice, and for what needs a look."""
    verdict_ = judged.verdict
    found = [each for each, _notice in _by_notice(judged)]
    if verdict_.standing is not Standing.RETRACTED:
        for each in verdict_.needs_look:
            # OpenAlex names its flag, others only a title.
            flagged = each.severity is Severity.RETRACTION
            code = say.SUSPECTED if flagged else say.TITLE_SUGGESTS
            found.append(_weak(code, [each]))
    if verdict_.is_notice:
        found.append(_weak(say.SOURCE_IS_NOTICE, verdict_.is_notice))
    return found


def _by_notice(judged: Judged) -> list[tuple[Found, Notice]]:
    cited_on, verdict_ = cited_day(judged.source), judged.verdict
    found = []
    for notice in notices([*verdict_.stands, *verdict_.others]):
        code = say.code_of(notice.worst.nature)
        found.append((_found(code, notice, timing(cited_on, notice.worst.date)), notice))
    back = notices(verdict_.lifted)
    return [*found, *((_found(say.REINSTATED, each, ""), each) for each in back)]


def findings_of(source: Source, row: RetractionRecord) -> list[str]:
    """Name the findings that tell of the notice a row tells of, by their fingerprints."""
    judged = _judge(works_of(source.project, [source.pk]))
    name = (row.provider, row.record_key)
    return [
        found.fingerprint
        for each in judged
        for found, notice in _by_notice(each)
        if name in {(said.provider, said.key) for said in notice.statements}
    ]


def _found(code: str, notice: Notice, cited: str) -> Found:
    worst = notice.worst
    params = {
        "nature": worst.nature,
        "stated": worst.stated_as,
        "date": worst.date,
        "notice": name_of(notice),
        "says": says(notice.statements),
    }
    if cited:
        params["cited"] = cited
    return Found(code, say.FINDINGS[code][0], params, name_of(notice) or worst.key)


def _weak(code: str, statements: Iterable[Statement]) -> Found:
    listed = list(statements)
    return Found(code, say.FINDINGS[code][0], {"says": says(listed)}, listed[0].provider)


def name_of(notice: Notice) -> str:
    """Name a notice by its DOI, else its PMID; "" where nobody tells."""
    return notice.doi or (f"PMID {notice.pmid}" if notice.pmid else "")


def says(statements: Iterable[Statement]) -> str:
    """List who says so, each once."""
    return ", ".join(dict.fromkeys(say.PROVIDERS[each.provider] for each in statements))


def cited_day(source: Source) -> str:
    """Give the day on which a source was opened, as far as its record tells; else ""."""
    return source.accessed_at[:10] if source.accessed_at else ""


# --- For admission ----------------------------------------------------------------------------


def open_retractions(
    project: Project, source_ids: Collection[int] | None = None
) -> dict[int, tuple[Notice, ...]]:
    """Give the sources that stand as retracted and whose retraction nobody acknowledged.

    For each all notices that stand, corrections and concerns too, the most severe first; none
    where nobody says so any more and the source was not judged since. Four queries for 500 works.
    """
    retracted = Source.objects.filter(project=project, retraction=Source.Standing.RETRACTED)
    if source_ids is not None:
        retracted = retracted.filter(pk__in=list(source_ids))
    wanted = list(retracted.values_list("pk", flat=True))
    if not wanted:
        return {}
    accepted = acknowledged(wanted)
    said = as_statements(records_of(works_of(project, wanted)))
    found: dict[int, tuple[Notice, ...]] = {}
    for source in wanted:
        grouped = notices(verdict(said.get(source, []), asked=True).stands)
        known = accepted.get(source, {})
        if any(_is_open(each, known) for each in grouped) or not (grouped or known):
            found[source] = grouped
    return found


def _is_open(notice: Notice, accepted: Mapping[Name, Severity]) -> bool:
    """A notice that says worse than it did when it was acknowledged is open again."""
    if notice.worst.severity is not Severity.RETRACTION:
        return False
    names = [(each.provider, each.key) for each in notice.statements]
    known = [accepted[name] for name in names if name in accepted]
    return not known or max(known) < notice.worst.severity


def acknowledged(source_ids: Collection[int]) -> dict[int, dict[Name, Severity]]:
    """Give the acknowledged statements by source, with how severe they are. One query."""
    rows = NoticeAcknowledgement.objects.filter(source__in=list(source_ids), ended_at=None)
    found: dict[int, dict[Name, Severity]] = defaultdict(dict)
    told = ("source", "notice__provider", "notice__record_key", "notice__nature")
    for source, provider, key, nature in rows.values_list(*told):
        found[source][provider, key] = severity_of(nature)
    return found


def facts_of_notice(notice: Notice) -> dict[str, str]:
    """Give what a notice is as stored facts: ``date``, ``nature``, ``notice`` and ``says``."""
    worst = notice.worst
    return {
        "date": worst.date,
        "nature": worst.nature,
        "notice": name_of(notice),
        "says": says(notice.statements),
    }
