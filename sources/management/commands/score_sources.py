"""Score the lines of a sources.jsonl and print each back with its score and the reasons."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from sources.models import Project
from sources.scoring.facts import Tables
from sources.scoring.lines import BadLine, Scoring, score_line
from sources.scoring.recency import TOPICS
from sources.scoring.topics import Topics
from sources.tabling import load_tables
from sources.topics import topics_of
from workbench.lib.json_output import write_json
from workbench.lib.jsonl import ByteLines, Line, read_lines

LINE_BYTES = 64 * 2**20


class Command(BaseCommand):
    """Print one JSON line for each line read; exit 0 all good, 1 bad lines, 2 not readable."""

    help = (
        "Score sources by the rulebook: each line comes back with its score, tier, band, reasons "
        "and findings. Stated values that differ move to imported_<name>. Nothing is stored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare file, topic, date and project."""
        parser.add_argument("path", metavar="FILE.jsonl", help="- reads standard input")
        parser.add_argument("--topic", required=True, choices=TOPICS, help="topic type")
        parser.add_argument(
            "--as-of", required=True, type=_date, metavar="DATE", help="ages count to this day"
        )
        parser.add_argument(
            "--project", metavar="SLUG", help="also its evaluated companies and its dimensions"
        )
        parser.add_argument(
            "--language", default="en", metavar="TAG", help="of reasons: en or zh (default en)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score and print line by line."""
        tables, topics = _ground(options["project"], options["topic"])
        scoring = Scoring(tables, (options["topic"],), options["as_of"], options["language"])
        bad = 0
        try:
            with _opened(options["path"]) as stream:
                for line in read_lines(stream, line_bytes=LINE_BYTES, allow_gb18030=True):
                    try:
                        result = _scored(line, scoring, topics)
                    except _Unscored as fault:
                        bad += 1
                        result = fault.record
                        self.stderr.write(f"Line {line.number}: {result['error']}")
                    write_json(self.stdout, result)
        except BrokenPipeError:
            # The reader has gone, as `| head` does; Python would complain again when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except OSError as error:
            raise CommandError(
                f"{options['path']} cannot be read: {error.strerror}. Check the path.",
                returncode=2,
            ) from error
        if bad:
            self.stderr.write(f"{bad} lines could not be scored.")
            sys.exit(1)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"“{text}” is no date such as 2026-04-20.") from None


def _ground(slug: str | None, topic: str) -> tuple[Tables, Topics]:
    """Give the tables to score by, and the topics of the project's dimensions."""
    try:
        if slug is None:
            return load_tables(), Topics(topic)
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise CommandError(f"There is no project “{slug}”.", returncode=2)
        return load_tables(project), topics_of(project, topic)
    except DatabaseError as fault:
        raise CommandError(
            f"The site's tables cannot be read: {fault}. Run manage.py migrate first.",
            returncode=2,
        ) from fault


class _Unscored(Exception):
    """A line has no score; ``record`` is printed in its place."""

    def __init__(self, line: Line, error: str, **more: Any) -> None:
        super().__init__(error)
        self.record: dict[str, Any] = {**more, "error": error, "line": line.number}


def _scored(line: Line, scoring: Scoring, topics: Topics) -> dict[str, Any]:
    if line.error is not None:
        raise _Unscored(line, str(line.error))
    record = line.value or {}
    own, used_in = record.get("topic_type"), record.get("used_in")
    nearest = topics.nearest(
        own if isinstance(own, str) else "",
        [name for name in used_in if isinstance(name, str)] if isinstance(used_in, list) else [],
    )
    try:
        return score_line(record, scoring, nearest)
    except BadLine as fault:
        known = {"id": record["id"]} if isinstance(record.get("id"), str | int) else {}
        said = "; ".join(problem.render(scoring.language) for problem in fault.problems)
        fields = [problem.field for problem in fault.problems]
        raise _Unscored(line, said, fields=fields, **known) from fault


@contextmanager
def _opened(path: str) -> Iterator[ByteLines]:
    if path == "-":
        yield sys.stdin.buffer
        return
    with Path(path).open("rb") as stream:
        yield stream
