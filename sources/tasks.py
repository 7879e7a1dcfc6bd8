"""Celery tasks of this app: an id in, one function called."""

from celery import shared_task

from . import sweeping


@shared_task(acks_late=True)
def sweep_jobs() -> None:
    sweeping.sweep()
