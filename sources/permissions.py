"""Who may do what. One question, asked by every write."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from workbench.lib.prepared import Given, prepared

from .models import Membership, Project, User

REVIEWER, EDITOR, LEAD = (r.value for r in Membership.Role)

# Security, "Who sees what": an editor may do what a reviewer may, a lead what an editor may.
_ALLOWED: dict[str, frozenset[str]] = {
    "read": frozenset({REVIEWER, EDITOR, LEAD}),
    "review": frozenset({REVIEWER, EDITOR, LEAD}),
    "import": frozenset({EDITOR, LEAD}),
    "export": frozenset({EDITOR, LEAD}),
    "override": frozenset({REVIEWER, EDITOR, LEAD}),  # a larger one waits for a second signature
    "search": frozenset({EDITOR, LEAD}),
    "edit_sources": frozenset({EDITOR, LEAD}),
    "second_signature": frozenset({LEAD}),
    "edit_project": frozenset({LEAD}),
    "assign": frozenset({LEAD}),
    "sign_off": frozenset({LEAD}),
}


def roles_of(user: User | AnonymousUser, project: Project) -> frozenset[str]:
    """Give the user's roles in a project. One query."""
    if not isinstance(user, User):
        return frozenset()
    return frozenset(role for (role,) in _roles(user=user.pk, project=project.pk))


@prepared
def _roles(user: Given, project: Given) -> QuerySet[Any, Any]:
    return Membership.objects.filter(user=user, project=project).order_by().values_list("role")


def can(user: User | AnonymousUser, action: str, project: Project) -> bool:
    """Tell whether the user may do ``action`` in the project. KeyError for an unknown action."""
    allowed = _ALLOWED[action]
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_admin or bool(roles_of(user, project) & allowed)


def abilities(user: User | AnonymousUser, project: Project) -> frozenset[str]:
    """Give every action that the user may do in the project, for templates. One query."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    if user.is_admin:
        return frozenset(_ALLOWED)
    roles = roles_of(user, project)
    return frozenset(action for action, allowed in _ALLOWED.items() if roles & allowed)


def can_create_project(user: User | AnonymousUser) -> bool:
    """Admins, and whoever is an editor or lead anywhere, may begin a project."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_admin or user.memberships.filter(role__in=[EDITOR, LEAD]).exists()
