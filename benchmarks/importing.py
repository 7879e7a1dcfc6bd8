"""Print how fast a large report is imported, against bare bulk inserts of the same rows.

``python -m benchmarks.importing [--claims N] [--check]`` imports a generated report (20,000 claims,
50,000 pieces of evidence, 2,000 snapshots of 50 KB) into an empty database of its own: SQLite in a
temporary folder, or the empty one that DATABASE_URL names. Bare means ``bulk_create`` of the same
rows in batches of 1,000 in one transaction, and the same snapshot files written and fsynced.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.generated_report import write_report

REPOSITORY = Path(__file__).resolve().parents[1]
BATCH = 1_000


def main() -> None:
    """Generate, import in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--check", action="store_true", help="locate and check too")
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        inside(Path(given.inside), check=given.check)
        return
    with tempfile.TemporaryDirectory(prefix="import-") as name:
        folder = Path(name)
        report = folder / "report"
        scale = given.claims / 20_000
        write_report(
            report,
            claims=given.claims,
            evidence=int(50_000 * scale),
            snapshots=int(2_000 * scale),
        )
        environment = os.environ | {
            "WORKBENCH_DATA_DIR": str(folder / "data"),
            "WORKBENCH_SECRET_KEY": "x" * 60,
            "WORKBENCH_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "workbench.settings",
        }
        command = [sys.executable, "-m", "benchmarks.importing", "--inside", str(report)]
        command += ["--check"] if given.check else []
        subprocess.run(command, check=True, env=environment, cwd=REPOSITORY)


def inside(report: Path, *, check: bool) -> None:
    """Measure in a process that does nothing else."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from reviews import checking
    from reviews.actions import imports
    from reviews.importing import jobs as importing
    from sources.models import Job, Project
    from sources.running import Running

    call_command("migrate", verbosity=0)
    project = Project.objects.create(slug="bench", title="Bench", question="?", language="en")
    batch = imports.register(project=project, path=report, by=None)
    job = imports.decide(batch=batch, by=None, nudge=False)
    claimed = Job.objects.claim(job.pk, now=job.created_at)
    assert claimed is not None
    running = Running(claimed)
    before = _megabytes()
    started = time.perf_counter()
    importing.bring_in(running)
    seconds = time.perf_counter() - started
    peak = _megabytes()
    batch.refresh_from_db()
    rows = _rows(project)
    count = sum(len(each) for each in rows.values())
    print(f"{connection.vendor}: {batch.report['created']}")
    print(
        f"import        {seconds:7.1f} s {count / seconds:9,.0f} rows/s  peak {peak:.0f} MB "
        f"(at start {before:.0f} MB)"
    )
    if check:
        started = time.perf_counter()
        done = checking.check_claims(project)
        print(
            f"locate, check {time.perf_counter() - started:7.1f} s {done}  "
            f"peak {_megabytes():.0f} MB"
        )
        return
    bare = _bare(project, rows, report)
    print(f"bare inserts  {bare:7.1f} s {count / bare:9,.0f} rows/s")
    print(f"import runs at {bare / seconds:.2f} of the rate of bare inserts")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _rows(project: Any) -> dict[Any, list[Any]]:
    from reviews.models import Claim, Evidence
    from sources.models import ReportFile, Snapshot, Source

    return {
        Source: list(Source.objects.filter(project=project)),
        Snapshot: list(Snapshot.objects.filter(project=project)),
        Claim: list(Claim.objects.filter(project=project)),
        Evidence: list(Evidence.objects.filter(claim__project=project)),
        ReportFile: list(ReportFile.objects.filter(project=project)),
    }


def _bare(project: Any, rows: dict[Any, list[Any]], report: Path) -> float:
    from django.db import transaction

    for model in reversed(list(rows)):
        model.objects.all().delete()
    bodies = [path.read_bytes() for path in sorted(report.glob("source_cache/*/*.md"))]
    target = report.parent / "bare"
    target.mkdir()
    started = time.perf_counter()
    for number, body in enumerate(bodies):
        with (target / str(number)).open("wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
    with transaction.atomic():
        for model, each in rows.items():
            model.objects.bulk_create(each, batch_size=BATCH)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
