"""Walking through a frozen order of claims."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews.models import Claim, QueueCursor
from reviews.screens import queues
from reviews.screens.ordering import SORTS, Order
from reviews.screens.queues import find_cursor, neighbours, next_open, open_queue, queue_for
from sources.models import Project, User
from tests.factories import ClaimFactory, SnoozeFactory, VerdictFactory
from workbench.lib.querylang import QueryError

pytestmark = pytest.mark.django_db


def claims_with_risks(project: Project, risks: Sequence[float | None]) -> list[Claim]:
    return [
        ClaimFactory(
            project=project,
            external_id=f"c{number}",
            position=number,
            risk=risk,
            risk_order=-1.0 if risk is None else risk,
        )
        for number, risk in enumerate(risks, start=1)
    ]


def give(claim: Claim, person: User, state: str = Claim.State.DONE) -> None:
    VerdictFactory(claim=claim, reviewer=person)
    Claim.objects.filter(pk=claim.pk).update(state=state)


def walked(cursor: QueueCursor) -> list[int]:
    """Go on from the first claim until there is no next one."""
    seen = [cursor.ids[0]]
    while (step := neighbours(cursor, seen[-1]).next) is not None:
        seen.append(step.pk)
    return seen


def test_queue_is_frozen_in_the_order_of_risk_with_unknown_risk_last(
    project: Project, reviewer: User
) -> None:
    claims = claims_with_risks(project, [0.5, None, 2.0, 0.5])

    cursor = open_queue(reviewer, project)
    Claim.objects.filter(pk=claims[0].pk).update(risk=3.0, risk_order=3.0)

    assert cursor.ids == [claims[i].pk for i in (2, 0, 3, 1)]
    assert walked(cursor) == cursor.ids
    assert cursor.total == 4


def test_neighbours_tell_position_and_both_sides(project: Project, reviewer: User) -> None:
    claims = claims_with_risks(project, [3, 2, 1])
    cursor = open_queue(reviewer, project)

    found = neighbours(cursor, claims[1].pk)

    assert found.previous is not None
    assert found.next is not None
    assert (found.previous.external_id, found.next.external_id) == ("c1", "c3")
    assert (found.position, found.total, found.skipped) == (2, 3, 0)


def test_claims_done_by_others_are_skipped_and_counted(
    project: Project, reviewer: User, second_reviewer: User
) -> None:
    claims = claims_with_risks(project, [5, 4, 3, 2])
    cursor = open_queue(reviewer, project, "is:open")

    give(claims[1], second_reviewer)
    give(claims[2], second_reviewer)
    found = neighbours(cursor, claims[0].pk)

    assert found.next is not None
    assert found.next.pk == claims[3].pk
    assert found.skipped == 2


def test_own_decisions_stay_in_the_walk(project: Project, reviewer: User) -> None:
    claims = claims_with_risks(project, [5, 4, 3])
    cursor = open_queue(reviewer, project, "is:open")

    give(claims[0], reviewer)
    found = neighbours(cursor, claims[1].pk)

    assert found.previous is not None
    assert found.previous.pk == claims[0].pk
    assert found.position == 2


def test_next_open_passes_own_decisions_and_what_was_put_off(
    project: Project, reviewer: User
) -> None:
    claims = claims_with_risks(project, [5, 4, 3, 2])
    cursor = open_queue(reviewer, project)
    give(claims[1], reviewer)
    SnoozeFactory(claim=claims[2], reviewer=reviewer, until=timezone.localdate() + timedelta(3))

    found = next_open(cursor, claims[0].pk)

    assert found is not None
    assert found.pk == claims[3].pk


def test_next_open_goes_on_at_the_beginning_and_never_gives_the_same_claim(
    project: Project, reviewer: User
) -> None:
    claims = claims_with_risks(project, [5, 4, 3])
    cursor = open_queue(reviewer, project)

    at_end = next_open(cursor, claims[2].pk)
    give(claims[0], reviewer)
    give(claims[1], reviewer)

    assert at_end is not None
    assert at_end.pk == claims[0].pk
    assert next_open(cursor, claims[2].pk) is None


def test_query_about_states_lets_a_second_reviewer_walk_what_is_done(
    project: Project, reviewer: User, second_reviewer: User
) -> None:
    claims = claims_with_risks(project, [5, 4])
    for claim in claims:
        give(claim, reviewer)

    plain = open_queue(second_reviewer, project)
    second_look = open_queue(second_reviewer, project, "is:done -reviewer:me")

    assert next_open(plain, None) is None
    found = next_open(second_look, None)
    assert found is not None
    assert found.pk == claims[0].pk


def test_stale_verdict_of_ones_own_waits_again(project: Project, reviewer: User) -> None:
    (claim,) = claims_with_risks(project, [1])
    VerdictFactory(claim=claim, reviewer=reviewer, stale=True)
    Claim.objects.update(state=Claim.State.STALE)

    found = next_open(open_queue(reviewer, project), None)

    assert found is not None
    assert found.pk == claim.pk


@pytest.mark.parametrize("sort", SORTS)
def test_walk_goes_on_behind_the_frozen_stretch(
    project: Project, reviewer: User, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    monkeypatch.setattr(queues, "CURSOR_SIZE", 3)
    claims_with_risks(project, [1, 2, None, 2, 3, 0.5, None, 1])
    order = Order.named(sort, reviewer, project)
    whole = list(order.over(Claim.objects.all()).values_list("pk", flat=True))

    cursor = open_queue(reviewer, project, sort=sort)

    assert cursor.total == 8
    seen, positions = [cursor.ids[0]], []
    while True:
        found = neighbours(cursor, seen[-1])
        positions.append(found.position)
        if found.next is None:
            break
        seen.append(found.next.pk)
    assert seen == whole
    assert positions == list(range(1, 9))
    back = [seen[-1]]
    while (found := neighbours(cursor, back[-1])).previous is not None:
        assert found.position == 9 - len(back)
        back.append(found.previous.pk)
    assert back == whole[::-1]


def test_position_survives_work_done_behind_the_frozen_stretch(
    project: Project, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "CURSOR_SIZE", 2)
    claims = claims_with_risks(project, [5, 4, 3, 2])
    cursor = open_queue(reviewer, project, "is:open")
    give(claims[0], reviewer)
    give(claims[1], reviewer)

    following = neighbours(cursor, claims[1].pk).next
    assert following is not None
    found = neighbours(cursor, following.pk)

    assert following.pk == claims[2].pk
    assert (found.position, found.total) == (3, 4)


def test_queue_opened_at_a_far_claim_begins_there(
    project: Project, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "CURSOR_SIZE", 2)
    claims = claims_with_risks(project, [5, 4, 3, 2])

    cursor = open_queue(reviewer, project, at=claims[3].pk)
    found = neighbours(cursor, claims[3].pk)

    assert (cursor.before, cursor.ids) == (3, [claims[3].pk])
    assert found.position == 4
    assert found.previous is not None
    assert found.previous.pk == claims[2].pk


def test_link_of_another_user_opens_an_own_queue(
    project: Project, reviewer: User, second_reviewer: User
) -> None:
    claims_with_risks(project, [1, 2])
    theirs = open_queue(reviewer, project, "kind:factual", "position")

    mine = queue_for(second_reviewer, project, "kind:factual", "position", key=theirs.key)

    assert mine.key != theirs.key
    assert mine.user == second_reviewer
    assert mine.ids == theirs.ids
    assert queue_for(reviewer, project, "kind:factual", "position", key=theirs.key) == theirs


def test_queue_ends_after_a_day(project: Project, reviewer: User) -> None:
    claims_with_risks(project, [1])
    cursor = open_queue(reviewer, project)

    QueueCursor.objects.update(created_at=timezone.now() - timedelta(hours=25))

    assert find_cursor(reviewer, project, cursor.key) is None
    open_queue(reviewer, project)
    assert not QueueCursor.objects.filter(pk=cursor.pk).exists()


def test_only_the_latest_queues_of_a_person_are_kept(
    project: Project, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "KEPT", 2)

    made = [open_queue(reviewer, project).key for _ in range(4)]

    assert set(QueueCursor.objects.values_list("key", flat=True)) == set(made[2:])


def test_claim_outside_the_queue_has_no_position(project: Project, reviewer: User) -> None:
    claims = claims_with_risks(project, [2, 1])
    Claim.objects.filter(pk=claims[0].pk).update(kind="projective")
    cursor = open_queue(reviewer, project, "kind:factual")

    found = neighbours(cursor, claims[0].pk)

    assert found.position == 0
    assert found.next is not None
    assert found.next.pk == claims[1].pk


def test_unreadable_query_is_refused_before_anything_is_stored(
    project: Project, reviewer: User
) -> None:
    with pytest.raises(QueryError):
        open_queue(reviewer, project, "colour:red")

    assert not QueueCursor.objects.exists()


def test_walking_costs_the_same_in_a_long_queue(project: Project, reviewer: User) -> None:
    claims_with_risks(project, [float(n) for n in range(60)])
    cursor = open_queue(reviewer, project, "is:open")
    cursor = find_cursor(reviewer, project, cursor.key)

    with CaptureQueriesContext(
        connection,
    ) as captured:
        neighbours(cursor, cursor.ids[30])
        next_open(cursor, cursor.ids[30])

    assert len(captured) <= 7
