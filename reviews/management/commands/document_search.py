"""Write the table of fields into ``docs/search.md``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from reviews.search_page import with_fields


class Command(BaseCommand):
    help = "Write the fields of the search language into docs/search.md."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        page = Path(settings.BASE_DIR) / "docs" / "search.md"
        parser.add_argument("--page", type=Path, default=page)
        parser.add_argument("--check", action="store_true", help="only tell whether it is current")

    def handle(self, *args: Any, page: Path, check: bool, **options: Any) -> None:
        """Write the page, or compare it; exit 2 if it can be neither or has no marks."""
        try:
            self._write_or_compare(page, check=check)
        except (OSError, ValueError) as fault:
            raise CommandError(
                f"{page} cannot be read or written: {fault}", returncode=2
            ) from fault

    def _write_or_compare(self, page: Path, *, check: bool) -> None:
        held = page.read_text(encoding="utf-8")
        wanted = with_fields(held)
        if held == wanted:
            self.stdout.write(f"{page.name} is current.")
        elif check:
            self.stderr.write(f"{page.name} is stale: run manage.py document_search.")
            sys.exit(1)
        else:
            page.write_text(wanted, encoding="utf-8")
            self.stdout.write(f"{page.name} was written.")
