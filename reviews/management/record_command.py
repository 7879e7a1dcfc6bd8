"""What the commands share that import sources, receipts and rejections."""

import argparse
from pathlib import Path
from typing import Any

from reviews.importing import jobs, record_jobs
from reviews.management.import_command import ImportCommand
from sources.models import Project
from workbench.lib.archives import ArchiveError


class RecordCommand(ImportCommand):
    """A command that imports records of its kind, and nothing else."""

    def look(
        self, path: Path, project: Project | None, given: argparse.Namespace
    ) -> dict[str, Any]:
        name = path.resolve().name
        chosen: dict[str, Any] = {"wanted": self.kind, "only_valid": given.only_valid}
        try:
            return record_jobs.dry_run(path, name, project, **chosen)
        except ArchiveError as fault:
            return jobs.refusal(fault, name)
