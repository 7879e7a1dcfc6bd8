"""Screening: what searches found, kept, ranked down, dropped or restored one by one."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from search.actions import screening as actions
from search.models import Record
from search.screening import Choice
from search.screens import screening as screens
from sources.actions.errors import ActionRefused
from sources.models import Project, User
from sources.pages import own_path, project_for, signed_in
from workbench.lib.keyset import Turn


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """List the records that wait, or those of another state."""
    project, user = project_for(request, slug), signed_in(request)
    wanted = screens.Filters.of(request.GET)
    language = get_language() or "en"
    found = screens.records_page(project, user, wanted, Turn.asked(request.GET), language)
    values = {
        "project": project,
        "wanted": wanted,
        "found": found,
        "asked": wanted.asked(),
        "chips": [
            (state, wanted.asked(state=state), found.counts.get(state, 0))
            for state in screens.STATES
        ],
        "here": request.get_full_path(),
        **screens.choices(language),
    }
    return render(request, "search/screening.html", values)


@require_POST
def record_screen(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Decide about one record; htmx gets its row anew, a form the page."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    row = get_object_or_404(Record, pk=pk, project=project)
    post = request.POST
    version, other = (_number(post.get(name, "")) for name in ("base_version", "duplicate_of"))

    def do() -> Record:
        choice = Choice(
            state=post.get("state", "")[:9],
            code=post.get("code", "")[:40],
            reason=post.get("reason", "")[:2_000].replace("\x00", ""),
            level=post.get("level", "")[:2],
        )
        twin = Record.objects.filter(project=project, pk=other).first() if other else None
        return actions.screen(
            row=row, choice=choice, by=by, base_version=version, duplicate_of=twin
        )

    return _answer(request, project, by, row, do)


@require_POST
def record_undo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take one's own last decision about a record back."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    row = get_object_or_404(Record, pk=pk, project=project)
    number = _number(request.POST.get("event", "")) or 0

    def do() -> Record:
        return actions.take_back(project=project, number=number, by=by)

    return _answer(request, project, by, row, do)


@require_POST
def records_accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep all open records that the project has already."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    done = actions.accept_proposals(project=project, by=by)
    messages.success(request, _("%d records were kept as proposed.") % done)
    return HttpResponseRedirect(_back(request, project))


def _answer(
    request: HttpRequest, project: Project, by: User, row: Record, do: Callable[[], Record]
) -> HttpResponse:
    fault, status = "", 200
    try:
        row = do()
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        fault = refused.message
        status = 409 if refused.code == "conflict" else 422
    if not getattr(request, "htmx", False):
        if fault:
            messages.error(request, fault)
        return HttpResponseRedirect(_back(request, project))
    language = get_language() or "en"
    values: dict[str, Any] = {
        "project": project,
        "item": screens.one_row(project, by, row.pk, language),
        "fault": fault,
        "here": own_path(request.POST.get("next", "")) or "",
        **screens.choices(language),
    }
    return render(request, "search/_record_row.html", values, status=status)


def _back(request: HttpRequest, project: Project) -> str:
    return own_path(request.POST.get("next", "")) or reverse("screening", args=[project.slug])


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
