"""What the address of a list says."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import get_language

from reviews.screens.ordering import DEFAULT
from sources.models import Project


def language_now() -> str:
    """Give the language of the screens."""
    return get_language() or "en"


@dataclass(frozen=True, slots=True)
class Place:
    """A query and a sort in a project."""

    project: Project
    query: str
    sort: str

    def address(self, name: str = "claims", **values: str) -> str:
        """Give an address with this query and sort; empty values are left out."""
        sort = "" if self.sort == DEFAULT else self.sort
        given = {"q": self.query, "sort": sort, **values}
        said = urlencode({key: value for key, value in given.items() if value})
        return reverse(name, args=[self.project.slug]) + (f"?{said}" if said else "")
