"""Match sources with the table of Retraction Watch, without asking anybody."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from sources.models import NoticeBatch, NoticeProvider, Project, RetractionCheck
from sources.recording import hold_chain
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

from .matching import Records, Work, asked_for, records_of, works_of
from .settling import CHUNK, settle_part

_BATCH = 500
_TABLE = NoticeProvider.RETRACTION_WATCH
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")


def run(running: Running) -> dict[str, Any]:
    """Do the job: match the sources of a project with the table, and judge them."""
    if running.job.project is None:
        raise CannotBeDone(NO_PROJECT)
    running.progress("matching")
    return {"changed": match_project(running.job.project)}


def match_project(project: Project, source_ids: Collection[int] | None = None) -> int:
    """Match sources with the table and judge them; give how many changed their standing.

    Ten thousand sources take seconds. Without a table nobody counts as asked.
    """
    read_at, works, changed = table_read_at(), works_of(project, source_ids), 0
    for at in range(0, len(works), CHUNK):
        part = works[at : at + CHUNK]
        with transaction.atomic():
            hold_chain(project)
            records = records_of(part)  # while nobody else can judge by newer ones
            if read_at is not None:
                _note(part, records, read_at)
            changed += settle_part(project, part, records)
    return changed


def table_read_at() -> datetime | None:
    """Tell when the table was last read whole; None: never. A part tells nothing by silence."""
    done = NoticeBatch.objects.filter(
        provider=_TABLE, state=NoticeBatch.State.DONE, options__keep_missing=False
    )
    return done.order_by("-finished_at").values_list("finished_at", flat=True).first()


def _note(works: Sequence[Work], records: Records, read_at: datetime) -> None:
    """Write down that the table was looked into for works, where that is not written yet."""
    known = [work for work in works if work.is_known]
    now = timezone.now()
    keys = [work.source for work in known]
    rows = RetractionCheck.objects.filter(source__in=keys, provider=_TABLE)
    stored = {row.source_id: row for row in rows}
    fresh = []
    for work in known:
        there = any(each.provider == _TABLE for each in records.get(work.source, ()))
        outcome = RetractionCheck.Outcome.NOTICES if there else RetractionCheck.Outcome.NOTHING
        name, old = asked_for(work, _TABLE), stored.get(work.source)
        if old is None or (old.outcome, old.asked_for) != (outcome, name) or old.asked_at < read_at:
            fresh.append(
                RetractionCheck(
                    source_id=work.source,
                    provider=_TABLE,
                    asked_for=name,
                    outcome=outcome,
                    asked_at=now,
                )
            )
    write_checks(fresh)


def write_checks(checks: Sequence[RetractionCheck]) -> None:
    """Insert checks, or write over the earlier ones of the same source and provider."""
    RetractionCheck.objects.bulk_create(
        checks,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["source", "provider"],
        update_fields=["asked_for", "outcome", "detail", "asked_at"],
    )
