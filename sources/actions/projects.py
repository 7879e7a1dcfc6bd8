"""What a user does to a project and its members. One transaction and an audit row each."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from sources.following import FACTS, follow
from sources.models import Membership, Project, User
from sources.permissions import can, can_create_project
from sources.recording import Entry, record

from .errors import ActionRefused, require

PROJECT_FIELDS = (
    "title",
    "question",
    "language",
    "primary_subject",
    "time_frame_start",
    "time_frame_end",
    "topic_type",
    "as_of",
    "report_urls",
    "sealed_share",
)


def project_content(project: Project) -> dict[str, Any]:
    """Give what may be edited of a project, as plain values."""
    values = {name: getattr(project, name) for name in PROJECT_FIELDS}
    return {k: v.isoformat() if isinstance(v, date) else v for k, v in values.items()}


@transaction.atomic
def create_project(*, slug: str, fields: Mapping[str, Any], by: User) -> Project:
    """Begin a project; whoever begins it leads it."""
    require(can_create_project(by))
    try:
        with transaction.atomic():
            project = Project.objects.create(slug=slug, created_by=by, **fields)
    except IntegrityError:
        raise ActionRefused(
            "slug-taken", _("Another project has this slug. Choose a different one.")
        ) from None
    Membership.objects.create(project=project, user=by, role=Membership.Role.LEAD)
    new = {"slug": slug, **project_content(project)}
    member = {"role": Membership.Role.LEAD.value}
    record(
        project,
        [
            Entry("project.created", "project", slug, new=new),
            Entry("membership.added", "membership", by.get_username(), new=member),
        ],
        by=by,
    )
    return project


@transaction.atomic
def edit_project(
    *, project: Project, seen: Mapping[str, Any], fields: Mapping[str, Any], by: User
) -> Project:
    """Change a project's settings if they still are what the user saw."""
    require(can(by, "edit_project", project))
    standing = Project.objects.select_for_update().get(pk=project.pk)
    old = project_content(standing)
    for name in PROJECT_FIELDS:
        if name in fields:
            setattr(standing, name, fields[name])
    new = project_content(standing)
    if new == old:
        return standing
    if old != dict(seen):
        raise ActionRefused(
            "conflict",
            _("Somebody changed these settings in the meantime. Nothing was saved; compare below."),
        )
    standing.save(update_fields=PROJECT_FIELDS)
    changed = [name for name in PROJECT_FIELDS if new[name] != old[name]]
    entry = Entry(
        "project.edited",
        "project",
        standing.slug,
        old={name: old[name] for name in changed},
        new={name: new[name] for name in changed},
    )
    record(standing, [entry], by=by)
    follow_change(standing, changed, by=by)
    return standing


def follow_change(project: Project, changed: Iterable[str], *, by: User | None) -> None:
    """Queue what follows on changed settings: the age of a source counts by topic and date."""
    if {"topic_type", "as_of"} & set(changed) and project.sources.exists():
        follow(project, FACTS, by=by)


@transaction.atomic
def add_member(*, project: Project, user: User, role: str, by: User) -> bool:
    """Give a person a role; False if the person has it already."""
    require(can(by, "edit_project", project))
    _, added = Membership.objects.get_or_create(project=project, user=user, role=role)
    if added:
        entry = Entry("membership.added", "membership", user.get_username(), new={"role": role})
        record(project, [entry], by=by)
    return added


@transaction.atomic
def remove_member(*, project: Project, membership_id: int, by: User) -> Membership | None:
    """Take a role from a person; None if it is gone already. The last lead stays."""
    require(can(by, "edit_project", project))
    # Locked first, so that two leads cannot remove one another at once.
    Project.objects.select_for_update().get(pk=project.pk)
    membership = (
        project.memberships.filter(pk=membership_id).select_related("user", "project").first()
    )
    if membership is None:
        return None
    leads = project.memberships.filter(role=Membership.Role.LEAD)
    if membership.role == Membership.Role.LEAD and leads.count() == 1:
        raise ActionRefused(
            "last-lead",
            _("This is the project's only lead. Give the role to somebody else first."),
        )
    name, role = membership.user.get_username(), membership.role
    membership.delete()
    record(project, [Entry("membership.removed", "membership", name, old={"role": role})], by=by)
    return membership
