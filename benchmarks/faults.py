"""What faults cost: lost updates, database errors, effects done twice, jobs that never end.

Runs on SQLite, and on PostgreSQL where ``--postgres URL`` (a server's address without a database
name) is given. Each part works in a folder or database of its own, which is removed at the end.

    python -m benchmarks.faults --postgres postgres://postgres@127.0.0.1:5432
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.fetching import served

ROOT = Path(__file__).resolve().parent.parent
WORKERS = "benchmarks.faults_workers"
PARTS = ("saves", "posts", "kills", "twins", "fetches")


def main() -> None:
    """Run the parts that were asked for, on each database."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--postgres", default="", help="address without a database name")
    given.add_argument("--processes", type=int, default=8)
    given.add_argument("--saves", type=int, default=150)
    given.add_argument("--posts", type=int, default=500)
    given.add_argument("--jobs", type=int, default=6)
    given.add_argument("--kills", type=int, default=12)
    given.add_argument("--fetches", type=int, default=300)
    given.add_argument("--fetch-kills", type=int, default=60)
    given.add_argument("--only", choices=[*PARTS], default="")
    options = given.parse_args()
    parts = {"saves": saves, "posts": posts, "kills": kills, "twins": twins, "fetches": fetches}
    for kind in ["sqlite", *(["postgres"] if options.postgres else [])]:
        for name, part in parts.items():
            if options.only in {"", name}:
                with installation(kind, options.postgres) as env:
                    began = time.monotonic()
                    said = part(env, options)
                    print(
                        f"{kind:<9}{name:<6} {said}  [{time.monotonic() - began:.0f} s]", flush=True
                    )


@contextmanager
def installation(kind: str, server: str) -> Iterator[dict[str, str]]:
    """Make an empty installation; give the environment that its processes run in."""
    name = f"wb_faults_{uuid.uuid4().hex[:10]}"
    with tempfile.TemporaryDirectory() as folder:
        env = {
            k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "CELERY_BROKER_URL"}
        }
        env |= {"DJANGO_SETTINGS_MODULE": "workbench.settings", "WORKBENCH_DATA_DIR": folder}
        env |= {"WORKBENCH_LOG_LEVEL": "CRITICAL"}
        if kind == "postgres":
            import psycopg

            env |= {"DATABASE_URL": f"{server}/{name}", "WORKBENCH_SECRET_KEY": "benchmark " * 6}
            with psycopg.connect(f"{server}/postgres", autocommit=True) as database:
                database.execute(f'CREATE DATABASE "{name}"')
        try:
            run(env, "prepare")
            yield env
        finally:
            if kind == "postgres":
                with psycopg.connect(f"{server}/postgres", autocommit=True) as database:
                    database.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def start(env: dict[str, str], *words: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", WORKERS, *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)


def end(process: "subprocess.Popen[str]") -> list[str]:
    out, _ = process.communicate()
    if process.returncode:
        sys.exit(f"A process failed with {process.returncode}.")
    return out.splitlines()


def run(env: dict[str, str], *words: object) -> list[str]:
    return end(start(env, *words))


def saves(env: dict[str, str], options: argparse.Namespace) -> str:
    """Let processes save verdicts on the same claims; count what nobody was told of."""
    at = time.time() + 5
    running = [start(env, "save", n, options.saves, at) for n in range(options.processes)]
    counts, times = Counter[str](), []
    for process in running:
        for line in end(process):
            kind, _, milliseconds = line.partition(" ")
            counts[kind] += 1
            if kind != "error":
                times.append(float(milliseconds))
    (unseen,) = run(env, "unseen")
    p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else 0.0
    return (
        f"{options.processes} processes × {options.saves}: {counts['saved']} saved, "
        f"{counts['conflict']} told of a conflict, {unseen} unseen overwrites, "
        f"{counts['error']} database errors, p50 {statistics.median(times):.0f} ms, "
        f"p95 {p95:.0f} ms"
    )


def posts(env: dict[str, str], options: argparse.Namespace) -> str:
    """Post each form twice at once from two processes."""
    at = time.time() + 4
    running = [start(env, "post", options.posts, at) for _ in range(2)]
    counts = Counter(line.split()[0] for process in running for line in end(process))
    (effects,) = run(env, "effects")
    return (
        f"{options.posts} forms posted twice at once: {effects} effects, {counts['ran']} ran, "
        f"{counts['again']} got the first answer, {counts['error']} errors"
    )


def kills(env: dict[str, str], options: argparse.Namespace) -> str:
    """Kill importing workers at random moments until every job has ended."""
    reports = [report(env, f"report-{n}") for n in range(options.jobs)]
    run(env, "queue", *reports)
    killed = kill_until_done(env, options.kills, longest=3.0)
    return f"{killed} × kill -9 during {options.jobs} imports: {'; '.join(run(env, 'judge'))}"


def kill_until_done(env: dict[str, str], wanted: int, *, longest: float) -> int:
    """Kill two workers again and again, then let two do the rest; give the number of kills."""
    chance, killed = random.Random(7), 0
    while killed < wanted:
        workers = [start(env, "work") for _ in range(2)]
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()  # it has begun
        time.sleep(chance.uniform(0.1, longest))
        for worker in workers:
            killed += worker.poll() is None  # not one that found nothing left to do
            worker.kill()
            worker.wait()
        if all(worker.returncode == 0 for worker in workers):
            break
        run(env, "expire")
    for worker in [start(env, "work") for _ in range(2)]:
        end(worker)
    return killed


def fetches(env: dict[str, str], options: argparse.Namespace) -> str:
    """Kill fetching workers at random moments; each page is to be there once."""
    # Plain text, since to load the readers of pages takes longer than a worker lives here.
    with served(0.3, "text/plain") as port:
        place = f"127.0.0.1:{port}"
        env |= {"WORKBENCH_FETCH_ALLOW": place, "WORKBENCH_FETCH_HOST_DELAY": "0"}
        run(env, "queue_fetches", place, options.fetches)
        killed = kill_until_done(env, options.fetch_kills, longest=1.5)
    said = "; ".join(run(env, "judge_fetches"))
    return f"{killed} × kill -9 during {options.fetches} fetches: {said}"


def twins(env: dict[str, str], options: argparse.Namespace) -> str:
    """Import the same upload ten times at once."""
    run(env, "queue", *[report(env, "same")] * 10, "--one-project")
    for worker in [start(env, "work") for _ in range(10)]:
        end(worker)
    return f"10 identical imports at once: {'; '.join(run(env, 'judge'))}"


def report(env: dict[str, str], name: str) -> str:
    """Write a report directory of some hundred claims; give its path."""
    folder = Path(env["WORKBENCH_DATA_DIR"]) / name
    if not folder.exists():
        run(env, "report", folder)
    return str(folder)


if __name__ == "__main__":
    main()
