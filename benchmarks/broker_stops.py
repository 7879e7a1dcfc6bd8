"""Fetch pages by real workers while workers are killed and the broker is stopped, again and again.

Needs PostgreSQL and the program ``redis-server``: the benchmark runs a broker of its own, without a
disk, so that stopping it loses every message. Two workers and the clock run as in team mode; the
leases and sweeps are the product's. Prints what was lost and what was done twice.

    python -m benchmarks.broker_stops --postgres postgres://postgres@127.0.0.1:5432
"""

import argparse
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from benchmarks.faults import ROOT, installation, run
from benchmarks.fetching import served

AWAY = 2.0  # seconds that the broker is stopped
LONGEST = 900.0  # seconds for all


def main() -> None:
    """Queue fetches, kill and stop, wait for the end, judge."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432")
    given.add_argument("--fetches", type=int, default=300)
    given.add_argument("--kills", type=int, default=60)
    given.add_argument("--stops", type=int, default=5)
    options = given.parse_args()
    if shutil.which("redis-server") is None:
        sys.exit("redis-server is not installed.")
    began = time.monotonic()
    with (
        served(0.3, "text/plain") as pages,
        installation("postgres", options.postgres) as env,
        ExitStack() as stack,
    ):
        port = _free_port()
        env |= {
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
            "WORKBENCH_FETCH_ALLOW": f"127.0.0.1:{pages}",
            "WORKBENCH_FETCH_HOST_DELAY": "0",
        }
        broker = _Broker(port)
        stack.callback(broker.stop)
        run(env, "queue_fetches", f"127.0.0.1:{pages}", options.fetches, "nudge")
        team = [stack.enter_context(_Part(env, "worker", "-c", "1").held()) for _ in range(2)]
        stack.enter_context(_Part(env, "beat").held())
        killed = _trouble(env, team, broker, options)
        while not _is_over(env) and time.monotonic() - began < LONGEST:
            time.sleep(2)
        said = "; ".join(run(env, "judge_fetches"))
        print(
            f"{killed} × kill -9 of workers and {broker.stops} broker stops during "
            f"{options.fetches} fetches: {said} [{time.monotonic() - began:.0f} s]"
        )


def _trouble(
    env: dict[str, str], team: "list[_Part]", broker: "_Broker", options: argparse.Namespace
) -> int:
    """Kill a worker, and now and then the broker, at moments of chance, while there is work."""
    chance, killed = random.Random(7), 0
    every = max(options.kills // max(options.stops, 1), 1)
    while killed < options.kills and not _is_over(env):
        time.sleep(chance.uniform(0.5, 4.0))
        team[killed % len(team)].kill()
        killed += 1
        team[(killed - 1) % len(team)].start()
        if killed % every == 0 and broker.stops < options.stops:
            broker.stop()
            broker.stops += 1
            time.sleep(AWAY)
            broker.start()
    return killed


def _is_over(env: dict[str, str]) -> bool:
    return run(env, "unfinished") == ["0"]


class _Part:
    """A process of the product, with those of its pool."""

    def __init__(self, env: dict[str, str], *words: str) -> None:
        self._env, self._words = env, words
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "workbench.launch", *self._words]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=self._env, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    @contextmanager
    def held(self) -> "Iterator[_Part]":
        self.start()
        try:
            yield self
        finally:
            self.kill()


class _Broker:
    """A Redis without a disk."""

    def __init__(self, port: int) -> None:
        self._port, self.stops = port, 0
        self.start()

    def start(self) -> None:
        words = [
            "--port",
            str(self._port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        self._process = subprocess.Popen(
            ["redis-server", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        sys.exit("redis-server did not start.")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


if __name__ == "__main__":
    main()
