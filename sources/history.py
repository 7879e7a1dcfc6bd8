"""Read the audit trail as one person may see it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from .models import AuditEvent, Project, User
from .permissions import can

PAGE = 50

# What a reviewer judged stays unseen by the other reviewers, so that reviews are independent.
JUDGEMENTS = (
    "assessment",
    "claim",
    "defect",
    "draft",
    "evidence",
    "finding",
    "request",
    "reveal",
    "snooze",
    "verdict",
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which events are wanted; empty: all."""

    object: str = ""  # type or public id, whole
    who: str = ""  # user name or full name, whole
    action: str = ""  # "verdict.given", or its first word

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Read filters from an address; what no event can hold is cut."""
        said = {name: _said(given.get(name, "")) for name in ("object", "who", "action")}
        return cls(**said)

    def over(self, found: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
        """Keep the events that are wanted."""
        if self.object:
            # Evidence is known by its claim: "d1.c5#1".
            parts = Q(object_id=self.object) | Q(object_id__startswith=f"{self.object}#")
            found = found.filter(parts | Q(object_type=self.object))
        if self.who:
            found = found.filter(Q(actor=self.who) | Q(user__in=_called(self.who)))
        if self.action:
            named = Q(action=self.action) | Q(action__startswith=f"{self.action}.")
            found = found.filter(named)
        return found


def _called(name: str) -> QuerySet[User]:
    """Give the people of a full name, written in either order."""
    eastern = Concat("last_name", "first_name")
    western = Concat("first_name", Value(" "), "last_name")
    people = User.objects.annotate(eastern=eastern, western=western)
    return people.filter(Q(eastern=name) | Q(western=name))


def _said(text: str) -> str:
    return text.replace("\x00", "").strip()[:300]


def sees_judgements(user: User, project: Project) -> bool:
    """Tell whether the trail shows the user everybody's judgements. One query."""
    return can(user, "sign_off", project)


def events(
    project: Project,
    user: User,
    *,
    before: int | None = None,
    everything: bool,
    wanted: Filters = Filters(),  # frozen
) -> QuerySet[AuditEvent]:
    """Give the latest events, or those before a number; others' judgements only on request."""
    found = AuditEvent.objects.filter(project=project).select_related("user")
    found = wanted.over(found).order_by("-number")
    if before is not None:
        found = found.filter(number__lt=before)
    if not everything:
        found = found.filter(~Q(object_type__in=JUDGEMENTS) | Q(user=user))
    return found
