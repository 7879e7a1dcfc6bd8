"""The worker of embedded mode: jobs on two threads, and the clock that sends lost ones anew.

It is started by ``workbench.launch``, which holds the other end of its standard input: where that
closes, for whatever reason, this process ends too.
"""

import logging
import os
import signal
import sys
import threading

log = logging.getLogger(__name__)

# Two threads: one long import leaves a place for the rest. SQLite has one writer anyway.
WORKER = ("worker", "-P", "threads", "-c", "2", "--without-gossip", "--without-mingle")
SWEEP_SECONDS = 30.0
GRACE_SECONDS = 8.0  # for jobs to come to a place where they can be put back


def main() -> None:
    """Work until the parent process is gone or asks for the end."""
    import django

    django.setup()
    from workbench.celery import app

    over = threading.Event()
    for work in (_sweep, _end_with_parent):
        threading.Thread(target=work, args=(over,), daemon=True).start()
    try:
        app.worker_main([*WORKER, "-l", "INFO"])
    finally:
        over.set()


def _sweep(over: threading.Event) -> None:
    from django.db import Error, close_old_connections

    from search.sweeping import follow_sources
    from sources import sweeping

    while True:
        try:
            follow_sources()
            sweeping.sweep()
        except (Error, OSError):
            log.exception("sweep failed")
        close_old_connections()
        if over.wait(SWEEP_SECONDS):
            return


def _end_with_parent(over: threading.Event) -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
    if not over.wait(GRACE_SECONDS):
        os._exit(1)  # the job keeps its lease; the next start takes it up again


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    main()
