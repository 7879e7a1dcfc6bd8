"""Fetch the page of a source, at an editor's wish."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from reviews.views.sources import source_of
from sources.actions import ActionRefused
from sources.actions.fetching import start_fetch
from sources.idempotency import form_key, once
from sources.pages import project_for, signed_in


@require_POST
def source_fetch(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Queue a fetch; with ``again`` of a new version. The page shows how it goes."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    source = source_of(project, pk)
    again = request.POST.get("again") == "1"

    def do() -> dict[str, Any]:
        return {"job": start_fetch(project=project, url=source.url, by=by, again=again).pk}

    try:
        once(key=form_key(request), by=by, action="fetch", do=do)
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    return HttpResponseRedirect(f"{reverse('source', args=[slug, pk])}#snapshots-head")
