"""Word ready queries of all rounds in both languages."""

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from search.looking_up import Reading, look_up
from search.models import terms_of
from search.sending import Means
from search.wording import for_pubmed, in_language, ready_queries
from sources.models import Project
from sources.running import CannotBeDone
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json

DONE, FAILED, WRONG = 0, 1, 2


class Command(BaseCommand):
    """Print queries that may be given to ``search`` as they stand."""

    help = (
        "Word a subject as ready queries: four rounds, English and Chinese, PubMed with headings. "
        "Pairs of terms come from the project's glossary. "
        "Exit 0: done; 1: PubMed cannot be asked; 2: wrong arguments."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the subject, whose glossary, and what else is wanted."""
        parser.add_argument(
            "subject",
            type=storable_text,
            metavar="SUBJECT",
            help="a disease, drug, company or term",
        )
        parser.add_argument(
            "--project", type=storable_text, default="", metavar="SLUG", help="whose glossary"
        )
        parser.add_argument(
            "--round", type=int, choices=(1, 2, 3, 4), help="queries of one round alone"
        )
        parser.add_argument(
            "--mechanism", action="store_true", help="a window of ten years instead of three"
        )
        parser.add_argument(
            "--look-up", action="store_true", help="ask PubMed how it reads its query"
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print, and exit with the code of the outcome."""
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        try:
            project = Project.objects.filter(slug=given.project).first() if given.project else None
            if given.project and project is None:
                return self._refuse(given, f"There is no project “{given.project}”.", WRONG)
            terms = terms_of(project) if project else []
            reading = None
            pubmed = for_pubmed(given.subject, terms)
            if not given.subject.strip() or len(given.subject) > 300:
                return self._refuse(given, "Give a subject of 1 to 300 characters.", WRONG)
            if given.look_up and pubmed:
                reading = Reading.of(pubmed, look_up(pubmed, Means()))
        except CannotBeDone as fault:
            return self._refuse(given, fault.render("en"), FAILED)
        except (OperationalError, ProgrammingError) as fault:
            return self._refuse(given, f"The database is not ready ({fault}).", WRONG)
        found = ready_queries(
            given.subject, terms, year=timezone.now().year, mechanism=given.mechanism
        )
        report: dict[str, Any] = {
            "ok": True,
            "queries": [
                {
                    "round": each.round,
                    "language": each.language,
                    "route": each.route,
                    "query": each.text,
                    "year_low": each.year_low,
                }
                for each in found
                if given.round in (None, each.round)
            ],
            "not_in_glossary": [
                *in_language(given.subject, terms, "zh").left,
                *in_language(given.subject, terms, "en").left,
            ],
        }
        if reading is not None:
            report["pubmed"] = {
                "query": reading.query,
                "translated": reading.translated,
                "headings": reading.headings,
                "dropped": reading.dropped,
                "total": reading.total,
            }
        if given.as_json:
            write_json(self.stdout, report)
        else:
            self._tell(report)
        return DONE

    def _tell(self, report: dict[str, Any]) -> None:
        for each in report["queries"]:
            self.stdout.write(
                f"R{each['round']} {each['language']} --route {each['route']} "
                f"--year-low {each['year_low']}\n   {each['query']}"
            )
        if left := report["not_in_glossary"]:
            self.stdout.write(f"! Not in the glossary: {', '.join(left)}")
        if reading := report.get("pubmed"):
            self.stdout.write(f"PubMed reads: {reading['translated'] or '(nothing)'}")
            self.stdout.write(f"Headings: {', '.join(reading['headings']) or 'none'}")
            for word in reading["dropped"]:
                self.stdout.write(f"! Left out: {word}")

    def _refuse(self, given: argparse.Namespace, reason: str, code: int) -> int:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "message": reason})
        self.stderr.write(reason)
        return code
