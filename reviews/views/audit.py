"""The claim audit screen: a claim, its evidence, the source beside it."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from reviews.forms.audit import number, stored
from reviews.models import Claim, Evidence, Snooze, Verdict
from reviews.screens.desk import Desk, also_on, open_desk
from reviews.screens.desk_findings import BLANK
from reviews.screens.desk_rows import evidence_rows, sealed_for
from reviews.screens.ordering import known
from reviews.screens.queues import next_open
from reviews.screens.reader import open_reader, text_of
from reviews.screens.walking import Place, enter, first_in, look_around
from sources.models import Project, Snapshot, User
from sources.pages import project_for, signed_in
from sources.quotes import LOCATED, SnapshotIndex, locate
from workbench.lib.blobs import BlobError
from workbench.lib.querylang import QueryError

SCREEN = "reviews/claim_audit.html"
ELSEWHERE = 20  # other versions in which a quote is looked for
HASH = 12  # characters of a content hash in an address


@require_safe
@vary_on_headers("HX-Request")
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one claim of a queue; its screen alone where htmx asks.

    With ``on`` it is the next open one after ``at``: 204 to htmx where there is none.
    """
    project, user = project_for(request, slug), signed_in(request)
    place = place_of(project, request.GET)
    claim = _claim_at(project, user, request.GET.get("at", ""))
    try:
        cursor = enter(place, user, claim.pk if claim else None)
    except QueryError as fault:
        return _nothing(request, place, fault.render(get_language() or "en"), status=422)
    if claim is None and (first := first_in(cursor)) is not None:
        claim = _with_parts(project, user).get(pk=first)
    if claim is None:
        return _nothing(request, place)
    if "on" in request.GET:
        waiting = next_open(cursor, claim.pk)
        if waiting is None and request.htmx:  # type: ignore[attr-defined]
            return HttpResponse(status=204)
        claim = _with_parts(project, user).get(pk=waiting.pk) if waiting else claim
    desk = open_desk(
        project,
        claim,
        user,
        position=number(request.GET, "e") or 0,
        version=_version(project, request.GET.get("v", "")),
    )
    look_around(place, cursor, claim)
    template = f"{SCREEN}#desk" if request.htmx else SCREEN  # type: ignore[attr-defined]
    return render(request, template, screen_values(desk, place))


def _nothing(
    request: HttpRequest, place: Place, error: str = "", status: int = 200
) -> HttpResponse:
    values = {"project": place.project, "place": place, "error": error}
    return render(request, "reviews/claim_audit_empty.html", values, status=status)


def place_of(project: Project, given: QueryDict) -> Place:
    """Give the queue that an address names, its place not yet looked up."""
    return Place(
        project,
        query=given.get("q", "")[:2000],
        sort=known(given.get("sort", "")[:20]),
        cursor=given.get("cur", "")[:16],
    )


def screen_values(desk: Desk, place: Place) -> dict[str, Any]:
    """Give the templates of the audit screen what they read."""
    focused = desk.focused
    held = [item.mine for item in desk.palette if item.mine]
    return {
        "here": place.address(desk.claim.external_id, focused.evidence.position if focused else 0),
        "form_key": uuid4().hex,
        "blank_defect": BLANK,
        "was_json": json.dumps(stored(desk.verdict, held), ensure_ascii=False),
        "drafts_json": json.dumps(desk.drafts, ensure_ascii=False) if desk.drafts else "",
        "tomorrow": timezone.localdate() + timedelta(days=1),
        "project": desk.project,
        "claim": desk.claim,
        "desk": desk,
        "reader": desk.reader,
        "also": desk.also,
        "place": place,
        "decisions": Verdict.Decision,
    }


def _claim_at(project: Project, user: User, wanted: str) -> Claim | None:
    if not wanted:
        return None
    if "\x00" in wanted:
        raise Http404
    return get_object_or_404(_with_parts(project, user), external_id=wanted[:300])


def _with_parts(project: Project, user: User) -> QuerySet[Claim]:
    """Give claims with what their head shows; ``put_off`` is the day a reviewer chose."""
    own = Snooze.objects.filter(claim=OuterRef("pk"), reviewer=user)
    claims = Claim.objects.filter(project=project).select_related("dimension", "key_question")
    return claims.annotate(put_off=Subquery(own.values("until")[:1]))


def _version(project: Project, prefix: str) -> Snapshot | None:
    if len(prefix) < HASH or not prefix.isalnum():
        return None
    return project.snapshots.filter(content_hash__startswith=prefix[:64]).first()


def _evidence(project: Project, pk: int) -> Evidence:
    rows = Evidence.objects.select_related("claim", "source", "snapshot")
    return get_object_or_404(rows, pk=pk, claim__project=project, current=True)


@require_safe
def evidence_reader(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the source of one piece of evidence, in the version asked for."""
    project, user = project_for(request, slug), signed_in(request)
    evidence = _evidence(project, pk)
    evidence.claim.project = project
    mine = evidence.claim.verdicts.filter(reviewer=user).first()
    sealed = sealed_for(project, evidence.claim, mine)
    rows = evidence_rows(evidence.claim, user, position=evidence.position, sealed=sealed)
    focused = next(row for row in rows if row.focused)
    reader = open_reader(
        project,
        focused.evidence,
        focused.mine,
        claim_text=evidence.claim.text,
        version=_version(project, request.GET.get("v", "")),
        sealed=sealed,
    )
    values = {
        "project": project,
        "claim": evidence.claim,
        "reader": reader,
        "row": focused,
        "also": also_on(evidence.claim, focused.evidence),
    }
    return render(request, f"{SCREEN}#reader", values)


@require_safe
def evidence_elsewhere(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Look for a quote in the other stored versions of its address."""
    project = project_for(request, slug)
    evidence = _evidence(project, pk)
    shown = evidence.snapshot
    address = shown.normalized_url if shown else ""
    if not address and evidence.source:
        address = evidence.source.normalized_url
    kept = Snapshot.objects.versions_of(project, address) if address else []
    others = [
        (place, snapshot)
        for place, snapshot in enumerate(kept, start=1)
        if shown is None or snapshot.pk != shown.pk
    ]
    # Each is read and searched: the latest few are what anybody waits for.
    found = [(place, each, _grade_in(each, evidence)) for place, each in others[-ELSEWHERE:]]
    values = {"project": project, "evidence": evidence, "found": found, "located": LOCATED}
    return render(request, f"{SCREEN}#elsewhere", values)


def _grade_in(snapshot: Snapshot, evidence: Evidence) -> str:
    if not evidence.snippet.strip():
        return Evidence.Grade.NOT_CHECKABLE
    try:
        index = SnapshotIndex(text_of(snapshot.content_hash))
    except BlobError:
        return Evidence.Grade.NOT_CHECKABLE
    return locate(index, evidence.snippet, claim=evidence.claim.text).grade
