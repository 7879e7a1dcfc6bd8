"""Write the tables of docs/cleaning.md from the steps, or tell whether they are current."""

from pathlib import Path

from django.conf import settings

from sources.cleaning import STEPS
from sources.cleaning.documenting import document
from workbench.lib.page_command import PageCommand


class Command(PageCommand):
    """Write the tables of the page about cleaning."""

    help = (
        "Write the tables of docs/cleaning.md from the steps. With --check, only tell whether "
        "they are current."
    )
    page = Path(settings.BASE_DIR) / "docs" / "cleaning.md"

    def wanted(self, held: str) -> str:
        """Give the page with its tables made anew."""
        return document(held, STEPS)
