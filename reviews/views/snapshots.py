"""Read a snapshot: its page, windows of its text, search in it, its bytes, its claims."""

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from reviews.forms.audit import number
from reviews.marking import Mark
from reviews.models import Assessment, Evidence
from reviews.screens.desk_rows import ReadingClaim, reading_claims, sealed_for
from reviews.screens.reader import Reader, chunk_of, open_reader, open_text, search, window_of
from reviews.views.audit import HASH
from sources.models import Project, Snapshot, User
from sources.pages import project_for, signed_in
from sources.texts import blobs
from workbench.lib.blobs import BlobError

PAGE = "reviews/snapshot.html"
READING = "reviews/source_reading.html"
MAX_WANTED = 300  # characters of a text to find


def snapshot_at(project: Project, prefix: str) -> Snapshot:
    """Give the snapshot whose content hash begins so. Raises Http404."""
    if len(prefix) < HASH or not prefix.isalnum():
        raise Http404
    found = project.snapshots.filter(content_hash__startswith=prefix[:64]).first()
    if found is None:
        raise Http404
    return found


def _span(request: HttpRequest, characters: int) -> tuple[int, int] | None:
    first, _dash, last = request.GET.get("at", "").partition("-")
    start, end = number({"n": first}, "n"), number({"n": last}, "n")
    if start is None or end is None or not start < end <= characters:
        return None
    return start, end


def _reader(request: HttpRequest, project: Project, snapshot: Snapshot, user: User) -> Reader:
    """Open the snapshot with the marks of the evidence or of the claims that ask for it."""
    pk = number(request.GET, "ev")
    if pk is not None:
        rows = Evidence.objects.select_related("claim", "source", "snapshot")
        evidence = get_object_or_404(rows, pk=pk, claim__project=project)
        mine = Assessment.objects.filter(evidence=evidence, reviewer=user).first()
        given = evidence.claim.verdicts.filter(reviewer=user).first()
        return open_reader(
            project,
            evidence,
            mine,
            claim_text=evidence.claim.text,
            version=snapshot,
            sealed=sealed_for(project, evidence.claim, given),
        )
    if "reading" in request.GET:
        return open_text(
            project, snapshot, marks=_passages(reading_claims(project, snapshot, user))
        )
    return open_text(project, snapshot, at=_span(request, snapshot.characters))


@require_safe
def snapshot_page(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Show a snapshot by itself, at ``?at=start-end`` if given."""
    project = project_for(request, slug)
    snapshot = snapshot_at(project, prefix)
    reader = open_text(project, snapshot, at=_span(request, snapshot.characters))
    return render(request, PAGE, {"project": project, "snapshot": snapshot, "reader": reader})


@require_safe
def snapshot_find(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Show the window around a hit of ``?find=``, the ``n``-th; around ``at`` without one."""
    project, user = project_for(request, slug), signed_in(request)
    snapshot = snapshot_at(project, prefix)
    reader = _reader(request, project, snapshot, user)
    values = {"project": project, "reader": reader}
    if reader.window is not None:
        found = search(
            snapshot,
            request.GET.get("find", "")[:MAX_WANTED],
            number(request.GET, "n") or 1,
        )
        centre = found.spans[found.number - 1] if found.spans else _span(request, len(reader.text))
        if centre is not None:
            reader.window = window_of(reader.text, [*reader.marks, *found.marks], centre)
        values["found"] = found
    return render(request, "reviews/_reader_text.html", values)


@require_safe
def snapshot_chunk(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Show the text that follows ``?from=``, or that comes before ``?until=``."""
    project, user = project_for(request, slug), signed_in(request)
    snapshot = snapshot_at(project, prefix)
    reader = _reader(request, project, snapshot, user)
    until = number(request.GET, "until")
    found = search(snapshot, request.GET.get("find", "")[:MAX_WANTED], 1)
    marks = [*reader.marks, *(mark for mark in found.marks if mark.kind == "find")]
    window = chunk_of(reader.text, marks, start=number(request.GET, "from") or 0, end=until)
    values = {
        "project": project,
        "reader": reader,
        "window": window,
        "up": until is not None,
        "found": found,
    }
    return render(request, "reviews/_reader_chunk.html", values)


@require_safe
def snapshot_bytes(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Give the bytes of a snapshot as a download that no browser opens."""
    project = project_for(request, slug)
    snapshot = snapshot_at(project, prefix)
    try:
        data = blobs().get(snapshot.content_hash)
    except BlobError as fault:
        return render(request, PAGE, _broken(project, snapshot, fault), status=404)
    name = f"{snapshot.content_hash[:HASH]}.md"
    return HttpResponse(
        data,
        content_type="application/octet-stream",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )


def _broken(project: Project, snapshot: Snapshot, fault: BlobError) -> dict[str, object]:
    reader = Reader(snapshot=snapshot, unreadable=str(fault))
    return {"project": project, "snapshot": snapshot, "reader": reader}


@require_safe
def source_reading(request: HttpRequest, slug: str, prefix: str) -> HttpResponse:
    """Show a snapshot with every claim that cites it, in the order of its text."""
    project, user = project_for(request, slug), signed_in(request)
    snapshot = snapshot_at(project, prefix)
    claims = reading_claims(project, snapshot, user)
    values = {
        "project": project,
        "snapshot": snapshot,
        "reader": open_text(project, snapshot, marks=_passages(claims)),
        "claims": claims,
        "done": sum(each.done for each in claims),
        "reading": True,
        "form_key": uuid4().hex,
        "source": next((row.evidence.source for each in claims for row in each.rows), None),
    }
    return render(request, READING, values)


def _passages(claims: list[ReadingClaim]) -> list[Mark]:
    marks = []
    for each in claims:
        for row in each.rows:
            mine, item = row.mine, row.evidence
            start, end = item.start, item.end
            if mine and mine.start is not None:
                start, end = mine.start, mine.end
            if start is not None and end is not None:
                marks.append(Mark(start, end, "passage", each.claim.external_id))
    return marks
