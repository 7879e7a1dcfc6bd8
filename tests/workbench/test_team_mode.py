"""Real workers, a real broker and a real database between them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from benchmarks.generated_report import write_report
from reviews.actions.imports import decide, register
from reviews.models import Claim, Evidence
from sources.models import AuditEvent, ImportBatch, Job, Project
from sources.models.jobs import LEASE
from sources.recording import broken_events
from sources.sweeping import sweep
from tests.factories import ProjectFactory
from tests.workbench.proxies import Proxy
from workbench.celery import app

REPOSITORY = Path(__file__).resolve().parents[2]
CLAIMS, EVIDENCE = 120, 240
BROKER = os.environ.get("CELERY_BROKER_URL", "")

pytestmark = [
    pytest.mark.broker,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        settings.EMBEDDED or not BROKER, reason="needs DATABASE_URL and CELERY_BROKER_URL"
    ),
]


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.05)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    folder = tmp_path / "report"
    folder.mkdir()
    return write_report(
        folder, claims=CLAIMS, evidence=EVIDENCE, snapshots=12, snapshot_bytes=20_000
    )


def environment(broker: str) -> dict[str, str]:
    """Give the environment of a worker of this very test database and queue."""
    address = urlsplit(settings.DATABASE_URL)._replace(path=f"/{connection.settings_dict['NAME']}")
    return os.environ | {
        "DATABASE_URL": urlunsplit(address),
        "CELERY_BROKER_URL": broker,
        "WORKBENCH_QUEUE": app.conf.task_default_queue,
        "WORKBENCH_DATA_DIR": str(Path(settings.UPLOAD_DIR).parent),
    }


@contextmanager
def worker(broker: str = BROKER) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.launch", "worker", "-c", "1"],
        cwd=REPOSITORY,
        env=environment(broker),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a worker with the processes of its pool, at once."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def started(report: Path, project: Project) -> Job:
    return decide(batch=register(project=project, path=report, by=None), by=None)


def state(job: Job) -> str:
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


def ended(*jobs: Job) -> Callable[[], bool]:
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    pks = [job.pk for job in jobs]
    return lambda: not Job.objects.filter(pk__in=pks, state__in=unfinished).exists()


def assert_imported_once(project: Project) -> None:
    assert Claim.objects.filter(project=project).count() == CLAIMS
    assert not Evidence.objects.filter(claim__project=project, located_at=None).exists()
    assert AuditEvent.objects.filter(project=project, action="import.done").count() == 1
    assert list(broken_events(project)) == []


def test_import_is_done_by_a_worker(report: Path, project: Project) -> None:
    with worker():
        job = started(report, project)
        wait_for(ended(job), "the import")

    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == (Job.State.DONE, "", 1)
    assert_imported_once(project)


def test_import_of_a_killed_worker_is_finished_by_another(report: Path, project: Project) -> None:
    job = started(report, project)
    with worker() as first:
        wait_for(lambda: state(job) == Job.State.RUNNING, "the first worker")
        kill(first)
    long_ago = timezone.now() - LEASE - timedelta(seconds=5)
    Job.objects.filter(pk=job.pk).update(beat_at=long_ago, nudged_at=long_ago)

    with worker():
        sweep()
        wait_for(ended(job), "the second worker")

    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2)
    assert_imported_once(project)


def test_same_upload_in_two_workers_is_one_import_and_pointers(
    report: Path, project: Project
) -> None:
    with worker(), worker():
        jobs = [started(report, project) for _ in range(4)]
        wait_for(ended(*jobs), "four imports")

    states = sorted(ImportBatch.objects.values_list("state", flat=True))
    assert states == ["checked", "checked", "checked", "imported"]
    assert_imported_once(project)


def test_jobs_outlive_a_broker_that_goes_away(report: Path) -> None:
    first, second = ProjectFactory(), ProjectFactory()
    address = urlsplit(BROKER)
    with Proxy(address.hostname or "127.0.0.1", address.port or 0) as proxy:
        people = f"{address.username}:{address.password}@" if address.username else ""
        through = address._replace(netloc=f"{people}127.0.0.1:{proxy.port}")
        with worker(urlunsplit(through)):
            running = started(report, first)
            wait_for(lambda: state(running) == Job.State.RUNNING, "the worker")
            proxy.off()
            queued = started(report, second)
            wait_for(ended(running), "the job that ran meanwhile")
            proxy.on()
            wait_for(ended(queued), "the job that was sent meanwhile")

    assert [state(running), state(queued)] == [Job.State.DONE, Job.State.DONE]
    assert_imported_once(first)
    assert_imported_once(second)
