"""Clean raw evidence: search hits, pieces of pages, scanned text. Nothing is stored."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sources.cleaning import clean
from sources.cleaning.opening import open_document
from sources.cleaning.reading import read_input
from sources.cleaning.writing import output
from workbench.lib.json_output import to_json, write_json
from workbench.lib.notices import InputError
from workbench.lib.whole_files import written_whole

UNREADABLE = 2


class Command(BaseCommand):
    """Exit 0: cleaned, whatever was kept; 2: the input cannot be read, or F not written."""

    help = (
        "Clean raw evidence items by the rulebook and print one JSON object: what is kept, ranked "
        "lower and removed, with every reason. Reads and writes files alone: no database, no "
        "network. Exit 0: cleaned; 2: the input is missing, no JSON, or lacks what is needed."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the input, where the output goes, and the language of warnings."""
        parser.add_argument("path", metavar="INPUT.json", help="- reads standard input")
        parser.add_argument(
            "--output", metavar="F", help="write there instead of printing; it appears when whole"
        )
        parser.add_argument(
            "--language",
            default="",
            metavar="TAG",
            help="of warnings: en or zh (default: that of the subject and goal)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, clean, write."""
        name = options["path"]
        try:
            document, tolerated = open_document(_bytes(name))
            given = read_input(document, language=options["language"])
        except InputError as fault:
            spoken = options["language"] or "en"
            raise CommandError(f"{name}: {fault.render(spoken)}", returncode=UNREADABLE) from fault
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise CommandError(
                f"{name} cannot be read: {reason}. Check the path.", returncode=UNREADABLE
            ) from fault
        made = output(
            clean(given.items, given.context),
            language=given.language,
            notices=(*tolerated, *given.notices),
        )
        if options["output"]:
            self._store(Path(options["output"]), made)
        else:
            write_json(self.stdout, made, indent=2)

    def _store(self, target: Path, made: dict[str, Any]) -> None:
        try:
            with written_whole(target) as stream:
                stream.write(f"{to_json(made, indent=2)}\n".encode())
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise CommandError(
                f"{target} cannot be written: {reason}. Check the folder and its permissions.",
                returncode=UNREADABLE,
            ) from fault
        stats = made["cleaning_stats"]
        self.stdout.write(
            f"{target}: {stats['total_input']} items, {stats['kept']} kept, "
            f"{stats['downranked']} ranked lower, {stats['removed']} removed."
        )


def _bytes(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
