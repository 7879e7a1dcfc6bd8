"""The processes of ``benchmarks.faults``: each does one thing to a shared installation."""

import random
import sys
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import DatabaseError, connection  # noqa: E402
from django.db.models import Count, Q  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.generated_report import write_report  # noqa: E402
from reviews.actions.errors import Conflict  # noqa: E402
from reviews.actions.imports import decide, register  # noqa: E402
from reviews.actions.verdicts import VerdictInput, give_verdict  # noqa: E402
from reviews.importing import jobs as importing  # noqa: E402
from reviews.models import Claim, Evidence, Verdict  # noqa: E402
from sources import capturing  # noqa: E402
from sources.actions.fetching import TASK as FETCH  # noqa: E402
from sources.actions.fetching import start_fetch  # noqa: E402
from sources.idempotency import once  # noqa: E402
from sources.models import (  # noqa: E402
    AuditEvent,
    Capture,
    ImportBatch,
    Job,
    Membership,
    Project,
    Snapshot,
    User,
)
from sources.models.jobs import LEASE  # noqa: E402
from sources.recording import broken_events  # noqa: E402
from sources.running import perform  # noqa: E402
from sources.texts import blobs  # noqa: E402

CLAIMS, PEOPLE = 12, 2
CLAIMS_OF_A_REPORT, EVIDENCE_OF_A_REPORT = 400, 800
FOLLOWING = ("scoring", "clusters", "retractions", "blacklist", "admission", "source_check")


def prepare() -> None:
    """Make tables, a project, people and claims."""
    call_command("migrate", verbosity=0)
    project = Project.objects.create(slug="shared", title="Shared", question="?", language="en")
    for number in range(PEOPLE):
        user = User.objects.create(username=f"reviewer{number}")
        Membership.objects.create(project=project, user=user, role="reviewer")
    for number in range(CLAIMS):
        name = f"d1.c{number + 1}"
        Claim.objects.create(
            project=project, external_id=name, raw_id=name, text="X works.", kind="factual"
        )


# --- Verdicts -----------------------------------------------------------------------------------


def save(number: str, saves: str, at: str) -> None:
    """Open a claim's form and save it, again and again; print how each save went."""
    mine = User.objects.get(username=f"reviewer{int(number) % PEOPLE}")
    claims, chance = list(Claim.objects.select_related("project")), random.Random(int(number))
    time.sleep(max(0.0, float(at) - time.time()))
    for _ in range(int(saves)):
        claim = chance.choice(claims)
        try:
            held = Verdict.objects.filter(claim=claim, reviewer=mine).first()
            seen = held.note.split(">")[-1] if held else ""
            note = f"{seen}>{uuid.uuid4().hex}"
            began = time.perf_counter()
            kind = _save(claim, VerdictInput("pass", note=note), mine, held.version if held else 0)
        except DatabaseError as fault:
            print("error", fault)
            continue
        print(kind, (time.perf_counter() - began) * 1000)


def _save(claim: Claim, given: VerdictInput, by: User, version: int) -> str:
    try:
        give_verdict(claim=claim, given=given, by=by, base_version=version)
    except Conflict:
        return "conflict"
    return "saved"


def unseen() -> None:
    """Count saves that replaced a text which their author had not been shown."""
    last: dict[str, str] = {}
    wrong = 0
    for event in AuditEvent.objects.filter(action__startswith="verdict.").order_by("number"):
        shown, _, mine = event.new["note"].partition(">")
        wrong += shown != last.get(f"{event.object_id} {event.actor}", "")
        last[f"{event.object_id} {event.actor}"] = mine
    for verdict in Verdict.objects.all():
        wrong += verdict.note.split(">")[-1] not in last.values()
    print(wrong + len(list(broken_events(Project.objects.get()))))


# --- Posts --------------------------------------------------------------------------------------


def post(forms: str, at: str) -> None:
    """Post every form once, when the other process does."""
    by, claim = User.objects.get(username="reviewer0"), Claim.objects.earliest("pk")
    start = float(at)
    for number in range(int(forms)):
        time.sleep(max(0.0, start + number * 0.02 - time.time()))
        try:
            _, ran = once(
                key=f"form-{number}", by=by, action="claim", do=lambda n=number: _effect(claim, n)
            )
        except DatabaseError as fault:
            print("error", fault)
        else:
            print("ran" if ran else "again")


def _effect(claim: Claim, number: int) -> dict[str, Any]:
    Job.objects.create(project=claim.project, kind=f"form-{number}", task="none")
    return {"number": number}


def effects() -> None:
    """Print how many effects there are, and say so if a form had two."""
    twice = Job.objects.values("kind").annotate(times=Count("pk")).filter(times__gt=1).count()
    print(f"{Job.objects.count()}{f' ({twice} of them twice)' if twice else ''}")


# --- Imports ------------------------------------------------------------------------------------


def report(folder: str) -> None:
    """Write a report that is another one for each name."""
    place = Path(folder)
    place.mkdir()
    seed = sum(place.name.encode())
    sizes = {"claims": CLAIMS_OF_A_REPORT, "evidence": EVIDENCE_OF_A_REPORT}
    write_report(place, **sizes, snapshots=40, snapshot_bytes=20_000, seed=seed)


def queue(*words: str) -> None:
    """Queue the import of each report, into a project of its own or all into one."""
    one = "--one-project" in words
    for number, folder in enumerate(word for word in words if word != "--one-project"):
        project, _ = Project.objects.get_or_create(
            slug="one" if one else f"import-{number}",
            defaults={"title": "Import", "question": "?", "language": "en"},
        )
        decide(batch=register(project=project, path=Path(folder), by=None), by=None, nudge=False)


def work() -> None:
    """Do jobs as a worker does, until none is left."""
    print("ready", flush=True)
    while True:
        # What follows on the work, such as scoring, is no part of this.
        jobs = Job.objects.exclude(kind__in=FOLLOWING)
        free = Q(state="queued") | Q(state="running", beat_at__lt=timezone.now() - LEASE)
        waiting = list(jobs.filter(free).values_list("pk", "task"))
        if not waiting and not jobs.filter(state="running").exists():
            return
        for pk, task in random.sample(waiting, len(waiting)):
            perform(pk, capturing.run if task == FETCH else importing.run_import)
        time.sleep(0.05)


def expire() -> None:
    """Let a minute pass for the leases of killed workers."""
    old = timezone.now() - 2 * LEASE
    Job.objects.filter(state="running").update(beat_at=old)


def judge() -> None:
    """Print how the jobs ended, and everything that is not as it must be."""
    states = Counter(Job.objects.values_list("state", flat=True))
    print("jobs " + ", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    tries = sorted(Job.objects.values_list("attempts", flat=True))
    print(f"tries {tries[0]} to {tries[-1]}")
    silent = Job.objects.filter(state="failed", error="").count()
    whole, partial = 0, 0
    imported = ImportBatch.objects.filter(state="imported")
    for project in Project.objects.exclude(slug="shared"):
        count = Claim.objects.filter(project=project).count()
        expected = CLAIMS_OF_A_REPORT if imported.filter(project=project).exists() else 0
        whole += count == expected == CLAIMS_OF_A_REPORT
        partial += count != expected
    done = Job.objects.filter(state="done").values("project")
    waiting = Evidence.objects.filter(claim__project__in=done, located_at=None).count()
    pointers = ImportBatch.objects.filter(state="checked", report__has_key="same_as").count()
    print(f"{imported.count()} imports, {pointers} pointers")
    print(f"{whole} projects whole, {partial} half-written")
    print(f"{silent} failed without reason, {waiting} pieces of evidence not located")
    same = Claim.objects.values("project", "external_id").annotate(n=Count("pk")).filter(n__gt=1)
    broken = sum(len(list(broken_events(project))) for project in Project.objects.all())
    print(f"{same.count()} duplicates, {broken} broken links in the audit trail")


# --- Fetches ------------------------------------------------------------------------------------


def queue_fetches(place: str, count: str, nudge: str = "") -> None:
    """Queue a fetch of each page of a server; with ``nudge`` the broker is told."""
    project = Project.objects.get(slug="shared")
    for number in range(int(count)):
        start_fetch(project=project, url=f"http://{place}/{number}", by=None, nudge=bool(nudge))


def unfinished() -> None:
    """Print how many jobs wait or run."""
    print(Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).count())


def judge_fetches() -> None:
    """Print how the fetches ended, and everything that is lost or there twice."""
    jobs = Job.objects.filter(task=FETCH)
    states = Counter(jobs.values_list("state", flat=True))
    print(", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    urls = Snapshot.objects.values("url_hash").distinct().count()
    print(f"{Snapshot.objects.count()} snapshots of {urls} addresses")
    print(f"{Capture.objects.count()} captures")
    twice = Capture.objects.values("url_hash").annotate(n=Count("pk")).filter(n__gt=1).count()
    silent = jobs.filter(state="failed", error="").count()
    missing = sum(not blobs().exists(each) for each in _blobs_named())
    print(f"{twice} addresses twice, {silent} failed without reason, {missing} blobs missing")
    broken = sum(len(list(broken_events(project))) for project in Project.objects.all())
    print(f"{broken} broken links in the audit trail")


def _blobs_named() -> set[str]:
    named = set(Snapshot.objects.values_list("content_hash", flat=True))
    return named | set(Capture.objects.exclude(raw_hash="").values_list("raw_hash", flat=True))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
    connection.close()
