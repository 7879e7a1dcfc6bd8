"""Bring a project's glossary in or out."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError

from search.actions.wording import save_glossary
from search.glossary import MOST, Term, read_csv, read_lines, write_csv
from search.models import terms_of
from sources.models import Project
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import to_json, write_json
from workbench.lib.notices import InputError

DONE, BAD, UNREADABLE = 0, 1, 2
LARGEST = 4 * 2**20  # bytes


class Command(BaseCommand):
    """Print the terms, or put those of a file in their place."""

    help = (
        f"Print a project's glossary as JSONL, or replace it (at most {MOST:,} terms) by a file: "
        ".csv with the columns en, zh, mesh, also, or lines of JSONL or of the page. "
        "Exit 0: done; 1: a bad line, nothing was changed; 2: no such project, or unreadable."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare project, file and form."""
        parser.add_argument(
            "project", type=storable_text, metavar="SLUG", help="the project whose glossary"
        )
        parser.add_argument(
            "file",
            nargs="?",
            type=storable_text,
            metavar="FILE",
            help="CSV or JSONL that takes the place of the glossary; without it, it is printed",
        )
        parser.add_argument("--csv", action="store_true", help="print CSV")
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replace or print, and exit with the code of the outcome."""
        sys.exit(self._run(argparse.Namespace(**options)))

    def _run(self, given: argparse.Namespace) -> int:
        try:
            project = Project.objects.filter(slug=given.project).first()
            if project is None:
                return self._refuse(given, f"There is no project “{given.project}”.", UNREADABLE)
            if given.file is None:
                self._print(given, terms_of(project))
                return DONE
            terms = _read(Path(given.file))
            changed = save_glossary(project=project, terms=terms, by=None)
        except InputError as fault:
            return self._refuse(given, fault.render("en"), BAD)
        except (OSError, ValueError) as fault:
            return self._refuse(given, f"{given.file} cannot be read: {fault}", UNREADABLE)
        except (OperationalError, ProgrammingError) as fault:
            return self._refuse(given, f"The database is not ready ({fault}).", UNREADABLE)
        if given.as_json:
            write_json(self.stdout, {"ok": True, "terms": len(terms), "changed": changed})
        else:
            what = "were saved" if changed else "stood there already"
            self.stdout.write(f"{len(terms)} terms {what}.")
        return DONE

    def _print(self, given: argparse.Namespace, terms: list[Term]) -> None:
        if given.as_json:
            said = [term.as_dict() for term in terms]
            write_json(self.stdout, {"ok": True, "glossary": said})
        elif given.csv:
            self.stdout.write(write_csv(terms), ending="")
        else:
            for term in terms:
                self.stdout.write(to_json(term.as_dict()))

    def _refuse(self, given: argparse.Namespace, reason: str, code: int) -> int:
        if given.as_json:
            write_json(self.stdout, {"ok": False, "message": reason})
        self.stderr.write(reason)
        return code


def _read(path: Path) -> list[Term]:
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("the file is larger than 4 MB")
    text = data.decode("utf-8-sig")
    return read_csv(text) if path.suffix.lower() == ".csv" else read_lines(text)
