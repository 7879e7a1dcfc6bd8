"""Queue the work that follows when sources changed, here and in the apps above.

Sources know nothing of the apps above, so settings name their tasks (``SOURCE_FOLLOW_UPS``). A job
that waits is enough for any number of changes: it reads what stands when it begins.
"""

from django.conf import settings
from django.db import transaction

from sources import sweeping
from sources.models import Job, Project, User

# What may change, and settings name the tasks that follow on each.
FACTS = "facts"  # what the rubric reads of sources, or of the project: scores may be others
CLUSTERS = "clusters"  # texts, identifiers or addresses: clusters may be others
HITS = "hits"  # what the blacklist says: admission may be another
SOURCES = "sources"  # scores, hits, notices, receipts: admission may be another
RECORDS = "records"  # what searches found: proposals of cleaning may be others
STANDING = "standing"  # admission, clusters, scores: checks of claims may be others

KINDS = {
    "sources.tasks.score_sources": "scoring",
    "sources.tasks.assign_clusters": "clusters",
    "sources.tasks.match_notices": "retractions",
    "sources.tasks.match_blacklist": "blacklist",
    "sources.tasks.apply_blacklist": "blacklist",
    "search.tasks.admit_sources": "admission",
    "search.tasks.clean_records": "cleaning",
    "reviews.tasks.check_claims_of_sources": "source_check",
}


def follow(project: Project, *changes: str, by: User | None = None) -> list[Job]:
    """Queue what follows on changes of a project's sources; give the jobs that wait now."""
    tasks: dict[str, None] = {}
    for change in changes:
        tasks |= dict.fromkeys(settings.SOURCE_FOLLOW_UPS[change])
    return [queue(project, task, by=by) for task in tasks]


@transaction.atomic
def queue(project: Project | None, task: str, *, by: User | None = None) -> Job:
    """Give the job of a task that waits in a project, or a new one; sent after the commit.

    A job that runs already may have read what has changed since, so it does not count.
    """
    waiting = Job.objects.filter(project=project, task=task, state=Job.State.QUEUED)
    # Locked: begun before our commit, it would not read what we changed.
    if job := waiting.filter(args={}).select_for_update().order_by("pk").first():
        return job
    job = Job.objects.create(project=project, kind=KINDS[task], task=task, created_by=by)
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job
