"""Writing many rows at once."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sources.models import Project, User
from tests.factories import ProjectFactory
from workbench.lib.rows import insert, rewrite, update

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("write", [rewrite, update])
def test_named_fields_are_written_and_no_others(write: object) -> None:
    rows = [ProjectFactory(title="Old") for _ in range(3)]
    for number, row in enumerate(rows):
        row.title, row.as_of, row.question = f"New {number}", date(2026, 1, 1), "Not written?"
        row.report_urls = ["https://example.net/'\""]

    write(Project, rows, ["title", "as_of", "report_urls"])  # type: ignore[operator]

    for number, row in enumerate(rows):
        kept = Project.objects.get(pk=row.pk)
        assert (kept.title, kept.as_of) == (f"New {number}", date(2026, 1, 1))
        assert kept.report_urls == ["https://example.net/'\""]
        assert kept.question != "Not written?"


@pytest.mark.parametrize("write", [rewrite, update])
def test_no_rows_are_no_query(write: object) -> None:
    with CaptureQueriesContext(connection) as queries:
        write(Project, [], ["title"])  # type: ignore[operator]

    assert len(queries) == 0


def test_row_that_is_gone_is_not_made_anew() -> None:
    row = ProjectFactory()
    Project.objects.filter(pk=row.pk).delete()

    update(Project, [row], ["title"])

    assert not Project.objects.exists()


def test_reference_to_another_row_is_written() -> None:
    row, person = ProjectFactory(), User.objects.create_user("somebody")
    row.created_by = person

    update(Project, [row], ["created_by"])

    assert Project.objects.get(pk=row.pk).created_by == person


def test_new_rows_are_written_with_their_moments_and_defaults() -> None:
    insert(Project, [Project(slug=f"p{n}", title="A", question="?", language="en") for n in (1, 2)])

    made = Project.objects.get(slug="p1")
    assert made.created_at is not None
    assert (made.sealed_share, made.report_urls, made.as_of) == (20, [], None)
    assert Project.objects.count() == 2


def test_no_new_rows_are_no_query() -> None:
    with CaptureQueriesContext(connection) as queries:
        insert(Project, [])

    assert len(queries) == 0
