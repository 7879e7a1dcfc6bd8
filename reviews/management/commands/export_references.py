"""Export sources for reference managers, as RIS or BibTeX."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from reviews.reporting.record_exports import REFERENCES, note_export, references
from sources.models import Project
from workbench.lib.arguments import storable_text

DONE, NOT_WRITTEN, USAGE = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Write the sources of a project as RIS or BibTeX. Exit 0: done; 1: not written; "
        "2: wrong arguments or no such project."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", type=storable_text, metavar="SLUG", help="the project")
        parser.add_argument("--format", choices=[*REFERENCES], default="ris", help="of the file")
        parser.add_argument(
            "--output",
            type=storable_text,
            default="",
            metavar="F",
            help="file to write; else print",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        project = Project.objects.filter(slug=given.project).first()
        if project is None:
            return self._refuse(f"There is no project “{given.project}”.", USAGE)
        text, count = references(project, given.format)
        if given.output:
            try:
                Path(given.output).write_text(text, encoding="utf-8", newline="\n")
            except OSError as fault:
                return self._refuse(f"{fault}. Nothing was written.", NOT_WRITTEN)
            self.stdout.write(f"Exported to {given.output}: {count:,} references.")
        else:
            self.stdout.write(text, ending="")
        note_export(project, {given.format: count}, by=None)
        return DONE

    def _refuse(self, message: str, code: int) -> int:
        self.stderr.write(f"export_references: {message}")
        return code
