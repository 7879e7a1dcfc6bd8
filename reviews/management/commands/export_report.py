"""Export a project as a report directory with its reviews. Formats sections 5 and 7."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from reviews.report.names import MODES
from reviews.reporting.exporting import ExportRefused, export_project
from sources.models import Project
from sources.recording import Entry, record
from workbench.lib.archives import ArchiveError
from workbench.lib.arguments import storable_text
from workbench.lib.blobs import BlobError
from workbench.lib.json_output import write_json

DONE, NOT_WRITTEN, USAGE = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Export a project as the report directory it came from, with its reviews. "
        "Exit 0: done; 1: nothing was written; 2: no such project."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "project", type=storable_text, metavar="SLUG", help="the project to export"
        )
        parser.add_argument(
            "out",
            type=storable_text,
            metavar="OUT",
            help="a new or empty folder, or the name of a new .zip",
        )
        parser.add_argument(
            "--zip", action="store_true", dest="as_zip", help="make a zip, whatever OUT is called"
        )
        parser.add_argument(
            "--names", choices=MODES, default="full", help="how reviewers are named; else in full"
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        project = Project.objects.filter(slug=given.project).first()
        if project is None:
            return self._refuse(given, f"There is no project “{given.project}”.", USAGE)
        target = Path(given.out).resolve()
        as_zip = given.as_zip or target.suffix.lower() == ".zip"
        try:
            summary = export_project(project, target, names=given.names, as_zip=as_zip)
        except (ExportRefused, OSError) as fault:
            return self._refuse(given, str(fault), NOT_WRITTEN)
        except (BlobError, ArchiveError) as fault:
            return self._refuse(given, f"{fault} Nothing was written.", NOT_WRITTEN)
        new = {"target": target.name, "names": given.names, "files": summary["files"]}
        record(project, [Entry("export.done", "export", project.slug, new=new)], by=None)
        if given.as_json:
            said = {"ok": True, "project": project.slug, "target": str(target)}
            write_json(self.stdout, said | summary)
        else:
            self._say(target, summary)
        return DONE

    def _say(self, target: Path, summary: dict[str, Any]) -> None:
        counts = summary["files"]
        self.stdout.write(
            f"Exported to {target}: {counts['report']:,} report files, {counts['snapshot']:,} "
            f"files of snapshots, {counts['review']:,} review files, {summary['bytes']:,} bytes."
        )
        for path, verdict in summary["verdicts"].items():
            self.stdout.write(f"{path}: {verdict}")

    def _refuse(self, given: argparse.Namespace, message: str, code: int) -> int:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "error": message})
        else:
            self.stderr.write(f"export_report: {message}")
        return code
