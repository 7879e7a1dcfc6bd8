"""Filtering the history of a project."""

import pytest
from django.test import Client

from sources.models import Project, User
from sources.recording import Entry, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def events(project: Project, lead: User, editor: User) -> None:
    record(project, [Entry("import.done", "import", "report.zip")], by=editor)
    record(project, [Entry("finding.dismissed", "finding", "d1.c5", reason="scope")], by=lead)
    record(project, [Entry("evidence.assessed", "assessment", "d1.c5#2")], by=lead)
    record(project, [Entry("finding.dismissed", "finding", "d1.c50")], by=lead)


@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({}, [4, 3, 2, 1]),
        ({"object": "d1.c5"}, [3, 2]),
        ({"object": "finding"}, [4, 2]),
        ({"who": "editor"}, [1]),
        ({"action": "finding"}, [4, 2]),
        ({"action": "import.done", "who": "lead"}, []),
        ({"object": "\x00d1.c50"}, [4]),
    ],
)
def test_history_is_filtered_by_object_person_and_action(
    events: None, lead_client: Client, filters: dict[str, str], numbers: list[int]
) -> None:
    page = lead_client.get("/p/nsclc/history/", filters)

    assert [event.number for event in page.context["events"]] == numbers


def test_filter_goes_along_to_earlier_pages(
    project: Project, lead: User, lead_client: Client
) -> None:
    for _ in range(60):
        record(project, [Entry("finding.dismissed", "finding", "d1.c5")], by=lead)

    page = lead_client.get("/p/nsclc/history/", {"object": "d1.c5"}).content.decode()

    assert "?before=11&amp;object=d1.c5" in page
