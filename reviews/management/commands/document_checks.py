"""Write docs/checks.md from the checks, or tell whether it is current."""

from pathlib import Path

from django.conf import settings

from reviews.checks import CHECKS
from reviews.checks.documenting import document
from workbench.lib.page_command import PageCommand


class Command(PageCommand):
    """Write the page about the checks."""

    help = "Write docs/checks.md from the checks. With --check, only tell whether it is current."
    page = Path(settings.BASE_DIR) / "docs" / "checks.md"

    def wanted(self, held: str) -> str:
        """Give the whole page."""
        return document(CHECKS)
