"""What ``search`` and ``ground`` share: do the job here, print what it came to. Formats, 10."""

import argparse
import sys
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError

from search import receipts, searching
from search.answering import load_book, run
from search.models import Call, Receipt
from search.plans import Plan
from search.routes import routes_line
from sources.models import Job, Project
from sources.running import perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json
from workbench.lib.notices import InputError

ANSWERED, FAILED, WRONG = 0, 1, 2
EXITS = "Exit 0: answered, also with nothing found; 1: failed; 2: wrong arguments."
TOOL = "search-cli"


class _Wrong(Exception):
    """The arguments do not fit."""


class SearchCommand(BaseCommand):
    """A command that searches in its own process, and needs no worker."""

    grounds: ClassVar[bool] = False
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what both commands take."""
        text = storable_text
        parser.add_argument("query", type=text, metavar="QUERY", help="what is looked for")
        parser.add_argument(
            "--num-results", type=int, default=10, metavar="N", help="results of each provider"
        )
        parser.add_argument(
            "--round", type=int, metavar="1-4", help="the round of the search strategy"
        )
        parser.add_argument(
            "--language", type=text, default="", metavar="TAG", help="of the query, as en or zh"
        )
        parser.add_argument(
            "--purpose", type=text, default="", metavar="TEXT", help="why, for the receipt"
        )
        parser.add_argument(
            "--project",
            type=text,
            default="",
            metavar="SLUG",
            help="whose search it is; without one the receipts go to the project scratch",
        )
        parser.add_argument(
            "--trace", action="store_true", help="show each call, its timing and outcome"
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def plan(self, given: argparse.Namespace) -> Plan:
        """Give what is to be searched."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        """Search, print, and exit with the code of the outcome."""
        given = argparse.Namespace(**options)
        try:
            code = self._run(given)
        except _Wrong as fault:
            code = self._refuse(given, str(fault), WRONG)
        except InputError as fault:
            code = self._refuse(given, fault.render("en"), WRONG)
        except (OperationalError, ProgrammingError) as fault:
            code = self._refuse(given, f"The database is not ready ({fault}). Run migrate.", FAILED)
        sys.exit(code)

    def _run(self, given: argparse.Namespace) -> int:
        plan = self.plan(given)
        plan.check()
        if not plan.ground:
            plan.routes_in(load_book())
        project = self._project(given)
        job = searching.begin(project, plan, by=None, nudge=False)
        perform(job.pk, run)
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            reason = job.error or f"The search was {job.state}; the jobs page tells more."
            return self._refuse(given, reason, FAILED)
        return self._print(given, job)

    def _project(self, given: argparse.Namespace) -> Project:
        if not given.project:
            return searching.scratch_project()
        project = Project.objects.filter(slug=given.project).first()
        if project is None:
            raise _Wrong(f"There is no project “{given.project}”. Check the slug.")
        return project

    def _print(self, given: argparse.Namespace, job: Job) -> int:
        found = dict(job.result)
        standing = list(Receipt.objects.of_job(job))
        report: dict[str, Any] = {
            "ok": found["ok"],
            "routes_used": found["routes_used"],
            "receipts": [receipts.line_of(each) for each in standing],
            "results": receipts.results_of(standing),
            "fallbacks": found["fallbacks"],
            "warnings": [*found["failures"], *found["warnings"]],
        }
        if given.trace:
            report["trace"] = _trace(standing)
        if self.grounds:
            report["grounded"] = any(each.said.get("grounded") for each in standing)
        if given.as_json:
            write_json(self.stdout, report)
        else:
            self._tell(report)
        for failure in found["failures"]:
            self.stderr.write(failure)
        return ANSWERED if found["ok"] else FAILED

    def _tell(self, report: dict[str, Any]) -> None:
        for result in report["results"]:
            self.stdout.write(_line(result))
        if not report["results"]:
            self.stdout.write("Nothing was found.")
        for warning in report["warnings"]:
            self.stdout.write(f"! {warning}")
        for call in report.get("trace", ()):
            self.stdout.write(
                f"  {call['route']} {call['provider']} try {call['attempt']}: "
                f"{call['outcome']} {call['status'] or '-'} {call['ms']} ms"
            )
        names = ", ".join(line["receipt_id"] for line in report["receipts"])
        self.stdout.write(f"Receipts: {names or 'none'}")
        self.stdout.write(routes_line(report["routes_used"]))

    def _refuse(self, given: argparse.Namespace, reason: str, code: int) -> int:
        if given.as_json:
            names = ("routes_used", "receipts", "results", "fallbacks")
            empty: dict[str, list[Any]] = {name: [] for name in names}
            write_json(self.stdout, {"ok": False, **empty, "warnings": [reason]})
        self.stderr.write(reason)
        return code


def _line(result: dict[str, Any]) -> str:
    date = result["published"]["date"] or "undated"
    lead = " [lead]" if result.get("fallback_result") else ""
    standing = f" [{result['standing'].upper()}]" if result.get("standing") else ""
    title = result["title"] or result["raw_id"] or "(no title)"
    url = f"\n   {result['url']}" if result["url"] else ""
    return f"{result['rank']}. {title} ({date}, {result['provider']}){lead}{standing}{url}"


def _trace(standing: list[Receipt]) -> list[dict[str, Any]]:
    by_pk = {each.pk: each for each in standing}
    calls = Call.objects.filter(receipt__in=list(by_pk)).order_by("receipt", "number")
    return [
        {
            "provider": by_pk[call.receipt_id].provider,
            "route": by_pk[call.receipt_id].route,
            "attempt": call.attempt,
            "ms": call.ms,
            "status": call.status,
            "outcome": call.outcome,
        }
        for call in calls
    ]
