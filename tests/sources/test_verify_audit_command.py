"""The command that proves the audit trail of a project."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from sources.models import AuditChain, AuditEvent, Project
from sources.recording import Entry, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def trail(project: Project) -> Project:
    for number in range(1, 9):
        record(
            project, [Entry("import.done", "import", f"file-{number}", new={"n": number})], by=None
        )
    return project


def verified() -> tuple[int, str]:
    said = StringIO()
    try:
        call_command("verify_audit", "nsclc", stdout=said)
    except CommandError as error:
        return error.returncode, said.getvalue()
    return 0, said.getvalue()


def test_whole_trail_is_said_to_be_whole(trail: Project) -> None:
    code, said = verified()

    assert code == 0
    assert "8 events" in said


def test_project_without_events_is_whole(project: Project) -> None:
    assert verified()[0] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"new": {"n": 99}},
        {"actor": "somebody"},
        {"reason": "made up"},
        {"object_id": "another"},
        {"previous_hash": "0" * 64},
    ],
    ids=lambda change: next(iter(change)),
)
def test_altered_event_is_named(trail: Project, change: dict[str, object]) -> None:
    AuditEvent.objects.filter(number=4).update(**change)

    code, said = verified()

    assert code == 1
    assert said.startswith("4: ")


def test_lost_event_is_named(trail: Project) -> None:
    AuditEvent.objects.filter(number=4).delete()

    code, said = verified()

    assert code == 1
    assert "4: missing" in said


def test_cut_end_is_named(trail: Project) -> None:
    AuditEvent.objects.filter(number=8).delete()

    code, said = verified()

    assert code == 1
    assert said.startswith("8: ")


def test_end_moved_back_with_the_chain_is_noticed_by_its_hash(trail: Project) -> None:
    AuditEvent.objects.filter(number=8).delete()
    AuditChain.objects.update(length=F("length") - 1)

    assert verified()[0] == 1


def test_unknown_project_is_refused_apart() -> None:
    with pytest.raises(CommandError) as refused:
        call_command("verify_audit", "nowhere")

    assert refused.value.returncode == 2


def test_project_whose_name_is_no_utf8_is_refused() -> None:
    with pytest.raises(CommandError, match="is not UTF-8"):
        call_command("verify_audit", "caf\udce9")
