"""Celery tasks of this app: an id in, one function called."""

from celery import shared_task

from sources.running import perform

from . import export_jobs, importing


@shared_task(acks_late=True)
def check_upload(job_id: int) -> None:
    perform(job_id, importing.check_upload)


@shared_task(acks_late=True)
def run_import(job_id: int) -> None:
    perform(job_id, importing.run_import)


@shared_task(acks_late=True)
def check_claims(job_id: int) -> None:
    perform(job_id, importing.check_again)


@shared_task(acks_late=True)
def run_export(job_id: int) -> None:
    perform(job_id, export_jobs.run_export)
