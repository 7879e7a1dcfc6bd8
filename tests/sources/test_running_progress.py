"""Progress of a job, its cancelling, and the pulse that keeps its claim."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import close_old_connections, connection, connections, transaction
from django.utils import timezone

from sources import running
from sources.models import Job
from sources.models.jobs import LEASE
from sources.pulse import Pulse
from sources.running import Interrupted, Running, perform
from tests.factories import JobFactory

from .jobs import silent, taken


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.fixture
def stopping() -> Iterator[None]:
    running.stop_soon()
    yield
    running._stopping.clear()


def _in_main_thread(database: object) -> bool:
    return threading.current_thread() is threading.main_thread()


@pytest.fixture
def threads(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads close their connections: Django keeps those to a database in memory open."""
    if connection.vendor == "sqlite":
        monkeypatch.setattr(type(connections["default"]), "is_in_memory_db", _in_main_thread)


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_while_the_work_runs() -> None:
    job = JobFactory()
    seen = []

    def work(work: Running) -> None:
        work.progress("reading", 3, 10)
        seen.append(Job.objects.values_list("stage", "done", "total").get(pk=job.pk))

    perform(job.pk, work)

    assert seen == [("reading", 3, 10)]


@pytest.mark.django_db(transaction=True)
def test_progress_is_written_once_a_second_or_when_the_stage_changes() -> None:
    work = Running(taken(JobFactory()))
    work.progress("reading", 1, 10)
    work.progress("reading", 2, 10)
    work.progress("writing", 0, 10)

    assert Job.objects.values_list("stage", "done").get() == ("writing", 0)
    work.progress("writing", 5, 10)
    assert Job.objects.values_list("stage", "done").get() == ("writing", 0)
    work.progress("writing", 6, 10, force=True)
    assert Job.objects.values_list("stage", "done").get() == ("writing", 6)


@pytest.mark.django_db(transaction=True)
def test_progress_is_never_written_inside_a_transaction(
    django_assert_num_queries: Callable[..., Any],
) -> None:
    work = Running(taken(JobFactory()))

    with transaction.atomic(), django_assert_num_queries(0):
        work.progress("writing", 3, 10, force=True)

    assert Job.objects.get().stage == ""


@pytest.mark.django_db(transaction=True)
def test_cancelled_job_stops_at_its_next_sign_of_progress() -> None:
    job = JobFactory()

    def work(work: Running) -> None:
        Job.objects.filter(pk=job.pk).update(cancel_requested=True)
        work.progress("reading")
        pytest.fail("went on")

    perform(job.pk, work)

    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED


@pytest.mark.django_db(transaction=True)
def test_progress_of_an_overtaken_worker_stops_it() -> None:
    job = JobFactory()

    def work(work: Running) -> None:
        silent(job)
        taken(job)
        work.progress("reading")
        pytest.fail("went on")

    perform(job.pk, work)

    job.refresh_from_db()
    assert job.state == Job.State.RUNNING


@pytest.mark.django_db(transaction=True)
def test_job_of_a_worker_that_is_asked_to_end_goes_back_uncounted(stopping: None) -> None:
    job = JobFactory()

    perform(job.pk, lambda work: work.progress("reading"))

    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (Job.State.QUEUED, 0, "")
    assert Job.objects.lost(now=timezone.now() + timedelta(seconds=21)).get() == job


@pytest.mark.django_db(transaction=True)
def test_asked_to_end_inside_a_transaction_the_work_first_finishes_it(stopping: None) -> None:
    work = Running(taken(JobFactory()))

    with transaction.atomic():
        work.progress("writing", force=True)
    with pytest.raises(Interrupted):
        work.progress("checking")


def test_lease_is_renewed_while_the_work_says_nothing(threads: None) -> None:
    job = JobFactory()
    old = timezone.now() - LEASE

    def long(work: Running) -> None:
        Job.objects.filter(pk=job.pk).update(beat_at=old)
        wait_for(lambda: Job.objects.filter(pk=job.pk, beat_at__gt=old).exists())

    perform(job.pk, long, pulse_every=0.05)

    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert not [each for each in threading.enumerate() if each.name == f"job-{job.pk}"]


def test_pulse_tells_the_work_that_another_worker_has_the_job(threads: None) -> None:
    job = JobFactory()
    told = []

    def overtaken(work: Running) -> None:
        silent(job)
        taken(job)
        wait_for(lambda: work._pulse is not None and work._pulse.lost)
        told.append(True)
        with transaction.atomic():
            work.progress("writing")

    perform(job.pk, overtaken, pulse_every=0.05)

    job.refresh_from_db()
    assert told == [True]
    assert (job.state, job.attempts) == (Job.State.RUNNING, 2)


def test_work_that_hangs_loses_its_lease_in_the_end(threads: None) -> None:
    job = taken(JobFactory())
    old = timezone.now() - LEASE
    Job.objects.filter(pk=job.pk).update(beat_at=old)

    with Pulse(job, every=0.05, stuck_after=0.0) as pulse:
        wait_for(lambda: not pulse._thread.is_alive())

    assert Job.objects.get().beat_at == old


def in_thread(work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            close_old_connections()
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.skipif(
    "sqlite" in settings.DATABASES["default"]["ENGINE"],
    reason="the database in memory does not wait; test_running_on_a_file does the same",
)
def test_claim_waits_for_a_long_transaction_and_then_finds_the_job_alive(threads: None) -> None:
    job = taken(JobFactory())
    silent(job)
    claims: list[Job | None] = []
    asked = threading.Event()

    def claim() -> None:
        asked.set()
        claims.append(Job.objects.claim(job.pk, now=timezone.now()))

    with transaction.atomic():
        Running(job).hold()
        thread = in_thread(claim)
        asked.wait()
        time.sleep(0.3)
        assert claims == []
        Running(job).hold()
    thread.join()

    assert claims == [None]
    assert Job.objects.get().token == job.token
