from django.apps import AppConfig


class WorkbenchConfig(AppConfig):
    name = "workbench"

    def ready(self) -> None:
        # Bound here, not in workbench/__init__.py: else every pure module would load Celery.
        from . import celery  # noqa: F401
