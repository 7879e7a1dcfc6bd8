"""Bring a report into a project as an import does, and look at what came of it."""

from pathlib import Path
from typing import Any

from reviews.actions import imports
from reviews.importing import jobs as importing
from reviews.models import Claim
from sources.models import ImportBatch, Job, Project, User
from sources.running import perform

from .report_files import PORT, claim, document, evidence, report, source


def bring(project: Project, path: Path, by: User | None = None, **options: Any) -> ImportBatch:
    batch = imports.register(project=project, path=path, by=by)
    job = imports.decide(batch=batch, by=by, nudge=False, **options)
    perform(job.pk, importing.run_import)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    batch.refresh_from_db()
    return batch


def said(batch: ImportBatch, kind: str = "notices") -> list[str]:
    return [problem["rule"] for problem in batch.report[kind]]


def row(project: Project, name: str) -> Claim:
    return Claim.objects.get(project=project, external_id=name)


def changed_report(folder: Path) -> Path:
    made = document()
    made["claims"][0]["text"] = "The port supplied 416 MWh of shore power in 2024, and more later"
    made["claims"][0]["evidence"][1]["snippet"] = "The port has 14 berths"
    return report(folder, made)


def with_titles(title: str) -> dict[str, Any]:
    """Give a second dimension that cites the port under a title of its own."""
    made = document() | {"dimension_id": "d2", "key_findings": []}
    made["claims"] = [claim(1, "Another claim on the port", []) | {"id": "d2.c1"}]
    made["claims"][0]["evidence"] = [evidence("harbour", "The connection rate was 63.5 %", "")]
    made["sources"] = [source("harbour", PORT, title=title)]
    return made
