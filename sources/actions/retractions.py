"""Bring a table of notices in, ask about sources, accept a notice for one source and take it back.

An accepted notice still stands: the person says why the source may stay in the project with it.
"""

from collections.abc import Sequence
from pathlib import Path

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources import following, sweeping
from sources.models import (
    Job,
    NoticeAcknowledgement,
    NoticeBatch,
    NoticeProvider,
    Project,
    RetractionRecord,
    Source,
    SourceFinding,
    User,
)
from sources.noticing.matching import records_of, works_of
from sources.noticing.scheduling import queue_check
from sources.noticing.settling import findings_of
from sources.permissions import can
from sources.raising import count_findings
from sources.recording import Entry, hold_chain, record

from .errors import ActionRefused, require

IMPORT_TASK = "sources.tasks.import_notices"
MIN_REASON = 3  # characters: enough for 已核实


@transaction.atomic
def import_table(
    *,
    path: Path,
    by: User | None,
    keep_missing: bool = False,
    accept_withdrawals: bool = False,
    nudge: bool = True,
) -> NoticeBatch:
    """Start to take over a table of Retraction Watch that lies on this machine.

    Rows that it holds no more are marked as withdrawn, unless ``keep_missing``; many at once only
    with ``accept_withdrawals``. Without ``nudge`` the caller does the job.
    """
    require(by is None or by.is_admin)
    batch = NoticeBatch.objects.create(
        provider=NoticeProvider.RETRACTION_WATCH,
        name=path.name[:300],
        path=str(path.resolve()),
        options={"keep_missing": keep_missing, "accept_withdrawals": accept_withdrawals},
        by=by,
    )
    args = {"batch": batch.pk}
    batch.job = Job.objects.create(kind="notices", task=IMPORT_TASK, args=args, created_by=by)
    batch.save(update_fields=["job"])
    if nudge:
        _send(batch.job)
    return batch


@transaction.atomic
def start_check(*, project: Project, by: User | None, everything: bool = True) -> Job:
    """Ask all providers about a project's sources; gives the check that runs already, if any.

    Without ``everything`` only about those that were not asked about, or long ago.
    """
    require(by is None or can(by, "edit_sources", project))
    job, is_new = queue_check(project, by=by, everything=everything)
    if is_new and by is not None:
        record(project, [Entry("retractions.check_started", "project", project.slug)], by=by)
    return job


@transaction.atomic
def check_source(*, source: Source, by: User) -> Job:
    """Ask all providers about one source now; gives the check of it that runs already, if any."""
    project = source.project
    require(can(by, "edit_sources", project))
    if not works_of(project, [source.pk])[0].is_known:
        raise ActionRefused(
            "not-known", _("Nobody can be asked about it: it has no DOI and no PubMed id.")
        )
    job, is_new = queue_check(project, by=by, everything=True, only=[source.pk])
    if is_new:
        record(project, [Entry("source.check_started", "source", source.external_id)], by=by)
    return job


@transaction.atomic
def acknowledge_notice(
    *, source: Source, notice: RetractionRecord, reason: str, by: User
) -> NoticeAcknowledgement:
    """Accept a notice for one source, with the reason why the source may stay with it."""
    why = _begin(source, reason, by)
    said = records_of(works_of(source.project, [source.pk])).get(source.pk, [])
    if notice.pk not in {each.pk for each in said}:
        raise ActionRefused("not-its-notice", _("Nobody gives this notice for this source."))
    standing = NoticeAcknowledgement.objects.filter(source=source, notice=notice, ended_at=None)
    if standing.exists():
        raise ActionRefused("done-already", _("This notice is acknowledged already."))
    made = NoticeAcknowledgement.objects.create(source=source, notice=notice, reason=why, by=by)
    _decide(source, notice, SourceFinding.State.CONFIRMED, why, by)
    entry = Entry(
        "notice.acknowledged", "source", source.external_id, new=_content(notice), reason=why
    )
    _finish(source, entry, by)
    return made


@transaction.atomic
def take_back_acknowledgement(
    *, acknowledgement: NoticeAcknowledgement, reason: str, by: User
) -> None:
    """Undo an acknowledgement: the notice counts for the source again."""
    source = acknowledgement.source
    why = _begin(source, reason, by)
    standing = NoticeAcknowledgement.objects.filter(pk=acknowledgement.pk, ended_at=None)
    if not standing.update(ended_at=timezone.now()):
        raise ActionRefused("ended-already", _("This acknowledgement was taken back already."))
    notice = acknowledgement.notice
    _decide(source, notice, SourceFinding.State.OPEN, "", by)
    entry = Entry(
        "notice.acknowledgement_ended",
        "source",
        source.external_id,
        old=_content(notice) | {"reason": acknowledgement.reason},
        reason=why,
    )
    _finish(source, entry, by)


def _begin(source: Source, reason: str, by: User) -> str:
    require(can(by, "edit_sources", source.project))
    if len(reason.strip()) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    hold_chain(source.project)
    return reason.strip()


def _finish(source: Source, entry: Entry, by: User) -> None:
    record(source.project, [entry], by=by)
    following.follow(source.project, following.SOURCES, following.STANDING, by=by)


def _decide(
    source: Source, notice: RetractionRecord, state: SourceFinding.State, reason: str, by: User
) -> None:
    """Let the finding about the notice say what the person decided; none may be there any more."""
    fingerprints: Sequence[str] = findings_of(source, notice)
    is_open = state == SourceFinding.State.OPEN
    now = timezone.now()
    for finding in SourceFinding.objects.filter(source=source, fingerprint__in=fingerprints):
        if finding.state != SourceFinding.State.OUTDATED:
            finding.state = state
        finding.decision = "" if is_open else state
        finding.reason = reason
        finding.decided_by, finding.decided_at = (None, None) if is_open else (by, now)
        finding.facts_changed = False
        finding.version += 1
        finding.save()
    count_findings({source.pk})


def _content(notice: RetractionRecord) -> dict[str, str]:
    return {
        "provider": notice.provider,
        "nature": notice.nature,
        "date": notice.noticed_on,
        "notice": notice.notice_doi or notice.notice_pmid or notice.record_key,
    }


def _send(job: Job) -> None:
    transaction.on_commit(lambda: sweeping.nudge(job))
