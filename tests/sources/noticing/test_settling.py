"""The standing of sources: what stands, what is found, and who was asked."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from sources.actions.source_findings import decide_finding
from sources.models import (
    AuditEvent,
    Job,
    Project,
    RetractionCheck,
    RetractionRecord,
    Source,
    SourceFinding,
    User,
)
from sources.noticing.settling import settle
from sources.source_words import finding_text
from tests.factories import ProjectFactory

from .said import WORK, answered, findings, judged, said
from .works import NEW, a_source, brought

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("nature", "standing", "code"),
    [
        ("retraction", "retracted", "retracted"),
        ("withdrawal", "retracted", "retracted"),
        ("partial_retraction", "retracted", "partly_retracted"),
        ("expression_of_concern", "concern", "expression_of_concern"),
        ("erratum", "corrected", "corrected"),
        ("publisher_note", "not_asked", "other_update"),
    ],
)
def test_notice_gives_a_standing_and_a_finding(
    project: Project, nature: str, standing: str, code: str
) -> None:
    said(nature, notice_doi="10.5555/n")
    source = judged(a_source(project, WORK))

    assert source.retraction == standing
    assert findings(source) == {code: "open"}


def test_new_version_raises_nothing(project: Project) -> None:
    said("new_version")
    source = a_source(project, WORK)
    answered(source)

    assert judged(source).retraction == "clean"
    assert findings(source) == {}


@pytest.mark.parametrize(
    ("provider", "outcome", "standing"),
    [
        ("crossref", "nothing", "clean"),
        ("pubmed", "nothing", "clean"),
        ("crossref", "unknown_work", "not_asked"),
        ("crossref", "failed", "not_asked"),
        ("openalex", "nothing", "not_asked"),
    ],
)
def test_clean_is_only_whom_somebody_knew_and_said_nothing_of(
    project: Project, provider: str, outcome: str, standing: str
) -> None:
    source = a_source(project, WORK)
    answered(source, provider, outcome)

    assert judged(source).retraction == standing


def test_answer_about_another_doi_no_longer_counts(project: Project) -> None:
    source = a_source(project, WORK)
    answered(source)
    Source.objects.filter(pk=source.pk).update(doi="10.5555/corrected")

    assert judged(source).retraction == "not_asked"


def test_second_opinion_and_title_need_a_look(project: Project) -> None:
    said(provider="openalex", second_opinion=True, stated_as="is_retracted", key="W1")
    said("title_hint", second_opinion=True)
    source = judged(a_source(project, WORK))

    assert source.retraction == "not_asked"
    assert set(findings(source)) == {"retraction_suspected", "title_suggests_retraction"}


def test_weak_signs_are_silent_beside_a_notice(project: Project) -> None:
    said(provider="openalex", second_opinion=True, key="W1")
    said("title_hint", second_opinion=True)
    said()

    assert set(findings(judged(a_source(project, WORK)))) == {"retracted"}


def test_source_that_is_a_notice_itself_is_told_so(project: Project) -> None:
    said("is_notice", second_opinion=True)

    assert set(findings(judged(a_source(project, WORK)))) == {"source_is_notice"}


def test_reinstated_work_keeps_its_story(project: Project) -> None:
    brought(NEW)
    source = a_source(project, "10.5555/back.1")

    assert judged(source).retraction == "clean"
    assert findings(source) == {"reinstated": "open"}


def test_several_voices_about_one_notice_are_one_finding(project: Project) -> None:
    said(notice_doi="10.5555/n", notice_pmid="9")
    said(provider="pubmed", notice_pmid="9", date="2020-05", key="p")
    said(provider="retraction_watch", notice_doi="10.5555/n", date="2020-05-02", key="r")
    finding = judged(a_source(project, WORK, accessed_at="2021-01-01")).findings.get()

    assert finding.params == {
        "nature": "retraction",
        "stated": "",
        "date": "2020-05-02",
        "notice": "10.5555/n",
        "says": "Retraction Watch, Crossref, PubMed",
        "cited": "after",
    }


@pytest.mark.parametrize(
    ("accessed", "cited"),
    [
        ("2019-12-31", "before"),
        ("2020-05-04T10:00:00Z", "after"),
        ("2020", "unclear"),
        ("", "unknown"),
    ],
)
def test_finding_tells_whether_it_was_opened_before_the_notice(
    project: Project, accessed: str, cited: str
) -> None:
    said()
    finding = judged(a_source(project, WORK, accessed_at=accessed)).findings.get()

    assert finding.params["cited"] == cited


def test_findings_speak_both_languages(project: Project) -> None:
    for nature in ("retraction", "partial_retraction", "erratum", "publisher_note"):
        said(nature, notice_doi=f"10.5555/{nature}")
    said("title_hint", second_opinion=True)
    said("is_notice", second_opinion=True)
    source = judged(a_source(project, WORK))

    for finding in source.findings.all():
        english = finding_text(finding.code, finding.params, "en")
        chinese = finding_text(finding.code, finding.params, "zh-Hans")
        assert english != finding.code
        assert english[0].isupper()
        assert "{" not in english + chinese
        assert any("\u4e00" <= sign <= "\u9fff" for sign in chinese)


@pytest.mark.parametrize(
    ("detail", "english"),
    [
        ("rate-limit", "asked too often for now"),
        ("status 503", "it refuses with status 503"),
        ("no-answer: no JSON but '<html>'", "the answer cannot be read"),
        ("read-time", "The server stopped in the middle."),
        ("certificate", "The server's certificate is not valid for it."),
        ("something new", "something new"),
        ("", ""),
    ],
)
def test_silence_of_a_provider_is_explained(detail: str, english: str) -> None:
    check = RetractionCheck(provider="crossref", outcome="failed", detail=detail)

    with override("en"):
        in_english = check.said
    with override("zh-hans"):
        in_chinese = check.said

    assert in_english == english
    assert (in_chinese == english) is (detail in {"", "something new"})


# --- Again ------------------------------------------------------------------------------------


def test_judging_again_changes_nothing(project: Project) -> None:
    said()
    source = judged(a_source(project, WORK))
    events, before = AuditEvent.objects.count(), list(SourceFinding.objects.values())

    assert settle(project) == 0
    assert list(SourceFinding.objects.values()) == before
    assert AuditEvent.objects.count() == events
    assert judged(source).retraction == "retracted"


def test_finding_whose_notice_is_gone_is_outdated_and_keeps_its_decision(
    project: Project, reviewer: User
) -> None:
    record = said()
    source = judged(a_source(project, WORK))
    finding = source.findings.get()
    decide_finding(
        finding=finding, state="confirmed", reason="seen", base_version=finding.version, by=reviewer
    )
    RetractionRecord.objects.update(withdrawn_at=timezone.now())
    judged(source)
    gone = source.findings.get().state
    RetractionRecord.objects.filter(pk=record.pk).update(withdrawn_at=None)
    judged(source)

    assert gone == "outdated"
    assert source.findings.get().state == "confirmed"
    assert source.open_findings == 0


def test_change_of_standing_is_an_event_and_admission_follows(project: Project) -> None:
    said(notice_doi="10.5555/n")
    judged(a_source(project, WORK, external_id="S-9"))

    event = AuditEvent.objects.get(action="source.retraction_changed")
    assert (event.object_id, event.actor) == ("S-9", "engine")
    assert event.old == {"retraction": "not_asked"}
    assert event.new == {
        "retraction": "retracted",
        "date": "2020-05-04",
        "notice": "10.5555/n",
        "says": "crossref",
    }
    assert Job.objects.filter(task="search.tasks.admit_sources").count() == 1


def test_that_nothing_is_known_is_no_event(project: Project) -> None:
    source = a_source(project, WORK)
    answered(source)

    judged(source)

    assert not AuditEvent.objects.exists()
    assert not Job.objects.exists()


def test_queries_do_not_grow_with_the_sources(project: Project) -> None:
    said()

    def count(number: int) -> int:
        for n in range(number):
            a_source(project, WORK if n % 3 else f"10.5555/{n}", str(n + 1))
        with CaptureQueriesContext(connection) as seen:
            settle(project)
        return len(seen)

    few = count(3)
    Job.objects.all().delete()
    assert count(30) <= few + 2


def test_other_projects_are_not_touched(project: Project) -> None:
    said()
    other = a_source(ProjectFactory(), WORK)
    judged(a_source(project, WORK))

    other.refresh_from_db()
    assert other.retraction == "not_asked"
