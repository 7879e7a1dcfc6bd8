"""Write the tables of docs/scoring.md from the rules, or tell whether they are current."""

from pathlib import Path

from django.conf import settings

from sources.scoring.documenting import document
from workbench.lib.page_command import PageCommand


class Command(PageCommand):
    """Write the tables of the page about scoring."""

    help = (
        "Write the tables of docs/scoring.md from the rules. With --check, only tell whether "
        "they are current."
    )
    page = Path(settings.BASE_DIR) / "docs" / "scoring.md"

    def wanted(self, held: str) -> str:
        """Give the page with its tables made anew."""
        return document(held)
