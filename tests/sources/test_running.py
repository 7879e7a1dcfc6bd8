import logging
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
from sources.models.jobs import LEASE, MAX_ATTEMPTS
from sources.pulse import Pulse
from sources.running import CannotBeDone, Interrupted, Running, Superseded, pause, perform
from tests.factories import JobFactory


def nothing(work: Running) -> dict[str, Any]:
    return {"seen": work.job.attempts}


def silent(job: Job, seconds: float = LEASE.total_seconds() + 1) -> None:
    """Let the worker of a job have given its last sign of life that long ago."""
    moment = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(pk=job.pk).update(beat_at=moment, nudged_at=moment)


def taken(job: Job) -> Job:
    claimed = Job.objects.claim(job.pk, now=timezone.now())
    assert claimed is not None
    return claimed


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


# --- One job, one worker ----------------------------------------------------------------------


@pytest.mark.django_db
def test_job_is_done_with_its_result() -> None:
    job = JobFactory()

    assert perform(job.pk, nothing)

    job.refresh_from_db()
    assert (job.state, job.result, job.attempts) == (Job.State.DONE, {"seen": 1}, 1)
    assert job.finished_at is not None
    assert job.token == ""


@pytest.mark.django_db
def test_second_delivery_changes_nothing() -> None:
    job = JobFactory()
    perform(job.pk, nothing)
    before = Job.objects.filter(pk=job.pk).values().get()

    def never(work: Running) -> None:
        pytest.fail("done twice")

    assert not perform(job.pk, never)
    assert Job.objects.filter(pk=job.pk).values().get() == before


@pytest.mark.django_db
def test_delivery_to_a_second_worker_finds_the_job_taken() -> None:
    job = JobFactory()
    taken(job)

    assert not perform(job.pk, nothing)

    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.RUNNING, 1)


@pytest.mark.django_db
def test_message_for_a_job_that_is_not_there_is_ignored() -> None:
    assert not perform(12_345, nothing)


@pytest.mark.django_db
def test_job_that_cannot_be_done_fails_at_once_with_the_reason() -> None:
    job = JobFactory()

    def work(work: Running) -> None:
        raise CannotBeDone("Line 14: the file ends there.")

    perform(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "Line 14: the file ends there.")
    assert job.attempts == 1


# --- Workers that die, hang or come late --------------------------------------------------------


@pytest.mark.django_db
def test_job_of_a_dead_worker_is_taken_over() -> None:
    job = JobFactory()
    taken(job)
    silent(job)

    assert perform(job.pk, nothing)

    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2)


@pytest.mark.django_db
def test_late_worker_cannot_settle() -> None:
    job = JobFactory()

    def overtaken(work: Running) -> dict[str, Any]:
        silent(job)
        taken(job)
        return {"by": "the late one"}

    perform(job.pk, overtaken)

    job.refresh_from_db()
    assert (job.state, job.result) == (Job.State.RUNNING, {})


@pytest.mark.django_db
def test_late_worker_cannot_write_either() -> None:
    job = JobFactory()
    late = Running(taken(job))
    silent(job)
    taken(job)

    with pytest.raises(Superseded), transaction.atomic():
        late.hold()


@pytest.mark.django_db
def test_job_whose_worker_died_five_times_fails_with_that_reason() -> None:
    job = JobFactory()
    for _ in range(MAX_ATTEMPTS):
        taken(job)
        silent(job)

    assert perform(job.pk, nothing)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, running.STOPPED)


# --- Faults and pauses --------------------------------------------------------------------------


def fault(work: Running) -> None:
    raise ZeroDivisionError("by nought")


@pytest.mark.django_db
def test_fault_rests_the_job_and_a_message_in_between_finds_nothing_to_do(
    caplog: pytest.LogCaptureFixture,
) -> None:
    job = JobFactory()

    with pytest.raises(ZeroDivisionError), caplog.at_level(logging.ERROR):
        perform(job.pk, fault)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.QUEUED, "ZeroDivisionError: by nought")
    assert job.nudged_at > timezone.now() + pause(1) - timedelta(seconds=5)
    assert not perform(job.pk, nothing)
    assert [record.exc_info is not None for record in caplog.records] == [True]


@pytest.mark.django_db
def test_rest_grows_with_every_fault() -> None:
    pauses = [pause(attempt).total_seconds() for attempt in range(1, MAX_ATTEMPTS)]

    assert pauses == [15, 30, 60, 120]


@pytest.mark.django_db
def test_job_that_rested_is_lost_to_the_sweep_only_when_it_is_due() -> None:
    job = JobFactory()
    with pytest.raises(ZeroDivisionError):
        perform(job.pk, fault)

    now = timezone.now()

    assert not Job.objects.lost(now=now + timedelta(seconds=30)).exists()
    assert Job.objects.lost(now=now + timedelta(seconds=40)).get() == job


@pytest.mark.django_db
def test_last_fault_fails_the_job_with_its_reason() -> None:
    job = JobFactory()
    for _ in range(MAX_ATTEMPTS):
        Job.objects.filter(pk=job.pk).update(nudged_at=timezone.now())
        with pytest.raises(ZeroDivisionError):
            perform(job.pk, fault)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "ZeroDivisionError: by nought")
    assert job.attempts == MAX_ATTEMPTS


@pytest.mark.django_db
def test_success_after_a_fault_forgets_the_error() -> None:
    job = JobFactory()
    with pytest.raises(ZeroDivisionError):
        perform(job.pk, fault)
    Job.objects.filter(pk=job.pk).update(nudged_at=timezone.now())

    perform(job.pk, nothing)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.DONE, "")


# --- Progress, cancelling, stopping -------------------------------------------------------------


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


# --- The pulse ----------------------------------------------------------------------------------


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
