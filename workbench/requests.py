"""Middleware and context that every page shares."""

import re
import time
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime

from workbench.lib import context

type GetResponse = Callable[[HttpRequest], HttpResponse]

_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def _client_time(request: HttpRequest) -> datetime | None:
    try:
        found = parse_datetime(request.headers.get("X-Client-Time", "")[:40])
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None


class RequestIdMiddleware:
    """Give every request an id that its audit events and log lines carry."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        token = context.request_id.set(request_id)
        clock = context.client_time.set(_client_time(request))
        try:
            response = self.get_response(request)
        finally:
            context.request_id.reset(token)
            context.client_time.reset(clock)
        response.headers["X-Request-Id"] = request_id
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return response


class SessionLimitsMiddleware:
    """End a session after two idle hours, or twelve hours after sign-in."""

    # Seconds between two writes of "last seen": a write per request would make readers writers.
    GRAIN = 60

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            now = int(time.time())
            began = request.session.setdefault("began", now)
            seen = request.session.get("seen", now)
            too_old = now - began > settings.SESSION_MAX_SECONDS
            if too_old or now - seen > settings.SESSION_IDLE_SECONDS:
                logout(request)
            elif now - seen >= self.GRAIN or "seen" not in request.session:
                request.session["seen"] = now
        return self.get_response(request)


class PreferencesMiddleware:
    """Answer in the user's language: the profile's, else the cookie's, else the browser's."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own = getattr(request.user, "language", "")
        language = own or translation.get_language_from_request(request)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Send the signed-out to the sign-in page; tell htmx that the session ended.

    A redirect would put the sign-in page into a part of the screen, and the text that somebody
    was writing would be lost with it.
    """

    def handle_no_permission(  # type: ignore[override]  # the stubs know of redirects only
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request") == "true":
            response: HttpResponse = HttpResponse(
                status=401, headers={"HX-Trigger": "session-ended"}
            )
        else:
            response = super().handle_no_permission(request, view_func)
        patch_vary_headers(response, ("HX-Request",))
        return response


THEMES = ("auto", "light", "dark")
TEXT_SIZES = (90, 100, 110, 125, 150)  # per cent; each has its rule in workbench.css


def look(request: HttpRequest) -> dict[str, Any]:
    """Give templates the language, theme and text size of the user."""
    user = getattr(request, "user", None)
    theme = getattr(user, "theme", "") or request.COOKIES.get("theme", "")
    text_size = getattr(user, "text_size", 100)
    return {
        "ui_language": translation.get_language() or settings.LANGUAGE_CODE,
        "theme": theme if theme in THEMES else "auto",
        "text_size": text_size if text_size in TEXT_SIZES else 100,
        "request_id": getattr(request, "request_id", ""),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
    }
