"""Validate an evidence.json 1.1 or 1.2 against its contract, without a database."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from reviews.contracts.evidence import validate_evidence
from reviews.contracts.evidence_rules import MODES, VERSIONS
from reviews.contracts.files import DocumentError, Fault, read_document
from reviews.contracts.violations import Violation
from sources.cache_files import SourceCache
from workbench.lib.json_output import write_json


class Command(BaseCommand):
    """Print one JSON object; exit 0 good, 1 rules broken, 2 not readable."""

    help = (
        "Validate an evidence.json 1.1 or 1.2 against its contract, and print one JSON object. "
        "Exit 0: it holds; 1: rules are broken; 2: a file is missing or no JSON."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments; an option given an empty string is not given."""
        parser.add_argument("path", metavar="PATH", help="the evidence file to validate")
        parser.add_argument(
            "--source-cache",
            metavar="DIR",
            help="folder of snapshots in which references and quotes are looked up; version 1.2 "
            "needs it",
        )
        parser.add_argument(
            "--plan",
            metavar="FILE",
            help="plan.json of the report, to compare upstream inputs with",
        )
        parser.add_argument(
            "--expected-mode",
            type=_choice(MODES),
            metavar="{" + ",".join(MODES) + "}",
            help="break rule V009 unless the file has this mode",
        )
        parser.add_argument(
            "--require-version",
            type=_choice(VERSIONS),
            metavar="{" + ",".join(VERSIONS) + "}",
            help="break rule V001 unless the file has this schema_version",
        )
        parser.add_argument(
            "--upstream-evidence",
            nargs="*",
            metavar="FILE",
            help="evidence files of the dimensions that this one builds on",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, validate, print."""
        try:
            document = read_document(options["path"])
            plan = read_document(options["plan"]) if options["plan"] else None
            upstream = _read_upstream(options["upstream_evidence"])
        except DocumentError as error:
            # A plan or upstream file that is there but not readable counts as no JSON.
            first = error.path == options["path"] and error.fault is Fault.UNREADABLE
            rule = "FILE" if first or error.fault is Fault.MISSING else "JSON"
            self._print({"ok": False, "errors": [_error(rule, str(error), file=error.path)]})
            sys.exit(2)
        cache = options["source_cache"]
        outcome = validate_evidence(
            document,
            snapshots=SourceCache(Path(cache)) if cache else None,
            plan=plan,
            expected_mode=options["expected_mode"],
            require_version=options["require_version"],
            upstream=upstream,
        )
        if outcome.ok:
            self._print({"ok": True, "stats": dict(outcome.stats)})
            return
        self._print({"ok": False, "errors": [_violation(each) for each in outcome.violations]})
        sys.exit(1)

    def _print(self, result: object) -> None:
        write_json(self.stdout, result, indent=2)


def _choice(names: tuple[str, ...]) -> Callable[[str], str | None]:
    def read(value: str) -> str | None:
        if value and value not in names:
            raise ArgumentTypeError(f"choose one of {', '.join(names)}")
        return value or None

    return read


def _read_upstream(names: list[str] | None) -> list[object] | None:
    if names is None or (names and not any(names)):
        return None
    return [read_document(name) for name in names if name]


def _error(rule: str, message: str, **more: str) -> dict[str, str]:
    return {"rule": rule, "severity": "error", "message": message, **more}


def _violation(violation: Violation) -> dict[str, str]:
    return _error(violation.rule, violation.message(), path=violation.path, hint=violation.hint())
