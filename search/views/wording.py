"""Ready queries of a project, and the glossary that they are made with."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from search.actions.wording import read_query, save_glossary
from search.glossary import GlossaryError, read_lines
from search.plans import LONGEST as LONGEST_QUERY
from search.screens.filtering import said
from search.screens.wording import query_help
from sources.actions.errors import ActionRefused
from sources.pages import own_path, project_for, signed_in

LONGEST = 400_000  # characters of a glossary


@require_safe
def queries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show ready queries of all rounds in both languages."""
    project = project_for(request, slug)
    given = request.GET
    found = query_help(
        project,
        said(given.get("subject", "")),
        said(given.get("dimension", "")),
        mechanism=given.get("mechanism") == "1",
        language=get_language() or "en",
    )
    values = {"project": project, "found": found, "here": request.get_full_path()}
    return render(request, "search/queries.html", values)


@require_POST
def queries_read(request: HttpRequest, slug: str) -> HttpResponse:
    """Let PubMed be asked how it reads a query."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    text = request.POST.get("text", "").replace("\x00", "").strip()[:LONGEST_QUERY]
    if text:
        try:
            read_query(project=project, text=text, by=by)
        except ActionRefused as refused:
            raise PermissionDenied(refused.message) from None
        messages.success(request, _("PubMed is being asked."))
    address = own_path(request.POST.get("next", "")) or reverse("queries", args=[project.slug])
    return HttpResponseRedirect(address)


@require_POST
def glossary(request: HttpRequest, slug: str) -> HttpResponse:
    """Put another glossary in place of the one that stands."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    text = request.POST.get("terms", "")[:LONGEST]
    try:
        changed = save_glossary(project=project, terms=read_lines(text), by=by)
    except GlossaryError as fault:
        messages.error(request, fault.render(get_language() or "en"))
    except ActionRefused as refused:
        raise PermissionDenied(refused.message) from None
    else:
        word = _("The glossary was saved.") if changed else _("The glossary says this already.")
        messages.success(request, word)
    address = own_path(request.POST.get("next", "")) or reverse("queries", args=[project.slug])
    return HttpResponseRedirect(address)
