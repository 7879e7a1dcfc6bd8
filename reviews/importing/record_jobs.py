"""Import files of sources, receipts and rejections: the same job as for reports, other records.

May be killed at any moment: what was read lies in temporary files, and all rows are written in one
transaction with their entries in the audit trail.
"""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone, translation

from reviews import checking
from reviews.exchange import record_rules
from reviews.exchange.reading import Progress, no_progress, open_upload
from reviews.exchange.record_files import RecordFiles, kind_of, record_files
from reviews.exchange.report import report_of
from reviews.exchange.report_files import evidence_members
from reviews.importing.batches import (
    options_of,
    point_to,
    refuse,
    steps_of,
    twin_of,
    twin_pk,
    with_all_errors,
)
from reviews.importing.record_files import Staged, bring, stage
from reviews.importing.rows import chunks, claims_citing
from sources.following import CLUSTERS, FACTS, SOURCES, follow
from sources.importing.context import Bringing
from sources.models import ImportBatch, Project, Source
from sources.recording import Entry, hold_chain, record
from sources.running import Running
from sources.texts import blobs
from workbench.lib.archives import Tree
from workbench.lib.problems import Log


class _Refused(Exception):
    """Errors were found while records were compared, and were not waved through."""


def holds_records(path: Path, name: str, wanted: str) -> bool:
    """Tell whether an upload is of these kinds, or a caller says that it is."""
    if wanted:
        return True
    with open_upload(path) as tree:
        return _files(tree, name, "") is not None


def _files(tree: Tree, name: str, wanted: str) -> RecordFiles | None:
    # A report with such files beside it is a report; they are kept with it.
    return None if evidence_members(tree) and not wanted else record_files(tree, name, wanted)


def dry_run(
    path: Path, name: str, project: Project | None, *, wanted: str = "", only_valid: bool = False
) -> dict[str, Any]:
    """Give the report that an import would give. Nothing is written. Raises ArchiveError."""
    with open_upload(path) as tree, ExitStack() as stack:
        files = _files(tree, name, wanted)
        if files is None:
            return not_this_kind(tree, name, wanted)
        staged = _stage(tree, name, files, stack, project, no_progress)
        bringing = Bringing(project, staged.log)
        bring(staged, bringing)
        refused = bool(staged.log.errors) and not only_valid
        return _report(staged, bringing, ok=not refused, dry_run=True)


def look_over(batch: ImportBatch, running: Running) -> dict[str, Any]:
    """Look an upload over for its user, who then decides; the batch is not saved."""
    wanted, progress = batch.options.get("kind", ""), steps_of(running)
    with open_upload(Path(batch.path)) as tree, ExitStack() as stack:
        files = _files(tree, batch.name, wanted)
        if files is None:
            return with_all_errors(not_this_kind(tree, batch.name, wanted))
        batch.sha256, batch.dialect = tree.digest(), files.dialect
        staged = _stage(tree, batch.name, files, stack, batch.project, progress)
        bringing = Bringing(batch.project, staged.log)
        bring(staged, bringing)
        report = _report(staged, bringing, ok=not staged.log.errors, dry_run=True)
    return with_all_errors(report) | {"same_as": twin_pk(batch), "facts": _facts(staged.log)}


def bring_in(batch: ImportBatch, running: Running) -> None:
    """Write what an upload holds, or refuse it, or point to the import that has it."""
    wanted, options = batch.options.get("kind", ""), options_of(batch)
    with open_upload(Path(batch.path)) as tree, ExitStack() as stack:
        files = _files(tree, batch.name, wanted)
        if files is None:
            refuse(batch, with_all_errors(not_this_kind(tree, batch.name, wanted)), running)
            return
        batch.sha256, batch.dialect = tree.digest(), files.dialect
        staged = _stage(tree, batch.name, files, stack, batch.project, steps_of(running))
        bringing = Bringing(batch.project, staged.log, batch, keep_old=options.keep_old)
        if staged.log.errors and not options.only_valid:
            _refuse(batch, staged, running)
            return
        running.progress(
            "writing", 0, sum(part.count for part in staged.parts.values()), force=True
        )
        try:
            _write(batch, staged, bringing, running, only_valid=options.only_valid)
        except _Refused:
            _refuse(batch, staged, running)


def _write(
    batch: ImportBatch, staged: Staged, bringing: Bringing, running: Running, *, only_valid: bool
) -> None:
    with transaction.atomic(), translation.override(batch.project.language):
        running.hold()
        # One import of a project at a time: records are compared with what stands now.
        Project.objects.select_for_update().get(pk=batch.project_id)
        hold_chain(batch.project)
        if (twin := twin_of(batch)) is not None:
            point_to(batch, twin)
            return
        bring(staged, bringing)
        if staged.log.errors and not only_valid:
            raise _Refused
        _finish(batch, staged, bringing)
        running.hold()


def _finish(batch: ImportBatch, staged: Staged, bringing: Bringing) -> None:
    report = with_all_errors(_report(staged, bringing, ok=True, batch=batch.pk))
    report["records"] = list(staged.files.members)
    kept = json.dumps(bringing.kept).encode()
    batch.report = report | {"undo_records": blobs().put(kept), "facts": _facts(staged.log)}
    batch.state, batch.imported_at = ImportBatch.State.IMPORTED, timezone.now()
    batch.save()
    touched = claims_citing(batch.project, bringing.changed_sources, bringing.urls)
    for part in chunks(sorted(touched)):
        checking.forget(batch.project, part)
    counts = {name: dict(sorted(found.items())) for name, found in bringing.counts.items()}
    new = {"name": batch.name, "sha256": batch.sha256, "dialect": batch.dialect, **counts}
    done = Entry("import.done", "import", str(batch.pk), new=new)
    record(batch.project, [done], by=batch.by, batch_id=str(batch.key))
    written = {kind for name in ("created", "changed") for kind in bringing.counts[name]}
    if "sources" in written:  # scored now, the changed ones too
        follow(batch.project, FACTS, by=batch.by)
    if written:
        follow(batch.project, CLUSTERS, SOURCES, by=batch.by)


def _stage(
    tree: Tree, name: str, files: RecordFiles, stack: ExitStack, project: Project | None,
    progress: Progress,
) -> Staged:  # fmt: skip
    known: frozenset[str] = frozenset()
    if project is not None:
        names = Source.objects.filter(project=project).order_by()
        known = frozenset(names.values_list("external_id", flat=True))
    return stage(tree, name, files, stack, known, progress)


def _refuse(batch: ImportBatch, staged: Staged, running: Running) -> None:
    report = report_of(ok=False, dialect=batch.dialect, log=staged.log, batch=batch.pk)
    refuse(batch, with_all_errors(report | {"facts": _facts(staged.log)}), running)


def not_this_kind(tree: Tree, name: str, wanted: str) -> dict[str, Any]:
    """Give the report of a file that does not hold what a caller says."""
    log, found = Log(), kind_of(tree, name)
    names = record_rules.KIND_NAMES
    if found:
        log.error(
            record_rules.OTHER_KIND, name, found=names[found], wanted=names[wanted],
            command=record_rules.COMMANDS[found],
        )  # fmt: skip
    else:
        log.error(record_rules.NOT_THIS_KIND, name, wanted=names[wanted])
    return report_of(ok=False, dialect="", log=log) | {"unreadable": True}


def _report(
    staged: Staged,
    bringing: Bringing,
    *,
    ok: bool,
    dry_run: bool = False,
    batch: int | None = None,
) -> dict[str, Any]:
    dialect = staged.files.dialect
    report = report_of(ok=ok, dialect=dialect, log=staged.log, dry_run=dry_run, batch=batch)
    counts = {name: dict(sorted(found.items())) for name, found in bringing.counts.items()}
    return report | counts | {"files": staged.read}


def _facts(log: Log) -> dict[str, Any]:
    errors: dict[str, int] = {}
    for each in log.errors:
        errors[each.rule.id] = errors.get(each.rule.id, 0) + 1
    return {"errors": errors, "notices": log.tally(), "snapshots": 0, "stale": 0}
