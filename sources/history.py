"""Read the audit trail as one person may see it."""

from django.db.models import Q, QuerySet

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
    "snooze",
    "verdict",
)


def sees_judgements(user: User, project: Project) -> bool:
    """Tell whether the trail shows the user everybody's judgements. One query."""
    return can(user, "sign_off", project)


def events(
    project: Project, user: User, *, before: int | None = None, everything: bool
) -> QuerySet[AuditEvent]:
    """Give the latest events, or those before a number; others' judgements only on request."""
    found = AuditEvent.objects.filter(project=project).order_by("-number")
    if before is not None:
        found = found.filter(number__lt=before)
    if not everything:
        found = found.filter(~Q(object_type__in=JUDGEMENTS) | Q(user=user))
    return found
