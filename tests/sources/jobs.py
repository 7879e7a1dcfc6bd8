"""Jobs whose workers do nothing, fail, or fell silent."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from sources.models import Job
from sources.models.jobs import LEASE
from sources.running import Running


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


def fault(work: Running) -> None:
    raise ZeroDivisionError("by nought")
