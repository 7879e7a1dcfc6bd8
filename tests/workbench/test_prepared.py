"""Queries that are written once."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.test.utils import CaptureQueriesContext

from reviews.models import Claim, Snooze, Verdict
from sources.models import Project, User
from tests.factories import ClaimFactory, SnoozeFactory, VerdictFactory
from workbench.lib.prepared import Given, prepared

pytestmark = pytest.mark.django_db


@prepared
def by_text(project: Given, text: Given) -> QuerySet[Any, Any]:
    return Claim.objects.filter(project=project, text=text).values_list("external_id")


@prepared
def among(claims: Given) -> QuerySet[Any, Any]:
    return Claim.objects.filter(pk__in=claims).order_by("pk").values_list("pk")


def test_it_gives_what_the_query_gives(project: Project) -> None:
    ClaimFactory(project=project, external_id="d1.c1", text="one")
    ClaimFactory(project=project, external_id="d1.c2", text="two")

    assert by_text(project=project.pk, text="one") == [("d1.c1",)]
    assert by_text(project=project.pk, text="two") == [("d1.c2",)]
    assert by_text(text="two", project=project.pk) == [("d1.c2",)]
    assert by_text(project=project.pk + 1, text="two") == []


@pytest.mark.parametrize("text", ["100 % of %s", "it's", "' OR 1=1 --", "{0} %(text)s", '"'])
def test_a_value_is_never_read_as_sql(project: Project, text: str) -> None:
    ClaimFactory(project=project, external_id="d1.c1", text=text)
    ClaimFactory(project=project, external_id="d1.c2", text="other")

    assert by_text(project=project.pk, text=text) == [("d1.c1",)]


def test_it_writes_its_sql_once(project: Project) -> None:
    built = []

    def build(project: Given) -> QuerySet[Any, Any]:
        built.append(project)
        return Claim.objects.filter(project=project).values_list("pk")

    query = prepared(build)
    with CaptureQueriesContext(connection) as asked:
        for number in range(3):
            query(project=number)

    assert (len(built), len(asked)) == (1, 3)


def test_a_list_of_any_length_stands_behind_in(project: Project) -> None:
    keys = sorted(ClaimFactory(project=project).pk for _ in range(5))

    for length in (1, 4, 2, 5, 1):
        assert among(claims=keys[:length]) == [(pk,) for pk in keys[:length]]
        assert among(claims=keys[-length:]) == [(pk,) for pk in keys[-length:]]


def test_long_lists_share_their_sql() -> None:
    built = []

    def build(claims: Given) -> QuerySet[Any, Any]:
        built.append(claims)
        return Claim.objects.filter(pk__in=claims).order_by("pk").values_list("pk")

    keys = [ClaimFactory().pk for _ in range(3)]
    query = prepared(build)
    for length in (65, 90, 128, 500, 300):
        others = list(range(10**6, 10**6 + length - len(keys)))
        assert query(claims=[*others, *keys]) == [(pk,) for pk in keys]

    assert len(built) == 2


def test_what_a_database_stores_in_its_own_way_is_read_as_django_reads_it(
    project: Project, reviewer: User
) -> None:
    today = date(2026, 5, 4)
    claim = ClaimFactory(project=project, summary={"slots": 2}, is_key=True)
    SnoozeFactory(claim=claim, reviewer=reviewer, until=today + timedelta(days=1))
    SnoozeFactory(
        claim=ClaimFactory(project=project), reviewer=reviewer, until=today - timedelta(days=1)
    )

    def build(user: Given, today: Given) -> QuerySet[Any, Any]:
        rows = Snooze.objects.filter(reviewer=user, until__gt=today)
        return rows.values_list("until", "created_at", "claim__is_key", "claim__summary")

    assert prepared(build)(user=reviewer.pk, today=today) == list(build(reviewer.pk, today))
    assert len(build(reviewer.pk, today)) == 1


def test_values_reach_subqueries_and_unions(project: Project, reviewer: User) -> None:
    for state in ("open", "open", "done"):
        VerdictFactory(claim=ClaimFactory(project=project, state=state), reviewer=reviewer)
    VerdictFactory(claim=ClaimFactory(), reviewer=reviewer)

    def build(project: Given, user: Given) -> QuerySet[Any, Any]:
        claims = Claim.objects.filter(project=project).order_by()
        by_state = claims.values_list("state").annotate(Count("pk"))
        here = Verdict.objects.filter(
            Exists(claims.filter(pk=OuterRef("claim"))), reviewer=user
        ).order_by()
        mine = here.values("reviewer__username").annotate(Count("pk"))
        counted = mine.values_list("reviewer__username", "pk__count")
        return by_state.union(counted, all=True).order_by()

    found = prepared(build)(project=project.pk, user=reviewer.pk)

    assert sorted(found) == sorted([("done", 1), ("open", 2), (reviewer.username, 3)])
