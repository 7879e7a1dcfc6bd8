"""Print how fast a table of notices comes in, and how fast sources are matched with it.

``python -m benchmarks.retractions [--rows N] [--sources N]`` writes a table in the form of
Retraction Watch (70,000 rows), imports it twice into an empty database of its own (SQLite in a
temporary folder, or the empty one that DATABASE_URL names), then matches a project of 10,000
sources with it, twice. Aims: an import in less than 60 s, a match in less than 5 s.
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
COLUMNS = (
    "Record ID", "Title", "Subject", "Institution", "Journal", "Publisher", "Country", "Author",
    "URLS", "ArticleType", "RetractionDate", "RetractionDOI", "RetractionPubMedID",
    "OriginalPaperDate", "OriginalPaperDOI", "OriginalPaperPubMedID", "RetractionNature", "Reason",
    "Paywalled", "Notes", "",
)  # fmt: skip
NATURES = ("Retraction",) * 8 + ("Correction", "Expression of concern")
REASONS = (
    "Concerns/Issues about Data;Concerns/Issues about Image;Investigation by Third Party;"
    "Original Data and/or Images not Provided and/or not Available;Unreliable Results;"
)


def main() -> None:
    """Write the table, then do everything in a process with a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=70_000)
    parser.add_argument("--sources", type=int, default=10_000)
    parser.add_argument("--table", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.table:
        measure(Path(given.table), given.sources, given.rows)
        return
    with tempfile.TemporaryDirectory(prefix="notices-") as name:
        table = Path(name) / "table.csv"
        write(table, given.rows)
        environment = os.environ | {
            "WORKBENCH_DATA_DIR": str(Path(name) / "data"),
            "WORKBENCH_SECRET_KEY": "x" * 60,
            "WORKBENCH_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "workbench.settings",
        }
        command = [sys.executable, "-m", "benchmarks.retractions", "--table", str(table)]
        command += ["--rows", str(given.rows), "--sources", str(given.sources)]
        subprocess.run(command, check=True, env=environment, cwd=REPOSITORY)


def write(path: Path, rows: int) -> None:
    """Write a table with cells as long as the real ones, about 850 bytes a row."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(COLUMNS)
        for n in range(rows):
            year = 1990 + n % 36
            table.writerow([
                n, f"On the effects of treatment {n} in a randomised population of adults",
                "(BLS) Biochemistry;(HSC) Medicine - Oncology;",
                f"Department {n % 977}, University of Somewhere, 100{n % 90} Somewhere, Nowhere; "
                "Institute of Invented Medicine, Nowhere;",
                f"Journal {n % 3000}", "Invented Press", "Nowhere",
                ";".join(f"Author {n % 5000 + k}" for k in range(6)),
                f"https://example.org/story/{n};" if n % 3 == 0 else "", "Research Article;",
                f"{n % 12 + 1}/{n % 28 + 1}/{year} 0:00", f"10.5555/notice.{n}", n % 5 and n + 1,
                f"{n % 12 + 1}/1/{year - 2} 0:00",
                "unavailable" if n % 20 == 0 else f"10.5555/Work.{n - n % 2}", n % 4 and n + 7,
                NATURES[n % len(NATURES)], REASONS, "No",
                f"See also: https://pubpeer.example/{n}\nsecond line" if n % 2 else "", "",
            ])  # fmt: skip


def measure(table: Path, sources: int, rows: int) -> None:
    """Import twice, match twice, and print what each took."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from sources.models import Project, Source
    from sources.noticing.tabled import match_project

    call_command("migrate", verbosity=0)
    start = peak()
    size = table.stat().st_size / 2**20
    print(f"{connection.vendor}: a table of {rows:,} rows, {size:.0f} MB")
    timed("import of new rows", rows, lambda: bring(table))
    timed("import again", rows, lambda: bring(table))
    project = Project.objects.create(slug="bench", title="Bench", question="?", language="en")
    fill(project, sources, rows)
    timed(f"match of {sources:,} sources", sources, lambda: match_project(project))
    timed("match again", sources, lambda: match_project(project))
    found = Source.objects.filter(project=project).values_list("retraction", flat=True)
    counted = {each: list(found).count(each) for each in sorted(set(found))}
    print(f"standings: {counted}; peak of memory {peak():.0f} MB (at start {start:.0f} MB)")


def bring(table: Path) -> None:
    """Import a table by the job that the command starts."""
    from sources.actions.retractions import import_table
    from sources.noticing.table import run
    from sources.running import perform

    batch = import_table(path=table, by=None, nudge=False)
    assert batch.job is not None
    perform(batch.job.pk, run)


def fill(project: object, sources: int, rows: int) -> None:
    """Make sources, each twentieth of which the table knows, by DOI or by PubMed id."""
    from sources.models import Source, SourceIdentifier

    made = Source.objects.bulk_create(
        [
            Source(
                project=project,
                external_id=f"src_{n:06}",
                raw_id=f"src_{n:06}",
                content_hash="0" * 64,
                accessed_at="2026-04-20",
                doi=f"10.5555/work.{(n * 7 % rows) & ~1}" if n % 20 == 0 else f"10.5555/clean.{n}",
            )
            for n in range(sources)
        ],
        batch_size=1_000,
    )
    SourceIdentifier.objects.bulk_create(
        [
            SourceIdentifier(source=each, scheme="pmid", value=str(90_000_000 + n), found_in="pmid")
            for n, each in enumerate(made)
            if n % 2
        ],
        batch_size=1_000,
    )


def timed(name: str, rows: int, work: Callable[[], object]) -> None:
    """Do a piece of work and print its time and rate."""
    began, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"  {name:<28}{seconds:7.1f} s {rows / seconds:9,.0f}/s (CPU {cpu:5.1f} s)", flush=True)


def peak() -> float:
    """Give the most memory this process had, in MB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    main()
