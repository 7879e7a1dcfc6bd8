"""Queue checks for retraction: by a person's wish, and by the clock for what is due."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from sources import sweeping
from sources.models import Job, NoticeProvider, Project, RetractionCheck, Source, User

from .checking import RETRY_FAILED, resting

log = logging.getLogger(__name__)

TASK = "sources.tasks.check_retractions"
AT_ONCE = 20  # projects queued by one turn of the clock
_UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@transaction.atomic
def queue_check(
    project: Project, *, by: User | None, everything: bool, only: Sequence[int] | None = None
) -> tuple[Job, bool]:
    """Give the check of a project that runs or waits, or a new one; and whether it is new.

    ``only`` are keys of sources, where not all of the project are meant.
    """
    # Locked, so that two clicks at once queue one job.
    Project.objects.select_for_update().get(pk=project.pk)
    args: dict[str, Any] = {"everything": everything}
    if only is not None:
        args["sources"] = sorted(only)
    standing = Job.objects.filter(project=project, task=TASK, state__in=_UNFINISHED)
    for job in standing.order_by("pk"):
        # A check of the whole project is one whoever asked for it; of some sources, the same ones.
        if job.args.get("sources") == args.get("sources"):
            return job, False
    job = Job.objects.create(
        project=project, kind="retractions", task=TASK, args=args, created_by=by
    )
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job, True


def queue_due() -> int:
    """Queue a check for each project with works that were not asked about lately; give how many.

    Nothing where ``RETRACTION_DAYS`` is 0: then only people ask.
    """
    if settings.RETRACTION_DAYS <= 0:
        return 0
    try:
        projects = list(due_projects()[:AT_ONCE])
        return sum(queue_check(each, by=None, everything=False)[1] for each in projects)
    except OperationalError as fault:
        log.warning("checks put off, the database is busy", extra={"fault": str(fault)})
        return 0


def due_projects() -> QuerySet[Project]:
    """Give the projects with a source that a provider which does not rest should be asked about.

    By the providers that decide: Crossref for whoever has a DOI, PubMed for the others.
    """
    rests = resting([NoticeProvider.CROSSREF, NoticeProvider.PUBMED])
    is_due = Q(pk__in=[])
    if NoticeProvider.CROSSREF not in rests:
        is_due |= Q(~Q(doi=""), ~Exists(_fresh(NoticeProvider.CROSSREF)))
    if NoticeProvider.PUBMED not in rests:
        is_due |= Q(~Exists(_fresh(NoticeProvider.PUBMED)), doi="", identifiers__scheme="pmid")
    due = Source.objects.filter(is_due).order_by().values("project")
    busy = Job.objects.filter(project=OuterRef("pk"), task=TASK, state__in=_UNFINISHED)
    return Project.objects.filter(~Exists(busy), pk__in=due).order_by("pk")


def _fresh(provider: str) -> QuerySet[RetractionCheck]:
    now = timezone.now()
    failed = Q(outcome=RetractionCheck.Outcome.FAILED)
    lately = Q(asked_at__gte=now - timedelta(days=settings.RETRACTION_DAYS))
    fresh = (lately & ~failed) | (failed & Q(asked_at__gte=now - RETRY_FAILED))
    return RetractionCheck.objects.filter(fresh, source=OuterRef("pk"), provider=provider)
