"""What the pages of imports save: each view reads its form, calls one action, leads on."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from reviews.actions import ActionRefused, NotAllowed, imports
from reviews.forms.imports import MappingForm, SavedMappingForm, UploadForm
from reviews.screens.import_steps import batch_url, step_url
from reviews.views.imports import begin, decide, decide_form, fragment, recognise_values
from sources.idempotency import form_key, once
from sources.models import ImportBatch, Project
from sources.pages import project_for, signed_in
from sources.uploads import StoredUpload, StoringHandler, is_too_large

UPLOAD_PAGE = "reviews/import_upload.html"

type View = Callable[..., HttpResponseBase]


def refusing(view: View) -> View:
    """Lead back to the import with the reason where an action is refused; nothing was done."""

    @wraps(view)
    def answered(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
        try:
            return view(request, slug, key)
        except NotAllowed as refused:
            raise PermissionDenied(refused.message) from None
        except ActionRefused as refused:
            messages.error(request, refused.message)
            return redirect("batch", slug, key)

    return answered


# --- The file ---------------------------------------------------------------------------------


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Take a file, then look it over.

    Who may import is settled before a byte is read. The token is looked at by ``_upload``: to
    read it here would read the whole request before its handler is set.
    """
    project = project_for(request, slug, "import")
    handler = StoringHandler(request)
    if request.method == "POST":
        if is_too_large(request):
            return _upload_page(request, project, UploadForm(), too_large=True)
        request.upload_handlers = [handler]
    return _upload(request, project, handler)


@csrf_protect
def _upload(request: HttpRequest, project: Project, handler: StoringHandler) -> HttpResponseBase:
    if request.method != "POST":
        return _upload_page(request, project, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if handler.too_large:
        return _upload_page(request, project, UploadForm(), too_large=True)
    stored = request.FILES.get("file")
    try:
        if not form.is_valid() or not isinstance(stored, StoredUpload):
            return _upload_page(request, project, form)
        batch = _keep(request, project, stored)
    except ActionRefused as refused:
        form.add_error("file", refused.message)
        return _upload_page(request, project, form)
    finally:
        if isinstance(stored, StoredUpload):
            stored.forget()
    return _led_on(request, batch_url(batch))


def _keep(request: HttpRequest, project: Project, stored: StoredUpload) -> ImportBatch:
    user = signed_in(request)

    def kept() -> dict[str, Any]:
        return {"batch": imports.keep(project=project, upload=stored, by=user).pk}

    key = form_key(request, stored.sha256, stored.name or "")
    answer, _ran = once(key=key, by=user, action=f"import.keep {project.pk}"[:60], do=kept)
    return get_object_or_404(project.batches, pk=answer.get("batch"))


def _upload_page(
    request: HttpRequest, project: Project, form: UploadForm, *, too_large: bool = False
) -> HttpResponse:
    failed = too_large or form.is_bound
    values = {
        "project": project,
        "form": form,
        "refusal": imports.too_large() if too_large else "",
        "key": uuid.uuid4().hex,
    }
    by_htmx = request.headers.get("HX-Request") == "true" and request.method == "POST"
    page = f"{UPLOAD_PAGE}#form" if by_htmx else UPLOAD_PAGE
    return fragment(render(request, page, values, status=422 if failed else 200))


def _led_on(request: HttpRequest, url: str) -> HttpResponse:
    if request.headers.get("HX-Request") == "true":
        return fragment(HttpResponse(status=204, headers={"HX-Redirect": url}))
    return fragment(HttpResponseRedirect(url))


# --- Mapping, decision, undo ------------------------------------------------------------------


@require_POST
@refusing
def map_keys(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
    """Look the upload over again by a mapping: a saved one, or the one in the form."""
    batch = begin(request, slug, key)
    if request.POST.get("use") == "saved":
        saved = SavedMappingForm(request.POST, project=batch.project)
        if not saved.is_valid():
            return _recognise_again(request, batch, saved=saved)
        return _check(request, batch, saved.cleaned_data["mapping"].spec)
    given = batch.mapping or batch.report.get("proposal")
    form = MappingForm(request.POST, project=batch.project, given=given)
    if not form.is_valid():
        return _recognise_again(request, batch, form=form)
    if name := form.cleaned_data.get("save_as"):
        imports.save_mapping(
            project=batch.project, name=name, spec=form.spec(), by=signed_in(request)
        )
        messages.success(request, _("The mapping “%s” was saved.") % name)
    return _check(request, batch, form.spec())


def _recognise_again(request: HttpRequest, batch: ImportBatch, **forms: Any) -> HttpResponse:
    values = recognise_values(batch, **forms)
    return render(request, "reviews/import_recognise.html", values, status=422)


def _check(request: HttpRequest, batch: ImportBatch, spec: dict[str, Any]) -> HttpResponse:
    user = signed_in(request)

    def checked() -> dict[str, Any]:
        return {"job": imports.check(batch=batch, by=user, mapping=spec).pk}

    once(key=form_key(request), by=user, action="import.check", do=checked)
    return redirect(step_url(batch, "check"))


@require_POST
@refusing
def choose(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
    """Start the import as decided, or import nothing."""
    batch = begin(request, slug, key)
    user, form = signed_in(request), decide_form(batch, request.POST)
    if not form.is_valid():
        return decide(request, batch, form)
    if form.declines:
        imports.decline(batch=batch, by=user)
        messages.info(request, _("Nothing of “%s” was imported.") % batch.name)
        return redirect("imports", slug)

    valid, old = form.only_valid, form.keeps_old

    def started() -> dict[str, Any]:
        return {"job": imports.decide(batch=batch, by=user, only_valid=valid, keep_old=old).pk}

    once(key=form_key(request), by=user, action="import.decide", do=started)
    return redirect(step_url(batch, "import"))


@require_POST
@refusing
def undo(request: HttpRequest, slug: str, key: uuid.UUID) -> HttpResponseBase:
    """Take an import back."""
    batch = begin(request, slug, key)
    imports.undo_import(batch=batch, by=signed_in(request))
    messages.success(request, _("The import of “%s” was undone.") % batch.name)
    return redirect(batch_url(batch))
