"""Import an upload: read, plan, store its texts, then write all rows in one transaction.

May be killed at any moment: before the transaction ends nothing is to be seen but blobs that no
row names; after it, a second run finds the import done and goes on with the checks.
"""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.formats import date_format

from sources.models import ImportBatch, Project
from sources.recording import Entry, hold_chain, record
from sources.running import CannotBeDone, Running
from sources.texts import blobs
from workbench.lib.archives import ArchiveError

from . import checking, standing
from .exchange import rules
from .exchange.package import Package, Spool
from .exchange.planning import Options, Plan, plan_import
from .exchange.problems import Log
from .exchange.reading import Progress, no_progress, open_upload
from .exchange.recognising import Unrecognised, read_upload
from .exchange.report import report_of
from .import_claims import put_claims
from .import_facts import facts_of, samples_of
from .import_known import load_known
from .import_rows import (
    Applied,
    chunks,
    mark_stale,
    put_dimensions,
    put_files,
    put_snapshots,
    put_sources,
)

log = logging.getLogger(__name__)

SHOWN_ERRORS = 500  # of a report; all of them are in its errors file
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
    batch = _batch_of(running)
    if batch.state not in {ImportBatch.State.UPLOADED, ImportBatch.State.CHECKED}:
        return {}
    try:
        with opened(Path(batch.path), batch.name, batch.mapping, progress=_steps(running)) as up:
            plan = plan_import(up.package, load_known(batch.project), _options(batch))
            report = _with_all_errors(_report(plan, dry_run=True))
            batch.sha256, batch.dialect = up.sha256, up.package.dialect
            report["same_as"] = _twin_pk(batch)
            report["facts"] = facts_of(plan)
            if batch.mapping:
                report["samples"] = samples_of(Path(batch.path), batch.mapping)
    except (ArchiveError, Unrecognised) as fault:
        report = _with_all_errors(refusal(fault, batch.name))
        if isinstance(fault, Unrecognised):
            given = batch.mapping or fault.proposal
            report["samples"] = samples_of(Path(batch.path), given)
    with transaction.atomic():
        running.hold()
        batch.report, batch.state = report, ImportBatch.State.CHECKED
        batch.save(update_fields=["report", "state", "sha256", "dialect"])
    return _counts(report)


def run_import(running: Running) -> dict[str, Any]:
    """Import an upload, then locate and check what it brought."""
    batch = bring_in(running)
    if batch.state == ImportBatch.State.IMPORTED:
        checking.check_claims(batch.project, running=running)
    _forget_upload(batch)
    return _counts(batch.report)


def check_again(running: Running) -> dict[str, Any]:
    """Locate and check what waits for it in the project of the job."""
    project = running.job.project
    if project is None:
        raise CannotBeDone("The job names no project.")
    return dict(checking.check_claims(project, running=running))


def bring_in(running: Running) -> ImportBatch:
    """Write what an upload holds, unless that is done; give the import as it is then."""
    batch = _batch_of(running)
    if batch.state == ImportBatch.State.UNDONE:
        raise CannotBeDone(f"Import {batch.pk} was undone.")
    if batch.state == ImportBatch.State.IMPORTED:
        return batch
    try:
        with opened(Path(batch.path), batch.name, batch.mapping, progress=_steps(running)) as up:
            _import_package(batch, up, running)
    except (ArchiveError, Unrecognised) as fault:
        _refuse(batch, refusal(fault, batch.name), running)
    return batch


def _import_package(batch: ImportBatch, upload: Upload, running: Running) -> None:
    package, options = upload.package, _options(batch)
    batch.sha256, batch.dialect = upload.sha256, package.dialect
    if package.log.errors and not options.only_valid:
        report = report_of(ok=False, dialect=package.dialect, log=package.log, batch=batch.pk)
        _refuse(batch, _with_all_errors(report), running)
        return
    if _twin(batch) is None:
        _store(package, running)
    running.progress("writing", force=True)
    with transaction.atomic(), translation.override(batch.project.language):
        running.hold()
        # One import of a project at a time: the plan is made of what stands now.
        Project.objects.select_for_update().get(pk=batch.project_id)
        # Nor is a claim judged while it changes: that verdict would never become stale.
        hold_chain(batch.project)
        twin = _twin(batch)
        if twin is not None:
            _point_to(batch, twin)
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
    standing.refresh(mark_stale(applied, applied.restated))
    _ask_for_checks(applied)
    if count := applied.undo["several_versions"]:
        plan.package.log.notice(rules.VERSION_NOT_FIXED, plan.package.name, count=count)
    batch.report = _with_all_errors(_report(plan, batch=batch.pk))
    batch.report["undo"] = blobs().put(json.dumps(applied.undo, ensure_ascii=False).encode())
    batch.report["stale_verdicts"] = len(applied.undo["verdicts"])
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


def _ask_for_checks(applied: Applied) -> None:
    for part in chunks(sorted(applied.touched)):
        checking.forget(applied.batch.project, part)


def _refuse(batch: ImportBatch, report: dict[str, Any], running: Running) -> None:
    with transaction.atomic():
        running.hold()
        batch.report, batch.state = report, ImportBatch.State.REFUSED
        batch.save(update_fields=["report", "state", "sha256", "dialect"])


def _point_to(batch: ImportBatch, twin: ImportBatch) -> None:
    """Say that the very same upload is there already, with what it holds as unchanged."""
    notes, counts = Log(), Counter[str]()
    with translation.override("en"):
        when = date_format(timezone.localtime(twin.imported_at), "Y-m-d H:i")
    notes.notice(rules.SAME_UPLOAD, batch.name, batch=twin.pk, when=when)
    for kind in ("created", "changed", "unchanged"):
        counts.update(twin.report.get(kind, {}))
    report = report_of(ok=True, dialect=twin.dialect, log=notes, batch=twin.pk)
    batch.report = report | {"unchanged": dict(counts), "same_as": twin.pk}
    batch.dialect, batch.state = twin.dialect, ImportBatch.State.CHECKED
    batch.save(update_fields=["report", "state", "sha256", "dialect"])


def _twin(batch: ImportBatch) -> ImportBatch | None:
    return (
        ImportBatch.objects.filter(
            project=batch.project_id, sha256=batch.sha256, state=ImportBatch.State.IMPORTED
        )
        .exclude(pk=batch.pk)
        .first()
    )


def _twin_pk(batch: ImportBatch) -> int | None:
    twin = _twin(batch)
    return twin.pk if twin else None


def _report(plan: Plan, *, dry_run: bool = False, batch: int | None = None) -> dict[str, Any]:
    return report_of(
        ok=not plan.is_refused,
        dialect=plan.package.dialect,
        log=plan.package.log,
        plan=plan,
        dry_run=dry_run,
        batch=batch,
    )


def _with_all_errors(report: dict[str, Any]) -> dict[str, Any]:
    """Keep the first errors in the report and all of them in a file of their own."""
    errors = report["errors"]
    report["error_count"] = len(errors)
    if len(errors) > SHOWN_ERRORS:
        lines = (json.dumps(error, ensure_ascii=False) + "\n" for error in errors)
        report["errors_file"] = blobs().put("".join(lines).encode())
        report["errors"] = errors[:SHOWN_ERRORS]
    return report


def all_errors(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Give every error of a stored report, also those that only its file holds."""
    if name := report.get("errors_file"):
        return [json.loads(line) for line in blobs().get_text(name).splitlines()]
    return list(report.get("errors", ()))


def _batch_of(running: Running) -> ImportBatch:
    return ImportBatch.objects.select_related("project", "by").get(pk=running.args["batch"])


def _options(batch: ImportBatch) -> Options:
    return Options(
        only_valid=bool(batch.options.get("only_valid")),
        keep_old=bool(batch.options.get("keep_old")),
    )


def _steps(running: Running) -> Progress:
    def tell(stage: str, done: int, total: int) -> None:
        running.progress(stage, done, total)

    return tell


def _counts(report: dict[str, Any]) -> dict[str, Any]:
    kept = ("ok", "dialect", "created", "changed", "unchanged", "skipped", "error_count")
    return {name: report[name] for name in kept if name in report}


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
