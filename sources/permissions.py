"""Who may do what. One question, asked by every write."""

from django.contrib.auth.models import AnonymousUser

from .models import Membership, Project, User

REVIEWER, EDITOR, LEAD = (r.value for r in Membership.Role)

# Security, "Who sees what": an editor may do what a reviewer may, a lead what an editor may.
_ALLOWED: dict[str, frozenset[str]] = {
    "read": frozenset({REVIEWER, EDITOR, LEAD}),
    "review": frozenset({REVIEWER, EDITOR, LEAD}),
    "import": frozenset({EDITOR, LEAD}),
    "export": frozenset({EDITOR, LEAD}),
    "edit_project": frozenset({LEAD}),
    "assign": frozenset({LEAD}),
    "sign_off": frozenset({LEAD}),
}


def roles_of(user: User | AnonymousUser, project: Project) -> frozenset[str]:
    """Give the user's roles in a project. One query."""
    if not isinstance(user, User):
        return frozenset()
    return frozenset(user.memberships.filter(project=project).values_list("role", flat=True))


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
