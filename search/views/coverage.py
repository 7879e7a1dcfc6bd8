"""The matrix of searches, and the reasons of its empty cells."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from search.actions import explaining
from search.coverage_facts import coverage_of
from search.screens import coverage as screens
from sources.actions.errors import ActionRefused
from sources.models import Dimension
from sources.pages import project_for, signed_in


@require_safe
def matrix(request: HttpRequest, slug: str) -> HttpResponse:
    """Show dimension by round what was searched and kept; as JSON where that is asked for."""
    project = project_for(request, slug)
    language = get_language() or "en"
    found = coverage_of(project)
    if request.GET.get("format") == "json":
        said = found.as_dict(language)
        return JsonResponse(said, json_dumps_params={"ensure_ascii": False, "indent": 2})
    values = {"project": project, **screens.shown(project, found, language)}
    return render(request, "search/coverage.html", values)


@require_POST
def gap(request: HttpRequest, slug: str) -> HttpResponse:
    """Say why a cell may stay empty, or take that back."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    post = request.POST
    name, number = post.get("dimension", "")[:200], post.get("round", "")
    dimension = None
    if name:
        dimension = Dimension.objects.filter(project=project, external_id=name).first()
        if dimension is None:
            raise Http404
    part = int(number) if number in {"1", "2", "3", "4"} else 0
    try:
        if post.get("end"):
            explaining.end_gap(project=project, dimension=dimension, number=part, by=by)
            messages.success(request, _("The reason was taken back."))
        else:
            reason = post.get("reason", "")[:2_000].replace("\x00", "")
            explaining.explain_gap(
                project=project, dimension=dimension, number=part, code=post.get("code", ""),
                reason=reason, by=by,
            )  # fmt: skip
            messages.success(request, _("The reason stands."))
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    return HttpResponseRedirect(reverse("coverage", args=[project.slug]))
