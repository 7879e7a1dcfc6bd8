"""Import an upload: read, plan, store its texts, then write all rows in one transaction.

May be killed at any moment: before the transaction ends nothing is to be seen but blobs that no
row names; after it, a second run finds the import done and goes on with the checks.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from reviews import checking, standing
from reviews.exchange import rules
from reviews.exchange.package import Package, Spool
from reviews.exchange.planning import Options, Plan, plan_import
from reviews.exchange.problems import Log
from reviews.exchange.reading import Progress, no_progress, open_upload
from reviews.exchange.recognising import Unrecognised, read_upload
from reviews.exchange.report import report_of
from reviews.importing import record_jobs
from reviews.importing.batches import (
    batch_of,
    counts_of,
    options_of,
    point_to,
    refuse,
    steps_of,
    twin_of,
    twin_pk,
    with_all_errors,
)
from reviews.importing.claims import put_claims
from reviews.importing.facts import facts_of, samples_of
from reviews.importing.known import load_known
from reviews.importing.rows import (
    Applied,
    chunks,
    put_dimensions,
    put_files,
    put_snapshots,
    put_sources,
)
from reviews.importing.staling import mark_stale
from sources.following import CLUSTERS, FACTS, SOURCES, follow
from sources.models import ImportBatch, Project
from sources.recording import Entry, hold_chain, record
from sources.running import CannotBeDone, Running
from sources.texts import blobs
from workbench.lib.archives import ArchiveError
from workbench.lib.texts import Text

log = logging.getLogger(__name__)

UNDONE = Text("Import {batch} was undone.", "第 {batch} 次导入已撤销。")
_OF_SOURCES = ("sources", "snapshots")  # what scores, clusters and admission rest on
BLOBS_AT_ONCE = 100  # stored with one flush of each folder


@dataclass(slots=True)
class Upload:
    """A package with the hash of the bytes that it came in."""

    package: Package
    sha256: str


@contextmanager
def opened(
    path: Path, name: str, mapping: Any = None, *, progress: Progress = no_progress
) -> Iterator[Upload]:
    """Open and read an upload. Raises ArchiveError or Unrecognised."""
    with open_upload(path) as tree, Spool() as spool:
        sha256 = tree.digest()
        yield Upload(read_upload(tree, spool, name, mapping, progress=progress), sha256)


def dry_run(
    path: Path, name: str, project: Project | None, *, mapping: Any, options: Options
) -> dict[str, Any]:
    """Give the report that an import would give, with the query of the upload.

    Nothing is written.
    """
    try:
        if mapping is None and record_jobs.holds_records(path, name, ""):
            return record_jobs.dry_run(path, name, project, only_valid=options.only_valid)
        with opened(path, name, mapping) as upload:
            plan = plan_import(upload.package, load_known(project), options)
            return _report(plan, dry_run=True) | {"question": upload.package.question}
    except (ArchiveError, Unrecognised) as fault:
        return refusal(fault, name)


def refusal(fault: ArchiveError | Unrecognised, name: str) -> dict[str, Any]:
    """Give the report of an upload that could not be read or recognised at all."""
    if isinstance(fault, Unrecognised):
        report = report_of(ok=False, dialect="", log=fault.log)
        return report | {"unreadable": True, "proposal": fault.proposal}
    notes = Log()
    notes.error(rules.ARCHIVE, name, fault=fault)
    return report_of(ok=False, dialect="", log=notes) | {"unreadable": True}


def check_upload(running: Running) -> dict[str, Any]:
    """Look an upload over for its user, who then decides."""
    batch = batch_of(running)
    if batch.state not in {ImportBatch.State.UPLOADED, ImportBatch.State.CHECKED}:
        return {}
    try:
        if _is_of_records(batch):
            report = record_jobs.look_over(batch, running)
        else:
            report = _look_over(batch, running)
    except (ArchiveError, Unrecognised) as fault:
        report = with_all_errors(refusal(fault, batch.name))
        if isinstance(fault, Unrecognised):
            given = batch.mapping or fault.proposal
            report["samples"] = samples_of(Path(batch.path), given)
    with transaction.atomic():
        running.hold()
        batch.report, batch.state = report, ImportBatch.State.CHECKED
        batch.save(update_fields=["report", "state", "sha256", "dialect"])
    return counts_of(report)


def _look_over(batch: ImportBatch, running: Running) -> dict[str, Any]:
    with opened(Path(batch.path), batch.name, batch.mapping, progress=steps_of(running)) as up:
        plan = plan_import(up.package, load_known(batch.project), options_of(batch))
        report = with_all_errors(_report(plan, dry_run=True))
        batch.sha256, batch.dialect = up.sha256, up.package.dialect
        report["same_as"] = twin_pk(batch)
        report["facts"] = facts_of(plan)
        if batch.mapping:
            report["samples"] = samples_of(Path(batch.path), batch.mapping)
    return report


def _is_of_records(batch: ImportBatch) -> bool:
    """Tell whether an upload holds sources, receipts or rejections, and no report."""
    if batch.mapping is not None:
        return False
    wanted = batch.options.get("kind", "")
    return record_jobs.holds_records(Path(batch.path), batch.name, wanted)


def run_import(running: Running) -> dict[str, Any]:
    """Import an upload, then locate and check what it brought."""
    batch = bring_in(running)
    if batch.state == ImportBatch.State.IMPORTED:
        checking.check_claims(batch.project, running=running)
    _forget_upload(batch)
    return counts_of(batch.report)


def check_again(running: Running) -> dict[str, Any]:
    """Locate and check what waits for it in the project of the job."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(Text("The job names no project.", "任务未指明项目。"))
    return dict(checking.check_claims(project, running=running))


def bring_in(running: Running) -> ImportBatch:
    """Write what an upload holds, unless that is done; give the import as it is then."""
    batch = batch_of(running)
    if batch.state == ImportBatch.State.UNDONE:
        raise CannotBeDone(UNDONE, batch=batch.pk)
    if batch.state == ImportBatch.State.IMPORTED:
        return batch
    try:
        if _is_of_records(batch):
            record_jobs.bring_in(batch, running)
            return batch
        with opened(Path(batch.path), batch.name, batch.mapping, progress=steps_of(running)) as up:
            _import_package(batch, up, running)
    except (ArchiveError, Unrecognised) as fault:
        refuse(batch, refusal(fault, batch.name), running)
    return batch


def _import_package(batch: ImportBatch, upload: Upload, running: Running) -> None:
    package, options = upload.package, options_of(batch)
    batch.sha256, batch.dialect = upload.sha256, package.dialect
    if package.log.errors and not options.only_valid:
        report = report_of(ok=False, dialect=package.dialect, log=package.log, batch=batch.pk)
        refuse(batch, with_all_errors(report), running)
        return
    if twin_of(batch) is None:
        _store(package, running)
    running.progress("writing", force=True)
    with transaction.atomic(), translation.override(batch.project.language):
        running.hold()
        # One import of a project at a time: the plan is made of what stands now.
        Project.objects.select_for_update().get(pk=batch.project_id)
        # Nor is a claim judged while it changes: that verdict would never become stale.
        hold_chain(batch.project)
        twin = twin_of(batch)
        if twin is not None:
            point_to(batch, twin)
            return
        _apply(batch, plan_import(package, load_known(batch.project), options))
        running.hold()
    log.info("import done", extra={"batch": batch.pk, "project": batch.project_id})


def _store(package: Package, running: Running) -> None:
    total, done, store = len(package.snapshots) + len(package.files), 0, blobs()
    for part in batched(package.bodies(), BLOBS_AT_ONCE):
        store.put_many(part)
        done += len(part)
        running.progress("storing", done, total)


def _apply(batch: ImportBatch, plan: Plan) -> None:
    known = load_known(batch.project)
    applied = Applied(batch, plan, known)
    put_dimensions(applied)
    put_sources(applied)
    put_snapshots(applied)
    put_claims(applied)
    put_files(applied)
    # The checks that follow bring all other claims up to date.
    standing.refresh(mark_stale(applied))
    _ask_for_checks(applied)
    if count := applied.undo["several_versions"]:
        plan.package.log.notice(rules.VERSION_NOT_FIXED, plan.package.name, count=count)
    batch.report = with_all_errors(_report(plan, batch=batch.pk))
    batch.report["undo"] = blobs().put(json.dumps(applied.undo, ensure_ascii=False).encode())
    batch.report["stale_verdicts"] = len(applied.undo["verdicts"])
    batch.report["stale_assessments"] = len(applied.undo["assessments"])
    batch.state = ImportBatch.State.IMPORTED
    batch.imported_at = timezone.now()
    batch.save()
    summary = Entry(
        "import.done",
        "import",
        str(batch.pk),
        new={"name": batch.name, "sha256": batch.sha256, **plan.counts()},
    )
    record(batch.project, [summary, *applied.entries], by=batch.by, batch_id=str(batch.key))
    if any(found[kind] for found in (plan.created, plan.changed) for kind in _OF_SOURCES):
        follow(batch.project, FACTS, CLUSTERS, SOURCES, by=batch.by)


def _ask_for_checks(applied: Applied) -> None:
    for part in chunks(sorted(applied.touched)):
        checking.forget(applied.batch.project, part)


def _report(plan: Plan, *, dry_run: bool = False, batch: int | None = None) -> dict[str, Any]:
    return report_of(
        ok=not plan.is_refused,
        dialect=plan.package.dialect,
        log=plan.package.log,
        plan=plan,
        dry_run=dry_run,
        batch=batch,
    )


def _forget_upload(batch: ImportBatch) -> None:
    """Remove what was uploaded; a path that a command named is not ours to remove."""
    if not batch.path:
        return
    place, folder = Path(batch.path), Path(settings.UPLOAD_DIR)
    if folder in place.parents:
        if batch.state == ImportBatch.State.REFUSED:
            return  # it may be decided about again
        place.unlink(missing_ok=True)
    ImportBatch.objects.filter(pk=batch.pk).update(path="")
