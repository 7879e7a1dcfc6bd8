"""Carry a job from its claim to its end. The row is the truth; any step may be killed."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from .models import Job
from .models.jobs import MAX_ATTEMPTS

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0  # between two writes of progress


class CannotBeDone(Exception):
    """The work itself is at fault; trying again would give the same. Its text is for the user."""


class Cancelled(Exception):
    """A person asked for the job to stop."""


class Superseded(Exception):
    """Another worker holds the job now; ours has nothing more to say."""


class Running:
    """A claimed job, for the work that runs under it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._beaten = 0.0

    @property
    def args(self) -> dict[str, Any]:
        return dict(self.job.args)

    def progress(self, stage: str, done: int = 0, total: int = 0, *, force: bool = False) -> None:
        """Tell how far the work is, and live on. Raises Cancelled or Superseded.

        Inside a transaction nothing is written: it would not be seen, and would hold a lock.
        """
        now = time.monotonic()
        changed = stage != self.job.stage
        if not (force or changed) and now - self._beaten < BEAT_SECONDS:
            return
        if transaction.get_connection().in_atomic_block:
            return
        self._beaten = now
        ours = Job.objects.filter(pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING)
        self.job.stage, self.job.done, self.job.total = stage, done, total
        if not ours.update(stage=stage, done=done, total=total, beat_at=timezone.now()):
            raise Superseded
        if Job.objects.values_list("cancel_requested", flat=True).get(pk=self.job.pk):
            raise Cancelled

    def hold(self) -> None:
        """Lock our claim until the transaction ends: the last look before a write that counts."""
        ours = Job.objects.filter(pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING)
        if not ours.update(beat_at=timezone.now()):
            raise Superseded


def settle(job: Job, state: str, *, error: str = "", result: dict[str, Any] | None = None) -> bool:
    """End our claim; False if another worker has taken it since."""
    values: dict[str, Any] = {"state": state, "error": error, "token": ""}
    if state != Job.State.QUEUED:
        values["finished_at"] = timezone.now()
    if result is not None:
        values["result"] = result
    ours = Job.objects.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)
    return bool(ours.update(**values))


def perform(job_id: int, work: Callable[[Running], dict[str, Any] | None]) -> bool:
    """Claim a job and do its work; False where there is nothing to do.

    A fault that another try may cure raises again after the job went back to the queue, so that
    the log has its traceback; the sweep sends it anew.
    """
    job = Job.objects.claim(job_id, now=timezone.now())
    if job is None:
        return False
    if job.attempts > MAX_ATTEMPTS:
        settle(job, Job.State.FAILED, error="The worker stopped five times during this job.")
        return True
    try:
        result = work(Running(job))
    except Superseded:
        log.warning("job taken over by another worker", extra={"job": job.pk})
    except Cancelled:
        settle(job, Job.State.CANCELLED)
    except CannotBeDone as reason:
        settle(job, Job.State.FAILED, error=str(reason))
    except Exception as fault:
        last = job.attempts >= MAX_ATTEMPTS
        settle(
            job,
            Job.State.FAILED if last else Job.State.QUEUED,
            error=f"{type(fault).__name__}: {fault}"[:1000],
        )
        log.exception("job failed", extra={"job": job.pk, "attempt": job.attempts})
        raise
    else:
        settle(job, Job.State.DONE, result=result or {})
        log.info("job done", extra={"job": job.pk, "kind": job.kind})
    return True
