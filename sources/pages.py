"""What every page of a project begins with: the project, and whether this person may."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.http import url_has_allowed_host_and_scheme

from .models import Project, User
from .permissions import abilities


def signed_in(request: HttpRequest) -> User:
    """Give the signed-in user, with a type that says so."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def own_path(address: str) -> str:
    """Give an address that leads to a page of ours, as a form names it; empty for any other."""
    own = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if own else ""


def project_for(request: HttpRequest, slug: str, action: str = "read") -> Project:
    """Give the project if the user may do ``action`` in it. Two queries.

    Raises Http404 for those who are no members, PermissionDenied for a wrong role. The project's
    ``abilities`` (a frozenset of actions) are set on it for templates.
    """
    user = signed_in(request)
    project = get_object_or_404(Project.objects.visible_to(user), slug=slug)
    allowed = abilities(user, project)
    if action not in allowed:
        raise PermissionDenied
    project.abilities = allowed  # type: ignore[attr-defined]
    return project
