"""Turn a source away, open a rejection again, take either back; ask for admission anew.

Verbs of people: keyword-only, ``by`` the acting user, one transaction with its audit events.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from search import admitting
from search.actions.screening import follow_rejection
from sources import admission, following
from sources.actions.errors import ActionRefused, require
from sources.entering import enter
from sources.exchange.rejections import OWN, REOPENED
from sources.models import AuditEvent, Job, Project, Rejection, Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record

MIN_REASON = 3  # characters: enough for 误判
ORIGIN = "rejected_sources"  # of sources that were a line of that file alone
UNDOABLE = ("rejection.reopened", "rejection.made")


def _begin(by: User, project: Project, reason: str) -> str:
    require(can(by, "edit_sources", project))
    if len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    hold_chain(project)
    return reason.strip()


@transaction.atomic
def reopen_rejection(
    *, rejection: Rejection, reason: str, by: User, base_version: int | None = None
) -> Source:
    """Let a source be a candidate again; it is admitted at once if nothing else is against it.

    Its rule does not turn it away again while it reads the same facts. Gives the source; a line
    that came without one becomes a candidate.
    """
    project = rejection.project
    why = _begin(by, project, reason)
    rejection.refresh_from_db()
    if base_version is not None and rejection.version != base_version:
        raise ActionRefused("conflict", _("This was changed in the meantime. Look at it again."))
    if rejection.state != Rejection.State.STANDING:
        raise ActionRefused("reopened-already", _("This was re-opened already."))
    source = rejection.source or _candidate_of(rejection, by)
    old = {"state": rejection.state, "rule": rejection.rule}
    rejection.source = source
    rejection.state = Rejection.State.REOPENED
    rejection.reopened_by, rejection.reopened_at = by, timezone.now()
    rejection.reopen_reason = why
    rejection.version += 1
    rejection.save()
    new = {"state": rejection.state, "rule": rejection.rule, "rejection": rejection.pk}
    entry = Entry(
        "rejection.reopened", "rejection", source.external_id, old=old, new=new, reason=why
    )
    record(project, [entry], by=by)
    follow_rejection(rejection=rejection, by=by, reason=why)
    admitting.admit(project, source_ids=[source.pk])
    source.refresh_from_db()
    return source


@transaction.atomic
def turn_away(*, source: Source, reason: str, by: User) -> Rejection:
    """Turn a source away by hand; it stays away until a person opens it again."""
    project = source.project
    why = _begin(by, project, reason)
    if Rejection.objects.filter(source=source, state=Rejection.State.STANDING).exists():
        raise ActionRefused("rejected-already", _("This source is turned away already."))
    source.refresh_from_db()
    rejection = Rejection.objects.create(
        project=project,
        source=source,
        external_id=source.external_id,
        title=source.title,
        url=source.url,
        rule=admission.BY_HAND,
        reason=why,
        receipt_ids=list(source.receipt_ids),
        score=source.score,
        rejected_at=timezone.now(),
        rejected_by=by.get_username(),
    )
    new = {"rule": rejection.rule, "rejection": rejection.pk}
    entry = Entry("rejection.made", "rejection", source.external_id, new=new, reason=why)
    record(project, [entry], by=by)
    admitting.admit(project, source_ids=[source.pk])
    return rejection


@transaction.atomic
def take_back(*, project: Project, number: int, by: User) -> None:
    """Undo one of the user's own decisions about a rejection, by the number of its event."""
    require(can(by, "edit_sources", project))
    hold_chain(project)
    event = AuditEvent.objects.filter(project=project, number=number, user=by).first()
    if event is None or event.action not in UNDOABLE:
        raise ActionRefused("nothing-to-undo", _("There is nothing of yours to undo here."))
    undone = AuditEvent.objects.filter(
        project=project, action="rejection.undone", new__event=event.number
    )
    if undone.exists():
        raise ActionRefused("undone-already", _("This was undone already."))
    rejection = Rejection.objects.filter(
        project=project, pk=dict(event.new or {})["rejection"]
    ).first()
    reopened = event.action == "rejection.reopened"
    expected = Rejection.State.REOPENED if reopened else Rejection.State.STANDING
    if rejection is None or rejection.state != expected or _has_another(rejection):
        raise ActionRefused("conflict", _("Somebody has decided otherwise since."))
    _put_back(rejection, stands=reopened, by=by)
    new = {"state": rejection.state, "rejection": rejection.pk, "event": event.number}
    entry = Entry("rejection.undone", "rejection", event.object_id, old=event.new, new=new)
    record(project, [entry], by=by)
    follow_rejection(rejection=rejection, by=by, reason=_("Taken back."))
    if rejection.source_id is not None:
        admitting.admit(project, source_ids=[rejection.source_id])


@transaction.atomic
def admit_again(*, project: Project, by: User) -> Job:
    """Look at the admission of all sources anew; give the job that waits for it."""
    require(can(by, "edit_sources", project))
    return following.queue(project, "search.tasks.admit_sources", by=by)


def _has_another(rejection: Rejection) -> bool:
    """Tell whether the source was turned away by something else since."""
    if rejection.state == Rejection.State.STANDING or rejection.source_id is None:
        return False
    others = Rejection.objects.filter(
        source=rejection.source_id, state=Rejection.State.STANDING
    ).exclude(pk=rejection.pk)
    return others.exists()


def _put_back(rejection: Rejection, *, stands: bool, by: User) -> None:
    if stands:
        rejection.state = Rejection.State.STANDING
        rejection.reopened_by, rejection.reopened_at, rejection.reopen_reason = None, None, ""
    else:
        rejection.state = Rejection.State.REOPENED
        rejection.reopened_by, rejection.reopened_at = by, timezone.now()
        rejection.reopen_reason = _("Taken back.")
    rejection.version += 1
    rejection.save()


def _candidate_of(rejection: Rejection, by: User) -> Source:
    """Make the source of a line that came as a rejection alone."""
    project = rejection.project
    fields: dict[str, Any] = {**rejection.record, **rejection.extra}
    for name in ("score", *OWN, *REOPENED):  # of the rejection, not of the source
        fields.pop(name, None)
    fields |= {"url": rejection.url, "title": rejection.title, "id": rejection.external_id}
    fields |= {"search_receipt_ids": list(rejection.receipt_ids)}
    if Source.objects.filter(project=project, external_id=rejection.external_id).exists():
        fields["id"] = f"{rejection.external_id}/rejected_{rejection.pk}"[:500]
    try:
        return enter(project, fields, origin=ORIGIN, by=by)
    except ValueError:
        raise ActionRefused(
            "nothing-to-cite", _("It has neither an address, a DOI nor a title.")
        ) from None
