"""Pages for what went wrong: what, where, what now. Whole pages, or a fragment for htmx."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def _page(request: HttpRequest, status: int, title: str, advice: str) -> HttpResponse:
    values = {"status": status, "title": title, "advice": advice}
    template = "workbench/error.html"
    if getattr(request, "htmx", False):
        template += "#message"
    return render(request, template, values, status=status)


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
    return _page(
        request,
        500,
        _("The workbench made a mistake"),
        _("What you sent may not have been saved. The fault is in the log under the id below."),
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page(
        request,
        403,
        _("The form is too old"),
        _("Nothing was changed. Reload the page, then send it again; drafts are kept."),
    )
