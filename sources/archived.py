"""Find an archived copy of a page that is gone. A proposal: nobody is led there unasked."""

import logging
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from sources.network import open_door
from workbench.lib.http import Door, HttpError, Limits, Request

log = logging.getLogger(__name__)

SERVICE = "wayback-available"
LIMITS = Limits(total_s=20.0, body_bytes=2**20, wire_bytes=2**20)
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)\d{0,6}")
_COPY = re.compile(r"https?://[^\s\x00-\x1f]{1,4000}")


@dataclass(frozen=True, slots=True)
class Copy:
    """An archived copy, and the day it was made."""

    url: str
    day: str  # 2019-03-01


def archived_copy(url: str, door: Door | None = None) -> Copy | None:
    """Ask the Wayback Machine for the copy nearest in time; None where there is none, or no answer.

    Providers, section 14.
    """
    base = str(settings.PROVIDER_BASE_URLS[SERVICE]).rstrip("/")
    request = Request(f"{base}/wayback/available?{urlencode({'url': url})}")
    try:
        with door or open_door([base]) as opened:
            answer = opened.fetch(request, LIMITS)
        return _read(answer.json()) if answer.ok else None
    except (HttpError, ValueError) as fault:
        log.info("no archived copy", extra={"fault": type(fault).__name__})
        return None


def _read(body: Any) -> Copy | None:
    found = _inner(_inner(body, "archived_snapshots"), "closest")
    stamp, url = str(found.get("timestamp", "")), str(found.get("url", ""))
    day = _STAMP.fullmatch(stamp)
    if not found.get("available") or day is None or not _COPY.fullmatch(url):
        return None
    return Copy(re.sub(r"\Ahttp://", "https://", url), "-".join(day.groups()))


def _inner(value: Any, name: str) -> dict[str, Any]:
    inner = value.get(name) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}
