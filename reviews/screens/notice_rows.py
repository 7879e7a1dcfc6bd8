"""Notices about the work that a source is: who says what, what stands, what was acknowledged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import get_language

from sources.models import NoticeAcknowledgement, RetractionRecord, Source
from sources.noticing.matching import as_statements, records_of, works_of
from sources.noticing.settling import cited_day, name_of
from sources.retractions import Notice, Severity, Statement, notices, timing, verdict
from sources.retractions.statements import severity_of
from sources.retractions.words import PROVIDERS, TIMING, nature_text

STANDS, LIFTED, WEAK = "stands", "lifted", "weak"
_CHIPS = {Severity.RETRACTION: "defect", Severity.CONCERN: "attention"}


@dataclass(frozen=True, slots=True)
class Voice:
    """What one provider says of a notice."""

    provider: str
    nature: str
    stated_as: str  # its own word, where it is another than ours


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """One notice, and everybody who speaks of it."""

    record: int  # key of the row that says the most severe thing of it
    nature: str
    date: str
    doi: str
    name: str  # its DOI or PMID; "" where nobody tells
    voices: tuple[Voice, ...]
    cited: str  # whether the source was opened before the notice; "" where that does not matter
    state: str
    chip: str
    accepted: tuple[NoticeAcknowledgement, ...]
    is_open: bool  # it stands, and nobody acknowledged it as severe as it is

    @property
    def disagree(self) -> bool:
        """Whether providers call it by different names."""
        return len({voice.nature for voice in self.voices}) > 1


@dataclass(frozen=True, slots=True)
class Notices:
    """What is said of a source's work."""

    rows: tuple[NoticeRow, ...] = ()
    can_be_asked: bool = False  # it has an identifier by which providers know it


def notices_of_source(source: Source) -> Notices:
    """Give all notices of a source's work, the most severe first. Five queries."""
    works = works_of(source.project, [source.pk])
    records = records_of(works).get(source.pk, [])
    said = as_statements({source.pk: records}).get(source.pk, [])
    found = verdict(said, asked=True)
    accepted = _accepted(source)
    stands = notices([*found.stands, *found.others])
    look = Look(source, {(row.provider, row.record_key): row for row in records}, accepted)
    rows = [
        *(look.row(each, STANDS) for each in stands),
        *(look.row(each, LIFTED) for each in notices(found.lifted)),
        *(look.row(Notice((each,)), WEAK) for each in (*found.needs_look, *found.is_notice)),
    ]
    return Notices(tuple(rows), bool(works) and works[0].is_known)


def _accepted(source: Source) -> dict[int, NoticeAcknowledgement]:
    rows = NoticeAcknowledgement.objects.filter(source=source, ended_at=None)
    return {row.notice_id: row for row in rows.select_related("by", "notice").order_by("pk")}


@dataclass(frozen=True, slots=True)
class Look:
    """What a row of a notice is made of."""

    source: Source
    records: Mapping[tuple[str, str], RetractionRecord]
    accepted: Mapping[int, NoticeAcknowledgement]  # by notice

    def row(self, notice: Notice, state: str) -> NoticeRow:
        """Give one notice with its words in the reader's language."""
        language, worst = get_language() or "en", notice.worst
        mine = tuple(
            self.accepted[key]
            for each in notice.statements
            if (key := self.records[each.provider, each.key].pk) in self.accepted
        )
        cited = timing(cited_day(self.source), worst.date) if state == STANDS else ""
        return NoticeRow(
            record=self.records[worst.provider, worst.key].pk,
            nature=nature_text(worst.nature).render(language),
            date=worst.date,
            doi=notice.doi,
            name=name_of(notice),
            voices=tuple(_voices(notice.statements, language)),
            cited=TIMING[cited].render(language) if cited else "",
            state=state,
            chip=_CHIPS.get(worst.severity, "unknown") if state == STANDS else "stale",
            accepted=mine,
            is_open=state == STANDS and not _covered(worst, mine),
        )


def _covered(worst: Statement, accepted: Iterable[NoticeAcknowledgement]) -> bool:
    """Tell whether a notice was acknowledged while it said nothing less severe than now."""
    return any(severity_of(each.notice.nature) >= worst.severity for each in accepted)


def _voices(statements: Iterable[Statement], language: str) -> Iterable[Voice]:
    for each in statements:
        ours = nature_text(each.nature).en
        own = each.stated_as if each.stated_as.casefold() != ours else ""
        yield Voice(PROVIDERS[each.provider], nature_text(each.nature).render(language), own)
