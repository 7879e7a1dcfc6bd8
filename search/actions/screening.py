"""Screen what searches found: keep, rank down, drop, call a duplicate, restore, take back.

Verbs of people: keyword-only, ``by`` the acting user, one transaction with its audit events.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from search import screening
from search.models import Record
from search.proposing import receipts_of, rejection_of
from search.screening import Choice
from sources import following
from sources.actions.errors import ActionRefused, require
from sources.actions.fetching import fetch_once
from sources.entering import add_receipts, enter
from sources.models import AuditEvent, Project, Rejection, Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record

ORIGIN = "search"  # of sources that were found by a search of ours
MOST_AT_ONCE = 500
SCREENED, UNDONE = "record.screened", "record.undone"
_LACKS = {
    "level": gettext_lazy("Say how far down: D1, D2 or D3."),
    "code": gettext_lazy("Choose one of the reasons."),
    "reason": gettext_lazy("Say why."),
    "state": gettext_lazy("Choose what becomes of it."),
}


@transaction.atomic
def screen(
    *,
    row: Record,
    choice: Choice,
    by: User,
    base_version: int | None = None,
    duplicate_of: Record | None = None,
) -> Record:
    """Decide about one record; the machine's proposal stays beside it.

    A kept record becomes a source with the receipts that named it, which admission looks at. A
    dropped one becomes a rejection; a source that was made of it stays, turned away.
    """
    project = row.project
    require(can(by, "search", project))
    hold_chain(project)
    row.refresh_from_db()
    if base_version is not None and row.version != base_version:
        raise ActionRefused("conflict", _("This was changed in the meantime. Look at it again."))
    if lacks := screening.fault_of(choice):
        raise ActionRefused(f"{lacks}-missing", str(_LACKS[lacks]))
    _check_duplicate(row, choice, duplicate_of)
    old = _as_event(row)
    _apply(row, choice, duplicate_of, by)
    new = _as_event(row)
    entry = Entry(SCREENED, "record", str(row.pk), old=old, new=new, reason=choice.reason)
    record(project, [entry], by=by)
    return row


@transaction.atomic
def take_back(*, project: Project, number: int, by: User) -> Record:
    """Undo one of the user's own decisions, if nobody has decided otherwise since."""
    require(can(by, "search", project))
    hold_chain(project)
    events = AuditEvent.objects.filter(project=project, object_type="record")
    event = events.filter(number=number, user=by, action=SCREENED).first()
    if event is None:
        raise ActionRefused("nothing-to-undo", _("There is nothing of yours to undo here."))
    row = Record.objects.filter(project=project, pk=int(event.object_id)).first()
    if row is None or _as_event(row) != event.new:
        raise ActionRefused("conflict", _("Somebody has decided otherwise since."))
    was = dict(event.old or {})
    other = Record.objects.filter(project=project, pk=was["duplicate_of"] or 0).first()
    decider = by if was["by_person"] else None
    choice = Choice(was["state"], was["code"], was["reason"], was["level"])
    _apply(row, choice, other, decider)
    new = {**_as_event(row), "event": event.number}
    entry = Entry(UNDONE, "record", str(row.pk), old=event.new, new=new)
    record(project, [entry], by=by)
    return row


@transaction.atomic
def accept_proposals(*, project: Project, by: User) -> int:
    """Keep the open records that the project has already; give how many. At most 500 at once."""
    require(can(by, "search", project))
    hold_chain(project)
    waiting = Record.objects.filter(
        project=project, state=screening.OPEN, proposed_state=screening.KEPT
    )
    rows = list(waiting.order_by("pk")[:MOST_AT_ONCE])
    for row in rows:
        screen(row=row, choice=Choice(screening.KEPT, row.proposed_code), by=by)
    return len(rows)


def follow_rejection(*, rejection: Rejection, by: User, reason: str) -> None:
    """Let the record follow that was dropped with a rejection: kept while that is re-opened.

    In the transaction of whoever re-opened it, or took that back.
    """
    stands = rejection.state == Rejection.State.STANDING
    for row in Record.objects.filter(project=rejection.project_id, rejection=rejection):
        if (row.state == screening.DROPPED) == stands:
            continue
        old = _as_event(row)
        row.state = screening.DROPPED if stands else screening.KEPT
        row.level, row.reason_code = "", rejection.rule if stands else ""
        row.reason, row.duplicate_of = "" if stands else reason, None
        row.source = row.source or rejection.source
        row.by, row.decided_at = by, timezone.now()
        row.version += 1
        row.save()
        entry = Entry(SCREENED, "record", str(row.pk), old=old, new=_as_event(row), reason=reason)
        record(rejection.project, [entry], by=by)


def _check_duplicate(row: Record, choice: Choice, other: Record | None) -> None:
    if choice.state != screening.DUPLICATE:
        return
    if other is None or other.project_id != row.project_id or other.pk == row.pk:
        raise ActionRefused("other-missing", _("Say of which record this is a duplicate."))
    seen, above = {other.pk}, other.duplicate_of
    while above is not None and above.pk not in seen:
        seen.add(above.pk)
        above = above.duplicate_of
    if row.pk in seen:
        raise ActionRefused("other-missing", _("That one is a duplicate of this one already."))


def _as_event(row: Record) -> dict[str, Any]:
    return {
        "state": row.state,
        "level": row.level,
        "code": row.reason_code,
        "reason": row.reason,
        "duplicate_of": row.duplicate_of_id,
        "by_person": row.by_id is not None,
        "version": row.version,
    }


def _apply(row: Record, choice: Choice, other: Record | None, by: User | None) -> None:
    row.state, row.level, row.reason_code = choice.state, choice.level, choice.code
    row.reason = choice.reason.strip()
    row.duplicate_of = other if choice.state == screening.DUPLICATE else None
    row.by, row.decided_at = by, timezone.now()
    row.version += 1
    _open_rejection(row, by)
    if choice.state == screening.KEPT:
        _keep(row, by)
    elif choice.state == screening.DROPPED:
        _drop(row, by)
    row.save()


def _keep(row: Record, by: User | None) -> None:
    """Make a source of it, or name its receipts at the source that it is; let it be fetched."""
    receipts = receipts_of([row], leads=False).get(row.pk, [])
    source = row.source or _in_project(row)
    if source is None:
        try:
            source = enter(row.project, _line_of(row, receipts), origin=ORIGIN, by=by)
        except ValueError:
            raise ActionRefused(
                "nothing-to-cite", _("It has neither an address, a DOI nor a title.")
            ) from None
    else:
        add_receipts(source, receipts)
    row.source = source
    fetch_once(source=source, by=by)
    following.follow(row.project, following.FACTS, following.CLUSTERS, following.SOURCES, by=by)


def _in_project(row: Record) -> Source | None:
    name = row.proposed_facts.get("source")
    if row.proposed_code != screening.IN_PROJECT or not name:
        return None
    return Source.objects.filter(project=row.project_id, external_id=name).first()


def _line_of(row: Record, receipts: Sequence[str]) -> dict[str, Any]:
    return {
        "url": row.url,
        "doi": row.doi,
        "title": row.title,
        "authors": row.authors,
        "year": int(row.published[:4]) if row.published[:4].isdecimal() else None,
        "venue": row.venue,
        "abstract": row.snippet,
        "search_receipt_ids": list(receipts),
        "access_status": Source.AccessStatus.SNIPPET_ONLY,
    }


def _drop(row: Record, by: User | None) -> None:
    name = by.get_username() if by else "engine"
    said = screening.reason_word(row.reason_code, row.proposed_facts, row.project.language)
    reason = ": ".join(part for part in (said, row.reason) if part)
    receipts = receipts_of([row]).get(row.pk, [])
    rejection = rejection_of(row, row.reason_code, reason, receipts, name)
    if (source := row.source) is not None and source.origin == ORIGIN:
        rejection.external_id, rejection.score = source.external_id, source.score
        if not source.rejections.filter(state=Rejection.State.STANDING).exists():
            rejection.source = source
            following.follow(row.project, following.SOURCES, by=by)
    rejection.save()
    row.rejection = rejection


def _open_rejection(row: Record, by: User | None) -> None:
    """What was dropped before is not any more: its rejection stays on record, re-opened."""
    held = row.rejection
    if held is None or held.state != Rejection.State.STANDING:
        return
    held.state = Rejection.State.REOPENED
    held.reopened_by, held.reopened_at = by, timezone.now()
    held.reopen_reason = row.reason or _("Screened again.")
    held.version += 1
    held.save()
    row.rejection = None
    if held.source_id is not None:
        following.follow(row.project, following.SOURCES, by=by)
