"""The list of sources: a query, its rows."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from reviews.queries.source_search import SourceSearch, search_sources, to_blame
from reviews.screens import source_listing as listing
from reviews.views.list_place import language_now
from sources.models import Project
from sources.pages import project_for
from workbench.lib.keyset import Turn
from workbench.lib.querylang import QueryError

LIST = "reviews/source_list.html"


def address_of(project: Project, query: str, sort: str, **values: str) -> str:
    """Give an address of the list; empty values and the usual sort are left out."""
    named = {"q": query, "sort": "" if sort == listing.DEFAULT_SORT else sort, **values}
    said = urlencode({key: value for key, value in named.items() if value})
    return reverse("sources", args=[project.slug]) + (f"?{said}" if said else "")


def sort_options(chosen: str) -> list[tuple[str, str, bool]]:
    """Give the orders of the list: name, words, whether it is the present one."""
    words = {
        "-score": _("Best score first"),
        "score": _("Lowest score first"),
        "id": pgettext("sort", "Id"),
        "-id": _("Id, from the end"),
        "-added": _("Latest first"),
        "added": _("Oldest first"),
    }
    return [(name, words[name], name == chosen) for name in listing.SORTS]


@require_safe
def source_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page of a project's sources. The address is the whole state."""
    project = project_for(request, slug)
    query = request.GET.get("q", "").strip()
    sort = listing.known(request.GET.get("sort", ""))
    values: dict[str, object] = {
        "project": project,
        "query": query,
        "sort": sort,
        "sorts": sort_options(sort),
        "address": address_of(project, query, sort),
    }
    try:
        found = search_sources(project, query)
    except QueryError as error:
        at = min(error.position, len(query))
        values |= {
            "error": error.render(language_now()),
            "error_at": at,
            "error_parts": (query[:at], query[at : at + 1] or "␣", query[at + 1 :]),
        }
        return _answer(request, values, status=422)
    return _answer(request, {**values, **_found(request, found, sort)})


def _found(request: HttpRequest, found: SourceSearch, sort: str) -> dict[str, object]:
    project, query = found.project, found.query.to_text()
    rows, page = listing.source_page(found, sort, Turn.asked(request.GET))
    counts = listing.source_counts(found, exact="exact" in request.GET)
    here = _addresses(project, sort)
    values: dict[str, object] = {
        "rows": rows,
        "counts": counts,
        "chips": [(chip, here(chip.query)) for chip in listing.source_chips(found, counts)],
        "first": here(query),
        "last": here(query, last="1"),
        "previous": here(query, before=page.previous) if page.previous else "",
        "next": here(query, after=page.next) if page.next else "",
        "exact": here(query, exact="1"),
    }
    if not rows and found.query.terms:
        values["blamed"] = [
            (term.to_text(), here(found.without(term).query.to_text())) for term in to_blame(found)
        ]
    return values


def _addresses(project: Project, sort: str) -> Callable[..., str]:
    def here(query: str, **values: str) -> str:
        return address_of(project, query, sort, **values)

    return here


def _answer(request: HttpRequest, values: dict[str, object], status: int = 200) -> HttpResponse:
    # On the way back htmx asks for the whole page, as it keeps none.
    whole = request.headers.get("HX-History-Restore-Request") == "true"
    part = "#list" if request.headers.get("HX-Request") == "true" and not whole else ""
    return render(request, LIST + part, values, status=status)
