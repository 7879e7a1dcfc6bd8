"""Print how many tasks a second pass through the spool, without and with fsync.

Three figures for each: publishing from one process, taking and acknowledging in one process, and
a real Celery worker with threads that runs an empty task. Run with ``python -m benchmarks.spool``.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from celery import Celery
from kombu import Connection

import workbench.lib.spool  # noqa: F401  registers the scheme

REPOSITORY = Path(__file__).resolve().parents[1]
TASKS = 2000
APP = """
import os
from celery import Celery
import workbench.lib.spool
app = Celery("bench", broker=os.environ["BENCH_BROKER"], set_as_current=False)
app.conf.update(task_acks_late=True, worker_prefetch_multiplier=1, task_ignore_result=True,
                broker_transport_options={"fsync": os.environ["BENCH_FSYNC"] == "1"})
@app.task(name="nothing")
def nothing():
    pass
@app.task(name="finish")
def finish():
    open(os.environ["BENCH_DONE"], "x").close()
"""


def main() -> None:
    """Measure and print."""
    print(f"{TASKS} tasks; tasks a second")
    for fsync in (False, True):
        publish, take = in_process(fsync)
        print(f"fsync={fsync}: publish {publish:.0f}, take and acknowledge {take:.0f}, ", end="")
        print(f"Celery worker with 4 threads {through_celery(fsync):.0f}")


def in_process(fsync: bool) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        options = {"fsync": fsync}
        with Connection(f"spool://localhost{folder}", transport_options=options) as connection:
            queue = connection.SimpleQueue("bench")
            start = time.perf_counter()
            for number in range(TASKS):
                queue.put({"n": number})
            published = time.perf_counter() - start
            start = time.perf_counter()
            for _ in range(TASKS):
                queue.get(timeout=5).ack()
            taken = time.perf_counter() - start
            queue.close()
    return TASKS / published, TASKS / taken


def through_celery(fsync: bool) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bench_app.py").write_text(APP)
        broker = f"spool://localhost{folder}/spool"
        options = {"fsync": fsync}
        app = Celery("bench", broker=broker, set_as_current=False)
        app.conf.broker_transport_options = options
        environment = {
            **os.environ,
            "PYTHONPATH": f"{folder}:{REPOSITORY}",
            "BENCH_BROKER": broker,
            "BENCH_FSYNC": str(int(fsync)),
            "BENCH_DONE": str(folder / "done"),
        }
        command = [sys.executable, "-m", "celery", "-A", "bench_app", "worker", "-P", "threads"]
        command += ["-c", "4", "-l", "CRITICAL", "--without-gossip", "--without-mingle"]
        quiet = subprocess.DEVNULL
        worker = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
        try:
            while not app.control.inspect(timeout=1).ping():
                if worker.poll() is not None:
                    raise SystemExit("the Celery worker did not start")
            start = time.perf_counter()
            for _ in range(TASKS):
                app.send_task("nothing")
            app.send_task("finish")
            while not (folder / "done").exists():
                time.sleep(0.01)
            return TASKS / (time.perf_counter() - start)
        finally:
            worker.terminate()
            worker.wait(30)
            app.close()


if __name__ == "__main__":
    main()
