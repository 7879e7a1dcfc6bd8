"""Resolve or reject what was recorded as a defect, with a reason; nothing else clears one."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from reviews import standing
from reviews.models import Defect
from sources.models import Project, User
from sources.permissions import can
from sources.recording import record

from .deciding import MIN_REASON
from .errors import ActionRefused, Conflict, NotAllowed
from .rows import begin, entry, save_row


def may_settle(by: User, defect: Defect, state: str, project: Project) -> bool:
    """Tell whether the user may set a defect to a state.

    Whoever recorded it may; an editor or lead may say that the report was corrected; only a lead
    may reject what somebody else found, since that is a judgement against a judgement.
    """
    if defect.reviewer_id == by.pk:
        return can(by, "review", project)
    return can(by, "export" if state == Defect.State.RESOLVED else "sign_off", project)


@transaction.atomic
def settle_defects(
    *, project: Project, versions: Mapping[int, int], state: str, reason: str, by: User
) -> list[Defect]:
    """Set defects (key: version seen) to ``resolved``, ``rejected`` or ``open`` again.

    One request and one undo, for the same defect recorded by several reviewers. Raises Conflict
    where one was changed in between; then none is changed.
    """
    begin(by, "review", project)
    if state not in Defect.State.values:
        raise ActionRefused("unknown-value", _("“%s” is no state of a defect.") % state)
    if len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why: what was corrected, or what is wrong."))
    rows = Defect.objects.filter(project=project, pk__in=versions, withdrawn=False)
    defects = list(rows.select_related("claim", "dimension").order_by("pk"))
    if len(defects) != len(versions) or not defects:
        raise Conflict(None)
    entries = []
    for defect in defects:
        if not may_settle(by, defect, state, project):
            raise NotAllowed
        values = {"state": state, "state_reason": reason.strip()}
        old, new = save_row(defect, base_version=versions[defect.pk], values=values)
        label = defect.claim.external_id if defect.claim else str(defect.dimension or "")
        action = f"defect.{'reopened' if state == Defect.State.OPEN else state}"
        entries.append(entry(action, defect, label, old=old, new=new, reason=reason.strip()))
    record(project, entries, by=by)
    standing.refresh({d.claim_id for d in defects if d.claim_id})
    return defects
