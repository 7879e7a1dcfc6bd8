"""The Celery application. Limits, queues and beat live in settings, each with its why."""

from celery import Celery

from workbench.lib import spool

spool.register()  # the broker of embedded mode: spool://localhost/folder

app = Celery("workbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
