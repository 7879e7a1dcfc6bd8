"""The Celery application. Limits, queues and beat live in settings, each with its why."""

from celery import Celery

app = Celery("workbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
