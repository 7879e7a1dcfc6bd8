"""Carry a job from its claim to its end. The row is the truth; any step may be killed."""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from workbench.lib.notices import InputError, Spoken
from workbench.lib.texts import Text

from .models import Job
from .models.jobs import MAX_ATTEMPTS
from .pulse import PULSE_SECONDS, Pulse

if TYPE_CHECKING:
    from django.db.models import QuerySet

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0  # between two writes of progress
FIRST_PAUSE = timedelta(seconds=15)  # before the second try; each later one is twice as long
FAULT = Text("{fault}", "{fault}")
STOPPED = Spoken(
    Text("The worker stopped five times during this job.", "执行此任务时，工作进程已停止五次。")
)
UNFORESEEN = Text("{fault}", "程序出错：{fault}")

_stopping = threading.Event()


class CannotBeDone(Spoken):
    """The work itself is at fault; trying again would give the same. Its text is for the user."""

    @classmethod
    def because(cls, fault: Spoken | InputError) -> Self:
        """Give the fault that another error tells of, in its words."""
        return cls(FAULT, fault=fault)


class Cancelled(Exception):
    """A person asked for the job to stop."""


class Superseded(Exception):
    """Another worker holds the job now; ours has nothing more to say."""


class Interrupted(Exception):
    """This process is asked to end; the job goes back to the queue as if never begun."""


class Later(Exception):
    """It is not this job's turn before ``due``; it goes back to the queue until then, uncounted."""

    def __init__(self, due: datetime) -> None:
        super().__init__(due.isoformat())
        self.due = due


def stop_soon() -> None:
    """Let every job of this process go back to the queue at its next sign of progress."""
    _stopping.set()


class Running:
    """A claimed job, for the work that runs under it."""

    def __init__(self, job: Job, pulse: Pulse | None = None) -> None:
        self.job = job
        self._beaten = 0.0
        self._pulse = pulse

    @property
    def args(self) -> dict[str, Any]:
        return dict(self.job.args)

    def progress(self, stage: str, done: int = 0, total: int = 0, *, force: bool = False) -> None:
        """Tell how far the work is, and live on. Raises Cancelled, Superseded or Interrupted.

        Inside a transaction nothing is written: it would not be seen, and would hold a lock.
        """
        self._look()
        if transaction.get_connection().in_atomic_block:
            return
        if _stopping.is_set():
            raise Interrupted
        now = time.monotonic()
        changed = stage != self.job.stage
        if not (force or changed) and now - self._beaten < BEAT_SECONDS:
            return
        self._beaten = now
        self.job.stage, self.job.done, self.job.total = stage, done, total
        if not self._ours().update(stage=stage, done=done, total=total, beat_at=timezone.now()):
            raise Superseded
        if Job.objects.values_list("cancel_requested", flat=True).get(pk=self.job.pk):
            raise Cancelled

    def hold(self) -> None:
        """Lock our claim until the transaction ends: the last look before a write that counts.

        Called first in a transaction, nobody can take the job while it lasts; called last as
        well, those who waited for its end find the claim fresh. Raises Superseded.
        """
        self._look()
        if not self._ours().update(beat_at=timezone.now()):
            raise Superseded

    def _ours(self) -> "QuerySet[Job]":
        return Job.objects.filter(pk=self.job.pk, token=self.job.token, state=Job.State.RUNNING)

    def _look(self) -> None:
        if self._pulse is not None:
            self._pulse.heard()
            if self._pulse.lost:
                raise Superseded


def settle(
    job: Job, state: str, *, error: Spoken | None = None, result: dict[str, Any] | None = None
) -> bool:
    """End our claim; False if another worker has taken it since."""
    values: dict[str, Any] = {"state": state, "token": "", **_said(error)}
    if state != Job.State.QUEUED:
        values["finished_at"] = timezone.now()
    if result is not None:
        values["result"] = result
    return _settle(job, values)


def put_back(job: Job, *, due: datetime, error: Spoken | None = None, counts: bool = True) -> bool:
    """Queue our job again; the sweep sends it soon after ``due``. False if it is not ours.

    ``counts`` False: the try was not the job's fault and is not counted.
    """
    values: dict[str, Any] = {"state": Job.State.QUEUED, "token": "", **_said(error)}
    values["nudged_at"] = due
    if not counts:
        values["attempts"] = F("attempts") - 1
    return _settle(job, values)


def _said(error: Spoken | None) -> dict[str, str]:
    if error is None:
        return {"error": "", "error_zh": ""}
    return {"error": error.render("en"), "error_zh": error.render("zh")}


def _settle(job: Job, values: dict[str, Any]) -> bool:
    ours = Job.objects.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)
    return bool(ours.update(**values))


def pause(attempts: int) -> timedelta:
    """Give the least time between a failed try and the next one."""
    return FIRST_PAUSE * int(2 ** (attempts - 1))


def perform(
    job_id: int,
    work: Callable[[Running], dict[str, Any] | None],
    *,
    pulse_every: float = PULSE_SECONDS,
) -> bool:
    """Claim a job and do its work; False where there is nothing to do.

    A fault that another try may cure raises again after the job went back to the queue, so that
    the log has its traceback; the sweep sends it anew after a pause that grows.
    """
    job = _claim(job_id)
    if job is None:
        return False
    if job.attempts > MAX_ATTEMPTS:
        settle(job, Job.State.FAILED, error=STOPPED)
        return True
    try:
        with Pulse(job, every=pulse_every) as pulse:
            result = work(Running(job, pulse))
    except Superseded:
        log.warning("job taken over by another worker", extra={"job": job.pk})
    except Interrupted:
        put_back(job, due=job.created_at, counts=False)
        log.info("job put back: this worker ends", extra={"job": job.pk})
    except Later as wait:
        put_back(job, due=wait.due, counts=False)
    except Cancelled:
        settle(job, Job.State.CANCELLED)
    except CannotBeDone as reason:
        settle(job, Job.State.FAILED, error=reason)
    except Exception as fault:
        # Whatever the work stumbled over, its row must not say "running" for ever: the fault is
        # written down, the next try is set, and it is raised again. Nothing is swallowed.
        log.exception("job failed", extra={"job": job.pk, "attempt": job.attempts})
        _failed(job, Spoken(UNFORESEEN, fault=f"{type(fault).__name__}: {fault}"[:1000]))
        raise
    else:
        settle(job, Job.State.DONE, result=result or {})
        log.info("job done", extra={"job": job.pk, "kind": job.kind})
    return True


def _claim(job_id: int) -> Job | None:
    try:
        return Job.objects.claim(job_id, now=timezone.now())
    except OperationalError as fault:
        # A long write of another process; the sweep sends the job again.
        log.warning("job not claimed", extra={"job": job_id, "fault": str(fault)})
        return None


def _failed(job: Job, error: Spoken) -> None:
    if job.attempts >= MAX_ATTEMPTS:
        settle(job, Job.State.FAILED, error=error)
    else:
        put_back(job, due=timezone.now() + pause(job.attempts), error=error)
