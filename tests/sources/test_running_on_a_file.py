"""What a database in memory cannot show: writers of embedded mode wait for one another."""

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = """
import sys, threading, time
from datetime import timedelta

import django
django.setup()

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from sources.models import Job
from sources.pulse import Pulse
from sources.running import Running

call_command("migrate", verbosity=0)
job = Job.objects.create(kind="import", task="reviews.tasks.run_import")
job = Job.objects.claim(job.pk, now=timezone.now())
old = timezone.now() - timedelta(minutes=5)
Job.objects.filter(pk=job.pk).update(beat_at=old)
claims, asked = [], threading.Event()

def claim():
    asked.set()
    claims.append(Job.objects.claim(job.pk, now=timezone.now()))
    connection.close()

thread = threading.Thread(target=claim)
with Pulse(job, every=0.05) as pulse:
    with transaction.atomic():
        Running(job, pulse).hold()
        thread.start()
        asked.wait()
        time.sleep(1)
        print("during:", claims, "lost:", pulse.lost)
        Running(job, pulse).hold()
    thread.join()
    print("after:", claims, "lost:", pulse.lost)
held = Job.objects.get()
print("ours:", held.token == job.token, "fresh:", held.beat_at > old, held.attempts)
"""


def test_claim_waits_for_a_long_transaction_and_then_finds_the_job_alive(tmp_path: Path) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "workbench.settings", "WORKBENCH_DATA_DIR": str(tmp_path)}
    other = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=REPOSITORY,
        env=other | settings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "during: [] lost: False",
        "after: [None] lost: False",
        "ours: True fresh: True 1",
    ]
