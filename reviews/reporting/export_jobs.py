"""Make the zip of a project in the background, and keep the last few for download."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from reviews.reporting.exporting import ExportRefused, export_project
from sources.models import Job, Project
from sources.recording import Entry, record
from sources.running import CannotBeDone, Running
from workbench.lib.archives import ArchiveError
from workbench.lib.blobs import BlobError
from workbench.lib.texts import Text

KIND = "export"
KEPT = 3  # zips of a project; older ones are removed when a new one is done


def exports_folder() -> Path:
    """Give the folder of finished exports, made where it is missing."""
    folder = Path(settings.UPLOAD_DIR).parent / "exports"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def place_of(job: Job) -> Path:
    """Give the zip that a job makes; it is there only when it is complete."""
    return exports_folder() / f"{job.pk}.zip"


def run_export(running: Running) -> dict[str, Any]:
    """Export the project that the job names."""
    job = running.job
    project = Project.objects.filter(pk=running.args["project"]).first()
    if project is None:
        raise CannotBeDone(Text("The project is gone.", "项目已不存在。"))
    target = place_of(job)
    target.unlink(missing_ok=True)  # of a try whose worker died after writing
    try:
        summary = export_project(
            project, target, names=running.args["names"], as_zip=True, tell=running.progress
        )
    except (BlobError, ArchiveError, ExportRefused) as fault:
        raise CannotBeDone.because(fault) from fault
    _remove_old(project, job)
    new = {"job": job.pk, "names": running.args["names"], "files": summary["files"]}
    record(project, [Entry("export.done", "export", project.slug, new=new)], by=job.created_by)
    return {**summary, "verdicts": {}, "size": target.stat().st_size}


def finished(project: Project) -> "QuerySet[Job]":
    """Give the exports of a project, the latest first."""
    return Job.objects.filter(project=project, kind=KIND).order_by("-pk")


def _remove_old(project: Project, job: Job) -> None:
    for old in finished(project).exclude(pk=job.pk)[KEPT - 1 :]:
        place_of(old).unlink(missing_ok=True)
