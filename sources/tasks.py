"""Celery tasks of this app: an id in, one function called."""

from celery import shared_task

from . import (
    assessing,
    blacklist_ending,
    blacklisting,
    capturing,
    cluster_work,
    rescoring,
    sweeping,
)
from .noticing import checking, scheduling, table, tabled
from .override_work import end_expired
from .running import perform


@shared_task(acks_late=True)
def sweep_jobs() -> None:
    sweeping.sweep()


@shared_task(acks_late=True)
def assign_clusters(job_id: int) -> None:
    perform(job_id, cluster_work.run)


@shared_task(acks_late=True)
def score_sources(job_id: int) -> None:
    perform(job_id, assessing.run)


@shared_task(acks_late=True)
def score_after_tables(job_id: int) -> None:
    perform(job_id, rescoring.run)


@shared_task(acks_late=True)
def queue_scoring() -> None:
    rescoring.queue_unscored()


@shared_task(acks_late=True)
def fetch_page(job_id: int) -> None:
    perform(job_id, capturing.run)


@shared_task(acks_late=True)
def match_blacklist(job_id: int) -> None:
    perform(job_id, blacklisting.run)


@shared_task(acks_late=True)
def apply_blacklist(job_id: int) -> None:
    perform(job_id, blacklisting.run_everywhere)


@shared_task(acks_late=True)
def end_blacklist_rules() -> None:
    blacklist_ending.end_rules()


@shared_task(acks_late=True)
def end_overrides() -> None:
    end_expired()


@shared_task(acks_late=True)
def import_notices(job_id: int) -> None:
    perform(job_id, table.run)


@shared_task(acks_late=True)
def match_notices(job_id: int) -> None:
    perform(job_id, tabled.run)


@shared_task(acks_late=True)
def check_retractions(job_id: int) -> None:
    perform(job_id, checking.run)


@shared_task(acks_late=True)
def queue_retraction_checks() -> None:
    scheduling.queue_due()
