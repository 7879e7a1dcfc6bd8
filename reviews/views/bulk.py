"""Change many claims of the list: show what would change, then do it once."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django.views.decorators.vary import vary_on_headers

from reviews.actions import ActionRefused, snooze_many
from reviews.actions.bulk import dismiss_check_many, mark_key_many
from reviews.checks import BY_ID
from reviews.forms.bulk import ACTIONS, BulkForm
from reviews.queries.reading import search
from reviews.screens.bulk import LIMIT, Preview, TooMany, Wanted, preview, selected
from reviews.screens.ordering import known
from reviews.views.list_place import Place, language_now
from sources.idempotency import form_key, once
from sources.models import IdempotencyKey, Project, User
from sources.pages import project_for, signed_in
from workbench.lib.querylang import QueryError

BULK = "reviews/claim_bulk.html"
SHOWN = 20  # claims of a preview; all of them are counted


@require_POST
@vary_on_headers("HX-Request")
def claims_bulk(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview a change of many claims; with ``seen`` (the count that was shown) do it."""
    project, user = project_for(request, slug, "review"), signed_in(request)
    form = BulkForm(request.POST)
    place = Place(
        project, request.POST.get("q", "").strip()[:2000], known(request.POST.get("sort", ""))
    )
    values: dict[str, Any] = {"project": project, "place": place, "form": form}
    if not form.is_valid():
        said = [text for errors in form.errors.values() for text in errors]
        return _answer(request, {**values, "refused": said}, status=422)
    try:
        found = search(project, user, place.query)
        ids = None if form.cleaned_data["everything"] else form.ids
        what = preview(found, selected(found, place.sort, form.wanted, ids), form.wanted)
        seen = form.cleaned_data["seen"]
        if seen is not None and (
            seen == len(what.changes) or _done_before(form_key(request), user)
        ):
            return _apply(request, place, form, what, user)
    except QueryError as error:
        return _answer(request, {**values, "refused": [error.render(language_now())]}, status=422)
    except TooMany:
        message = _("At most %d claims are changed at once. Narrow the query.") % LIMIT
        return _answer(request, {**values, "refused": [message]}, status=422)
    except ActionRefused as refused:
        return _answer(request, {**values, "refused": [refused.message]}, status=422)
    return _answer(request, {**values, **_shown(form, what)})


def _shown(form: BulkForm, what: Preview) -> dict[str, Any]:
    wanted = form.wanted
    seen = form.cleaned_data["seen"]
    return {
        "preview": what,
        "shown": what.changes[:SHOWN],
        "hidden": max(0, len(what.changes) - SHOWN),
        "moved": seen is not None,
        "action": dict(ACTIONS)[wanted.action],
        "wanted": wanted,
        "check": BY_ID[wanted.check].title.render(language_now()) if wanted.check in BY_ID else "",
        "ids": [] if form.cleaned_data["everything"] else form.ids,
        "everything": form.cleaned_data["everything"],
        "key": uuid4().hex,
    }


def _done_before(key: str, user: User) -> bool:
    """Tell whether this is the second press of a button that has worked."""
    used = IdempotencyKey.objects.filter(user=user, action="bulk")
    return used.filter(key=key or "-").exists()


def _apply(
    request: HttpRequest, place: Place, form: BulkForm, what: Preview, user: User
) -> HttpResponse:
    request_id = str(getattr(request, "request_id", ""))

    def do() -> dict[str, Any]:
        done = _do(place.project, what, form.wanted, user, request_id)
        return {"done": done, "request": request_id}

    answer, _ran = once(key=form_key(request), by=user, action="bulk", do=do)
    said = ngettext("%d claim changed.", "%d claims changed.", answer["done"]) % answer["done"]
    if request.headers.get("HX-Request") == "true":
        values = {"project": place.project, "said": said, "undo": answer["request"]}
        response = render(request, f"{BULK}#done", values)
        response.headers["HX-Trigger"] = "list-changed"
        return response
    messages.success(request, said)
    return redirect(place.address())


def _do(project: Project, what: Preview, wanted: Wanted, user: User, batch: str) -> int:
    """Call the verb; give how many claims it changed."""
    claims = what.claims
    if wanted.action == "later" and wanted.until:
        return snooze_many(claims=claims, until=wanted.until, by=user, batch_id=batch)
    if wanted.action == "dismiss":
        dismiss_check_many(
            project=project,
            claims=claims,
            check_id=wanted.check,
            reason=wanted.reason,
            by=user,
            batch_id=batch,
        )
        return len(claims)
    return mark_key_many(
        project=project,
        claims=claims,
        is_key=wanted.action == "key",
        reason=wanted.reason,
        by=user,
        batch_id=batch,
    )


def _answer(request: HttpRequest, values: dict[str, Any], status: int = 200) -> HttpResponse:
    part = "#preview" if request.headers.get("HX-Request") == "true" else ""
    return render(request, BULK + part, values, status=status)
