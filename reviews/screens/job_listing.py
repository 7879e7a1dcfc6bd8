"""What the page of a project's background jobs shows: the latest first, page by page."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils.translation import gettext as _

from reviews.screens.job_progress import SILENT, UNTAKEN, JobPage, show
from sources.models import Job, Project
from workbench.lib.keyset import Page, SortKey, Turn, page

PAGE = 50
LATEST = (SortKey("pk", descending=True),)
STATES = ("all", *(str(state) for state in Job.State.values))


@dataclass(frozen=True, slots=True)
class JobList:
    """A page of jobs and what leads on from it."""

    rows: list[JobPage]
    page: Page
    counts: Mapping[str, int]  # by state
    idle_since: datetime | None  # when the job was queued that no worker takes; None: all is well


def jobs_page(project: Project, state: str, turn: Turn, now: datetime) -> JobList:
    """Give one page of jobs. The number of queries does not grow."""
    mine = Job.objects.filter(project=project)
    wanted = mine if state == "all" else mine.filter(state=state)
    found = page(wanted, LATEST, turn, size=PAGE, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    rows = Job.objects.filter(pk__in=keys).select_related("created_by").order_by("-pk")
    counted = mine.order_by().values("state").annotate(count=Count("pk"))
    counts = {row["state"]: row["count"] for row in counted}
    return JobList(
        rows=[show(job, now, in_list=True) for job in rows],
        page=found,
        counts={**counts, "all": sum(counts.values())},
        idle_since=no_worker_since(now),
    )


def no_worker_since(now: datetime) -> datetime | None:
    """Tell since when jobs wait though no worker works on any: of all projects, by their rows."""
    waiting = Job.objects.filter(
        state=Job.State.QUEUED, attempts=0, created_at__lt=now - UNTAKEN
    ).order_by("created_at")
    first = waiting.values_list("created_at", flat=True).first()
    if first is None:
        return None
    alive = Job.objects.filter(state=Job.State.RUNNING, beat_at__gt=now - SILENT)
    lately = Job.objects.filter(finished_at__gt=max(first, now - timedelta(minutes=2)))
    return None if alive.exists() or lately.exists() else first


def words_of_states() -> dict[str, str]:
    """Give the words of the chips above the list."""
    return {"all": _("All"), **{str(value): str(word) for value, word in Job.State.choices}}
