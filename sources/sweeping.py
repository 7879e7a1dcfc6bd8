"""Send anew what the queue lost: jobs queued too long, jobs whose worker fell silent."""

import logging
from datetime import datetime, timedelta

from celery import current_app
from django.utils import timezone

from .models import IdempotencyKey, Job

log = logging.getLogger(__name__)

KEY_LIFE = timedelta(days=2)


def nudge(job: Job) -> None:
    """Send the message of a job. The row stays the truth if this is lost."""
    current_app.send_task(job.task, args=[job.pk])


def sweep(now: datetime | None = None) -> int:
    """Nudge every lost job once; give how many."""
    now = now or timezone.now()
    lost = list(Job.objects.lost(now=now)[:500])
    for job in lost:
        if Job.objects.filter(pk=job.pk, nudged_at=job.nudged_at).update(nudged_at=now):
            nudge(job)
    if lost:
        log.warning("jobs nudged again", extra={"jobs": [job.pk for job in lost]})
    IdempotencyKey.objects.filter(created_at__lt=now - KEY_LIFE).delete()
    return len(lost)
