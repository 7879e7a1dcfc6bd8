"""Commands that write a page of the documentation from the code, or tell whether it is current."""

import sys
from abc import abstractmethod
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class PageCommand(BaseCommand):
    """Write a page, or compare it: exit 0 written or current, 1 stale, 2 it can be neither."""

    page: Path  # where it stands in the repository
    requires_system_checks = []
    requires_migrations_checks = False

    @abstractmethod
    def wanted(self, held: str) -> str:
        """Give the page as it should be; ``held`` is what it says now, empty where it is absent.

        Raises ValueError where that leaves no place for what is to be written.
        """

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the page, and whether it is only looked at."""
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit 1 if the page is stale"
        )
        parser.add_argument(
            "--page",
            type=Path,
            default=self.page,
            metavar="FILE",
            help="the page to write or compare",
        )

    def handle(self, *_args: Any, check: bool, page: Path, **_options: Any) -> None:
        """Write the page, or compare it."""
        try:
            # A folder in its place is no page either: reading it says so.
            held = page.read_text(encoding="utf-8") if page.exists() else ""
            wanted = self.wanted(held)
            if not check and held != wanted:
                page.parent.mkdir(parents=True, exist_ok=True)
                page.write_text(wanted, encoding="utf-8", newline="\n")
        except (OSError, ValueError) as fault:
            reason = f"{page} cannot be read or written: {fault}"
            raise CommandError(reason, returncode=2) from fault
        if held == wanted:
            self.stdout.write(f"{page.name} is current.")
        elif check:
            command = type(self).__module__.rsplit(".", 1)[-1]
            self.stderr.write(f"{page.name} is stale. Run manage.py {command}.")
            sys.exit(1)
        else:
            self.stdout.write(f"{page.name} was written.")
