"""The list of claims: a query, its rows, a look at one of them."""

from datetime import timedelta
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from reviews.forms.bulk import ACTIONS
from reviews.models import Claim
from reviews.queries.reading import Search, search, to_blame
from reviews.screens import listing
from reviews.screens.listing import Turn
from reviews.screens.ordering import known
from reviews.screens.row_words import RowWords, check_options, options
from reviews.views.list_place import Place, language_now
from sources.models import Project
from sources.pages import project_for, signed_in
from workbench.lib.querylang import QueryError

LIST = "reviews/claim_list.html"
MAX_ID = 300  # characters of a claim's external id


SORT_NAMES = {
    "-risk": gettext_lazy("risk, highest first"),
    "risk": gettext_lazy("risk, lowest first"),
    "position": gettext_lazy("order of the report"),
    "-position": gettext_lazy("order of the report, from its end"),
    "id": gettext_lazy("id"),
    "-id": gettext_lazy("id, backwards"),
    "-checks": gettext_lazy("open checks, most first"),
    "checks": gettext_lazy("open checks, fewest first"),
    "due": gettext_lazy("day put off to, soonest first"),
    "-due": gettext_lazy("day put off to, latest first"),
}


@lru_cache(maxsize=64)
def _sort_options(_language: str, sort: str) -> SafeString:
    return options(SORT_NAMES.items(), sort)


@lru_cache(maxsize=8)
def _action_options(_language: str) -> SafeString:
    return options(ACTIONS)


@require_safe
@vary_on_headers("HX-Request")
def claim_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List the claims that a query keeps, fifty a page, by key."""
    project = project_for(request, slug)
    place = Place(project, request.GET.get("q", "").strip(), known(request.GET.get("sort", "")))
    values: dict[str, object] = {
        "project": project,
        "place": place,
        "sorts": _sort_options(language_now(), place.sort),
        "actions": _action_options(language_now()),
        "checks": check_options(language_now()),
        "tomorrow": timezone.localdate() + timedelta(days=1),
    }
    try:
        found = search(project, signed_in(request), place.query)
    except QueryError as error:
        return _answer(request, {**values, **_pointed(place.query, error)}, status=422)
    return _answer(request, {**values, **_found(request, place, found)})


def _found(request: HttpRequest, place: Place, found: Search) -> dict[str, object]:
    given = request.GET
    turn = Turn(given.get("after", ""), given.get("before", ""), "last" in given)
    page = listing.listing(found, place.sort, turn, exact="exact" in given)
    chips = listing.chips(found, page.counts.chips)
    words, at = RowWords.now(), open_at(place)
    values: dict[str, object] = {
        "page": page,
        "counts": page.counts,
        "chips": [(chip, Place(place.project, chip.query, place.sort).address()) for chip in chips],
        "asks_machine": found.asks_machine and bool(place.project.sealed_share),
        "first": place.address(),
        "last": place.address(last="1"),
        "previous": place.address(before=page.previous) if page.previous else "",
        "next": place.address(after=page.next) if page.next else "",
        "term_titles": "|".join(words.term_titles.values()),
        "rows": format_html_join("", "{}", ((words.row(row, at),) for row in page.rows)),
        "exact": place.address(exact="1"),
        "open_at": at,
    }
    if not page.rows and found.query.terms:
        blamed = to_blame(found)
        values["blamed"] = [
            (
                term.to_text(),
                Place(place.project, found.without(term).query.to_text(), place.sort).address(),
            )
            for term in blamed
        ]
    if given.get("peek"):
        values |= _peek(place.project, found, given["peek"])
    return values


def open_at(place: Place) -> str:
    """Give the address of the audit screen with this queue, up to the claim's id."""
    address = place.address("review")
    return f"{address}{'&' if '?' in address else '?'}at="


def _pointed(query: str, error: QueryError) -> dict[str, object]:
    """Cut the query at the character that an error points at."""
    at = min(error.position, len(query))
    return {
        "error": error.render(language_now()),
        "error_at": at,
        "error_parts": (query[:at], query[at : at + 1] or "␣", query[at + 1 :]),
    }


def named(text: str) -> str:
    """Give a claim's id as an address holds it, without what no id and no database holds."""
    return text.replace("\x00", "")[:MAX_ID]


def _peek(project: Project, found: Search, name: str) -> dict[str, object]:
    claims = Claim.objects.for_project(project).select_related("dimension", "key_question")
    claim = claims.filter(external_id=named(name)).first()
    if claim is None:
        return {}
    values = listing.values_of(claim)
    (row,) = listing.rows_of(project, found.scope.user, [values], today=found.scope.today)
    return {
        "row": row,
        "claim": claim,
        "evidence": _evidence(claim),
        "sum": RowWords.now().sum(row.risk, row.terms),
        "raised": [] if row.sealed else RowWords.now().check_list(claim.summary),
    }


def _evidence(claim: Claim) -> list[object]:
    return list(
        claim.evidence.filter(current=True).select_related("source").order_by("position")[:20]
    )


@require_safe
def claim_peek(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one claim beside the list."""
    project = project_for(request, slug)
    place = Place(project, request.GET.get("q", "").strip(), known(request.GET.get("sort", "")))
    found = search(project, signed_in(request), "")
    name = named(request.GET.get("at", ""))
    get_object_or_404(Claim.objects.for_project(project), external_id=name)
    values = {"project": project, "place": place, "open_at": open_at(place)}
    return render(request, f"{LIST}#peek", {**values, **_peek(project, found, name)})


def _answer(request: HttpRequest, values: dict[str, object], status: int = 200) -> HttpResponse:
    # On the way back htmx asks for the whole page, as it keeps none.
    whole = request.headers.get("HX-History-Restore-Request") == "true"
    part = "#list" if request.headers.get("HX-Request") == "true" and not whole else ""
    return render(request, LIST + part, values, status=status)
