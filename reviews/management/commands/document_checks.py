"""Write docs/checks.md from the checks, or tell whether it is current."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviews.checks import CHECKS
from reviews.checks.documenting import document

PAGE = Path(__file__).resolve().parents[3] / "docs" / "checks.md"


class Command(BaseCommand):
    """Write the page about the checks."""

    help = "Write docs/checks.md from the checks. With --check, only tell whether it is current."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the options."""
        parser.add_argument("--check", action="store_true", help="exit 1 if the page is stale")
        parser.add_argument("--page", type=Path, default=PAGE, help="the page to write or compare")

    def handle(self, *_args: Any, check: bool, page: Path, **_options: Any) -> None:
        """Write the page, or compare it; exit 2 if the page can be neither."""
        try:
            self._write_or_compare(page, check=check)
        except (OSError, UnicodeDecodeError) as fault:
            raise CommandError(
                f"{page} cannot be read or written: {fault}", returncode=2
            ) from fault

    def _write_or_compare(self, page: Path, *, check: bool) -> None:
        wanted = document(CHECKS)
        present = page.read_text(encoding="utf-8") if page.is_file() else ""
        if not check:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(wanted, encoding="utf-8", newline="\n")
            self.stdout.write(f"{page.name}: {len(CHECKS)} checks written.")
        elif present == wanted:
            self.stdout.write(f"{page.name} is current: {len(CHECKS)} checks.")
        else:
            self.stderr.write(f"{page.name} is stale. Run manage.py document_checks.")
            sys.exit(1)
