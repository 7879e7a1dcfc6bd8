"""The record of one source."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviews.screens.source_desk import source_desk
from reviews.screens.source_fetch import source_fetch
from reviews.screens.telling import tell
from sources.models import Project, Source
from sources.pages import project_for, signed_in

PAGE = "reviews/source.html"


def source_of(project: Project, pk: int) -> Source:
    """Give a source of the project. Raises Http404."""
    rows = Source.objects.for_project(project).select_related("project", "cluster")
    return get_object_or_404(rows, pk=pk)


@require_safe
def source_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a source with its marks, their reasons, and the claims that rest on it."""
    project = project_for(request, slug)
    source = source_of(project, pk)
    desk = source_desk(source, signed_in(request))
    values = {
        "project": project,
        "source": source,
        "desk": desk,
        "fetch": source_fetch(source, timezone.now()),
        "told": [tell(event) for event in desk.events],
        "key": uuid4().hex,
    }
    return render(request, PAGE, values)
