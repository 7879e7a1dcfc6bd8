"""A person screens records: keep, rank down, drop, duplicate, restore, take back."""

import pytest
from django.utils import timezone

from search.actions.rejecting import reopen_rejection
from search.actions.rejecting import take_back as undo_reopening
from search.actions.screening import accept_proposals, screen, take_back
from search.admitting import admit
from search.models import Record
from search.screening import Choice
from sources.actions.errors import ActionRefused
from sources.exchange.rejections import read_rejection
from sources.importing.rejections import rejection_lines
from sources.models import AuditEvent, Capture, Job, Project, Rejection, Source, User
from sources.recording import broken_events
from sources.source_cache import url_hash
from tests.factories import SnapshotFactory
from tests.search.found import hit, records, searched
from workbench.lib.problems import Log

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(project: Project) -> Record:
    searched(
        project,
        hit("a", doi="10.1056/nejmoa1", published="2024-05", authors=("A. Aho",), venue="NEJM"),
    )
    return records(project)[0]


def last_event(project: Project) -> AuditEvent:
    event = AuditEvent.objects.filter(project=project, object_type="record").last()
    assert event is not None
    return event


def test_kept_record_becomes_a_candidate_with_its_receipts(
    waiting: Record, editor: User, project: Project
) -> None:
    searched(project, hit("a", doi="10.1056/nejmoa1"), number=2)

    screen(row=waiting, choice=Choice("kept"), by=editor)

    source = Source.objects.get()
    assert (source.external_id, source.doi, source.year) == ("src_001", "10.1056/nejmoa1", 2024)
    assert source.receipt_ids == ["srch_0001", "srch_0002"]
    assert source.access_status == "snippet_only"
    assert (source.authors, source.venue, source.status) == (["A. Aho"], "NEJM", "candidate")
    assert source.identifiers.filter(scheme="doi").exists()
    assert records(project)[0].source == source
    assert Job.objects.filter(kind="scoring").exists()
    assert list(broken_events(project)) == []


def fetches(project: Project) -> list[Job]:
    return list(Job.objects.filter(project=project, kind="fetch"))


def test_page_of_a_kept_record_is_fetched_once_in_the_background(
    waiting: Record, editor: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("kept"), by=editor)
    screen(row=waiting, choice=Choice("open"), by=editor)
    screen(row=waiting, choice=Choice("kept"), by=editor)

    (job,) = fetches(project)
    assert job.args == {"url": "https://journal.fi/a", "again": False}
    assert (job.state, job.created_by) == (Job.State.QUEUED, editor)


def test_page_that_is_stored_or_was_refused_is_not_fetched_again(
    editor: User, project: Project
) -> None:
    searched(project, hit("a"), hit("b"), hit("c", url=""))
    SnapshotFactory(project=project, text="Known.", normalized_url="https://journal.fi/a")
    gone = "https://journal.fi/b"
    Capture.objects.create(
        project=project, normalized_url=gone, url_hash=url_hash(gone), outcome="gone",
        code="status", status=404, fetched_at=timezone.now(),
    )  # fmt: skip

    for row in records(project):
        screen(row=row, choice=Choice("kept"), by=editor)

    assert fetches(project) == []


def test_leads_alone_give_no_receipt(project: Project, editor: User) -> None:
    searched(project, hit("a"), is_lead=True)

    screen(row=records(project)[0], choice=Choice("kept"), by=editor)

    assert Source.objects.get().receipt_ids == []


def test_source_ids_go_on_after_those_of_the_project(
    waiting: Record, editor: User, project: Project
) -> None:
    Source.objects.create(project=project, external_id="src_1041", raw_id="", content_hash="0")

    screen(row=waiting, choice=Choice("kept"), by=editor)

    assert Source.objects.filter(external_id="src_1042").exists()


def test_dropped_record_is_a_rejection_with_reason_and_who(
    waiting: Record, editor: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("dropped", "off_topic", "on rats"), by=editor)

    rejection = Rejection.objects.get()
    assert (rejection.rule, rejection.reason) == ("off_topic", "Off topic: on rats")
    assert (rejection.rejected_by, rejection.receipt_ids) == ("editor", ["srch_0001"])
    (line,) = rejection_lines(project)
    log = Log()
    read = read_rejection(line, number=1, file="rejected_sources.jsonl", log=log)
    assert read is not None
    assert (log.errors, log.notices) == ([], [])
    assert (line["doi"], line["year"], line["authors"]) == ("10.1056/nejmoa1", 2024, ["A. Aho"])
    assert (line["rejection_rule"], line["search_receipt_ids"]) == ("off_topic", ["srch_0001"])


def test_record_follows_its_rejection_that_is_opened_again_and_back(
    waiting: Record, editor: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("dropped", "off_topic"), by=editor)
    held = Rejection.objects.get()

    source = reopen_rejection(rejection=held, reason="on topic after all", by=editor)

    (row,) = records(project)
    assert (row.state, row.source, row.reason) == ("kept", source, "on topic after all")
    assert (source.doi, source.year, source.authors) == ("10.1056/nejmoa1", 2024, ["A. Aho"])
    assert source.receipt_ids == ["srch_0001"]

    event = AuditEvent.objects.get(project=project, action="rejection.reopened")
    undo_reopening(project=project, number=event.number, by=editor)

    (row,) = records(project)
    assert (row.state, row.reason_code) == ("dropped", "off_topic")
    assert list(broken_events(project)) == []


def test_restored_record_waits_again_and_its_rejection_stays_on_record(
    waiting: Record, editor: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("dropped", "off_topic"), by=editor)

    screen(row=waiting, choice=Choice("open"), by=editor)

    assert records(project)[0].state == "open"
    assert Rejection.objects.get().state == Rejection.State.REOPENED


def test_kept_source_that_is_dropped_is_turned_away_and_comes_back_when_restored(
    waiting: Record, editor: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("kept"), by=editor)
    screen(row=waiting, choice=Choice("dropped", "marketing_content"), by=editor)
    admit(project)
    assert Source.objects.get().status == "rejected"

    screen(row=waiting, choice=Choice("kept"), by=editor)
    admit(project)

    assert Source.objects.get().status == "candidate"  # not scored yet
    assert Source.objects.count() == 1


def test_decision_of_the_rules_can_be_reversed(project: Project, editor: User) -> None:
    searched(project, hit("a", standing="retracted"))
    row = records(project)[0]

    screen(row=row, choice=Choice("kept"), by=editor)

    row.refresh_from_db()
    assert (row.state, row.proposed_code) == ("kept", "retracted")  # the proposal stays visible
    assert Rejection.objects.get().state == Rejection.State.REOPENED


def test_rank_down_holds_level_and_reason(waiting: Record, editor: User, project: Project) -> None:
    screen(row=waiting, choice=Choice("down", "secondary_repost", level="D2"), by=editor)

    row = records(project)[0]
    assert (row.state, row.level, row.reason_code, row.by) == (
        "down", "D2", "secondary_repost", editor,
    )  # fmt: skip


def test_undo_puts_back_what_was(waiting: Record, editor: User, project: Project) -> None:
    screen(row=waiting, choice=Choice("down", "missing_date", level="D1"), by=editor)
    screen(row=waiting, choice=Choice("dropped", "off_topic"), by=editor)

    take_back(project=project, number=last_event(project).number, by=editor)

    row = records(project)[0]
    assert (row.state, row.level, row.reason_code) == ("down", "D1", "missing_date")
    with pytest.raises(ActionRefused):
        take_back(project=project, number=last_event(project).number, by=editor)


def test_only_ones_own_last_decision_can_be_taken_back(
    waiting: Record, editor: User, lead: User, project: Project
) -> None:
    screen(row=waiting, choice=Choice("dropped", "off_topic"), by=editor)
    number = last_event(project).number
    with pytest.raises(ActionRefused):
        take_back(project=project, number=number, by=lead)
    screen(row=waiting, choice=Choice("kept"), by=lead)

    with pytest.raises(ActionRefused) as refused:
        take_back(project=project, number=number, by=editor)

    assert refused.value.code == "conflict"


def test_stale_form_overwrites_nothing(waiting: Record, editor: User, lead: User) -> None:
    screen(row=waiting, choice=Choice("kept"), by=lead, base_version=1)

    with pytest.raises(ActionRefused) as refused:
        screen(row=waiting, choice=Choice("dropped", "off_topic"), by=editor, base_version=1)

    assert refused.value.code == "conflict"


def test_reviewer_may_look_and_not_decide(waiting: Record, reviewer: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        screen(row=waiting, choice=Choice("kept"), by=reviewer)

    assert refused.value.code == "not-allowed"


def test_duplicate_names_another_record_of_the_project(project: Project, editor: User) -> None:
    searched(project, hit("a"), hit("b"), hit("c"))
    first, second, third = records(project)
    for other in (None, first):
        with pytest.raises(ActionRefused):
            screen(row=first, choice=Choice("duplicate"), by=editor, duplicate_of=other)

    screen(row=second, choice=Choice("duplicate"), by=editor, duplicate_of=first)
    screen(row=first, choice=Choice("duplicate"), by=editor, duplicate_of=third)

    with pytest.raises(ActionRefused):  # in a circle
        screen(row=third, choice=Choice("duplicate"), by=editor, duplicate_of=second)


def test_choice_that_lacks_its_reason_is_refused(waiting: Record, editor: User) -> None:
    for choice in (Choice("dropped"), Choice("down"), Choice("dropped", "other"), Choice("x")):
        with pytest.raises(ActionRefused):
            screen(row=waiting, choice=choice, by=editor)


def test_record_without_any_name_cannot_become_a_source(project: Project, editor: User) -> None:
    searched(project, hit("a", title="", url="", raw_id="7"))

    with pytest.raises(ActionRefused) as refused:
        screen(row=records(project)[0], choice=Choice("kept"), by=editor)

    assert refused.value.code == "nothing-to-cite"


def test_proposals_are_accepted_at_once(project: Project, editor: User) -> None:
    searched(project, hit("a"), hit("b"))
    screen(row=records(project)[0], choice=Choice("kept"), by=editor)
    Record.objects.filter(pk=records(project)[1].pk).update(
        proposed_state="kept", proposed_code="in_project", proposed_facts={"source": "src_001"}
    )

    assert accept_proposals(project=project, by=editor) == 1

    assert {row.state for row in records(project)} == {"kept"}
    assert Source.objects.count() == 1
