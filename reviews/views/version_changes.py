"""What changed between two stored versions of one page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from reviews.screens.version_changes import version_changes
from reviews.views.snapshots import snapshot_at
from sources.pages import project_for

PAGE = "reviews/snapshot_changes.html"


@require_safe
def snapshot_changes(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Show a version beside the one of ``?since=``, or beside the one before it."""
    project = project_for(request, slug)
    since = request.GET.get("since", "")[:64]
    found = version_changes(project, snapshot_at(project, prefix), since)
    return render(request, PAGE, {"project": project, "found": found})
