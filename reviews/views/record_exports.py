"""The page that gives sources, receipts and rejections as files, with the last exports."""

import tempfile
from pathlib import Path
from typing import IO, Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from reviews.reporting.record_exports import (
    FOLDER,
    LINES,
    REFERENCES,
    file_name,
    note_export,
    references,
    write_folder,
    write_records,
)
from search.models import Receipt
from sources.importing.loading import exported_sources, left_out
from sources.models import AuditEvent, ImportBatch, Project, Rejection
from sources.pages import project_for, signed_in
from workbench.lib.archives import write_zip

LAST = 10  # exports and imports that are listed
_TYPES = {"ris": "application/x-research-info-systems", "bibtex": "application/x-bibtex"}
_ENDINGS = {"ris": "ris", "bibtex": "bib"}


@require_safe
def record_exports(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what can be exported, and what was brought in and out last."""
    project = project_for(request, slug, "export")
    counts = {
        "sources": exported_sources(project).count(),
        "search_log": Receipt.objects.filter(project=project).count(),
        "rejected_sources": Rejection.objects.filter(project=project).count(),
    }
    told = AuditEvent.objects.filter(project=project, action="export.records")
    imports = ImportBatch.objects.filter(
        project=project, dialect__in=[*LINES, *REFERENCES, FOLDER]
    ).select_related("by", "project")
    values = {
        "project": project,
        "counts": counts,
        "left_out": left_out(project),
        "exports": told.order_by("-pk")[:LAST],
        "imports": imports[:LAST],
    }
    return render(request, "reviews/record_exports.html", values)


@require_POST
def record_export(request: HttpRequest, slug: str, records: str) -> HttpResponseBase:
    """Give a file, and note that it was given."""
    project, user = project_for(request, slug, "export"), signed_in(request)
    if records not in {*LINES, *REFERENCES, FOLDER}:
        raise Http404
    held: IO[bytes] = tempfile.TemporaryFile(prefix="export-")  # noqa: SIM115  the answer ends it
    counts = _write(project, records, held)
    note_export(project, counts, by=user)
    held.seek(0)
    name, content_type = _told(project, records)
    answer = FileResponse(held, as_attachment=True, filename=name, content_type=content_type)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer


def _write(project: Project, kind: str, target: IO[bytes]) -> dict[str, int]:
    if kind in LINES:
        return {kind: write_records(project, kind, target)}
    if kind in REFERENCES:
        text, count = references(project, kind)
        target.write(text.encode())
        return {kind: count}
    with tempfile.TemporaryDirectory(prefix="phase2-") as name:
        folder, packed = Path(name) / FOLDER, Path(name) / "phase2.zip"
        counts = write_folder(project, folder)
        entries: Any = ((f"{FOLDER}/{file_name(each)}", folder / file_name(each)) for each in LINES)
        write_zip(packed, entries)
        target.write(packed.read_bytes())
    return counts


def _told(project: Project, kind: str) -> tuple[str, str]:
    """Give the name and the type of a file."""
    if kind in REFERENCES:
        return f"{project.slug}-sources.{_ENDINGS[kind]}", _TYPES[kind]
    if kind == FOLDER:
        return f"{project.slug}-{FOLDER}.zip", "application/zip"
    return file_name(kind), "application/x-ndjson"
