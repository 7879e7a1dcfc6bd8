"""Export what was fetched for a project as a WARC file."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import QuerySet

from sources.exchange.warc import CapturedPage, write_warc
from sources.models import Capture, Project
from sources.network import user_agent
from sources.recording import Entry, record
from sources.source_cache import UrlError, normalize_url, url_hash
from sources.texts import blobs
from workbench.lib.arguments import storable_text
from workbench.lib.blobs import BlobError
from workbench.lib.json_output import write_json
from workbench.lib.whole_files import flush_folder, written_whole

DONE, NOT_WRITTEN, USAGE = 0, 1, 2


class Command(BaseCommand):
    """Write every answer that was fetched, with its redirects; exit 0, 1 not written, 2 usage."""

    help = (
        "Export the answers that were fetched for a project as a WARC file, with their redirects. "
        "Exit 0: done; 1: nothing was written; 2: no such project, or a wrong argument."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare project, file and address."""
        parser.add_argument(
            "project", type=storable_text, metavar="SLUG", help="the project to export"
        )
        parser.add_argument(
            "out", type=storable_text, metavar="FILE.warc.gz", help="the name of a new file"
        )
        parser.add_argument(
            "--url", type=storable_text, metavar="ADDRESS", help="only what was asked of this one"
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say how much is in it."""
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        project = Project.objects.filter(slug=given.project).first()
        if project is None:
            return self._refuse(given, f"There is no project “{given.project}”.", USAGE)
        rows = Capture.objects.filter(project=project, status__isnull=False)
        rows = rows.select_related("project").order_by("pk")
        target = Path(given.out).resolve()
        try:
            if given.url:
                rows = rows.filter(url_hash=url_hash(normalize_url(given.url)))
            with written_whole(target) as stream:
                count = write_warc(stream, pages_of(rows), software=user_agent())
            flush_folder(target.parent)
        except UrlError as fault:
            return self._refuse(given, str(fault), USAGE)
        except (BlobError, OSError) as fault:
            return self._refuse(given, f"{fault} Nothing was written.", NOT_WRITTEN)
        new = {"target": target.name, "files": count}
        record(project, [Entry("export.done", "export", project.slug, new=new)], by=None)
        if given.as_json:
            write_json(self.stdout, {"ok": True, "target": str(target), "captures": count})
        else:
            self.stdout.write(f"{count} captures written to {target}.")
        return DONE

    def _refuse(self, given: argparse.Namespace, message: str, code: int) -> int:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "error": message})
        else:
            self.stderr.write(message)
        return code


def pages_of(rows: "QuerySet[Capture]") -> Iterator[CapturedPage]:
    """Give captures with their bytes, one at a time. Raises BlobError."""
    for row in rows.iterator(chunk_size=200):
        yield CapturedPage(
            key=f"{row.project.slug} {row.pk}",
            at=row.fetched_at,
            hops=tuple((url, status) for url, status in row.hops),
            headers=tuple((name, value) for name, value in row.headers),
            address=row.address,
            body=blobs().get(row.raw_hash) if row.raw_hash else b"",
        )
