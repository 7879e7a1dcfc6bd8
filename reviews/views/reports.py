"""The review report: its page, its versions, its signatures, its files."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from reviews.actions import ActionRefused, undo
from reviews.actions.defects import settle_defects
from reviews.actions.reports import build_report, sign_off, start_export
from reviews.models import ReviewReport
from reviews.report.names import FULL, MODES
from reviews.reporting import export_jobs
from reviews.screens.report_reading import CLAIMS_SHOWN, ReportPage
from reviews.views.report_downloads import FORMATS, download
from sources.models import Job, Project
from sources.pages import project_for, signed_in
from workbench.lib.blobs import BlobError

PAGE = "reviews/report.html"


def _number(value: str, default: int) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else default


def _said(request: HttpRequest, name: str, most: int) -> str:
    """Give a posted text without what no database holds."""
    return request.POST.get(name, "").replace("\x00", "")[:most]


def _report(project: Project, number: int) -> ReviewReport:
    return get_object_or_404(ReviewReport, project=project, number=number)


@require_safe
def report_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a version of the report, the latest unless the address names one."""
    project, user = project_for(request, slug), signed_in(request)
    reports = ReviewReport.objects.filter(project=project).order_by("-number")
    number = _number(request.GET.get("v", ""), 0)
    report = _report(project, number) if number else reports.first()
    values: dict[str, Any] = {
        "project": project,
        "versions": list(reports.only("number", "verdict", "built_at", "project")[:20]),
        "modes": MODES,
        **_exports(project),
    }
    if report is None:
        return render(request, "reviews/report_empty.html", values)
    first = max(1, _number(request.GET.get("from", ""), 1))
    first -= (first - 1) % CLAIMS_SHOWN  # claims are read a page at a time
    page = ReportPage(project, report, user, get_language() or "en", first)
    try:
        values["claims"] = page.claims
    except BlobError as fault:
        values["damaged"] = str(fault)
    undoable = request.GET.get("undo", "")[:64]
    values |= {"page": page, "report": report, "undoable": undoable}
    return render(request, PAGE, values)


def _exports(project: Project) -> dict[str, Any]:
    jobs = list(export_jobs.finished(project)[: export_jobs.KEPT])
    rows = [{"job": job, "ready": export_jobs.place_of(job).exists()} for job in jobs]
    return {"exports": rows, "waiting": any(not job.is_finished for job in jobs)}


@require_POST
def report_build(request: HttpRequest, slug: str) -> HttpResponse:
    """Freeze the review as it stands."""
    project, user = project_for(request, slug, "export"), signed_in(request)
    before = set(ReviewReport.objects.filter(project=project).values_list("pk", flat=True))
    report = build_report(project=project, by=user)
    if report.pk in before:
        messages.info(request, _("Nothing changed since version %d.") % report.number)
    else:
        messages.success(request, _("Version %d of the report was built.") % report.number)
    return redirect("report", slug)


def _refusing(request: HttpRequest, do: Callable[[], object], done: str) -> bool:
    """Do it and say so, or say why it was not done."""
    try:
        do()
    except ActionRefused as refused:
        messages.error(request, refused.message)
        return False
    messages.success(request, done)
    return True


@require_POST
def report_sign(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Sign a version as lead or editor."""
    project, user = project_for(request, slug, "export"), signed_in(request)
    report = _report(project, number)
    role, note = _said(request, "role", 20), _said(request, "note", 2000)
    _refusing(
        request,
        lambda: sign_off(report=report, role=role, note=note, by=user),
        _("Version %d was signed.") % number,
    )
    return redirect(f"{reverse('report', args=[slug])}?v={number}")


@require_POST
def report_defect(request: HttpRequest, slug: str) -> HttpResponse:
    """Resolve, reject or reopen a defect."""
    project, user = project_for(request, slug, "review"), signed_in(request)
    state, reason = _said(request, "state", 20), _said(request, "reason", 2000)
    versions = _versions(request.POST.get("versions", ""))
    rows = ngettext("%d defect was changed.", "%d defects were changed.", len(versions))
    done = _refusing(
        request,
        lambda: settle_defects(
            project=project, versions=versions, state=state, reason=reason, by=user
        ),
        rows % len(versions),
    )
    number = _number(request.POST.get("v", ""), 0)
    undoable = f"&undo={getattr(request, 'request_id', '')}" if done else ""
    return redirect(f"{reverse('report', args=[slug])}?v={number}{undoable}#defects")


def _versions(given: str) -> dict[int, int]:
    """Read ``pk:version,…``; what is no number is left out, and then the action refuses."""
    found = {}
    for pair in given.split(",")[:100]:
        pk, _colon, version = pair.partition(":")
        if _number(pk, 0) and _number(version, 0):
            found[_number(pk, 0)] = _number(version, 0)
    return found


@require_POST
def report_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back what one request changed."""
    project, user = project_for(request, slug, "review"), signed_in(request)
    wanted = _said(request, "request", 64)
    _refusing(
        request, lambda: undo(project=project, request_id=wanted, by=user), _("It was undone.")
    )
    number = _number(request.POST.get("v", ""), 0)
    return redirect(f"{reverse('report', args=[slug])}?v={number}#defects")


@require_safe
def report_download(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponseBase:
    """Give a version as a file, with names in full, as initials or as pseudonyms."""
    project, user = project_for(request, slug), signed_in(request)
    report = _report(project, number)
    if not ReportPage(project, report, user, "en").everything:
        raise Http404
    names = request.GET.get("names", FULL)
    if kind not in FORMATS or names not in MODES:
        raise Http404
    try:
        return download(report, kind, names)
    except BlobError as fault:
        messages.error(request, fault.render(get_language() or "en"))
        return redirect(f"{reverse('report', args=[slug])}?v={number}")


@require_POST
def export_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a zip of the project."""
    project, user = project_for(request, slug, "export"), signed_in(request)
    names = request.POST.get("names", FULL)
    _refusing(
        request,
        lambda: start_export(project=project, names=names, by=user),
        _("The export is being made; it appears on this page."),
    )
    return redirect(f"{reverse('report', args=[slug])}#exports")


@require_safe
def export_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the list of exports for a page that waits; 286 tells htmx to stop asking."""
    project = project_for(request, slug, "export")
    values = {"project": project, "modes": MODES, **_exports(project)}
    status = 200 if values["waiting"] else 286
    return render(request, "reviews/_report_exports.html", values, status=status)


@require_safe
def export_download(request: HttpRequest, slug: str, pk: int) -> FileResponse:
    """Give a finished zip."""
    project = project_for(request, slug, "export")
    job = get_object_or_404(
        Job, pk=pk, project=project, kind=export_jobs.KIND, state=Job.State.DONE
    )
    place = export_jobs.place_of(job)
    if not place.exists():
        raise Http404
    return FileResponse(place.open("rb"), as_attachment=True, filename=f"{project.slug}.zip")
