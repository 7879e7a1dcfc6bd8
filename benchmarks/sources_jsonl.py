"""Print how fast sources.jsonl goes in and out, against bare bulk inserts of the same rows.

``python -m benchmarks.sources_jsonl [--lines N]`` writes a file (100,000 lines), dry-runs and
imports it into an empty database of its own: SQLite in a temporary folder, or the empty one that
DATABASE_URL names; then exports it. Bare means ``bulk_create`` of the same sources and identifiers
in batches of 1,000 in one transaction. Each runs in a process of its own, so that its peak of
memory is its own.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
BATCH = 1_000
STEPS = ("dry-run", "import", "export", "bare")


def main() -> None:
    """Write the file, then do each step in a process that does nothing else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--file", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step(given.step, Path(given.file))
        return
    with tempfile.TemporaryDirectory(prefix="sources-") as name:
        folder = Path(name)
        write(folder / "sources.jsonl", given.lines)
        environment = os.environ | {
            "WORKBENCH_DATA_DIR": str(folder / "data"),
            "WORKBENCH_SECRET_KEY": "x" * 60,
            "WORKBENCH_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "workbench.settings",
        }
        rates = {}
        for each in STEPS:
            command = [sys.executable, "-m", "benchmarks.sources_jsonl", "--step", each]
            command += ["--file", str(folder / "sources.jsonl")]
            done = subprocess.run(
                command, check=True, env=environment, cwd=REPOSITORY, stdout=subprocess.PIPE
            )
            said = json.loads(done.stdout.decode().splitlines()[-1])
            rates[each] = said["rows"] / said["seconds"]
            print(
                f"{said['database']}: {each:<8} {said['seconds']:7.1f} s "
                f"{rates[each]:9,.0f} rows/s (CPU {said['cpu']:6.1f} s)  "
                f"peak {said['peak']:.0f} MB (at start {said['start']:.0f} MB)"
            )
        print(f"import runs at {rates['import'] / rates['bare']:.2f} of the rate of bare inserts")


def write(path: Path, lines: int) -> None:
    """Write lines with every key of the format, about 1 KB each, no two alike."""
    with path.open("w", encoding="utf-8") as stream:
        for number in range(lines):
            url = f"https://www.journal{number % 300}.org/doi/full/10.5555/trial.{number}"
            record = {
                "id": f"src_{number:06}", "tier": 1 + number % 4, "score": 8.6, "type": "journal",
                "source_type": "paper", "url": url, "raw_url": url,
                "canonical_url": url.replace("www.", ""), "doi": f"10.5555/trial.{number}",
                "title": f"A randomised trial of treatment {number} in adults 成人随机试验",
                "authors": ["Li Lei", "Han Meimei", f"Author {number % 977}"],
                "year": 2015 + number % 11, "venue": f"Journal {number % 300}",
                "impact_factor": 12.5, "accessed_at": "2026-04-20",
                "abstract": "Background, methods and results of a trial. " * 6,
                "key_data": {"cagr": "23%", "n": number}, "used_in": ["ch01", "ch03.sec2"],
                "authority": 2.5, "recency": 2.0, "primacy": 2.0, "verifiability": 1.5, "coi": 1.0,
                "conflict_of_interest": None, "blacklist_checked": True,
                "retraction_checked": True, "search_receipt_ids": [f"srch_{number % 500:04}"],
                "access_status": "opened_original", "evidence_locator": "Table 2",
                "independence_cluster": f"cluster_{number % 9000}", "dead_link": False,
                "failure_reason": None, "notes": f"registered as NCT{number:08}",
            }  # fmt: skip
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def step(name: str, file: Path) -> None:
    """Do one step and print what it took."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from sources.models import Project

    call_command("migrate", verbosity=0)
    project, _made = Project.objects.get_or_create(
        slug="bench", defaults={"title": "Bench", "question": "?", "language": "en"}
    )
    before = _megabytes()
    worked = time.process_time()
    seconds, rows = _DO[name](project, file)
    said = {
        "database": connection.vendor, "cpu": time.process_time() - worked, "seconds": seconds,
        "rows": rows, "peak": _megabytes(), "start": before,
    }  # fmt: skip
    print(json.dumps(said))


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _dry_run(project: Any, file: Path) -> tuple[float, int]:
    from reviews.importing import record_jobs

    started = time.perf_counter()
    report = record_jobs.dry_run(file, file.name, project)
    seconds = time.perf_counter() - started
    return seconds, report["created"]["sources"]


def _import(project: Any, file: Path) -> tuple[float, int]:
    from reviews.actions import imports
    from reviews.importing import jobs as importing
    from sources.models import Job
    from sources.running import Running

    batch = imports.register(project=project, path=file, by=None)
    job = imports.decide(batch=batch, by=None, nudge=False)
    claimed = Job.objects.claim(job.pk, now=job.created_at)
    assert claimed is not None
    started = time.perf_counter()
    importing.bring_in(Running(claimed))
    seconds = time.perf_counter() - started
    batch.refresh_from_db()
    return seconds, batch.report["created"]["sources"]


def _export(project: Any, file: Path) -> tuple[float, int]:
    from reviews.reporting.record_exports import write_records

    started = time.perf_counter()
    count = write_records(project, "sources", file.with_name("out.jsonl"))
    seconds = time.perf_counter() - started
    # PostgreSQL keeps the keys inside a value in an order of its own.
    with file.open("rb") as stated, file.with_name("out.jsonl").open("rb") as written:
        pairs = zip_longest(stated, written, fillvalue=b"null")
        same = all(one == two or json.loads(one) == json.loads(two) for one, two in pairs)
    print(f"each line of the export says the same as that of the file: {same}", file=sys.stderr)
    return seconds, count


def _bare(project: Any, file: Path) -> tuple[float, int]:
    from django.db import transaction

    from sources.models import Source, SourceIdentifier

    rows = list(Source.objects.filter(project=project))
    identifiers = list(SourceIdentifier.objects.all())
    SourceIdentifier.objects.all().delete()
    Source.objects.all().delete()
    started = time.perf_counter()
    with transaction.atomic():
        Source.objects.bulk_create(rows, batch_size=BATCH)
        SourceIdentifier.objects.bulk_create(identifiers, batch_size=BATCH)
    return time.perf_counter() - started, len(rows)


_DO = {"dry-run": _dry_run, "import": _import, "export": _export, "bare": _bare}


if __name__ == "__main__":
    main()
