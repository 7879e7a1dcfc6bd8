"""Celery tasks of this app: an id in, one function called."""

from celery import shared_task

from sources.running import perform

from . import admitting, answering, cleaning, looking_up, replaying, sweeping


@shared_task(acks_late=True)
def admit_sources(job_id: int) -> None:
    perform(job_id, admitting.run)


@shared_task(acks_late=True)
def follow_sources() -> None:
    sweeping.follow_sources()


@shared_task(acks_late=True)
def answer_search(job_id: int) -> None:
    perform(job_id, answering.run)


@shared_task(acks_late=True)
def clean_records(job_id: int) -> None:
    perform(job_id, cleaning.run)


@shared_task(acks_late=True)
def replay_receipt(job_id: int) -> None:
    perform(job_id, replaying.run)


@shared_task(acks_late=True)
def look_up_headings(job_id: int) -> None:
    perform(job_id, looking_up.run)
