"""Pages of imports: the upload, the steps of one import, the list of all."""

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from reviews.exchange.record_files import DIALECTS as RECORD_DIALECTS
from reviews.exchange.report import spoken
from reviews.forms.imports import DecideForm, MappingForm, SavedMappingForm
from reviews.importing import undo as import_undo
from reviews.importing.batches import SHOWN_ERRORS, all_errors
from reviews.models import Claim
from reviews.screens.import_steps import (
    ENCODINGS,
    batch_url,
    current_step,
    is_under_way,
    open_steps,
    steps_of,
    twin_of,
)
from reviews.screens.job_progress import show
from sources.models import ImportBatch, ImportMapping, Job, Project
from sources.pages import project_for

PAGE = 50
OBSTACLES_SHOWN = 20
FILES_SHOWN = 200

type Values = dict[str, Any]


@require_safe
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List the imports of a project, with the jobs that are under way or failed."""
    project = project_for(request, slug, "import")
    given = request.GET.get("before", "")
    rows = project.batches.select_related("by")
    if given.isascii() and given.isdigit() and len(given) < 16:
        rows = rows.filter(pk__lt=int(given))
    found = list(rows[: PAGE + 1])
    jobs = Job.objects.filter(project=project).select_related("created_by")
    now = timezone.now()
    going = jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])[:PAGE]
    values = {
        "project": project,
        "batches": found[:PAGE],
        "next_before": found[PAGE - 1].pk if len(found) > PAGE else None,
        "first_page": not given,
        "jobs": [show(job, now, in_list=True) for job in going],
        "failed": _failed(project),
    }
    return render(request, "reviews/import_list.html", values)


def _failed(project: Project) -> list[Job]:
    """Give the latest failed jobs that nobody has started again."""
    failed = list(project.jobs.filter(state=Job.State.FAILED)[:10])
    again = project.jobs.filter(args__retry_of__in=[job.pk for job in failed])
    retried = {job.args["retry_of"] for job in again}
    return [job for job in failed if job.pk not in retried]


def begin(request: HttpRequest, slug: str, key: uuid.UUID) -> ImportBatch:
    """Give an import with its project, if the user may import there."""
    project = project_for(request, slug, "import")
    rows = project.batches.select_related("by", "check_job", "import_job")
    batch = get_object_or_404(rows, key=key)
    batch.project = project
    return batch


def page_values(batch: ImportBatch, here: str) -> Values:
    """Give what every step shows: the file, the row of steps, a twin of the file."""
    encoding = ENCODINGS.get(batch.options.get("encoding", ""), "")
    return {
        "project": batch.project,
        "batch": batch,
        "report": spoken(batch.report, get_language() or "en"),
        "steps": steps_of(batch, here),
        "here": here,
        "encoding": encoding,
        "twin": twin_of(batch) if batch.state != ImportBatch.State.IMPORTED else None,
        "key": uuid.uuid4().hex,
    }


@require_safe
def import_page(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
    """Show the step that an import is at. This address stays."""
    batch = begin(request, slug, key)
    return _PAGES[current_step(batch)](request, batch)


def step_page(name: str) -> Callable[..., HttpResponseBase]:
    """Give the view of one step; it leads to the step that is open where this one is not."""

    @require_safe
    def page(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
        batch = begin(request, slug, key)
        if name not in open_steps(batch):
            return redirect(batch_url(batch))
        return _PAGES[name](request, batch)

    return page


# --- Each step --------------------------------------------------------------------------------


def recognise(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    """Show what the upload is, or a mapping to look at."""
    return render(request, "reviews/import_recognise.html", recognise_values(batch))


def recognise_values(
    batch: ImportBatch, form: MappingForm | None = None, saved: SavedMappingForm | None = None
) -> Values:
    """Give what the step shows; the forms where a mapping is needed or was used."""
    report, values = batch.report, page_values(batch, "recognise")
    given = batch.mapping or report.get("proposal")
    samples = report.get("samples") or {"lists": [], "fields": {}}
    if given is None and form is None and not samples["lists"]:
        return values | {"form": None, "files": _files(report)}
    by_hand = given is None and form is None
    project = batch.project
    form = form or MappingForm(project=project, given=given)
    has_saved = ImportMapping.objects.usable_in(project).exists()
    return values | {
        "form": form,
        "by_hand": by_hand,
        "saved": saved or (SavedMappingForm(project=project) if has_saved else None),
        "groups": list(form.rows(samples)),
        "lists": samples["lists"],
        "keys": _keys_of(samples["lists"], str(form["records"].value() or "")),
        "known": {each["records"]: dict(each["keys"]) for each in samples["lists"]},
        "files": _files(report),
    }


def _keys_of(lists: list[Values], records: str) -> list[str]:
    chosen = [each for each in lists if each["records"] == records] or lists
    return list(dict.fromkeys(key for each in chosen for key, _examples in each["keys"]))


def _files(report: Values) -> list[tuple[str, Values]]:
    return list((report.get("files") or {}).items())[:FILES_SHOWN]


def check(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    """Show the dry run: under way, failed, or what it found."""
    job = batch.check_job
    if batch.state == ImportBatch.State.UPLOADED or is_under_way(job):
        return _job(request, batch, job, "check")
    report = batch.report
    chosen = request.GET.get("rule", "")[:80]
    values = page_values(batch, "check") | {
        "kinds": _kinds(report),
        "chosen": chosen,
        "counts": _counts(report),
        "totals": {name: sum(report.get(name, {}).values()) for name in _MAPS},
        "warnings": sum(report.get("facts", {}).get("notices", {}).values()),
        "notices": _by_rule(spoken(report, get_language() or "en")["notices"], report),
    }
    values["errors"], values["errors_cut"] = _shown_errors(report, chosen)
    return render(request, "reviews/import_check.html", values)


_MAPS = ("created", "changed", "unchanged", "skipped")


def _counts(report: Values) -> list[tuple[str, list[int]]]:
    """Give (record kind, counts in the order of the four maps)."""
    kinds = dict.fromkeys(kind for name in _MAPS for kind in report.get(name, {}))
    return [(kind, [report.get(name, {}).get(kind, 0) for name in _MAPS]) for kind in kinds]


def _kinds(report: Values) -> list[tuple[str, int]]:
    """Give (rule, errors of it), the most frequent first."""
    known = report.get("facts", {}).get("errors")
    if known is None:
        known = Counter(error["rule"] for error in report.get("errors", ()))
    return sorted(known.items(), key=lambda each: (-each[1], each[0]))


def _shown_errors(report: Values, rule: str) -> tuple[list[Values], bool]:
    errors = report.get("errors", [])
    if rule:
        errors = [error for error in all_errors(report) if error["rule"] == rule]
    cut = len(errors) > SHOWN_ERRORS or (not rule and report.get("error_count", 0) > len(errors))
    shown = spoken({"errors": errors[:SHOWN_ERRORS]}, get_language() or "en")["errors"]
    return shown, cut


def _by_rule(notices: list[Values], report: Values) -> list[tuple[str, int, list[Values]]]:
    """Give (rule, how often, those that are listed) of the notices."""
    counted = report.get("facts", {}).get("notices", {})
    groups: dict[str, list[Values]] = {}
    for notice in notices:
        groups.setdefault(notice["rule"], []).append(notice)
    more = groups.pop("MORE_OF_THIS", [])
    rows = [(rule, counted.get(rule, len(rows)), rows) for rule, rows in groups.items()]
    if more and not counted:
        rows.append(("", len(more), more))
    return sorted(rows, key=lambda each: -each[1])


def decide(
    request: HttpRequest, batch: ImportBatch, form: DecideForm | None = None
) -> HttpResponse:
    """Ask what to import."""
    values = page_values(batch, "decide") | {
        "form": form or decide_form(batch),
        "error_count": _error_count(batch),
        "totals": {name: sum(batch.report.get(name, {}).values()) for name in _MAPS},
    }
    status = 422 if form is not None else 200
    return render(request, "reviews/import_decide.html", values, status=status)


def decide_form(batch: ImportBatch, data: Any = None) -> DecideForm:
    """Give the form for what the dry run found."""
    report, of_records = batch.report, batch.dialect in RECORD_DIALECTS
    created, changed = (sum(report.get(name, {}).values()) for name in ("created", "changed"))
    return DecideForm(
        data,
        errors=_error_count(batch),
        records=created + changed,
        changed=changed if of_records else report.get("changed", {}).get("claims", 0),
        stale=report.get("facts", {}).get("stale", 0),
        of_claims=not of_records,
    )


def _error_count(batch: ImportBatch) -> int:
    return int(batch.report.get("error_count", len(batch.report.get("errors", ()))))


def running(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    """Show the import under way, or why it stopped."""
    return _job(request, batch, batch.import_job, "import")


def _job(request: HttpRequest, batch: ImportBatch, job: Job | None, here: str) -> HttpResponse:
    shown = show(job, timezone.now()) if job is not None else None
    values = page_values(batch, here) | {"shown": shown, "job": job}
    return render(request, "reviews/import_job.html", values)


def result(request: HttpRequest, batch: ImportBatch) -> HttpResponse:
    """Show what came of an import."""
    return render(request, "reviews/import_result.html", result_values(batch))


def result_values(batch: ImportBatch) -> Values:
    """Give what the permanent page of a finished import shows."""
    report, values = batch.report, page_values(batch, "result")
    imported = batch.state == ImportBatch.State.IMPORTED
    found = import_undo.obstacles(batch) if imported else []
    claims = Claim.objects.filter(project=batch.project_id, current=True)
    same = ImportBatch.objects.filter(project=batch.project_id, pk=report.get("same_as") or 0)
    job = batch.import_job
    return values | {
        "imported": imported,
        "declined_by": batch.options.get("declined_by", ""),
        "same": None if imported else same.select_related("project", "by").first(),
        "counts": _counts(report),
        "kinds": _kinds(report),
        "notices": _by_rule(values["report"]["notices"], report),
        "unchecked": claims.filter(checked_at=None).count() if imported else 0,
        "to_review": claims.count() if imported else 0,
        "job": job,
        "job_stopped": job is not None and job.state in {Job.State.FAILED, Job.State.CANCELLED},
        "job_going": is_under_way(job),
        "obstacles": found[:OBSTACLES_SHOWN],
        "batch_query": f"?q=import:{batch.pk}",
        "of_records": batch.dialect in RECORD_DIALECTS,
        "obstacles_more": max(0, len(found) - OBSTACLES_SHOWN),
    }


_PAGES: dict[str, Callable[[HttpRequest, ImportBatch], HttpResponseBase]] = {
    "recognise": recognise,
    "check": check,
    "decide": decide,
    "import": running,
    "result": result,
}


@require_safe
def errors_file(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
    """Give every error as JSONL, with its messages in both languages."""
    batch = begin(request, slug, key)
    response = StreamingHttpResponse(
        _lines(batch.report), content_type="application/x-ndjson; charset=utf-8"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="errors-{batch.pk}.jsonl"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _lines(report: Values) -> Iterator[bytes]:
    for error in all_errors(report):
        yield json.dumps(error, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def fragment(response: HttpResponse) -> HttpResponse:
    """Mark an answer as one that differs for htmx."""
    patch_vary_headers(response, ("HX-Request",))
    return response
