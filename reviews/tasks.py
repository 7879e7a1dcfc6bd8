"""Celery tasks of this app: an id in, one function called."""

from celery import shared_task

from reviews import impact, source_changes
from reviews.importing import jobs as importing
from reviews.reporting import export_jobs
from sources.running import perform


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


@shared_task(acks_late=True)
def check_claims_of_sources(job_id: int) -> None:
    perform(job_id, source_changes.run)


@shared_task(acks_late=True)
def measure_rules(job_id: int) -> None:
    perform(job_id, impact.run)
