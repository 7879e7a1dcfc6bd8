"""Write the table of fields into docs/search.md, or tell whether it is current."""

from pathlib import Path

from django.conf import settings

from reviews.queries.search_page import with_fields
from workbench.lib.page_command import PageCommand


class Command(PageCommand):
    """Write the fields of the search language between the marks of their page."""

    help = (
        "Write the fields of the search language into docs/search.md. With --check, only tell "
        "whether it is current."
    )
    page = Path(settings.BASE_DIR) / "docs" / "search.md"

    def wanted(self, held: str) -> str:
        """Give the page with its table as the fields are now."""
        return with_fields(held)
