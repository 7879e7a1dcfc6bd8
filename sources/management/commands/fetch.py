"""Fetch one page into a snapshot of a project. Formats section 10."""

import argparse
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError

from sources.actions import ActionRefused
from sources.actions.fetching import start_fetch
from sources.capturing import run
from sources.models import Job, Project
from sources.running import perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json

DONE, NOT_FETCHED, WRONG = 0, 1, 2
WAIT_SECONDS = 0.5
KEYS = ("ok", "snapshot_ref", "access_status", "depth", "canonical_url", "title", "authors",
        "published", "text_chars")  # fmt: skip


class Command(BaseCommand):
    """Fetch in this process, without a worker; exit 0 fetched or kept, 1 not, 2 wrong arguments."""

    help = (
        "Fetch a page into a snapshot of a project. An address with a snapshot is not fetched "
        "again, unless asked with --again. Exit 0: there is a snapshot; 1: there is none, and "
        "why; 2: wrong arguments."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare address and project."""
        parser.add_argument("url", type=storable_text, metavar="URL", help="http or https")
        parser.add_argument(
            "--project",
            required=True,
            type=storable_text,
            metavar="SLUG",
            help="the project that keeps the source and its snapshot",
        )
        parser.add_argument("--again", action="store_true", help="fetch a new version")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fetch and print."""
        given = argparse.Namespace(**options)
        try:
            project = Project.objects.filter(slug=given.project).first()
            if project is None:
                said = f"There is no project {given.project}. Check --project."
                self._refuse(given, "no-project", said, WRONG)
                return
            job = start_fetch(
                project=project, url=given.url, by=None, again=given.again, nudge=False
            )
            self._finish(given, job)
        except ActionRefused as refused:
            self._refuse(given, refused.code, refused.message, NOT_FETCHED)
        except (OperationalError, ProgrammingError) as fault:
            said = f"The database is not ready ({fault}). Run migrate."
            self._refuse(given, "database", said, NOT_FETCHED)

    def _finish(self, given: argparse.Namespace, job: Job) -> None:
        """Do the job, or wait for whoever does it."""
        while not job.is_finished:
            try:
                if not perform(job.pk, run):
                    time.sleep(WAIT_SECONDS)
            except Exception as fault:
                # It is in the log with its traceback, and a worker will try again.
                said = f"The fetch failed ({type(fault).__name__}). A worker will try it again."
                self._refuse(given, "failed", said, NOT_FETCHED)
            job.refresh_from_db()
        if job.state != Job.State.DONE:
            self._refuse(given, job.state, job.error or "The fetch was stopped.", NOT_FETCHED)
        result = job.result
        if not result["ok"]:
            self._refuse(given, result["code"], result["message"], NOT_FETCHED)
        if given.as_json:
            # Not every database keeps the order of keys.
            write_json(self.stdout, {key: result[key] for key in KEYS})
        else:
            self.stdout.write(f"{result['snapshot_ref']}\n{result['depth']}, ", ending="")
            self.stdout.write(f"{result['text_chars']} characters: {result['title']}")

    def _refuse(self, given: argparse.Namespace, code: str, message: str, returned: int) -> None:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "code": code, "message": message})
        else:
            self.stderr.write(message)
        sys.exit(returned)
