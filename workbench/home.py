"""The first page after sign-in: what each of your projects waits for."""

from collections import defaultdict
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviews.screens.progress import Progress, progress_of
from sources.models import BlacklistRule, ImportBatch, Job, Membership, Project, User
from sources.pages import signed_in
from sources.permissions import can_create_project

BATCHES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Card:
    """One project as its member sees it."""

    project: Project
    roles: list[str]
    counts: Progress
    may_import: bool


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the user's projects with what is left to do; imports for editors, links for admins."""
    user = signed_in(request)
    projects = list(Project.objects.visible_to(user))
    roles = _roles(user)
    counts = progress_of(projects, user, today=timezone.localdate())
    brings = [
        each for each in projects if user.is_admin or roles[each.pk] - {Membership.Role.REVIEWER}
    ]
    cards = [
        Card(each, _labels(roles[each.pk]), counts[each.pk], each in brings) for each in projects
    ]
    # What waits comes first; the order within is the projects' own.
    cards.sort(key=lambda card: card.counts.left == 0)
    values = {
        "cards": cards,
        "batches": _batches(brings),
        "may_create": can_create_project(user),
        "site": _site() if user.is_admin else None,
    }
    return render(request, "workbench/home.html", values)


def _roles(user: User) -> defaultdict[int, set[str]]:
    found: defaultdict[int, set[str]] = defaultdict(set)
    for project, role in user.memberships.values_list("project", "role"):
        found[project].add(role)
    return found


def _labels(roles: set[str]) -> list[str]:
    return [str(role.label) for role in Membership.Role if role in roles]


def _batches(projects: list[Project]) -> list[ImportBatch]:
    found = ImportBatch.objects.filter(project__in=projects).select_related("project", "by")
    return list(found[:BATCHES_SHOWN])


def _site() -> dict[str, int]:
    """Count what an admin looks after."""
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    rules = BlacklistRule.objects
    return {
        "users": User.objects.filter(is_active=True).count(),
        "jobs": Job.objects.filter(state__in=unfinished).count(),
        "failed": Job.objects.filter(state=Job.State.FAILED).count(),
        "rules": rules.filter(state=BlacklistRule.State.ACTIVE).count(),
        "waiting": rules.filter(state=BlacklistRule.State.WAITING).count(),
    }
