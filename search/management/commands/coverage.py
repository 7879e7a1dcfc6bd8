"""Tell how far a project has been searched."""

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError

from search.coverage_facts import Coverage, coverage_of
from sources.models import Project
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json

COMPLETE, INCOMPLETE, WRONG = 0, 1, 2


class Command(BaseCommand):
    """Print the matrix of searches, dimension by round, with what is missing."""

    help = (
        "Tell how far a project has been searched: results and kept records by dimension and "
        "round, languages, routes, MeSH, window of time, counter-evidence, and the boxes of the "
        "PRISMA flow. Exit 0: complete; 1: something is missing, which is named; "
        "2: no such project."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare project, language and form."""
        parser.add_argument("project", type=storable_text, metavar="SLUG", help="the project")
        parser.add_argument(
            "--language",
            choices=("en", "zh-Hans"),
            default="en",
            help="language of what is missing; else English",
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, and exit with the code of the outcome."""
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        try:
            project = Project.objects.filter(slug=given.project).first()
            if project is None:
                return self._refuse(given, f"There is no project “{given.project}”.")
            found = coverage_of(project)
        except (OperationalError, ProgrammingError) as fault:
            return self._refuse(given, f"The database is not ready ({fault}).")
        if given.as_json:
            write_json(self.stdout, {"ok": True, **found.as_dict(given.language)})
        else:
            self._tell(found, given.language)
        return COMPLETE if found.complete else INCOMPLETE

    def _tell(self, found: Coverage, language: str) -> None:
        for row in found.rows:
            name = f"{row.part.id} {row.part.name}".strip() or "searches without a dimension"
            cells = " ".join(
                f"R{cell.round} {cell.results}/{cell.kept} {cell.state};" for cell in row.cells
            )
            self.stdout.write(f"{name}: {cells.rstrip(';')}")
            for fault in row.faults:
                self.stdout.write(f"  missing: {fault.render(language)}")
        for box, count in found.flow.boxes().items():
            self.stdout.write(f"{box}: {count:,}")
        self.stdout.write("complete" if found.complete else "not complete")

    def _refuse(self, given: argparse.Namespace, reason: str) -> int:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "message": reason})
        self.stderr.write(reason)
        return WRONG
