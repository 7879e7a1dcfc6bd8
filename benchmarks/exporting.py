"""Time the export of a large project against a bare dump of the same rows and files.

Run as ``python -m benchmarks.exporting [--claims N] [--snapshots N] [--runs N]``. Bare: each model
``iterator()`` → ``json.dumps`` → one file, and the snapshots and report files copied. Both in a
database and folder of their own, on the same disk, in turn.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Make the project, then time both in child processes, so that memory is told apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--evidence", type=int, default=50_000)
    parser.add_argument("--snapshots", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--child", choices=["fill", "bare", "folder", "zip"])
    parser.add_argument("--work")
    given = parser.parse_args()
    if given.child:
        child(given.child, Path(given.work))
        return
    with tempfile.TemporaryDirectory(prefix="exporting-") as folder:
        work = Path(given.work or folder)
        if not (work / "data").exists():
            prepare(work, given)
        found: dict[str, list[tuple[float, float]]] = {"bare": [], "folder": [], "zip": []}
        for _run in range(given.runs):
            for kind, pairs in found.items():
                pairs.append(timed(kind, work))
        middle = {
            kind: [statistics.median(v) for v in zip(*p, strict=True)] for kind, p in found.items()
        }
        for kind, (seconds, cpu) in middle.items():
            wall, work_done = seconds / middle["bare"][0], cpu / middle["bare"][1]
            print(
                f"{kind:<7} {seconds:6.2f} s ×{wall:.2f} of bare   "
                f"CPU {cpu:6.2f} s ×{work_done:.2f} of bare"
            )


def prepare(work: Path, given: argparse.Namespace) -> None:
    """Import a generated report in a child, with judgements as a finished audit has them."""
    from benchmarks.generated_report import write_report

    report = work / "report"
    report.mkdir(parents=True, exist_ok=True)
    write_report(report, claims=given.claims, evidence=given.evidence, snapshots=given.snapshots)
    run(work, "manage.py", "migrate", "-v0")
    run(work, "-m", "benchmarks.exporting", "--child", "fill", "--work", str(work))


def fill(report: Path) -> None:
    """Import, and put in place of locating and judging rows of the same shape and size."""
    from reviews.actions import imports
    from reviews.importing import jobs as importing
    from reviews.models import Assessment, Claim, Evidence, Finding, Verdict
    from sources.models import Job, Project, User
    from sources.running import Running

    project = Project.objects.create(slug="big", title="Big", question="?", language="en")
    batch = imports.register(project=project, path=report, by=None)
    job = Job.objects.claim(
        imports.decide(batch=batch, by=None, nudge=False).pk, now=batch.created_at
    )
    assert job is not None
    importing.bring_in(Running(job))
    job.state = Job.State.DONE
    job.save()
    person = User.objects.create(username="reviewer", first_name="Li", last_name="Lei")
    claims = list(Claim.objects.filter(project=project))
    for claim in claims:
        claim.state = Claim.State.DONE
    Claim.objects.bulk_update(claims, ["state"], batch_size=1_000)
    Verdict.objects.bulk_create(
        [Verdict(claim=c, reviewer=person, decision="pass") for c in claims], batch_size=1_000
    )
    Finding.objects.bulk_create(
        [
            Finding(
                claim=c, fingerprint=f"{c.pk:064d}", check_id="strong-words", check_version=2,
                code="strong", severity="warning", params={"words": "proves"},
            )
            for c in claims
        ],
        batch_size=1_000,
    )  # fmt: skip
    items = list(Evidence.objects.filter(claim__project=project))
    side = {"raw": "21.4", "kind": "measure", "value": "21.4", "unit": "month"}
    for item in items:
        item.grade, item.start, item.end = "exact", 1_000, 1_000 + len(item.snippet)
        item.location = {
            "occurrences": [[item.start, item.end]], "folded": [], "numbers_equal": True,
            "flags": [], "gaps": [], "passage": item.snippet, "context": item.snippet * 3,
            "head": "x" * 600, "proposed": [[1, 2, 0.5]] * 10,
        }  # fmt: skip
        item.ledger = [
            {
                "claim": side | {"start": at, "end": at + 4},
                "passage": side | {"start": at, "end": at + 4},
                "relation": "equal", "note": "", "origin": "passage",
            }
            for at in (3, 20)
        ]  # fmt: skip
    Evidence.objects.bulk_update(
        items, ["grade", "start", "end", "location", "ledger"], batch_size=500
    )
    Assessment.objects.bulk_create(
        [
            Assessment(evidence=i, reviewer=person, support="full", trust="trusted_primary")
            for i in items
        ],
        batch_size=1_000,
    )


def run(work: Path, *command: str) -> str:
    environment = {**os.environ, "WORKBENCH_DATA_DIR": str(work / "data")}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE
    )
    return done.stdout.decode()


def timed(kind: str, work: Path) -> tuple[float, float]:
    """Give the seconds and the CPU seconds that a child took, without its start."""
    command = ("-m", "benchmarks.exporting", "--child", kind, "--work", str(work))
    said = json.loads(run(work, *command).strip().splitlines()[-1])
    print(
        f"{kind}: {said['seconds']:.2f} s, CPU {said['cpu']:.2f} s, "
        f"{said['megabytes']:.0f} MB at most, {said['written']}"
    )
    return float(said["seconds"]), float(said["cpu"])


def child(kind: str, work: Path) -> None:
    """Do one of the three and print what it took."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    import django

    django.setup()
    from reviews.reporting.exporting import export_project
    from sources.models import Project

    if kind == "fill":
        fill(work / "report")
        return
    project = Project.objects.get(slug="big")
    target = work / f"out-{kind}{'.zip' if kind == 'zip' else ''}"
    begin, worked = time.perf_counter(), time.process_time()
    if kind == "bare":
        target.mkdir()
        bare(project, target)
    else:
        export_project(project, target, as_zip=kind == "zip")
    seconds, cpu = time.perf_counter() - begin, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = (
        target.stat().st_size
        if target.is_file()
        else sum(p.stat().st_size for p in target.rglob("*") if p.is_file())
    )
    said = {"seconds": seconds, "cpu": cpu, "megabytes": peak, "written": f"{size:,} bytes"}
    print(json.dumps(said))
    shutil.rmtree(target) if target.is_dir() else target.unlink()


def bare(project: object, target: Path) -> None:
    """Dump the rows that an export reads, and copy the files that it holds."""
    from django.core.files.storage import storages

    from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Verdict
    from sources.models import ReportFile, Snapshot, Source
    from workbench.lib.blobs import place_of

    with (target / "rows.jsonl").open("w", encoding="utf-8") as out:
        for rows in (
            Claim.objects.filter(project=project),
            Evidence.objects.filter(claim__project=project),
            Finding.objects.filter(claim__project=project),
            Verdict.objects.filter(claim__project=project),
            Assessment.objects.filter(evidence__claim__project=project),
            Defect.objects.filter(project=project),
            Source.objects.filter(project=project),
            Snapshot.objects.filter(project=project),
            ReportFile.objects.filter(project=project),
        ):
            for row in rows.values().iterator():
                out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
    store = Path(storages["blobs"].location)
    for path, sha256 in ReportFile.objects.filter(project=project, current=True).values_list(
        "path", "sha256"
    ):
        _copy(store / place_of(sha256), target / path)
    for snapshot in Snapshot.objects.filter(project=project).iterator():
        _copy(store / place_of(snapshot.content_hash), target / snapshot.ref)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


if __name__ == "__main__":
    main()
