import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from sources.idempotency import once
from sources.models import IdempotencyKey, Project, User
from tests.factories import ProjectFactory


class Counter:
    """Something to be done once."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> dict[str, Any]:
        self.times += 1
        return {"number": self.times}


def post(
    do: Callable[[], dict[str, Any]], by: User, key: str = "k1"
) -> tuple[dict[str, Any], bool]:
    return once(key=key, by=by, action="verdict", do=do)


def test_second_post_gets_the_answer_of_the_first(reviewer: User) -> None:
    do = Counter()

    assert post(do, reviewer) == ({"number": 1}, True)
    assert post(do, reviewer) == ({"number": 1}, False)
    assert do.times == 1


def test_keys_of_two_people_do_not_meet(reviewer: User, second_reviewer: User) -> None:
    do = Counter()
    post(do, reviewer)

    assert post(do, second_reviewer) == ({"number": 2}, True)


def test_other_form_is_another_deed(reviewer: User) -> None:
    do = Counter()
    post(do, reviewer)

    assert post(do, reviewer, key="k2") == ({"number": 2}, True)


def test_empty_key_guards_nothing(reviewer: User) -> None:
    do = Counter()
    post(do, reviewer, key="")

    assert post(do, reviewer, key="") == ({"number": 2}, True)
    assert not IdempotencyKey.objects.exists()


def test_endless_key_is_cut_and_still_guards(reviewer: User) -> None:
    do = Counter()
    post(do, reviewer, key="k" * 5_000)

    assert post(do, reviewer, key="k" * 5_000)[1] is False


def test_failure_frees_the_key_and_leaves_nothing_behind(reviewer: User) -> None:
    def fail() -> dict[str, Any]:
        ProjectFactory(slug="half-done")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        post(fail, reviewer)

    assert not Project.objects.filter(slug="half-done").exists()
    assert post(Counter(), reviewer) == ({"number": 1}, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(
    "sqlite" in settings.DATABASES["default"]["ENGINE"],
    reason="the database in memory does not wait; benchmarks.faults does the same on a file",
)
def test_two_posts_at_once_have_one_effect(reviewer: User) -> None:
    do, inside, answers = Counter(), threading.Event(), []

    def second() -> None:
        inside.wait()
        answers.append(post(do, reviewer))
        connection.close()

    thread = threading.Thread(target=second)
    thread.start()
    with transaction.atomic():
        answers.append(post(do, reviewer))
        inside.set()
        thread.join(timeout=0.5)
        assert thread.is_alive()
    thread.join()

    assert answers == [({"number": 1}, True), ({"number": 1}, False)]
