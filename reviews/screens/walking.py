"""Where a claim stands in the queue that its screen was opened from."""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone

from reviews.models import Claim, QueueCursor
from reviews.screens.ordering import DEFAULT
from reviews.screens.queues import neighbours, next_open, queue_for
from sources.models import Project, User

LATELY = timedelta(minutes=10)


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


def enter(place: Place, user: User, at: int | None) -> QueueCursor:
    """Find the queue that the address names, or open it. Raises QueryError.

    A link to a claim that names no queue walks the one that was opened for the same query a
    moment ago, if the claim is in it.
    """
    cursor = None
    if at is not None and not place.cursor:
        cursor = _opened_lately(place, user, at)
    if cursor is None:
        cursor = queue_for(user, place.project, place.query, place.sort, key=place.cursor, at=at)
    place.cursor, place.sort, place.total = cursor.key, cursor.sort, cursor.total
    return cursor


def _opened_lately(place: Place, user: User, at: int) -> QueueCursor | None:
    since = timezone.now() - LATELY
    own = QueueCursor.objects.filter(user=user, project=place.project, created_at__gt=since)
    cursor = own.filter(query=place.query, sort=place.sort).order_by("-created_at").first()
    if cursor is None or at not in cursor.ids:
        return None
    cursor.user, cursor.project = user, place.project
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
    place.position, place.total, place.skipped = found.position, found.total, found.skipped
    place.previous = found.previous.external_id if found.previous else ""
    place.next = found.next.external_id if found.next else ""
    return place
