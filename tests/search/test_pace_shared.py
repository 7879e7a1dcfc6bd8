"""Limits of a service hold for all processes together: two of them never share a place."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES, GAP = 15, 0.5
TAKES = f"""
import sys
import django; django.setup()
from django.utils import timezone
from search.sending import reserve
print("ready", flush=True)
sys.stdin.readline()
for _ in range({PLACES}):
    now = timezone.now()
    print(now.timestamp() + reserve("pubmed", {GAP}, now), flush=True)
"""


def environment(folder: Path) -> dict[str, str]:
    own = {"WORKBENCH_DATA_DIR": str(folder), "DATABASE_URL": "", "PATH": os.environ["PATH"]}
    return own | {"DJANGO_SETTINGS_MODULE": "workbench.settings"}


def test_two_processes_that_ask_at_once_take_different_places_a_gap_apart(tmp_path: Path) -> None:
    env = environment(tmp_path)
    migrate = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(migrate, cwd=ROOT, env=env, check=True, capture_output=True)

    workers = [
        subprocess.Popen(
            [sys.executable, "-c", TAKES],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    outputs = [worker.communicate(timeout=60)[0] for worker in workers]

    assert [worker.returncode for worker in workers] == [0, 0]
    both = [[float(line) for line in output.split()] for output in outputs]
    assert [len(turns) for turns in both] == [PLACES, PLACES]
    turns = sorted(turn for each in both for turn in each)
    apart = [later - sooner for sooner, later in pairwise(turns)]
    assert min(apart) >= GAP - 0.001
