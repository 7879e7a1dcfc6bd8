"""Print how long pages take over 20,000 claims, beside a bare view of the same rows.

``python -m benchmarks.pages [--claims N] [--requests N]`` makes a database of its own (SQLite in a
temporary folder; or, where DATABASE_URL names a PostgreSQL server, a new database there), starts
the real server with DEBUG off, signs in, asks for each page in turn and cleans up. The floor
(``benchmarks.pages_floor``) is one keyset query, ``values()``, a ten-line template; its save is one
conditional UPDATE and a redirect to that view. Aims: list 4 times the floor, claim 8, save 8.
"""

import argparse
import http.client
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

REPOSITORY = Path(__file__).resolve().parents[1]
WARM_UP = 30
AIMS = {"list, first page": 4, "list, last page": 4, "claim screen": 8}


def main() -> None:
    """Prepare a scratch database and measure in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--port", type=int, default=9_741)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.port)
        return
    # So that a run that is ended early cleans up too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="pages-") as folder, scratch_database() as database:
        os.environ |= {
            "WORKBENCH_DATA_DIR": folder,
            "WORKBENCH_SECRET_KEY": uuid.uuid4().hex * 2,
            "WORKBENCH_ALLOWED_HOSTS": "127.0.0.1,testserver",
            "WORKBENCH_HTTPS": "0",
            "WORKBENCH_DEBUG": "0",
            "WORKBENCH_LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "workbench.settings",
            **database,
        }
        inside(given)


@contextmanager
def scratch_database() -> Iterator[dict[str, str]]:
    """Make a new database on the server that DATABASE_URL names, and drop it at the end."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        yield {}
        return
    import psycopg

    name = f"pages_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield {"DATABASE_URL": urlsplit(url)._replace(path=f"/{name}").geturl()}
        finally:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def serve(port: int) -> None:
    """Serve the product and the floor, as the embedded workbench does."""
    import django
    from django.conf import settings
    from waitress import serve as run

    django.setup()
    settings.ROOT_URLCONF = "benchmarks.pages_floor"
    from workbench.wsgi import application

    run(application, host="127.0.0.1", port=port, threads=8, ident="")


class Browser:
    """One kept connection that holds cookies, as a signed-in browser does."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._cookies: dict[str, str] = {}

    def ask(
        self, address: str, form: dict[str, str] | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        """Send a request and read the answer; ``body`` and ``seconds`` are set on it."""
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items()), **headers}
        if form is not None:
            sent |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-CSRFToken": self._cookies.get("csrftoken", ""),
            }
        began = time.perf_counter()
        body = None if form is None else urlencode(form)
        self._connection.request("GET" if form is None else "POST", address, body, sent)
        answer: Any = self._connection.getresponse()
        answer.body = answer.read()
        answer.seconds = time.perf_counter() - began
        for line in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self._cookies[name] = morsel.value
        if answer.status >= 400:
            raise SystemExit(f"{address}: {answer.status}\n{answer.body[:2000].decode()}")
        return answer


def inside(given: argparse.Namespace) -> None:
    """Fill the database, measure, print."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.pages_data import make_project, make_user

    call_command("migrate", verbosity=0)
    if not settings.EMBEDDED:
        call_command("collectstatic", verbosity=0, interactive=False)
    began = time.perf_counter()
    user = make_user()
    projects = [make_project("small", 200, user), make_project("large", given.claims, user)]
    with connection.cursor() as cursor:
        # PostgreSQL does this by itself some minutes after an import.
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    print(f"{connection.vendor}: {given.claims} claims made in {time.perf_counter() - began:.0f} s")
    print_queries(projects, user)
    connection.close()
    command = [sys.executable, "-m", "benchmarks.pages", "--serve", "--port", str(given.port)]
    server = subprocess.Popen(command, cwd=REPOSITORY)
    try:
        browser = signed_in(given.port)
        print_times(browser, projects[1], given.requests)
    finally:
        server.terminate()
        server.wait(timeout=20)
        close_pool()


def close_pool() -> None:
    """Leave the scratch database, so that it can be dropped."""
    from django.db import connections

    for connection in connections.all():
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()


def signed_in(port: int) -> Browser:
    """Wait for the server and sign in by its form."""
    from benchmarks.pages_data import PASSWORD

    for _ in range(100):
        try:
            browser = Browser(port)
            browser.ask("/accounts/sign-in/")
            break
        except OSError:
            time.sleep(0.2)
    browser.ask("/accounts/sign-in/", {"username": "reader", "password": PASSWORD})
    return browser


def addresses(project: Any) -> dict[str, str]:
    """Give the address of each page that is measured."""
    base = f"/p/{project.slug}"
    first = project.claims.order_by("-risk_order", "pk").first()
    return {
        "list, first page": f"{base}/claims/",
        "list, last page": f"{base}/claims/?last=1",
        "list, is:open": f"{base}/claims/?q=is%3Aopen",
        "claim screen": f"{base}/review/?at={quote(first.external_id)}",
    }


def print_queries(projects: list[Any], user: Any) -> None:
    """Print how many queries each page costs over few and over many claims."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    counted: dict[str, list[int]] = {}
    for project in projects:
        for name, address in addresses(project).items():
            client.get(address)
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            counted.setdefault(name, []).append(len(captured))
    print("queries (few claims, many claims):", counted)


def print_times(browser: Browser, project: Any, requests: int) -> None:
    """Ask for everything in turn, so that a slow moment of the machine slows all of it."""
    floor = f"/floor/{project.pk}/"
    steps: dict[str, Callable[[], float]] = {"floor": lambda: browser.ask(floor).seconds}
    for name, address in addresses(project).items():
        steps[name] = lambda address=address: browser.ask(address).seconds
    walk = Walk(browser, project)
    steps["claim screen, next of its queue"] = walk.look
    steps["save and next"] = walk.save_and_next
    steps["floor of save"] = lambda: bare_save(browser, floor, walk.first)
    times: dict[str, list[float]] = {name: [] for name in steps}
    for round_number in range(WARM_UP + requests):
        for name, step in steps.items():
            seconds = step()
            if round_number >= WARM_UP:
                times[name].append(seconds)
    print(f"p50 and p95 of {requests} requests after {WARM_UP}, in turn; ratio to the floor")
    bare = {name: statistics.median(times[name]) for name in ("floor", "floor of save")}
    for name, taken in times.items():
        below = bare["floor of save" if "save" in name else "floor"]
        aim = 8 if name == "save and next" else AIMS.get(name)
        p50, p95 = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        said = f"  aim ≤ {aim}" if aim else ""
        print(f"{name:32} {p50 * 1e3:7.2f} {p95 * 1e3:7.2f} ms  {p50 / below:5.2f} ×{said}")


def bare_save(browser: Browser, floor: str, claim: Any) -> float:
    """Save by one conditional UPDATE and follow the redirect to the bare list."""
    form = {"claim": str(claim.pk), "version": "1", "note": uuid.uuid4().hex}
    saved = browser.ask(f"{floor}save/", form)
    return saved.seconds + browser.ask(saved.headers["Location"]).seconds


class Walk:
    """A reviewer who passes one claim after the other."""

    def __init__(self, browser: Browser, project: Any) -> None:
        claims = project.claims.order_by("-risk_order", "pk")
        self.browser, self.project = browser, project
        self.claims = list(claims.only("pk", "external_id")[:2_000])
        self.first, self.at = self.claims[0], 0
        page = browser.ask(addresses(project)["claim screen"]).body.decode()
        self.cursor = (re.search(r"cur=([\w-]+)", page) or [None, ""])[1]

    def look(self) -> float:
        """Open the claim at which the walk is, as htmx does."""
        return self._open().seconds

    def save_and_next(self) -> float:
        """Pass the claim and open the next one."""
        claim = self.claims[self.at]
        form = {"decision": "pass", "base_version": "0", "key": uuid.uuid4().hex}
        form |= {"active_ms": "1500", "note": "", "claim_version": "1"}
        address = f"/p/{self.project.slug}/claims/{claim.pk}/verdict/"
        saved = self.browser.ask(address, form, **{"HX-Request": "true"})
        self.at += 1
        return saved.seconds + self._open().seconds

    def _open(self) -> Any:
        at = quote(self.claims[self.at].external_id)
        address = f"/p/{self.project.slug}/review/?at={at}&cur={self.cursor}"
        return self.browser.ask(address, **{"HX-Request": "true"})


if __name__ == "__main__":
    main()
