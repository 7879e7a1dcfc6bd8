from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from sources.models import AuditChain, AuditEvent, Project, User
from sources.recording import ENGINE, Entry, broken_events, event_hash, record
from tests.factories import ProjectFactory
from workbench.lib import context


def told(project: Project, count: int, by: User | None = None) -> list[AuditEvent]:
    entries = [
        Entry("verdict.given", "claim", f"d1.c{n}", old={"决定": n}, new={"n": n}, reason="因为")
        for n in range(count)
    ]
    return record(project, entries, by=by)


def damages(project: Project) -> list[tuple[int, str]]:
    return list(broken_events(project))


def by_sql(assignment: str, number: int) -> None:
    """Change an event behind the back of everything that guards it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE sources_auditevent SET {assignment} WHERE number = %s",
            [number],
        )


def test_events_are_numbered_and_linked(project: Project, reviewer: User) -> None:
    first, second = told(project, 2, by=reviewer)
    (third,) = told(project, 1)

    assert [each.number for each in (first, second, third)] == [1, 2, 3]
    assert [second.previous_hash, third.previous_hash] == [first.hash, second.hash]
    assert (first.actor, third.actor) == ("reviewer", ENGINE)
    assert damages(project) == []


def test_event_says_which_request_and_which_moment_of_the_browser(project: Project) -> None:
    moment = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    request, client = context.request_id.set("abc"), context.client_time.set(moment)
    try:
        told(project, 1)
    finally:
        context.request_id.reset(request)
        context.client_time.reset(client)

    event = AuditEvent.objects.get()
    assert (event.request_id, event.client_at) == ("abc", moment)
    assert damages(project) == []


def test_hash_is_the_same_once_the_event_went_through_the_database(project: Project) -> None:
    (event,) = told(project, 1)

    assert event_hash(AuditEvent.objects.get(pk=event.pk)) == event.hash


def test_chains_of_two_projects_do_not_meet(project: Project) -> None:
    other = ProjectFactory()
    told(project, 2)
    (event,) = told(other, 1)

    assert (event.number, event.previous_hash) == (1, "0" * 64)
    assert AuditChain.objects.get(project=project).length == 2


@pytest.mark.parametrize(
    "assignment",
    ["reason = 'other'", "actor = 'lead'", "object_id = 'd1.c9'", "new = 'null'", "at = client_at"],
)
def test_altered_event_is_named(project: Project, assignment: str) -> None:
    client = context.client_time.set(datetime(2026, 3, 1, tzinfo=UTC))
    try:
        told(project, 9)
    finally:
        context.client_time.reset(client)

    by_sql(assignment, 5)

    assert damages(project) == [(5, "altered")]


def test_event_that_was_altered_and_hashed_anew_is_unlinked(project: Project) -> None:
    events = told(project, 4)
    events[1].reason = "other"
    by_sql(f"reason = 'other', hash = '{event_hash(events[1])}'", 2)

    assert damages(project) == [(3, "not linked to the one before")]


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (1, [(1, "missing"), (2, "not linked to the one before")]),
        (3, [(3, "missing"), (4, "not linked to the one before")]),
        (5, [(5, "the chain ends elsewhere")]),
    ],
)
def test_removed_event_is_named(
    project: Project, number: int, found: list[tuple[int, str]]
) -> None:
    told(project, 5)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sources_auditevent WHERE number = %s", [number])

    assert damages(project) == found


def test_failed_deed_leaves_no_event(project: Project) -> None:
    told(project, 1)

    with pytest.raises(ZeroDivisionError):
        record(project, (1 / 0 for _ in range(1)), by=None)  # type: ignore[misc]

    assert AuditChain.objects.get(project=project).length == 1
    assert damages(project) == []


def test_number_of_queries_does_not_grow_with_the_events(
    project: Project, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    told(project, 1)
    with django_assert_max_num_queries(6):
        told(project, 2)
    with django_assert_max_num_queries(6):
        told(project, 200)
