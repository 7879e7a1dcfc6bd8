"""Import a report directory or a ledger of claims. Formats section 10."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.text import slugify

from reviews.exchange.mapping import Mapping, MappingError
from reviews.exchange.planning import Options
from reviews.exchange.proposing import propose_for
from reviews.importing import jobs as importing
from reviews.management.import_command import DONE, EXITS, ImportCommand, Usage
from sources.models import ImportMapping, Project
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json


class Command(ImportCommand):
    help = f"Import a report directory, an archive of one, or a ledger of claims. {EXITS}"
    called = "import_report"
    files = "report directory, .zip, .tar.gz, .json or .jsonl"

    def add_more(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--mapping",
            type=storable_text,
            default="",
            metavar="NAME|FILE",
            help="how the keys of a ledger are read: a saved mapping, or a file of one",
        )
        parser.add_argument(
            "--propose-mapping",
            action="store_true",
            help="print a mapping for PATH, and import nothing",
        )

    def instead(self, path: Path, given: argparse.Namespace) -> int | None:
        if not given.propose_mapping:
            return None
        mapping, report = propose_for(path, path.resolve().name)
        if mapping is None:
            return self.print_report(report, given, None)
        indent = None if given.as_json else 2
        write_json(self.stdout, mapping, indent=indent)
        return DONE

    def read_more(self, given: argparse.Namespace, project: Project | None) -> None:
        given.spec = _mapping(given.mapping, project)

    def is_ready(self, given: argparse.Namespace) -> bool:
        # With a mapping that cannot be used, a dry run gives the report that says so.
        try:
            return given.spec is None or bool(Mapping.read(given.spec))
        except MappingError:
            return False

    def look(
        self, path: Path, project: Project | None, given: argparse.Namespace
    ) -> dict[str, Any]:
        chosen = Options(only_valid=given.only_valid, keep_old=given.keep_old)
        name = path.resolve().name
        return importing.dry_run(path, name, project, mapping=given.spec, options=chosen)


def _mapping(value: str, project: Project | None) -> dict[str, Any] | None:
    if not value:
        return None
    saved = ImportMapping.objects.named(slugify(value), project)
    if saved is not None:
        return dict(saved.spec)
    try:
        spec = json.loads(Path(value).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise Usage(f"There is no mapping and no file “{value}”.") from None
    except (OSError, ValueError, RecursionError) as fault:
        raise Usage(f"The mapping {value} cannot be read: {fault}") from fault
    if not isinstance(spec, dict):
        raise Usage(f"The mapping {value} is no object in braces.")
    return spec
