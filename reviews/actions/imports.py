"""Bring a report in, decide about it, stop it, take it back. Paths never come from a page."""

import hashlib
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from reviews.exchange.mapping import Mapping, MappingError
from reviews.importing import undo as import_undo
from sources import sweeping
from sources.models import ImportBatch, ImportMapping, Job, Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record
from sources.uploads import StoredUpload

from .errors import ActionRefused, NotAllowed
from .rows import require

IMPORT_TASK = "reviews.tasks.run_import"
CHECK_TASK = "reviews.tasks.check_upload"
CLAIMS_TASK = "reviews.tasks.check_claims"
# What may follow the name that we give an upload; a file is told by what it holds otherwise.
SUFFIXES = (
    ".evidence.json",
    ".json",
    ".jsonl",
    ".ndjson",
    ".ris",
    ".bib",
    ".tar.gz",
    ".tgz",
    ".tar",
    ".zip",
)


def receive(*, project: Project, name: str, chunks: Iterable[bytes], by: User) -> ImportBatch:
    """Keep an upload on the data disk and give the import that it is for."""
    require(by, "import", project)
    folder = Path(settings.UPLOAD_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = uuid.uuid4()
    place = folder / f"{key.hex}{_suffix(name)}"
    sha256, size = hashlib.sha256(), 0
    try:
        with place.open("xb") as target:
            place.chmod(0o600)
            for chunk in chunks:
                size += len(chunk)
                if size > settings.UPLOAD_MAX_BYTES:
                    raise ActionRefused("too-large", too_large())
                sha256.update(chunk)
                target.write(chunk)
        if not size:
            raise ActionRefused("empty", _("The file is empty. Nothing was imported."))
        return ImportBatch.objects.create(
            key=key,
            project=project,
            name=_file_name(name),
            path=str(place),
            sha256=sha256.hexdigest(),
            size=size,
            by=by,
        )
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def keep(*, project: Project, upload: StoredUpload, by: User) -> ImportBatch:
    """Give the import of an upload that lies on the data disk already, and start to look it over.

    The file is gone if this is refused.
    """
    try:
        require(by, "import", project)
        if not upload.size:
            raise ActionRefused("empty", _("The file is empty. Nothing was imported."))
        key = uuid.uuid4()
        kept_as = key.hex + _suffix(upload.name or "")
        with transaction.atomic():
            batch = ImportBatch.objects.create(
                key=key,
                project=project,
                name=_file_name(upload.name or ""),
                path=str(Path(settings.UPLOAD_DIR) / kept_as),
                sha256=upload.sha256,
                size=upload.size,
                options={"encoding": upload.text_encoding},
                by=by,
            )
            check(batch=batch, by=by)
            upload.claim(kept_as)
    except BaseException:
        upload.forget()
        raise
    return batch


@transaction.atomic
def decline(*, batch: ImportBatch, by: User) -> ImportBatch:
    """Import nothing of an upload, and remove it."""
    require(by, "import", batch.project)
    batch = ImportBatch.objects.select_for_update().get(pk=batch.pk)
    if batch.state == ImportBatch.State.REFUSED and not batch.path:
        return batch
    _require_open(batch)
    if batch.import_job is not None and not batch.import_job.is_finished:
        raise ActionRefused("running", _("The import is running. Cancel it first."))
    place = Path(batch.path)
    if Path(settings.UPLOAD_DIR) in place.parents:
        transaction.on_commit(lambda: place.unlink(missing_ok=True))
    batch.state, batch.path = ImportBatch.State.REFUSED, ""
    batch.options = batch.options | {"declined_by": by.get_username()}
    batch.save(update_fields=["state", "path", "options"])
    entry = Entry("import.declined", "import", str(batch.pk), new={"name": batch.name})
    record(batch.project, [entry], by=by, batch_id=str(batch.key))
    return batch


def too_large() -> str:
    """Say that a file is larger than uploads may be."""
    megabytes = settings.UPLOAD_MAX_BYTES // 2**20
    return _("The file is larger than %(limit)s MB. Nothing was imported.") % {"limit": megabytes}


def _suffix(name: str) -> str:
    """Give the end of a name that tells how the file is read."""
    return next((each for each in SUFFIXES if name.lower().endswith(each)), "")


def _file_name(name: str) -> str:
    base = name.replace("\\", "/").rsplit("/", 1)[-1].strip()
    return "".join(c for c in base if c.isprintable())[:300] or "upload"


def register(*, project: Project, path: Path, by: User | None, kind: str = "") -> ImportBatch:
    """Give the import of a file or folder on this machine, which only a command may name.

    ``kind`` says which records it holds; without it the file tells.
    """
    if by is not None:
        require(by, "import", project)
    size = path.stat().st_size if path.is_file() else 0
    return ImportBatch.objects.create(
        project=project,
        name=path.resolve().name[:300],
        path=str(path.resolve()),
        size=size,
        options={"kind": kind} if kind else {},
        by=by,
    )


@transaction.atomic
def check(*, batch: ImportBatch, by: User, mapping: dict[str, Any] | None = None) -> Job:
    """Start to look an upload over, without importing anything."""
    require(by, "import", batch.project)
    _require_open(batch)
    if mapping is not None:
        batch.mapping = _read_mapping(mapping)
    batch.check_job = _start(batch, "import_check", CHECK_TASK, by)
    batch.save(update_fields=["check_job", "mapping"])
    return batch.check_job


@transaction.atomic
def decide(
    *,
    batch: ImportBatch,
    by: User | None,
    only_valid: bool = False,
    keep_old: bool = False,
    mapping: dict[str, Any] | None = None,
    nudge: bool = True,
) -> Job:
    """Start the import, with what to do about errors and about claims that changed."""
    if by is not None:
        require(by, "import", batch.project)
    batch = ImportBatch.objects.select_for_update().get(pk=batch.pk)
    if batch.import_job is not None and not batch.import_job.is_finished:
        return batch.import_job
    _require_open(batch)
    if mapping is not None:
        batch.mapping = _read_mapping(mapping)
    batch.options = batch.options | {"only_valid": only_valid, "keep_old": keep_old}
    batch.import_job = _start(batch, "import", IMPORT_TASK, by, nudge=nudge)
    batch.save(update_fields=["import_job", "mapping", "options"])
    started = Entry("import.started", "import", str(batch.pk), new={"name": batch.name})
    record(batch.project, [started], by=by, batch_id=str(batch.key))
    return batch.import_job


def _require_open(batch: ImportBatch) -> None:
    done = batch.state in {ImportBatch.State.IMPORTED, ImportBatch.State.UNDONE}
    if done or not batch.path:
        raise ActionRefused("finished", _("This import is over. Upload the file again."))


def _start(batch: ImportBatch, kind: str, task: str, by: User | None, *, nudge: bool = True) -> Job:
    job = Job.objects.create(
        project=batch.project, kind=kind, task=task, args={"batch": batch.pk}, created_by=by
    )
    if nudge:
        transaction.on_commit(lambda: sweeping.nudge(job))
    return job


@transaction.atomic
def cancel(*, job: Job, by: User) -> Job:
    """Ask a job to stop; one that still waits is over at once."""
    if job.project is None or not (job.created_by_id == by.pk or can(by, "import", job.project)):
        raise NotAllowed
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.QUEUED)
    if not waiting.update(state=Job.State.CANCELLED, cancel_requested=True):
        running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING)
        running.update(cancel_requested=True)
    job.refresh_from_db()
    entry = Entry("job.cancelled", "job", str(job.pk), new={"kind": job.kind})
    record(job.project, [entry], by=by)
    return job


@transaction.atomic
def retry(*, job: Job, by: User) -> Job:
    """Start a job that failed or was cancelled once more, as a new one."""
    project = job.project
    if project is None or not can(by, "import", project):
        raise NotAllowed
    # Locked, so that two presses give one new job.
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.state not in {Job.State.FAILED, Job.State.CANCELLED}:
        raise ActionRefused("not-failed", _("This job neither failed nor was cancelled."))
    later = Job.objects.filter(project=project, args__retry_of=job.pk).first()
    if later is not None:
        return later
    again = Job.objects.create(
        project=project,
        kind=job.kind,
        task=job.task,
        args=job.args | {"retry_of": job.pk},
        created_by=by,
    )
    ImportBatch.objects.filter(check_job=job).update(check_job=again)
    ImportBatch.objects.filter(import_job=job).update(import_job=again)
    transaction.on_commit(lambda: sweeping.nudge(again))
    entry = Entry("job.retried", "job", str(again.pk), new={"kind": job.kind, "of": job.pk})
    record(project, [entry], by=by)
    return again


@transaction.atomic
def undo_import(*, batch: ImportBatch, by: User) -> ImportBatch:
    """Take an import back; refused with a list while judgements rest on what it brought."""
    require(by, "import", batch.project)
    Project.objects.select_for_update().get(pk=batch.project_id)
    hold_chain(batch.project)
    batch.refresh_from_db()
    if batch.state == ImportBatch.State.UNDONE:
        return batch
    if batch.state != ImportBatch.State.IMPORTED:
        raise ActionRefused("not-imported", _("Nothing was imported here: nothing to undo."))
    if batch.import_job is not None and not batch.import_job.is_finished:
        raise ActionRefused("running", _("The import is still being checked. Stop it first."))
    if found := import_undo.obstacles(batch):
        claims = ", ".join(dict.fromkeys(each.claim for each in found[:10]))
        raise ActionRefused(
            "decided",
            _("Decisions rest on this import (%(claims)s). Withdraw them first.")
            % {"claims": claims},
            obstacles=found,
        )
    if import_undo.take_back(batch, by):
        job = Job.objects.create(
            project=batch.project, kind="check", task=CLAIMS_TASK, created_by=by
        )
        transaction.on_commit(lambda: sweeping.nudge(job))
    batch.refresh_from_db()
    return batch


@transaction.atomic
def save_mapping(
    *, project: Project | None, name: str, spec: dict[str, Any], by: User
) -> ImportMapping:
    """Keep a mapping under a name in a project; the same name again replaces it.

    Without a project it is for the whole site, which only an admin may do.
    """
    if project is not None:
        require(by, "import", project)
    elif not by.is_admin:
        raise NotAllowed
    mapping, _made = ImportMapping.objects.update_or_create(
        project=project, name=name, defaults={"spec": _read_mapping(spec), "created_by": by}
    )
    if project is not None:
        record(project, [Entry("mapping.saved", "mapping", name)], by=by)
    return mapping


def _read_mapping(spec: dict[str, Any]) -> dict[str, Any]:
    try:
        return Mapping.read(spec).to_json()
    except MappingError as fault:
        raise ActionRefused("bad-mapping", fault.render(get_language() or "en")) from fault
