"""Rejections and the discovery library: what was turned away, why, and the way back."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from search.actions import rejecting as actions
from search.screens import rejections as screens
from sources.actions.errors import ActionRefused
from sources.models import Project, Rejection
from sources.pages import own_path, project_for, signed_in
from workbench.lib.keyset import Turn


@require_safe
def rejections(request: HttpRequest, slug: str) -> HttpResponse:
    """List what was turned away, page by page."""
    project, user = project_for(request, slug), signed_in(request)
    wanted = screens.Filters.of(request.GET)
    language = get_language() or "en"
    found = screens.rejections(project, user, wanted, Turn.asked(request.GET), language)
    values = {
        "project": project,
        "wanted": wanted,
        "found": found,
        "asked": wanted.asked(),
        "states": screens.words_of_states(),
        "here": request.get_full_path(),
    }
    return render(request, "search/rejections.html", values)


@require_safe
def discovery(request: HttpRequest, slug: str) -> HttpResponse:
    """List the sources that may carry no conclusion."""
    project = project_for(request, slug)
    wanted = screens.LibraryFilters.of(request.GET)
    found = screens.library(project, wanted, Turn.asked(request.GET), get_language() or "en")
    values = {
        "project": project,
        "wanted": wanted,
        "found": found,
        "asked": wanted.asked(),
        "parts": [
            ("all", _("All"), found.counts["all"]),
            ("low", _("Below 4.0"), found.counts["low"]),
            ("leads", _("Unread leads"), found.counts["leads"]),
            ("conflict", _("Strong conflict"), found.counts["conflict"]),
        ],
        "here": request.get_full_path(),
    }
    return render(request, "search/discovery.html", values)


@require_POST
def rejection_reopen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Open a rejection again, with a reason."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    rejection = get_object_or_404(Rejection, pk=pk, project=project)
    version = request.POST.get("base_version", "")
    reason = request.POST.get("reason", "")[:2_000].replace("\x00", "")

    def do() -> str:
        source = actions.reopen_rejection(
            rejection=rejection,
            reason=reason,
            by=by,
            base_version=int(version) if version.isdecimal() and len(version) < 10 else None,
        )
        said = {
            "admitted": _("%(source)s was re-opened and is admitted."),
            "candidate": _("%(source)s was re-opened and is a candidate."),
            "rejected": _("%(source)s was re-opened, but another rule turns it away."),
        }
        return said[source.status] % {"source": source.external_id}

    return _tried(request, project, do)


@require_POST
def rejection_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one's own last decision about a rejection back."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    number = request.POST.get("event", "")

    def do() -> str:
        event = int(number) if number.isdecimal() and len(number) < 16 else 0
        actions.take_back(project=project, number=event, by=by)
        return _("Taken back.")

    return _tried(request, project, do)


@require_POST
def admission_again(request: HttpRequest, slug: str) -> HttpResponse:
    """Look at the admission of all sources anew."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)

    def do() -> str:
        actions.admit_again(project=project, by=by)
        return _("All sources will be looked at again, in the background.")

    return _tried(request, project, do)


def _tried(request: HttpRequest, project: Project, do: Callable[[], str]) -> HttpResponse:
    """Do it and say so, or say why it was not done; then go back to the list."""
    try:
        messages.success(request, do())
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    back = own_path(request.POST.get("next", ""))
    return HttpResponseRedirect(back or reverse("rejections", args=[project.slug]))
