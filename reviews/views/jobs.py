"""Pages of background jobs: how far, why it failed, stop it, try again."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from reviews.actions import ActionRefused, NotAllowed, imports
from reviews.screens.job_listing import STATES, jobs_page, words_of_states
from reviews.screens.job_progress import show
from reviews.views.imports import fragment
from sources.models import ImportBatch, Job
from sources.pages import own_path, project_for, signed_in
from sources.permissions import abilities
from workbench.lib.keyset import Turn

STOP_POLLING = 286  # htmx's own status


def _job(request: HttpRequest, pk: int) -> Job:
    jobs = Job.objects.visible_to(signed_in(request)).select_related("project", "created_by")
    return get_object_or_404(jobs, pk=pk)


@require_safe
def job_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List the jobs of a project, the latest first."""
    project = project_for(request, slug)
    state = request.GET.get("state", "all")
    state = state if state in STATES else "all"
    found = jobs_page(project, state, Turn.asked(request.GET), timezone.now())
    words = words_of_states()
    values = {
        "project": project,
        "state": state,
        "found": found,
        "chips": [(each, words[each], found.counts.get(each, 0)) for each in STATES],
        "here": request.get_full_path(),
    }
    return render(request, "reviews/job_list.html", values)


@require_safe
def job_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a job; for htmx its progress alone, until it ends."""
    job = _job(request, pk)
    in_list = request.GET.get("in") == "list"
    shown = show(job, timezone.now(), request.GET.get("since", ""), in_list=in_list)
    values = {"shown": shown, "job": job, "in_list": in_list}
    if request.headers.get("HX-Request") == "true":
        response = render(request, "reviews/job.html#progress", values)
        if job.is_finished:
            response.status_code = STOP_POLLING
            if not in_list:
                response.headers["HX-Refresh"] = "true"
        return fragment(response)
    if job.project is not None:
        job.project.abilities = abilities(signed_in(request), job.project)  # type: ignore[attr-defined]
        values["may_act"] = "import" in job.project.abilities  # type: ignore[attr-defined]
    values["project"], values["batch"] = job.project, _batch_of(job)
    values["again"] = _again(job)
    return fragment(render(request, "reviews/job.html", values))


def _batch_of(job: Job) -> ImportBatch | None:
    number = job.args.get("batch")
    if not isinstance(number, int) or job.project is None:
        return None
    return ImportBatch.objects.filter(project=job.project, pk=number).first()


def _again(job: Job) -> Job | None:
    """Give the job that was started in place of this one."""
    return Job.objects.filter(project=job.project, args__retry_of=job.pk).first()


@require_POST
def job_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a job to stop."""
    job = _job(request, pk)
    try:
        job = imports.cancel(job=job, by=signed_in(request))
    except NotAllowed as refused:
        raise PermissionDenied(refused.message) from None
    if job.state == Job.State.CANCELLED:
        messages.info(request, _("The job was cancelled before it began."))
    elif not job.is_finished:
        messages.info(request, _("The job will stop at its next step."))
    return _back(request, job)


@require_POST
def job_retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a failed or cancelled job again."""
    job = _job(request, pk)
    try:
        job = imports.retry(job=job, by=signed_in(request))
    except NotAllowed as refused:
        raise PermissionDenied(refused.message) from None
    except ActionRefused as refused:
        messages.error(request, refused.message)
    return _back(request, job)


def _back(request: HttpRequest, job: Job) -> HttpResponse:
    if wanted := own_path(request.POST.get("next", "")):
        return HttpResponseRedirect(wanted)
    batch = _batch_of(job)
    if batch is not None and job.project is not None:
        return redirect("batch", job.project.slug, batch.key)
    return redirect(reverse("job", args=[job.pk]))
