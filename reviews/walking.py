"""Where a claim stands in the queue that its screen was opened from."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from sources.models import Project, User

from .models import Claim, QueueCursor
from .ordering import DEFAULT
from .queues import neighbours, next_open, queue_for


@dataclass(slots=True)
class Place:
    """A claim's place in a queue; ids are public ones, empty where there is none."""

    project: Project
    query: str = ""
    sort: str = DEFAULT
    cursor: str = ""
    position: int = 0  # 0: the claim is not in the queue
    total: int = 0
    previous: str = ""
    next: str = ""
    next_open: str = ""
    skipped: int = 0  # done by others between the claim and the next

    def address(self, claim: str, evidence: int = 0) -> str:
        """Give the address of a claim in this queue."""
        values = {"q": self.query, "sort": "" if self.sort == DEFAULT else self.sort, "at": claim}
        if evidence:
            values["e"] = str(evidence)
        values["cur"] = self.cursor
        given = {name: value for name, value in values.items() if value}
        return f"{reverse('review', args=[self.project.slug])}?{urlencode(given)}"

    @property
    def list_query(self) -> str:
        """Give the part of an address that names the list which the queue is."""
        values = {"q": self.query, "sort": "" if self.sort == DEFAULT else self.sort}
        given = urlencode({name: value for name, value in values.items() if value})
        return f"?{given}" if given else ""

    @property
    def previous_url(self) -> str:
        return self.address(self.previous) if self.previous else ""

    @property
    def next_url(self) -> str:
        return self.address(self.next) if self.next else ""

    @property
    def next_open_url(self) -> str:
        return self.address(self.next_open) if self.next_open else ""


def enter(place: Place, user: User, at: int | None) -> QueueCursor:
    """Find the queue that the address names, or open it. Raises QueryError."""
    cursor = queue_for(user, place.project, place.query, place.sort, key=place.cursor, at=at)
    place.cursor, place.sort, place.total = cursor.key, cursor.sort, cursor.total
    return cursor


def first_in(cursor: QueueCursor) -> int | None:
    """Give the claim to begin with: the first that waits for the user, else the first."""
    waiting = next_open(cursor, None)
    if waiting is not None:
        return waiting.pk
    return int(cursor.ids[0]) if cursor.ids else None


def look_around(place: Place, cursor: QueueCursor, claim: Claim) -> Place:
    """Fill in what stands before and after a claim."""
    found = neighbours(cursor, claim.pk)
    waiting = next_open(cursor, claim.pk)
    place.position, place.total, place.skipped = found.position, found.total, found.skipped
    place.previous = found.previous.external_id if found.previous else ""
    place.next = found.next.external_id if found.next else ""
    place.next_open = waiting.external_id if waiting else ""
    return place
