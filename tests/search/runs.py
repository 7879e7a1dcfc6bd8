"""Runs of searches in tests: do the job here, as a worker would."""

from search import answering
from search.sending import Means
from sources.models import Job
from sources.running import perform


def answered(job: Job, means: Means | None = None) -> Job:
    """Do a search's job, and give it as it is then."""
    perform(job.pk, lambda running: answering.search(running, means))
    job.refresh_from_db()
    return job
