"""Pages for what went wrong: what, where, what now. Whole pages, or a fragment for htmx."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from workbench.lib import context


def _page(request: HttpRequest, status: int, title: str, advice: str) -> HttpResponse:
    values = {"status": status, "title": title, "advice": advice}
    # Not request.htmx: a fault may come before the middleware that sets it.
    fragment = request.headers.get("HX-Request") == "true"
    template = "workbench/error.html" + ("#message" if fragment else "")
    response = render(request, template, values, status=status)
    patch_vary_headers(response, ("HX-Request",))
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        request,
        400,
        _("This request cannot be understood"),
        _("Nothing was changed. Go back and try again."),
    )


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        request,
        403,
        _("Your role does not allow this"),
        _("Nothing was changed. Ask the project's lead for the role that you need."),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        request,
        404,
        _("There is no such page here"),
        _("The address may be wrong, or you may not be a member of the project."),
    )


def server_error(request: HttpRequest) -> HttpResponse:
    title = _("The workbench made a mistake")
    advice = _("What you sent may not have been saved. The fault is in the log under the id below.")
    try:
        return _page(request, 500, title, advice)
    except DatabaseError:
        # The page's frame asks who is signed in; without a database that cannot be told.
        values = {"title": title, "advice": advice, "request_id": context.request_id.get()}
        return HttpResponse(render_to_string("workbench/error_bare.html", values), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page(
        request,
        403,
        _("The form is too old"),
        _("Nothing was changed. Reload the page, then send it again; drafts are kept."),
    )
