"""What a person changes about a source: overrides, signatures, findings, the conflict form."""

from collections.abc import Callable
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from reviews.blast_radius import Radius, radius_of
from reviews.forms.sources import ConflictForm, OverrideForm
from reviews.views.sources import source_of
from sources.actions import ActionRefused
from sources.actions.commenting import comment_source
from sources.actions.declaring import declare_conflict
from sources.actions.overriding import (
    end_override,
    keep_override,
    override_source,
    refuse_override,
    sign_override,
)
from sources.actions.source_findings import decide_finding
from sources.idempotency import form_key, once
from sources.models import Override, Source, SourceFinding, User
from sources.pages import project_for, signed_in

OVERRIDE = "reviews/source_override.html"
CONFLICT = "reviews/source_conflict.html"


def _to(source: Source, part: str = "") -> HttpResponseRedirect:
    to = redirect("source", source.project.slug, source.pk)
    if part:
        to.headers["Location"] += f"#{part}"
    return HttpResponseRedirect(to.headers["Location"])


def _number(text: str) -> int:
    """Read a version of a form; what is none matches no row."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


@require_http_methods(["GET", "HEAD", "POST"])
def source_override(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask for an override, show what it would change, then save it."""
    project, by = project_for(request, slug, "override"), signed_in(request)
    source = source_of(project, pk)
    asked = request.POST or None
    initial = {"field": request.GET.get("field", "")}
    form = OverrideForm(asked, source=source, initial=initial)
    radius: Radius | None = None
    if asked is not None and form.is_valid():
        version = _number(request.POST.get("base_version", ""))
        try:
            if "save" in request.POST:
                return _saved(request, source, form, version, by)
            radius = radius_of(
                source,
                lambda: override_source(
                    source=source, given=form.given, by=by, base_version=version
                ),
            )
        except ActionRefused as refused:
            form.add_error(None, refused.message)
    values = {
        "project": project,
        "source": source,
        "form": form,
        "radius": radius,
        "choices": form.values(),
        "key": request.POST.get("key", uuid4().hex),
        "base_version": request.POST.get("base_version", source.version),
    }
    return render(request, OVERRIDE, values, status=422 if form.errors else 200)


def _saved(
    request: HttpRequest, source: Source, form: OverrideForm, version: int, by: User
) -> HttpResponse:
    def do() -> dict[str, str]:
        given = form.given
        made = override_source(source=source, given=given, by=by, base_version=version)
        return {"state": made.state}

    answer, _fresh = once(key=form_key(request), by=by, action="override", do=do)
    if answer.get("state") == Override.State.WAITING:
        messages.info(request, _("Saved. It is larger than one point: a second person must sign."))
    else:
        messages.success(request, _("The override was saved."))
    return _to(source, "score-head")


@require_POST
def override_decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Sign, refuse, keep or end an override."""
    project, by = project_for(request, slug, "override"), signed_in(request)
    rows = Override.objects.select_related("source__project", "source__cluster")
    override = get_object_or_404(rows, pk=pk, source__project=project)
    reason = request.POST.get("reason", "")[:2000].replace("\x00", "")
    version = _number(request.POST.get("base_version", ""))
    deeds: dict[str, tuple[Callable[[], None], str]] = {
        "sign": (
            lambda: sign_override(override=override, reason=reason, by=by),
            _("The override stands now."),
        ),
        "refuse": (
            lambda: refuse_override(override=override, reason=reason, by=by),
            _("The override was refused."),
        ),
        "keep": (lambda: keep_override(override=override, by=by), _("The override stays.")),
        "end": (
            lambda: end_override(override=override, by=by, base_version=version),
            _("The override was undone; the computed value stands again."),
        ),
    }
    chosen = deeds.get(request.POST.get("decision", ""))
    if chosen is None:
        messages.error(request, _("Choose what to do with the override."))
    else:
        _tried(request, chosen[0], chosen[1])
    return _to(override.source, "score-head")


@require_POST
def source_finding(request: HttpRequest, slug: str, pk: int, finding_pk: int) -> HttpResponse:
    """Confirm, dismiss or open again what a check raised about a source."""
    project, by = project_for(request, slug, "review"), signed_in(request)
    rows = SourceFinding.objects.select_related("source__project")
    finding = get_object_or_404(rows, pk=finding_pk, source__pk=pk, source__project=project)
    _tried(
        request,
        lambda: decide_finding(
            finding=finding,
            state=request.POST.get("state", ""),
            reason=request.POST.get("reason", "")[:500].replace("\x00", ""),
            base_version=_number(request.POST.get("base_version", "")),
            by=by,
        ),
        _("The finding was decided."),
    )
    return _to(finding.source, "findings-head")


def _tried(request: HttpRequest, do: Callable[[], None], done: str) -> None:
    """Do it and say so; or say why it was not done."""
    try:
        do()
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    else:
        messages.success(request, done)


def _once(request: HttpRequest, by: User, do: Callable[[], dict[str, str]]) -> None:
    once(key=form_key(request), by=by, action="comment", do=do)


@require_POST
def source_comment(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Say something about a source."""
    project, by = project_for(request, slug, "review"), signed_in(request)
    source = source_of(project, pk)

    def do() -> dict[str, str]:
        comment_source(source=source, text=request.POST.get("text", ""), by=by)
        return {}

    _tried(
        request,
        lambda: _once(request, by, do),
        _("The comment was saved."),
    )
    return _to(source, "comments-head")


@require_http_methods(["GET", "HEAD", "POST"])
def source_conflict(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show and save the form about conflicts of interest."""
    project, by = project_for(request, slug, "override"), signed_in(request)
    source = source_of(project, pk)
    form = ConflictForm(request.POST) if request.method == "POST" else ConflictForm.of(source)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            declare_conflict(
                source=source,
                answers=form.answers,
                texts=form.texts,
                strong=said["strong_coi"],
                base_version=said["base_version"],
                by=by,
            )
        except ActionRefused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The form was saved."))
            return _to(source)
    values = {"project": project, "source": source, "form": form}
    return render(request, CONFLICT, values, status=422 if form.errors else 200)
