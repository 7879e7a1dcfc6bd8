"""Send anew what the queue lost: jobs queued too long, jobs whose worker fell silent."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from celery import current_app
from django.db import OperationalError
from django.utils import timezone
from kombu.exceptions import KombuError

from .models import IdempotencyKey, Job
from .uploads import forget_unfinished

log = logging.getLogger(__name__)

KEY_LIFE = timedelta(days=2)
AT_ONCE = 500  # jobs nudged by one sweep
# A person waits for the page: a broker that is away may cost a few seconds, not more.
BROKER_SECONDS = 2


def nudge(job: Job) -> bool:
    """Send the message of a job; False if the broker is away. Never raises for that.

    The row stays the truth: the sweep sends again what was lost here.
    """
    return send([job]) == 1


def send(jobs: Iterable[Job]) -> int:
    """Send the messages of jobs over one short connection; give how many went out."""
    sent = 0
    options = {
        **current_app.conf.broker_transport_options,
        "max_retries": 0,
        "socket_connect_timeout": BROKER_SECONDS,  # the two that Redis knows
        "socket_timeout": BROKER_SECONDS,
    }
    broker = current_app.connection_for_write(
        connect_timeout=BROKER_SECONDS, transport_options=options
    )
    away: tuple[type[BaseException], ...] = (OSError, KombuError)
    away += (*broker.connection_errors, *broker.channel_errors)
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_SECONDS)
            for job in jobs:
                current_app.send_task(
                    job.task,
                    args=[job.pk],
                    connection=broker,
                    retry=False,
                    confirm_timeout=BROKER_SECONDS,
                )
                sent += 1
    except away as fault:
        log.warning("jobs not sent, the broker is away", extra={"sent": sent, "fault": str(fault)})
    return sent


def sweep(now: datetime | None = None) -> int:
    """Nudge every lost job once; give how many."""
    now = now or timezone.now()
    try:
        lost = _take(now)
        IdempotencyKey.objects.filter(created_at__lt=now - KEY_LIFE).delete()
    except OperationalError as fault:
        log.warning("sweep put off, the database is busy", extra={"fault": str(fault)})
        return 0
    if lost:
        log.warning("jobs nudged again", extra={"jobs": [job.pk for job in lost]})
        send(lost)
    forget_unfinished(now.timestamp())
    return len(lost)


def _take(now: datetime) -> list[Job]:
    """Mark lost jobs as nudged and give them; two sweeps at once share them out."""
    lost = Job.objects.lost(now=now).order_by("nudged_at")[:AT_ONCE]
    return [
        job
        for job in lost
        if Job.objects.filter(pk=job.pk, nudged_at=job.nudged_at).update(nudged_at=now)
    ]
