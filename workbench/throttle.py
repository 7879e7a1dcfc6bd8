"""Slow down whoever guesses passwords: by name and address, and by address alone."""

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class Handler(AxesDatabaseHandler):
    """Lock a name at an address, as axes does; and an address, whatever the names."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        if super().is_locked(request, credentials):
            return True
        failures = AccessAttempt.objects.filter(
            ip_address=getattr(request, "axes_ip_address", None),
            attempt_time__gte=get_cool_off_threshold(request),
        ).aggregate(Sum("failures_since_start"))["failures_since_start__sum"]
        return bool(failures and failures >= settings.SIGN_IN_FAILURES_OF_AN_ADDRESS)


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Say that sign-in is locked, and for how long: a page, or a part for the dialog."""
    fragment = "#message" if request.headers.get("HX-Request") == "true" else ""
    return render(request, "workbench/locked_out.html" + fragment, status=429)
