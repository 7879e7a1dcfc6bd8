"""The Celery application. Limits, queues and beat live in settings, each with its why."""

from typing import Any

from celery import Celery, signals

from workbench.lib import spool

spool.register()  # the broker of embedded mode: spool://localhost/folder

app = Celery("workbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_shutting_down.connect
def _put_jobs_back(**_: Any) -> None:
    # Of use where jobs run on threads of this process; processes of a pool finish their job.
    from sources.running import stop_soon

    stop_soon()
