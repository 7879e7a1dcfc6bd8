"""The history of a project and of one claim, told in sentences."""

from dataclasses import asdict
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from reviews.history_words import KINDS
from reviews.models import Claim
from reviews.screens.desk_rows import sealed_for
from reviews.screens.telling import tell
from sources import history
from sources.models import AuditEvent, Project, User
from sources.pages import project_for, signed_in

HISTORY = 60  # events of a claim that are shown


@require_safe
def project_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the audit trail, the latest first, page by page."""
    project = project_for(request, slug)
    user = signed_in(request)
    given = request.GET.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None
    everything = history.sees_judgements(user, project)
    wanted = history.Filters.of(request.GET)
    found = history.events(project, user, before=before, everything=everything, wanted=wanted)
    events = list(found[: history.PAGE + 1])
    shown = events[: history.PAGE]
    values = {
        "project": project,
        "events": shown,
        "told": [tell(event) for event in shown],
        "kinds": KINDS,
        "next_before": shown[-1].number if len(events) > len(shown) else None,
        "first_page": before is None,
        "everything": everything,
        "wanted": wanted,
        "asked": urlencode({name: value for name, value in asdict(wanted).items() if value}),
    }
    return render(request, "reviews/history.html", values)


@require_safe
def claim_history(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show what happened to a claim, the latest first."""
    project, user = project_for(request, slug), signed_in(request)
    claim = get_object_or_404(Claim, pk=pk, project=project)
    own = Q(object_id=claim.external_id) | Q(object_id__startswith=f"{claim.external_id}#")
    events = AuditEvent.objects.filter(own, project=project).select_related("user")
    events = events.order_by("-number")
    mine = claim.verdicts.filter(reviewer=user).first()
    if mine is None or not mine.decision:
        # Nobody sees how others judged before his own verdict.
        judged = {"verdict", "assessment", "defect", "reveal"}
        if sealed_for(project, claim, mine):
            judged.add("finding")
        events = events.exclude(~Q(user=user), object_type__in=judged)
    shown = list(events[:HISTORY])
    values = {
        "project": project,
        "claim": claim,
        "told": [tell(event) for event in shown],
        "undoable": _undoable(project, user, shown),
    }
    return render(request, "reviews/claim_audit.html#history", values)


def _undoable(project: Project, user: User, events: list[AuditEvent]) -> set[str]:
    """Give the requests of the user's own whose changes may be taken back."""
    mine = {
        event.request_id
        for event in events
        if event.user_id == user.pk
        and event.request_id
        and event.new
        and event.object_type != "reveal"
        and event.action != "action.undone"
    }
    done = AuditEvent.objects.filter(
        project=project, action="request.undone", object_id__in=mine
    ).values_list("object_id", flat=True)
    return mine - set(done)
