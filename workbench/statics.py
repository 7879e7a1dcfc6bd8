"""Static files of the embedded mode: versioned names and compression without a build step."""

import hashlib
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


@lru_cache(maxsize=1024)
def _digest(path: str, modified: float) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


class VersionedStorage(StaticFilesStorage):
    """Add ``?v=<hash of the content>`` to each address, so that it may be cached for good."""

    def url(self, name: str | None, force: bool = False) -> str:
        address = super().url(name)
        found = finders.find(name) if name else None
        if not isinstance(found, str) or not Path(found).is_file():
            return address
        return f"{address}?v={_digest(found, Path(found).stat().st_mtime)}"


class CompressionMiddleware(GZipMiddleware):
    """Compress what carries no token; let versioned static files be cached for a year.

    A page with a CSRF token beside text that others may choose must not be compressed: the
    length of the answer would tell the token (BREACH).
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if settings.STATIC_URL and request.path.startswith(settings.STATIC_URL):
            if "v" in request.GET and response.status_code == 200:
                response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            return super().process_response(request, response)
        if "CSRF_COOKIE" in request.META or response.streaming:
            return response
        return super().process_response(request, response)
