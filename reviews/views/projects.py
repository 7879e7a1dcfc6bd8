"""The page of one project: what it asks, what is left, where to go on; its settings."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from reviews.actions.projects import edit_project
from reviews.screens.progress import progress_by_dimension, progress_of
from search.screens.coverage import left_of
from sources.actions import ActionRefused
from sources.forms import ProjectForm
from sources.models import Project, ReportFile
from sources.pages import project_for, signed_in
from sources.source_cache import CACHE_FOLDER
from sources.views import form_page, read_or_post

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
        "searches": left_of(project),
    }
    return render(request, "reviews/project.html", values)


@read_or_post
def project_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a project's settings."""
    project = project_for(request, slug, "edit_project")
    user = signed_in(request)
    form = ProjectForm(request.POST or None, instance=Project.objects.get(pk=project.pk))
    values = {"project": project, "standing": None}
    if request.method == "POST" and form.is_valid():
        seen, fields = form.cleaned_data["seen"], form.project_fields()
        try:
            edit_project(project=project, seen=seen, fields=fields, by=user)
        except ActionRefused as refused:
            values["standing"] = Project.objects.get(pk=project.pk)
            form.add_error(None, refused.message)
            return render(
                request, "sources/project_form.html", {"form": form, **values}, status=409
            )
        messages.success(request, _("The settings were saved."))
        return redirect("project", slug)
    return form_page(request, "sources/project_form.html", form, **values)


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
