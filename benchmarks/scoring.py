"""How many sources are scored a second: by the pure rubric, and through the database.

Run as ``python -m benchmarks.scoring [SOURCES] [--team]``: an installation of its own in a
temporary folder, or with ``--team`` the database that ``DATABASE_URL`` names (a test database is
made beside it and removed). The sources are invented in the likeness of real ones: papers with
abstracts of 1,500 characters, regulators, registries, news, web pages.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

PURE = 20_000
ABSTRACT = (
    "Background: We wanted to know whether drug X lengthens survival in a disease of the lung. "
    "Methods: Patients were randomly assigned to X or to chemotherapy in a ratio of one to one. "
    "Results: Median overall survival was 21.4 months with X and 16.2 months with chemotherapy. "
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of source and how often it occurs."""

    weight: int
    values: dict


KINDS = (
    Kind(30, {"venue": "N Engl J Med. 2025;392:1-10", "doi": "10.5555/{n}", "source_type": "paper",
              "title": "Drug X against chemotherapy in disease {n}", "abstract": ABSTRACT * 5}),
    Kind(30, {"venue": "Journal of Number {n}", "doi": "10.5556/{n}",
              "impact_factor": Decimal("4.2"),
              "abstract": "In this review we look at what is known. " * 36, "source_type": "paper",
              "title": "What is known of drug X, part {n}"}),
    Kind(10, {"url": "https://www.fda.gov/drugs/{n}", "title": "Notice {n}"}),
    Kind(5, {"url": "https://clinicaltrials.gov/study/NCT{n:08d}", "title": "Trial {n}"}),
    Kind(10, {"url": "https://www.biospace.com/article/{n}", "title": "据报道，第 {n} 号药物获批"}),
    Kind(15, {"url": "https://blog{n}.example.net/{n}", "title": "My view of drug X, {n}"}),
)  # fmt: skip


def made(number: int, chance: random.Random) -> dict:
    """Give the fields of one source."""
    (kind,) = chance.choices(KINDS, [each.weight for each in KINDS])
    values = {
        name: value.format(n=number) if isinstance(value, str) else value
        for name, value in kind.values.items()
    }
    values.setdefault("url", f"https://publisher.example/{number}")
    values["published_at"] = f"{chance.randint(2010, 2026)}-0{chance.randint(1, 9)}-11"
    values["access_status"] = chance.choice(["opened_original", "paywalled", "snippet_only", ""])
    return values


def pure() -> float:
    """Give sources a second of processor time, the rubric alone, with 20,000 journals."""
    from sources.scoring import RUBRIC, JournalRow, SourceFacts, Tables
    from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS

    many = tuple(
        JournalRow(f"Another Journal {n}", impact_factor=Decimal(n % 40)) for n in range(20_000)
    )
    tables = Tables((*JOURNALS, *many), PUBLISHERS, DOMAINS)
    chance = random.Random(7)
    facts = []
    for number in range(PURE):
        values = made(number, chance)
        values["published"] = values.pop("published_at")
        facts.append(SourceFacts(**values))
    as_of = date(2026, 4, 20)
    RUBRIC.score(facts[0], tables, ("clinical",), as_of)
    began = time.process_time()
    for each in facts:
        RUBRIC.score(each, tables, ("clinical",), as_of)
    return PURE / (time.process_time() - began)


def stored(count: int) -> Iterator[tuple[str, float]]:
    """Yield what was done and how many sources a second: first score, again, other date."""
    from django.db import connection, reset_queries
    from django.test.utils import CaptureQueriesContext

    from sources.assessing import CHUNK, assess_project
    from sources.models import Project, Score, Source, SourceFinding

    chance = random.Random(7)
    project = Project.objects.create(
        slug="scored", title="Scored", question="?", language="en", topic_type="clinical",
        as_of=date(2026, 4, 20),
    )  # fmt: skip
    for start in range(0, count, 5_000):
        Source.objects.bulk_create(
            Source(project=project, external_id=f"S-{n}", raw_id=f"S-{n}", content_hash="0" * 64,
                   **made(n, chance))
            for n in range(start, min(count, start + 5_000))
        )  # fmt: skip
    for name, as_of in (("first score", project.as_of), ("nothing changed", project.as_of),
                        ("other date", date(2028, 4, 20))):  # fmt: skip
        project.as_of = as_of
        project.save()
        began, busy = time.perf_counter(), time.process_time()
        outcome = assess_project(project)
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        print(
            f"    {outcome.scores} new scores, {len(outcome.changed)} changed; "
            f"{count / busy:,.0f} sources a second of our own processor time",
            flush=True,
        )
        yield name, count / seconds
    print(f"    {Score.objects.count()} scores, {SourceFinding.objects.count()} findings kept")
    reset_queries()
    with CaptureQueriesContext(connection) as queries:
        assess_project(project, only=list(project.sources.values_list("pk", flat=True)[:CHUNK]))
    print(f"    {len(queries)} queries for a part of {CHUNK} sources")


@contextmanager
def installation(team: bool) -> Iterator[None]:
    """Set up Django on an empty database, and take it away again."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORKBENCH_DATA_DIR"] = folder
        if not team:
            os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        if not team:
            call_command("migrate", verbosity=0)
            yield
            connection.close()
            return
        name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)


def main() -> None:
    """Print the rates."""
    arguments = [each for each in sys.argv[1:] if each != "--team"]
    count = int(arguments[0]) if arguments else 20_000
    print(f"pure rubric, one core: {pure():,.0f} sources/s")
    with installation("--team" in sys.argv):
        for name, rate in stored(count):
            print(f"through the database, {count:,} sources, {name}: {rate:,.0f} sources/s")


if __name__ == "__main__":
    main()
