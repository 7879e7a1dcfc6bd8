"""Assess claims against the text of their sources, without a database."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from reviews.claim_lines import LINE_BYTES, assess_record, known_id
from workbench.lib.json_output import write_json
from workbench.lib.jsonl import ByteLines, Line, read_lines
from workbench.lib.notices import InputError


class Command(BaseCommand):
    """Print one JSON line for each line read; exit 0 all good, 1 bad lines, 2 not readable."""

    help = "Rank the passages for each claim and sum up its risk."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the one argument."""
        parser.add_argument(
            "path",
            metavar="IN.jsonl",
            help="lines of id, claim, and text or sentences; - reads standard input",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, assess and print line by line; nothing is kept."""
        bad = 0
        try:
            with _opened(options["path"]) as stream:
                for line in read_lines(stream, line_bytes=LINE_BYTES):
                    result = _assessed(line)
                    bad += "error" in result
                    write_json(self.stdout, result)
        except BrokenPipeError:
            # The reader has gone, as `| head` does; Python would complain again when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except OSError as error:
            self.stderr.write(
                f"{options['path']} cannot be read: {error.strerror}. Check the path."
            )
            sys.exit(2)
        if bad:
            sys.exit(1)


@contextmanager
def _opened(path: str) -> Iterator[ByteLines]:
    if path == "-":
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as stream:
        yield stream


def _assessed(line: Line) -> dict[str, object]:
    if line.error is not None:
        return {"error": str(line.error), "line": line.number}
    record = line.value or {}
    try:
        return assess_record(record)
    except InputError as error:
        found = known_id(record)
        named = {} if found is None else {"id": found}
        return {**named, "error": str(error), "line": line.number}
