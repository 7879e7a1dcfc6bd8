"""Ask the active rules of the blacklist about addresses; nothing is stored."""

import os
import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from sources.blacklist.matching import read_address
from sources.blacklist.telling import blocks, lines, told
from sources.blacklist_index import load_index
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json

MAX_LINE = 100_000  # characters of an address read from standard input


class Command(BaseCommand):
    """Exit 0: none is blocked; 1: one is; 2: one is no address, or the rules cannot be read."""

    help = (
        "Tell for each URL which rule of the blacklist decides about it, and every step that led "
        "there. Exit status: 0 none is blocked; 1 at least one is blocked; 2 an argument is no "
        "http or https address, or the rules cannot be read. Exceptions that rest on the author or "
        "publisher of a source are not known from its URL and count as not met."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the addresses, what else is known of them, and the form of the answer."""
        parser.add_argument(
            "url", nargs="+", metavar="URL", type=storable_text,
            help="an address; - reads one a line from standard input",
        )  # fmt: skip
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument(
            "--doi", default="", metavar="ID", type=storable_text, help="of what is there"
        )
        parser.add_argument(
            "--publisher", default="", metavar="NAME", type=storable_text, help="of what is there"
        )
        parser.add_argument(
            "--title", default="", metavar="TEXT", type=storable_text, help="of what is there"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask about each address in turn."""
        try:
            index = load_index()
        except DatabaseError as error:
            raise CommandError(
                f"The rules cannot be read: {error}. Nothing was checked.", returncode=2
            ) from error
        blocked = unreadable = False
        facts = (options["doi"], options["publisher"], options["title"])
        try:
            for url in _urls(options["url"]):
                trace = index.trace(url, *facts)
                blocked = blocked or blocks(trace)
                if read_address(url) is None:
                    unreadable = True
                if options["json"]:
                    write_json(self.stdout, told(trace))
                else:
                    for line in lines(trace):
                        self.stdout.write(line)
        except BrokenPipeError:
            # The reader has gone, as `| head` does; Python would complain again when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"Standard input cannot be read: {error}.", returncode=2) from error
        if blocked or unreadable:
            sys.exit(1 if blocked else 2)


def _urls(given: list[str]) -> Iterator[str]:
    for each in given:
        if each != "-":
            yield each
            continue
        for line in sys.stdin:
            if text := line[:MAX_LINE].strip():
                yield text
