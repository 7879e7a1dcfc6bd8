import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from kombu import Connection

from sources import sweeping
from sources.models import IdempotencyKey, Job, User
from sources.models.jobs import LEASE
from sources.sweeping import KEY_LIFE, nudge, send, sweep
from tests.factories import JobFactory
from workbench.celery import app

NOW = timezone.now()
type Captured = AbstractContextManager[list[Callable[[], Any]]]


def aged(seconds: float, **values: Any) -> Job:
    """Give a job whose last message was sent so many seconds ago."""
    job = JobFactory(**values)
    Job.objects.filter(pk=job.pk).update(nudged_at=NOW - timedelta(seconds=seconds))
    return job


def messages() -> list[tuple[str, list[int]]]:
    """Take what waits in the queue: name of the task and its arguments."""
    found = []
    with Connection(app.conf.broker_url) as broker:
        queue = broker.SimpleQueue(app.amqp.queues[app.conf.task_default_queue])
        while True:
            try:
                message = queue.get(block=True, timeout=0.5)
            except queue.Empty:
                return found
            message.ack()
            found.append((message.headers["task"], message.payload[0]))


@pytest.fixture(autouse=True)
def _empty_queue(db: None) -> Iterator[None]:
    yield
    messages()


@contextmanager
def broker_at(address: str) -> Iterator[None]:
    before = app.conf.broker_url
    app.conf.broker_url = app.conf.broker_write_url = address
    try:
        yield
    finally:
        app.conf.broker_url = before
        app.conf.broker_write_url = None


def test_nudge_sends_the_number_of_the_job_and_nothing_more() -> None:
    job = JobFactory()

    assert nudge(job)

    assert messages() == [("reviews.tasks.run_import", [job.pk])]


def test_job_queued_too_long_is_nudged_once() -> None:
    job = aged(21)
    aged(19)

    assert sweep(NOW) == 1
    assert sweep(NOW + timedelta(seconds=0.5)) == 0

    assert messages() == [(job.task, [job.pk])]


def test_job_of_a_silent_worker_is_nudged_once_for_each_waiting_time() -> None:
    silent = NOW - LEASE - timedelta(seconds=1)
    job = aged(300, state=Job.State.RUNNING, beat_at=silent)
    aged(300, state=Job.State.RUNNING, beat_at=NOW - timedelta(seconds=30))

    assert sweep(NOW) == 1
    assert sweep(NOW + timedelta(seconds=10)) == 0
    assert sweep(NOW + timedelta(seconds=21)) == 1

    assert messages() == [(job.task, [job.pk])] * 2


@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
def test_finished_job_is_left_alone(state: str) -> None:
    aged(10_000, state=state, beat_at=NOW - timedelta(hours=9))

    assert sweep(NOW) == 0


def test_two_sweeps_at_once_share_the_lost_jobs() -> None:
    job = aged(60)
    taken = sweeping._take(NOW)

    assert taken == [job]
    assert sweeping._take(NOW) == []


def test_keys_of_forms_are_forgotten_after_their_life(reviewer: User) -> None:
    for name, age in [("old", KEY_LIFE + timedelta(minutes=1)), ("new", timedelta(minutes=1))]:
        key = IdempotencyKey.objects.create(key=name, user=reviewer, action="verdict")
        IdempotencyKey.objects.filter(pk=key.pk).update(created_at=NOW - age)

    sweep(NOW)

    assert [key.key for key in IdempotencyKey.objects.all()] == ["new"]


# --- A broker that is away ----------------------------------------------------------------------


@contextmanager
def deaf_port() -> Iterator[int]:
    """Give a port that takes connections and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        yield listening.getsockname()[1]


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("address", ["amqp://guest:guest@127.0.0.1:{}//", "redis://127.0.0.1:{}/5"])
def test_broker_that_refuses_is_a_warning_and_costs_no_time(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    job, began = JobFactory(), time.monotonic()

    with broker_at(address.format(closed_port())), caplog.at_level(logging.WARNING):
        assert not nudge(job)

    assert time.monotonic() - began < 2
    assert [record.message for record in caplog.records] == ["jobs not sent, the broker is away"]
    assert "guest:guest" not in caplog.text


@pytest.mark.parametrize("address", ["amqp://guest:guest@127.0.0.1:{}//", "redis://127.0.0.1:{}/5"])
def test_broker_that_never_answers_is_given_up_after_seconds(address: str) -> None:
    job, began = JobFactory(), time.monotonic()

    with deaf_port() as port, broker_at(address.format(port)):
        assert send([job, job, job]) == 0

    assert time.monotonic() - began < 3 * sweeping.BROKER_SECONDS


def test_sweep_sends_what_a_request_could_not_send(
    django_capture_on_commit_callbacks: Callable[..., Captured],
) -> None:
    with broker_at(f"amqp://guest:guest@127.0.0.1:{closed_port()}//"):
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            job = JobFactory()
            transaction.on_commit(lambda: nudge(job))
        assert sweep(timezone.now() + timedelta(seconds=21)) == 1

    assert sweep(timezone.now() + timedelta(seconds=42)) == 1
    assert messages() == [(job.task, [job.pk])]
