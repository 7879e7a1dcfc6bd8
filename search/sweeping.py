"""Queue what should have followed on a change of sources and did not.

Whoever changes sources queues what follows. This is the net below: a job that was never queued
shows in the audit trail, as events about sources that are newer than the last job.
"""

import logging
from collections.abc import Sequence

from django.db import OperationalError
from django.db.models import Max

from sources.following import queue
from sources.models import AuditChain, AuditEvent, Job, Project

log = logging.getLogger(__name__)

# Objects whose events say nothing of what a source is worth.
_ELSEWHERE = (
    "assessment", "claim", "cluster", "defect", "draft", "evidence", "export", "finding", "job",
    "membership", "project", "receipt", "report", "request", "reveal", "snooze", "verdict",
)  # fmt: skip
ADMISSION = "search.tasks.admit_sources"
CLUSTERS = "sources.tasks.assign_clusters"
# What admission itself writes, and what changes nothing of it.
_OWN = (
    *("source.admitted", "source.rejected", "source.candidate", "source.rejection_kept"),
    *("source.commented", "source.check_started"),  # what the check finds has its own event
)


def follow_sources() -> int:
    """Queue admission and clusters where sources changed since; give how many jobs wait now."""
    try:
        return sum(_follow(project) for project in _projects())
    except OperationalError as fault:
        log.warning("sources not followed, the database is busy", extra={"fault": str(fault)})
        return 0


def _projects() -> Sequence[Project]:
    """Give projects whose trail went on since the last admission, and where none waits."""
    seen = _seen(ADMISSION)
    chains = AuditChain.objects.filter(length__gt=0).select_related("project")
    waiting = set(
        Job.objects.filter(
            task=ADMISSION, state__in=[Job.State.QUEUED, Job.State.RUNNING]
        ).values_list("project", flat=True)
    )
    return [
        chain.project
        for chain in chains
        if chain.length > seen.get(chain.project_id, 0) and chain.project_id not in waiting
    ]


def _seen(task: str) -> dict[int, int]:
    """Give by project how long its trail was when the last finished job of a task began."""
    last = Job.objects.filter(task=task, project__isnull=False, state=Job.State.DONE)
    newest = last.values("project").annotate(newest=Max("pk")).values("newest")
    rows = Job.objects.filter(pk__in=newest).values_list("project", "result")
    return {project: int(result.get("events", 0)) for project, result in rows if project}


def _follow(project: Project) -> int:
    news = AuditEvent.objects.filter(
        project=project, number__gt=_seen(ADMISSION).get(project.pk, 0)
    ).exclude(object_type__in=_ELSEWHERE)
    kinds = set(news.exclude(action__in=_OWN).values_list("object_type", flat=True).distinct())
    if kinds:
        queue(project, ADMISSION)
    if "import" in kinds:
        queue(project, CLUSTERS)
    return len(kinds & {"import"}) + bool(kinds)
