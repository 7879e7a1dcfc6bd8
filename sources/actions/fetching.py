"""Fetch a page into a snapshot: at a person's wish, in the background."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from sources import sweeping
from sources.models import Capture, Job, Project, Snapshot, Source, User
from sources.permissions import can
from sources.source_cache import UrlError, normalize_url

from .errors import ActionRefused, require

TASK = "sources.tasks.fetch_page"
KIND = "fetch"
_UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@transaction.atomic
def start_fetch(
    *, project: Project, url: str, by: User | None, again: bool = False, nudge: bool = True
) -> Job:
    """Fetch an address into a snapshot; gives the fetch of it that waits or runs, if any.

    Where a snapshot of it is stored, only ``again`` asks the host for a new version. Without
    ``nudge`` the caller does the job.
    """
    require(by is None or can(by, "edit_sources", project))
    try:
        normal = normalize_url(url)
    except UrlError as fault:
        raise ActionRefused(
            "bad-url", _("It has no address that can be fetched: %s") % fault
        ) from None
    # Locked, so that two clicks at once queue one job.
    Project.objects.select_for_update().get(pk=project.pk)
    args = {"url": normal, "again": again}
    standing = Job.objects.filter(project=project, task=TASK, state__in=_UNFINISHED, args=args)
    if job := standing.order_by("pk").first():
        return job
    job = Job.objects.create(project=project, kind=KIND, task=TASK, args=args, created_by=by)
    if nudge:
        transaction.on_commit(lambda: sweeping.nudge(job))
    return job


def fetch_once(*, source: Source, by: User | None) -> Job | None:
    """Fetch the page of a source unless that was tried before; None where there is nothing to do.

    A fetch that failed is not tried again by itself: whoever wants that asks for it.
    """
    url, project = source.normalized_url, source.project
    if not url or Capture.objects.of(project, url).exists():
        return None
    if Snapshot.objects.versions_of(project, url).exists():
        return None
    return start_fetch(project=project, url=url, by=by)


def unfinished_fetches(project: Project, urls: Iterable[str]) -> list[str]:
    """Give those of some normal addresses that are being fetched, or wait for it. One query."""
    jobs = Job.objects.filter(project=project, task=TASK, state__in=_UNFINISHED)
    found = jobs.filter(args__url__in=list(urls)).values_list("args", flat=True)
    return [str(args["url"]) for args in found]


def latest_fetch(project: Project, normalized_url: str) -> Job | None:
    """Give the fetch of a normal address that was started last."""
    jobs = Job.objects.filter(project=project, task=TASK, args__url=normalized_url)
    return jobs.order_by("-pk").first()
