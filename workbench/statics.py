"""Static files: versioned and compressed without a build step (embedded), or collected (team)."""

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import urljoin

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.core.management import call_command
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_IMPORT = re.compile(r"""from "\./([\w-]+\.js)";""")


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


@lru_cache(maxsize=1)
def _imported() -> tuple[str, ...]:
    """Give the names of our modules that others import."""
    folder = settings.BASE_DIR / "static" / "js"
    found = set()
    for path in folder.glob("*.js"):
        found.update(_IMPORT.findall(path.read_text(encoding="utf-8")))
    return tuple(sorted(f"js/{name}" for name in found))


def module_addresses() -> list[tuple[str, str]]:
    """Give (address as a script imports it, address with the hash of its content) of modules.

    Scripts import by plain relative names, which no build step rewrites: an import map on the page
    leads from them to the versioned addresses, in embedded and in team mode alike.
    """
    base = str(settings.STATIC_URL)
    return [(urljoin(base, name), staticfiles_storage.url(name)) for name in _imported()]


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


def collect_if_stale() -> bool:
    """Collect static files where a source of one changed since; True if that was done.

    It takes about half a minute, once for each new version of the workbench.
    """
    mark = Path(settings.STATIC_ROOT) / ".collected"
    now = _fingerprint()
    if mark.is_file() and mark.read_text(encoding="ascii") == now:
        return False
    mark.unlink(missing_ok=True)  # broken off, it is begun anew
    # Cleared first: it would keep whatever is not older than its source, whatever it holds.
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    mark.write_text(now, encoding="ascii")
    return True


def _fingerprint() -> str:
    said = hashlib.sha256()
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            held = Path(storage.path(name)).stat()
            said.update(f"{name}\0{held.st_size}\0{held.st_mtime_ns}\n".encode())
    return said.hexdigest()
