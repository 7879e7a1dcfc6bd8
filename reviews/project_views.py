"""The page of one project: what it asks, what is left, where to go on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from sources.models import Project, ReportFile
from sources.pages import project_for, signed_in
from sources.source_cache import CACHE_FOLDER

from .progress import progress_by_dimension, progress_of

FILES_SHOWN = 40
BATCHES_SHOWN = 5


@require_safe
def project_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a project with its progress, imports, files and members."""
    project = project_for(request, slug)
    counts = progress_of([project], signed_in(request), today=timezone.localdate())[project.pk]
    values = {
        "project": project,
        "counts": counts,
        "dimensions": progress_by_dimension(project),
        "batches": project.batches.select_related("by")[:BATCHES_SHOWN],
        "files": _files(project),
        "people": _people(project),
        "sources_count": project.sources.count(),
        "snapshots_count": project.snapshots.count(),
    }
    return render(request, "reviews/project.html", values)


def _files(project: Project) -> list[ReportFile]:
    """Give the files of the report directory, without the many of its source cache."""
    current = project.report_files.filter(current=True)
    return list(current.exclude(path__startswith=f"{CACHE_FOLDER}/")[:FILES_SHOWN])


def _people(project: Project) -> list[tuple[str, list[str]]]:
    """Give (user name, roles) for each member. One query."""
    roles: dict[str, list[str]] = {}
    for held in project.memberships.select_related("user").order_by("user__username", "role"):
        roles.setdefault(held.user.get_username(), []).append(str(held.get_role_display()))
    return list(roles.items())
