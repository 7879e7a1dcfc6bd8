"""Change a project's settings, and what of its claims follows from them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from reviews.models import Claim
from reviews.placing import place
from sources import actions as of_sources
from sources.models import Project, User


@transaction.atomic
def edit_project(
    *, project: Project, seen: Mapping[str, Any], fields: Mapping[str, Any], by: User
) -> Project:
    """Change a project's settings if they still are what the user saw.

    Another sealed share puts claims into other places of the order by risk.
    """
    before = Project.objects.values_list("sealed_share", flat=True).get(pk=project.pk)
    edited = of_sources.edit_project(project=project, seen=seen, fields=fields, by=by)
    if edited.sealed_share != before:
        place(Claim.objects.filter(project=edited), edited.sealed_share)
    return edited
