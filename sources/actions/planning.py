"""Plan a project's research: its dimensions and their key questions.

Verbs of people: keyword-only, ``by`` the acting user, one transaction with its audit event.
"""

from django.db import models, transaction
from django.utils.translation import gettext as _

from sources.models import Dimension, KeyQuestion, Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record
from sources.research_plan import (
    PlannedDimension,
    PlannedQuestion,
    flat,
    read_plan,
    write_plan,
)

from .errors import ActionRefused, require


def plan_of(project: Project) -> tuple[PlannedDimension, ...]:
    """Give the dimensions of a project in order. Two queries."""
    rows = Dimension.objects.filter(project=project).prefetch_related("key_questions")
    return tuple(
        PlannedDimension(
            row.external_id,
            row.name,
            tuple(PlannedQuestion(each.external_id, each.text) for each in row.key_questions.all()),
        )
        for row in rows
    )


def ids_of(plan: tuple[PlannedDimension, ...]) -> set[str]:
    """Give the ids that a plan holds."""
    return {part.id for part in plan} | {each.id for part in plan for each in part.questions}


@transaction.atomic
def change_plan(*, project: Project, seen: str, text: str, by: User) -> bool:
    """Put another plan in place of the one that was seen; tell whether anything changed.

    What claims or searches name stays: to leave it out is refused. Raises PlanTextError.
    """
    require(can(by, "search", project))
    hold_chain(project)
    standing = plan_of(project)
    old = write_plan(standing)
    wanted = read_plan(text, ids_of(standing))
    new = write_plan(wanted)
    if new == old:
        return False
    if seen.split() != old.split():
        raise ActionRefused(
            "conflict",
            _("Somebody changed the plan in the meantime. Nothing was saved; compare below."),
        )
    rows = {row.external_id: row for row in Dimension.objects.filter(project=project)}
    for name in rows.keys() - {part.id for part in wanted}:
        _remove(rows.pop(name))
    for position, part in enumerate(wanted):
        row = rows.get(part.id) or Dimension(project=project, external_id=part.id)
        if flat(row.name) != part.name:
            row.name = part.name
        row.position = position
        row.save()
        _change_questions(row, part)
    entry = Entry("plan.changed", "plan", project.slug, old={"plan": old}, new={"plan": new})
    record(project, [entry], by=by)
    return True


def _change_questions(row: Dimension, part: PlannedDimension) -> None:
    standing = {each.external_id: each for each in row.key_questions.all()}
    for name in standing.keys() - {each.id for each in part.questions}:
        _remove(standing.pop(name))
    for position, each in enumerate(part.questions):
        question = standing.get(each.id) or KeyQuestion(dimension=row, external_id=each.id)
        if flat(question.text) != each.text:
            question.text = each.text
        question.position = position
        question.save()


def _remove(row: Dimension | KeyQuestion) -> None:
    """Delete what nothing rests on, with its own key questions."""
    if isinstance(row, Dimension):
        for question in row.key_questions.all():
            _remove(question)
    for relation in row._meta.related_objects:
        name = relation.get_accessor_name()
        if name is None:
            continue
        held: models.Manager[models.Model] = getattr(row, name)
        if held.exists():
            raise ActionRefused(
                "in-use",
                _("“%s” stays: claims, searches or reasons name it.") % row.external_id,
            )
    row.delete()
