"""Where an import stands: which of its steps is open, which may be looked at."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from sources.models import ImportBatch, Job

State = ImportBatch.State

STEPS = {
    "file": _("File"),
    "recognise": _("Recognise"),
    "check": _("Check"),
    "decide": _("Decide"),
    "import": _("Import"),
    "result": _("Result"),
}
ENCODINGS = {
    "zip": _("zip archive"),
    "gzip": _("tar.gz archive"),
    "utf-8": "UTF-8",
    "utf-8-sig": _("UTF-8 with a byte order mark"),
    "utf-16": "UTF-16",
    "other": _("not UTF-8"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step in the row above the page."""

    name: str
    label: Any
    url: str  # empty where it cannot be opened
    here: bool
    done: bool


def current_step(batch: ImportBatch) -> str:
    """Name the step that waits for somebody or something."""
    if is_under_way(batch.import_job):
        return "import"
    if batch.state in {State.IMPORTED, State.UNDONE} or is_over(batch):
        return "result"
    if batch.state == State.REFUSED:
        return "decide"
    if is_under_way(batch.check_job) or batch.state == State.UPLOADED:
        return "check"
    if batch.report.get("unreadable"):
        return "recognise"
    if batch.import_job is not None:
        return "import"
    return "check"


def open_steps(batch: ImportBatch) -> frozenset[str]:
    """Name the steps that may be looked at now."""
    here = current_step(batch)
    if here in {"result", "recognise"}:
        return frozenset({here})
    if is_under_way(batch.import_job):
        return frozenset({"import"} | ({"result"} if batch.state == State.IMPORTED else set()))
    if batch.state == State.UPLOADED or is_under_way(batch.check_job):
        return frozenset({"check"})
    found = {"recognise", "check", "decide"}
    if batch.state == State.REFUSED:
        found = {"check", "decide"}
    return frozenset(found | ({"import"} if batch.import_job is not None else set()))


def is_under_way(job: Job | None) -> bool:
    """Tell whether a job waits or runs."""
    return job is not None and not job.is_finished


def is_over(batch: ImportBatch) -> bool:
    """Tell whether nothing more can come of the upload: its file is gone."""
    return not batch.path and batch.state != State.UPLOADED


def steps_of(batch: ImportBatch, here: str) -> list[Step]:
    """Give the row of steps, with links to those that may be opened."""
    names, opened = list(STEPS), open_steps(batch)
    reached = max(names.index(current_step(batch)), names.index(here))
    return [
        Step(
            name=name,
            label=label,
            url=step_url(batch, name) if name in opened and name != here else "",
            here=name == here,
            done=names.index(name) < reached,
        )
        for name, label in STEPS.items()
    ]


def step_url(batch: ImportBatch, name: str) -> str:
    """Give the address of a step."""
    return reverse(f"batch-{name}", args=[batch.project.slug, batch.key])


def batch_url(batch: ImportBatch) -> str:
    """Give the permanent address of an import."""
    return reverse("batch", args=[batch.project.slug, batch.key])


def twin_of(batch: ImportBatch) -> ImportBatch | None:
    """Give the import of the very same file that was made before; None if there is none."""
    if not batch.sha256:
        return None
    same = ImportBatch.objects.filter(
        project=batch.project_id, sha256=batch.sha256, state=State.IMPORTED
    )
    return same.exclude(pk=batch.pk).select_related("project", "by").first()
