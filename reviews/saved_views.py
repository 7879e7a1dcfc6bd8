"""Saved views of the list: each a name for a query, with its own link and count."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from sources.models import Project, User
from sources.pages import project_for, signed_in
from workbench.lib.querylang import QueryError

from .actions import ActionRefused, NotAllowed
from .actions.viewing import change_view, delete_view, save_view
from .list_place import Place
from .listing import SHOWN_COUNT
from .models import SavedView
from .ordering import known
from .queries import search

COUNTED = 20  # views whose claims are counted at once


@dataclass(frozen=True, slots=True)
class Shown:
    """A view in the menu."""

    view: SavedView
    own: bool
    count: int | None  # None: the query can no longer be read, or too many views to count
    more: bool = False


def visible(project: Project, user: User) -> QuerySet[SavedView]:
    """Give the user's views and those that others share."""
    views = SavedView.objects.filter(project=project).select_related("owner")
    return views.filter(Q(owner=user) | Q(shared=True)).order_by("name", "pk")


@require_safe
def views_menu(request: HttpRequest, slug: str) -> HttpResponse:
    """List the saved views with their counts. One query each, for the first twenty."""
    project, user = project_for(request, slug), signed_in(request)
    shown = [
        _shown(project, user, view, counted=number < COUNTED)
        for number, view in enumerate(visible(project, user)[:200])
    ]
    place = Place(project, request.GET.get("q", "")[:2000], known(request.GET.get("sort", "")))
    values = {"project": project, "views": shown, "place": place}
    return render(request, "reviews/_saved_views.html", values)


def _shown(project: Project, user: User, view: SavedView, *, counted: bool) -> Shown:
    own = view.owner_id == user.pk
    if not counted:
        return Shown(view, own, None)
    try:
        claims = search(project, user, view.query).claims()
    except QueryError:
        return Shown(view, own, None)
    count = claims.values("pk")[: SHOWN_COUNT + 1].count()
    return Shown(view, own, min(count, SHOWN_COUNT), count > SHOWN_COUNT)


@require_safe
def open_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Lead from a view's own link to its list."""
    project, user = project_for(request, slug), signed_in(request)
    view = get_object_or_404(visible(project, user), pk=pk)
    return redirect(Place(project, view.query, known(view.sort)).address())


@require_POST
def view_save(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the query of the list under a name."""
    project, user = project_for(request, slug), signed_in(request)
    place = Place(
        project, request.POST.get("q", "").strip()[:2000], known(request.POST.get("sort", ""))
    )
    try:
        search(project, user, place.query)
        view = save_view(
            project=project,
            name=request.POST.get("name", ""),
            query=place.query,
            sort=place.sort,
            shared="shared" in request.POST,
            by=user,
        )
    except QueryError:
        messages.error(request, _("The query cannot be read. The view was not saved."))
    except ActionRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The view “%s” was saved.") % view.name)
    return redirect(place.address())


@require_POST
def view_change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename, share or delete a view of one's own."""
    project, user = project_for(request, slug), signed_in(request)
    view = get_object_or_404(visible(project, user), pk=pk)
    place = Place(project, view.query, known(view.sort))
    try:
        if "delete" in request.POST:
            delete_view(view=view, by=user)
            messages.success(request, _("The view “%s” was deleted.") % view.name)
        else:
            name, shared = request.POST.get("name", ""), "shared" in request.POST
            change_view(view=view, name=name, shared=shared, by=user)
            messages.success(request, _("The view “%s” was saved.") % view.name)
    except NotAllowed as refused:
        raise PermissionDenied(refused.message) from None
    except ActionRefused as refused:
        messages.error(request, refused.message)
    return redirect(place.address())
