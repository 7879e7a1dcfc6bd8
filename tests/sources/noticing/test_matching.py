"""Which works sources are, statements as rows, and what admission is told."""

import pytest
from django.utils import timezone

from sources.models import (
    NoticeAcknowledgement,
    Project,
    RetractionRecord,
    Source,
    SourceIdentifier,
    User,
)
from sources.noticing.matching import Work, asked_for, works_of
from sources.noticing.records import digest, keep, to_record, to_statement
from sources.noticing.settling import facts_of_notice, open_retractions
from sources.retractions import Statement
from sources.retractions.crossref import read_work
from sources.retractions.words import line_of
from tests.sources.retractions.recorded import answer

from .providers import TRIAL, TRIAL_PMID
from .said import WORK, judged, said
from .works import NEW, a_source, brought

pytestmark = pytest.mark.django_db


def test_work_is_known_by_its_doi_and_its_own_pmids(project: Project) -> None:
    source = a_source(project, WORK, "7")
    for value, field in (("8", "notes"), ("9", "title")):
        SourceIdentifier.objects.create(source=source, scheme="pmid", value=value, found_in=field)

    assert works_of(project) == [Work(source.pk, WORK, ("7",))]


def test_work_of_two_pmids_is_asked_about_by_its_doi() -> None:
    two, one = Work(1, WORK, ("7", "8")), Work(1, WORK, ("7",))

    assert [asked_for(two, name) for name in ("crossref", "pubmed", "retraction_watch")] == [
        f"doi:{WORK}"
    ] * 3
    assert asked_for(one, "pubmed") == "pmid:7"
    assert asked_for(Work(1, "", ("7",)), "crossref") == ""
    assert not Work(1, "").is_known


@pytest.mark.parametrize(("doi", "pmids"), [(WORK, ()), ("", ("7",)), (WORK, ("7",))])
def test_notice_is_found_by_doi_or_by_pmid_and_counts_once(
    project: Project, doi: str, pmids: tuple[str, ...]
) -> None:
    said(pmid="7")
    source = judged(a_source(project, doi, *pmids))

    assert source.retraction == "retracted"
    assert source.findings.count() == 1


def test_other_works_are_left_alone(project: Project) -> None:
    said()

    assert judged(a_source(project, "10.5555/other")).retraction == "not_asked"


# --- Rows -------------------------------------------------------------------------------------


def test_statement_survives_being_a_row() -> None:
    for statement in read_work(answer("crossref", "work_retracted.json")).statements:
        row = to_record(statement, now=timezone.now())
        row.save()
        row.refresh_from_db()

        assert to_statement(row) == statement
        assert row.content_hash == digest(statement)


def test_what_a_record_tells_no_more_is_withdrawn() -> None:
    now = timezone.now()
    whole = read_work(answer("crossref", "work_retracted.json"))
    keep("crossref", whole.statements, answered={TRIAL}, now=now)

    kept = keep("crossref", whole.statements[:1], answered={TRIAL}, now=now)

    gone = RetractionRecord.objects.exclude(withdrawn_at=None)
    assert [row.nature for row in gone] == ["retraction"]
    assert kept.dois == {TRIAL}


def test_what_a_notice_told_is_not_withdrawn_by_the_silence_of_its_work() -> None:
    now = timezone.now()
    told = Statement("crossref", "k", "retraction", doi=WORK, notice_doi="10.5555/n", told_by="n")
    keep("crossref", [told], answered={"10.5555/n"}, now=now)

    keep("crossref", [], answered={WORK}, now=now)

    assert RetractionRecord.objects.get().withdrawn_at is None


def test_same_statement_again_is_not_written() -> None:
    now = timezone.now()
    whole = read_work(answer("crossref", "work_retracted.json"))
    keep("crossref", whole.statements, answered={TRIAL}, now=now)

    assert keep("crossref", whole.statements, answered={TRIAL}, now=now).changed == 0


# --- For admission ----------------------------------------------------------------------------


def acknowledged(source: Source, record: RetractionRecord, by: User) -> None:
    NoticeAcknowledgement.objects.create(source=source, notice=record, reason="seen", by=by)


def test_retraction_is_open_with_all_its_notices_until_it_is_acknowledged(
    project: Project, editor: User
) -> None:
    retraction = said(notice_doi="10.5555/b")
    said("correction", notice_doi="10.5555/a", date="2019")
    source = judged(a_source(project, WORK))
    before = open_retractions(project)

    acknowledged(source, retraction, editor)

    assert list(before) == [source.pk]
    assert [facts_of_notice(each) for each in before[source.pk]] == [
        {"date": "2020-05-04", "nature": "retraction", "notice": "10.5555/b", "says": "Crossref"},
        {"date": "2019", "nature": "correction", "notice": "10.5555/a", "says": "Crossref"},
    ]
    assert open_retractions(project) == {}


def test_acknowledged_correction_does_not_cover_the_retraction_it_became(
    project: Project, editor: User
) -> None:
    correction = said("correction", notice_doi="10.5555/n")
    source = a_source(project, WORK)
    acknowledged(source, correction, editor)
    said(provider="pubmed", notice_doi="10.5555/n", key="p")

    judged(source)

    assert set(open_retractions(project)) == {source.pk}


def test_acknowledgement_that_ended_counts_no_more(project: Project, editor: User) -> None:
    source, record = a_source(project, WORK), said()
    acknowledged(source, record, editor)
    NoticeAcknowledgement.objects.update(ended_at=timezone.now())

    judged(source)

    assert set(open_retractions(project, [source.pk])) == {source.pk}
    assert open_retractions(project, []) == {}


def test_wakefields_likeness_is_retracted_with_both_notices(project: Project) -> None:
    brought(NEW)
    source = judged(a_source(project, TRIAL, TRIAL_PMID))

    assert source.retraction == "retracted"
    told = [facts_of_notice(each) for each in open_retractions(project)[source.pk]]
    assert [line_of(each, "en") for each in told] == [
        "2010-02-06 retraction 10.5555/trial.2010.note (Retraction Watch)",
        "2004-03-06 correction 10.5555/trial.2004.note (Retraction Watch)",
    ]
    assert line_of(told[0], "zh-Hans").startswith("2010-02-06 撤稿 10.5555/trial.2010.note")


def test_retraction_without_a_statement_left_is_open_until_it_is_judged_anew(
    project: Project,
) -> None:
    source = a_source(project, WORK, retraction="retracted")

    assert open_retractions(project) == {source.pk: ()}


def test_every_retraction_must_be_acknowledged(project: Project, editor: User) -> None:
    later = said(notice_doi="10.5555/b", date="2010-02-06")
    earlier = said("partial_retraction", notice_doi="10.5555/a", date="2004-03-06")
    source = judged(a_source(project, WORK))

    acknowledged(source, later, editor)
    assert set(open_retractions(project)) == {source.pk}

    acknowledged(source, earlier, editor)
    assert open_retractions(project) == {}
