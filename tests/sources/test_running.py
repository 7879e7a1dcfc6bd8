"""One job, one worker: delivered twice, left by a dead worker, failed and tried again."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from sources import running
from sources.models import Job
from sources.models.jobs import MAX_ATTEMPTS
from sources.running import CannotBeDone, Running, Superseded, pause, perform
from tests.factories import JobFactory
from workbench.lib.texts import Text

from .jobs import fault, nothing, silent, taken


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
        raise CannotBeDone(
            Text("Line {n}: the file ends there.", "第 {n} 行：文件到此中断。"), n=14
        )

    perform(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "Line 14: the file ends there.")
    assert job.attempts == 1


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
    assert (job.state, job.error) == (Job.State.FAILED, str(running.STOPPED))


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
