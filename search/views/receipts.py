"""Receipts: what was searched, each with its calls and results, and the way to search it again."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from search.actions.replaying import replay_receipt
from search.models import Receipt
from search.screens import receipts as screens
from sources.actions.errors import ActionRefused
from sources.pages import project_for, signed_in
from workbench.lib.keyset import Turn


@require_safe
def receipts(request: HttpRequest, slug: str) -> HttpResponse:
    """List receipts, the latest first, and the searches that are under way."""
    project = project_for(request, slug)
    wanted = screens.Filters.of(request.GET)
    found = screens.receipts_page(project, wanted, Turn.asked(request.GET))
    values = {
        "project": project,
        "wanted": wanted,
        "found": found,
        "asked": wanted.asked(),
        "chips": [
            (status, wanted.asked(status=status), found.counts.get(status, 0))
            for status in screens.STATUSES
        ],
        "status_words": screens.words_of_statuses(),
        "rounds": screens.ROUNDS[:-1],
        "runs": screens.runs_of(project, wanted),
        "done": screens.run_done(project, wanted),
    }
    return render(request, "search/receipts.html", values)


@require_safe
def receipt(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show one receipt with all that it holds."""
    project = project_for(request, slug)
    rows = Receipt.objects.select_related("by", "dimension", "replay_of", "job")
    row = get_object_or_404(rows, pk=pk, project=project)
    row.project = project
    shown = screens.shown(row, Turn.asked(request.GET), get_language() or "en")
    return render(request, "search/receipt.html", {"project": project, "shown": shown, "row": row})


@require_POST
def receipt_replay(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Search once more what a receipt searched."""
    project, by = project_for(request, slug, "search"), signed_in(request)
    row = get_object_or_404(Receipt, pk=pk, project=project)
    try:
        job = replay_receipt(receipt=row, by=by)
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
        return HttpResponseRedirect(reverse("receipt", args=[project.slug, row.pk]))
    return HttpResponseRedirect(reverse("receipts", args=[project.slug], query={"job": job.pk}))
