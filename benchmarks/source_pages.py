"""Print how long the list and the page of sources take over 1,000 and over 100,000 sources.

``python -m benchmarks.source_pages [--sources N] [--requests N]`` makes a database of its own (as
``benchmarks.pages`` does), scores and admits the sources, prints how many queries each page costs
in both projects, then serves the larger one with DEBUG off and asks for each page in turn.
Aims: the same number of queries in both; the list within 300 ms for 95 of 100 requests.
"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from typing import Any

from benchmarks.pages import (
    REPOSITORY,
    WARM_UP,
    Browser,
    close_pool,
    scratch_database,
    serve,
    signed_in,
)

FEW = 1_000
BATCH = 5_000
AIM = 0.3  # seconds, of the list


def main() -> None:
    """Prepare a scratch database and measure in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--port", type=int, default=9_742)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.port)
        return
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


def inside(given: argparse.Namespace) -> None:
    """Fill the database, measure, print."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.pages_data import make_user

    call_command("migrate", verbosity=0)
    if not settings.EMBEDDED:
        call_command("collectstatic", verbosity=0, interactive=False)
    user = make_user()
    began = time.perf_counter()
    projects = [make_sources("few", FEW, user), make_sources("many", given.sources, user)]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    seconds = time.perf_counter() - began
    print(f"{connection.vendor}: {given.sources} sources made, scored, admitted in {seconds:.0f} s")
    print_queries(projects, user)
    close_pool()
    command = [sys.executable, "-m", "benchmarks.source_pages", "--serve", "--port"]
    server = subprocess.Popen([*command, str(given.port)], cwd=REPOSITORY)
    try:
        print_times(signed_in(given.port), projects[1], given.requests)
    finally:
        server.terminate()
        server.wait(timeout=20)
        close_pool()


def make_sources(slug: str, count: int, user: Any) -> Any:
    """Make a project of so many sources, scored and admitted or turned away."""
    from datetime import date

    from benchmarks.scoring import made
    from search.admitting import admit
    from sources.assessing import assess_project
    from sources.models import Membership, Project, Source

    chance = random.Random(7)
    project = Project.objects.create(
        slug=slug, title=f"{count} sources", question="?", language="en", topic_type="clinical",
        as_of=date(2026, 4, 20),
    )  # fmt: skip
    Membership.objects.create(project=project, user=user, role=Membership.Role.LEAD)
    for start in range(0, count, BATCH):
        Source.objects.bulk_create(
            Source(project=project, external_id=f"S-{n}", raw_id=f"S-{n}", content_hash="0" * 64,
                   **made(n, chance))
            for n in range(start, min(count, start + BATCH))
        )  # fmt: skip
    assess_project(project)
    admit(project)
    return project


def addresses(project: Any) -> dict[str, str]:
    """Give the address of each page that is measured."""
    base = f"/p/{project.slug}/sources/"
    source = project.sources.order_by("-score", "pk").first()
    return {
        "list, first page": base,
        "list, last page": f"{base}?last=1",
        "list, tier and score": f"{base}?q=tier%3A1+score%3A%3E5",
        "list, words of a title": f"{base}?q=survival",
        "list, by title": f"{base}?sort=title",
        "source page": f"{base}{source.pk}/",
    }


def print_queries(projects: list[Any], user: Any) -> None:
    """Print how many queries each page costs over few and over many sources."""
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
    print("queries (few sources, many sources):", counted)


def print_times(browser: Browser, project: Any, requests: int) -> None:
    """Ask for each page in turn, so that a slow moment of the machine slows all of them."""
    times: dict[str, list[float]] = {name: [] for name in addresses(project)}
    for round_number in range(WARM_UP + requests):
        for name, address in addresses(project).items():
            seconds = browser.ask(address).seconds
            if round_number >= WARM_UP:
                times[name].append(seconds)
    print(f"p50 and p95 of {requests} requests after {WARM_UP}, in turn")
    for name, taken in times.items():
        p50, p95 = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        said = f"  aim p95 ≤ {AIM * 1e3:.0f} ms" if name.startswith("list") else ""
        print(f"{name:32} {p50 * 1e3:7.2f} {p95 * 1e3:7.2f} ms{said}")


if __name__ == "__main__":
    main()
