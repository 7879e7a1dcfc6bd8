"""Say why a cell of the matrix of searches may stay empty, or take that back."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from search.coverage import ROUNDS
from search.models import Gap
from search.screening import MIN_REASON
from sources.actions.errors import ActionRefused, require
from sources.models import Dimension, Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record


@transaction.atomic
def explain_gap(
    *, project: Project, dimension: Dimension | None, number: int, code: str, reason: str, by: User
) -> Gap:
    """Give the reason of an empty cell; an earlier one ends, and stays on record."""
    require(can(by, "search", project))
    hold_chain(project)
    if number not in ROUNDS:
        raise ActionRefused("round-missing", _("The round is from 1 to 4."))
    if code not in Gap.Code.values:
        raise ActionRefused("code-missing", _("Choose one of the reasons."))
    if code == Gap.Code.OTHER and len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    old = _end(project, dimension, number)
    made = Gap.objects.create(
        project=project, dimension=dimension, round=number, code=code, reason=reason.strip(), by=by
    )
    new = {"code": code, "reason": made.reason, "round": number}
    name = dimension.external_id if dimension else ""
    record(project, [Entry("gap.explained", "gap", name, old=old, new=new, reason=reason)], by=by)
    return made


@transaction.atomic
def end_gap(*, project: Project, dimension: Dimension | None, number: int, by: User) -> None:
    """Take the reason of an empty cell back."""
    require(can(by, "search", project))
    hold_chain(project)
    old = _end(project, dimension, number)
    if old is None:
        raise ActionRefused("nothing-to-undo", _("No reason stands for this cell."))
    name = dimension.external_id if dimension else ""
    record(project, [Entry("gap.ended", "gap", name, old=old)], by=by)


def _end(project: Project, dimension: Dimension | None, number: int) -> dict[str, object] | None:
    standing = Gap.objects.filter(
        project=project, dimension=dimension, round=number, ended_at__isnull=True
    )
    row = standing.first()
    standing.update(ended_at=timezone.now())
    return {"code": row.code, "reason": row.reason, "round": number} if row else None
