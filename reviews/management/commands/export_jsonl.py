"""Export sources, receipts or rejections as JSON Lines. Formats sections 1 to 3."""

import argparse
import io
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from reviews.reporting.record_exports import FOLDER, LINES, note_export, write_folder, write_records
from sources.importing.loading import left_out
from sources.models import Project
from workbench.lib.arguments import storable_text

DONE, NOT_WRITTEN, USAGE = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Write the sources, search receipts or rejected sources of a project as JSON Lines. "
        "Exit 0: done; 1: not written; 2: wrong arguments or no such project."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", type=storable_text, metavar="SLUG", help="the project")
        parser.add_argument(
            "what", choices=[*LINES, FOLDER], help="one of the three files, or a folder with all"
        )
        parser.add_argument(
            "--output",
            type=storable_text,
            default="",
            metavar="F",
            help="file to write, replaced if there is one; for phase2 a folder; else print",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        project = Project.objects.filter(slug=given.project).first()
        if project is None:
            return self._refuse(f"There is no project “{given.project}”.", USAGE)
        if given.what == FOLDER and not given.output:
            return self._refuse("phase2 is a folder: name it with --output.", USAGE)
        try:
            counts = self._write(project, given.what, given.output)
        except OSError as fault:
            return self._refuse(f"{fault}. Nothing was written.", NOT_WRITTEN)
        note_export(project, counts, by=None)
        if given.output:
            parts = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
            self.stdout.write(f"Exported to {given.output}: {parts}.")
        if "sources" in counts and (hidden := left_out(project)):
            self.stderr.write(f"{hidden:,} rejected sources are in rejected_sources, not here.")
        return DONE

    def _write(self, project: Project, what: str, output: str) -> dict[str, int]:
        if what == FOLDER:
            return write_folder(project, Path(output))
        if output:
            return {what: write_records(project, what, Path(output).resolve())}
        raw = getattr(self.stdout, "buffer", None)
        if raw is not None:
            self.stdout.flush()
            return {what: write_records(project, what, raw)}
        held = io.BytesIO()
        count = write_records(project, what, held)
        self.stdout.write(held.getvalue().decode(), ending="")
        return {what: count}

    def _refuse(self, message: str, code: int) -> int:
        self.stderr.write(f"export_jsonl: {message}")
        return code
