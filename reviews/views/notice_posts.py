"""What an editor does about notices of a source: accept one, take that back, ask anew."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from reviews.views.sources import source_of
from sources.actions import ActionRefused
from sources.actions.retractions import (
    acknowledge_notice,
    check_source,
    take_back_acknowledgement,
)
from sources.idempotency import form_key, once
from sources.models import NoticeAcknowledgement, RetractionRecord, User
from sources.pages import project_for, signed_in


@require_POST
def notice_acknowledge(request: HttpRequest, slug: str, pk: int, notice_pk: int) -> HttpResponse:
    """Say why a source may stay although a notice stands."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    source = source_of(project, pk)
    notice = get_object_or_404(RetractionRecord, pk=notice_pk)

    def do() -> dict[str, Any]:
        made = acknowledge_notice(source=source, notice=notice, reason=_reason(request), by=by)
        return {"acknowledgement": made.pk}

    _tried(request, by, do, _("The notice was acknowledged for this source."))
    return _to_source(slug, pk)


@require_POST
def acknowledgement_end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an acknowledgement back, with a reason."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    rows = NoticeAcknowledgement.objects.select_related("source__project", "notice")
    held = get_object_or_404(rows, pk=pk, source__project=project)

    def do() -> dict[str, Any]:
        take_back_acknowledgement(acknowledgement=held, reason=_reason(request), by=by)
        return {}

    _tried(request, by, do, _("The acknowledgement was taken back; the notice counts again."))
    return _to_source(slug, held.source_id)


@require_POST
def source_check(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask all providers about one source now."""
    project, by = project_for(request, slug, "edit_sources"), signed_in(request)
    source = source_of(project, pk)

    def do() -> dict[str, Any]:
        return {"job": check_source(source=source, by=by).pk}

    _tried(request, by, do, _("The providers are asked about it in the background."))
    return _to_source(slug, pk)


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")[:2000].replace("\x00", "")


def _tried(request: HttpRequest, by: User, do: Callable[[], dict[str, Any]], done: str) -> None:
    """Do it once for each form that was shown, and say so; or say why it was not done."""
    try:
        once(key=form_key(request), by=by, action="notice", do=do)
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    else:
        messages.success(request, done)


def _to_source(slug: str, pk: int) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('source', args=[slug, pk])}#retraction-head")
