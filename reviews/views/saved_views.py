"""Saved views of a list: each a name for a query, with its own link and count."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from reviews.actions import ActionRefused, NotAllowed
from reviews.actions.viewing import change_view, delete_view, save_view
from reviews.models import SavedView
from reviews.queries.reading import search
from reviews.queries.source_search import search_sources
from reviews.screens import source_listing
from reviews.screens.listing import SHOWN_COUNT
from reviews.screens.ordering import known
from reviews.views import source_list
from reviews.views.list_place import Place
from sources.models import Project, User
from sources.pages import project_for, signed_in
from workbench.lib.querylang import QueryError

COUNTED = 20  # views whose claims are counted at once


@dataclass(frozen=True, slots=True)
class ListOf:
    """One kind of list: how its queries are read, its orders, its address."""

    rows: Callable[[Project, User, str], QuerySet[Any]]  # raises QueryError
    known: Callable[[str], str]
    address: Callable[[Project, str, str], str]


LISTS: Mapping[str, ListOf] = {
    "claims": ListOf(
        lambda project, user, query: search(project, user, query).claims(),
        known,
        lambda project, query, sort: Place(project, query, sort).address(),
    ),
    "sources": ListOf(
        lambda project, _user, query: search_sources(project, query).sources(),
        source_listing.known,
        source_list.address_of,
    ),
}


def _asked(given: Mapping[str, str]) -> tuple[str, ListOf]:
    """Give the list that is meant; that of claims where none is named."""
    name = given.get("list", "")
    name = name if name in LISTS else "claims"
    return name, LISTS[name]


@dataclass(frozen=True, slots=True)
class Shown:
    """A view in the menu."""

    view: SavedView
    own: bool
    count: int | None  # None: the query can no longer be read, or too many views to count
    more: bool = False


def visible(project: Project, user: User) -> QuerySet[SavedView]:
    """Give the user's views and those that others share."""
    views = SavedView.objects.filter(project=project, list_name__in=LISTS).select_related(
        "owner", "project"
    )
    return views.filter(Q(owner=user) | Q(shared=True)).order_by("name", "pk")


@require_safe
def views_menu(request: HttpRequest, slug: str) -> HttpResponse:
    """List the saved views with their counts. One query each, for the first twenty."""
    project, user = project_for(request, slug), signed_in(request)
    name, kind = _asked(request.GET)
    shown = [
        _shown(project, user, view, counted=number < COUNTED)
        for number, view in enumerate(visible(project, user).filter(list_name=name)[:200])
    ]
    values = {
        "project": project,
        "views": shown,
        "list_name": name,
        "query": request.GET.get("q", "")[:2000],
        "sort": kind.known(request.GET.get("sort", "")),
    }
    return render(request, "reviews/_saved_views.html", values)


def _shown(project: Project, user: User, view: SavedView, *, counted: bool) -> Shown:
    own = view.owner_id == user.pk
    if not counted:
        return Shown(view, own, None)
    try:
        rows = LISTS[view.list_name].rows(project, user, view.query)
    except QueryError:
        return Shown(view, own, None)
    count = rows.order_by().values("pk")[: SHOWN_COUNT + 1].count()
    return Shown(view, own, min(count, SHOWN_COUNT), count > SHOWN_COUNT)


@require_safe
def open_view(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Lead from a view's own link to its list."""
    project, user = project_for(request, slug), signed_in(request)
    view = get_object_or_404(visible(project, user), pk=pk)
    return redirect(_address(view))


def _address(view: SavedView) -> str:
    kind = LISTS[view.list_name]
    return kind.address(view.project, view.query, kind.known(view.sort))


@require_POST
def view_save(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the query of the list under a name."""
    project, user = project_for(request, slug), signed_in(request)
    list_name, kind = _asked(request.POST)
    query = request.POST.get("q", "").strip()[:2000]
    sort = kind.known(request.POST.get("sort", ""))
    try:
        kind.rows(project, user, query)
        view = save_view(
            project=project,
            name=request.POST.get("name", ""),
            query=query,
            sort=sort,
            shared="shared" in request.POST,
            list_name=list_name,
            by=user,
        )
    except QueryError:
        messages.error(request, _("The query cannot be read. The view was not saved."))
    except ActionRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The view “%s” was saved.") % view.name)
    return redirect(kind.address(project, query, sort))


@require_POST
def view_change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename, share or delete a view of one's own."""
    project, user = project_for(request, slug), signed_in(request)
    view = get_object_or_404(visible(project, user), pk=pk)
    back = _address(view)
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
    return redirect(back)
