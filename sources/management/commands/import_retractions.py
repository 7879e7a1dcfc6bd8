"""Take over the table of Retraction Watch."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError

from sources.actions.retractions import import_table
from sources.models import Job, NoticeBatch
from sources.noticing import table
from sources.retractions.retraction_watch import PROBLEMS
from sources.running import CannotBeDone, perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json

DONE, REFUSED = 0, 2
WAIT_SECONDS = 0.5
SAID_EVERY = 2.0  # seconds between two lines of progress
_SHOWN = 20
_COUNTS = ("rows", "new", "changed", "same", "returned", "withdrawn", "twice", "left_out")


class Command(BaseCommand):
    """Import a table, judge the sources of every project; exit 0 done, 2 nothing was imported."""

    help = (
        "Import the table of Retraction Watch (CSV of any vintage) and judge every source by it. "
        "Importing it again changes nothing; notices that it holds no more are marked withdrawn. "
        "Exit 0: done; 2: nothing was imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file and what to do about notices that are missing from it."""
        parser.add_argument(
            "path", type=storable_text, metavar="FILE", help="the table, retraction_watch.csv"
        )
        parser.add_argument("--dry-run", action="store_true", help="report, and write nothing")
        gone = parser.add_mutually_exclusive_group()
        gone.add_argument(
            "--keep-missing",
            action="store_true",
            help="the file is a part of the table: what it does not hold stays as it is",
        )
        gone.add_argument(
            "--accept-withdrawals",
            action="store_true",
            help="withdraw what is missing even if it is a large share of the known notices",
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look the table over, import it unless told otherwise, print what it changed."""
        given = argparse.Namespace(**options)
        path = Path(given.path)
        try:
            if given.dry_run:
                plan = table.look_over(path, self._tell(given))
                table.refuse_many(plan, vars(given))
                self._print(given, plan.counts, plan.problems)
            else:
                self._import(path, given)
        except CannotBeDone as reason:
            self._refuse(given, str(reason))
        except (OperationalError, ProgrammingError) as fault:
            self._refuse(given, f"The database is not ready ({fault}). Run migrate.")

    def _import(self, path: Path, given: argparse.Namespace) -> None:
        if not path.is_file():
            self._refuse(given, f"{given.path} is no file. Check the path. Nothing was imported.")
        batch = import_table(
            path=path,
            by=None,
            keep_missing=given.keep_missing,
            accept_withdrawals=given.accept_withdrawals,
            nudge=False,
        )
        job = batch.job
        assert job is not None  # noqa: S101  # for the types
        tell = self._tell(given)
        while not perform(job.pk, lambda running: table.run(running, tell)):
            job.refresh_from_db()  # a worker has it
            if job.is_finished:
                break
            time.sleep(WAIT_SECONDS)
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            self._refuse(given, job.error or "The import was stopped; run it again to go on.")
        batch.refresh_from_db()
        self._print(given, job.result, batch.problems, batch)

    def _tell(self, given: argparse.Namespace) -> table.Tell:
        said = {"at": time.monotonic()}

        def tell(stage: str, done: int, total: int) -> None:
            now = time.monotonic()
            if given.as_json or now - said["at"] < SAID_EVERY:
                return
            said["at"] = now
            of = f" of {total:,}" if total else ""
            self.stderr.write(f"{stage}: {done:,}{of}")

        return tell

    def _print(
        self,
        given: argparse.Namespace,
        counts: dict[str, Any],
        problems: list[dict[str, Any]],
        batch: NoticeBatch | None = None,
    ) -> None:
        said = [
            {
                "line": each["line"],
                "message": PROBLEMS[each["code"]].render("en", line=each["line"], **each["values"]),
            }
            for each in problems
        ]
        if given.as_json:
            head = {"ok": True, "dry_run": given.dry_run, "batch": batch.pk if batch else None}
            write_json(self.stdout, {**head, "counts": counts, "problems": said})
            return
        for problem in said[:_SHOWN]:
            self.stdout.write(f"notice   {problem['message']}")
        for name in _COUNTS:
            if counts.get(name) or name == "rows":
                self.stdout.write(f"{name.replace('_', ' '):<10}{counts.get(name, 0):,}")
        if batch is None:
            self.stdout.write("Dry run: nothing was written.")
        else:
            changed = counts.get("standings", 0)
            self.stdout.write(f"Import {batch.pk}: {changed:,} sources changed their standing.")

    def _refuse(self, given: argparse.Namespace, reason: str) -> None:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "dry_run": given.dry_run, "error": reason})
        else:
            self.stderr.write(f"import_retractions: {reason}")
        sys.exit(REFUSED)
