"""Where a claim stands in the queue that it was opened from."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from sources.models import Project, User

from .models import Claim

SORT = "-risk"


@dataclass(slots=True)
class Place:
    """A claim's place in a queue; ids are external ones, empty where there is none."""

    project: Project
    query: str = ""
    sort: str = SORT
    cursor: str = ""
    position: int = 0
    total: int = 0
    previous: str = ""
    next: str = ""
    next_open: str = ""
    note: str = ""

    def address(self, claim: str, evidence: int = 0) -> str:
        """Give the address of a claim in this queue."""
        values = {"q": self.query, "sort": "" if self.sort == SORT else self.sort, "at": claim}
        if evidence:
            values["e"] = str(evidence)
        values["cur"] = self.cursor
        given = {name: value for name, value in values.items() if value}
        return f"{reverse('review', args=[self.project.slug])}?{urlencode(given)}"

    @property
    def previous_url(self) -> str:
        return self.address(self.previous) if self.previous else ""

    @property
    def next_url(self) -> str:
        return self.address(self.next) if self.next else ""

    @property
    def next_open_url(self) -> str:
        return self.address(self.next_open) if self.next_open else ""


def first_of(project: Project, user: User, place: Place) -> Claim | None:
    """Give the claim to begin with: the first that waits for somebody, else the first."""
    claims = Claim.objects.for_project(project).order_by("-risk_order", "pk")
    waiting = claims.exclude(state=Claim.State.DONE).exclude(verdicts__reviewer=user).first()
    return waiting or claims.first()


def find_place(project: Project, user: User, claim: Claim, place: Place) -> Place:
    """Fill in where a claim stands among the claims of the project, the riskiest first."""
    claims = Claim.objects.for_project(project)
    before = Q(risk_order__gt=claim.risk_order) | Q(risk_order=claim.risk_order, pk__lt=claim.pk)
    after = Q(risk_order__lt=claim.risk_order) | Q(risk_order=claim.risk_order, pk__gt=claim.pk)
    place.total = claims.count()
    place.position = claims.filter(before).count() + 1
    names = claims.values_list("external_id", flat=True)
    place.previous = names.filter(before).order_by("risk_order", "-pk").first() or ""
    following = names.filter(after).order_by("-risk_order", "pk")
    place.next = following.first() or ""
    place.next_open = (
        following.exclude(state=Claim.State.DONE).exclude(verdicts__reviewer=user).first() or ""
    )
    return place
