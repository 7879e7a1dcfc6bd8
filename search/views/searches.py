"""Begin a search: the form, and what helps to fill it."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from search.actions.starting import start_search
from search.forms import SearchForm, initial_of
from sources.actions.errors import ActionRefused
from sources.pages import project_for, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
def search_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a search; sent, it queues the search and leads to its receipts."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    if request.method == "POST":
        form = SearchForm(project, request.POST)
        plan = form.plan() if form.is_valid() else None
        if plan is not None:
            try:
                job = start_search(project=project, plan=plan, by=by)
            except ActionRefused as refused:
                raise PermissionDenied(refused.message) from None
            address = reverse("receipts", args=[project.slug], query={"job": job.pk})
            return HttpResponseRedirect(address)
    else:
        form = SearchForm(project, initial=initial_of(request.GET))
    status = 422 if form.is_bound else 200
    values = {"project": project, "form": form}
    return render(request, "search/search_new.html", values, status=status)
