"""Uploads, decisions and jobs of an import: who may, what starts, what a fault leaves."""

import json
from pathlib import Path
from typing import Any

import pytest

from reviews.actions import imports
from reviews.actions.errors import ActionRefused, NotAllowed
from reviews.importing import jobs as importing
from reviews.models import Claim
from sources.models import AuditEvent, ImportBatch, Job, Project, Snapshot, User
from sources.running import Running, perform

from .bringing import bring
from .report_files import document, report


def test_upload_is_kept_checked_and_imported(
    project: Project, editor: User, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    data = json.dumps(document()).encode()
    batch = imports.receive(
        project=project, name="../x/d1.evidence.json", chunks=[data[:50], data[50:]], by=editor
    )
    with django_capture_on_commit_callbacks() as nudges:
        job = imports.check(batch=batch, by=editor)

    perform(job.pk, importing.check_upload)

    batch.refresh_from_db()
    assert len(nudges) == 1
    assert (batch.name, batch.state, batch.size) == ("d1.evidence.json", "checked", len(data))
    assert batch.report["created"]["claims"] == 3
    assert not Claim.objects.exists()

    job = imports.decide(batch=batch, by=editor, nudge=False)
    perform(job.pk, importing.run_import)

    batch.refresh_from_db()
    assert (batch.state, batch.path) == ("imported", "")
    assert Claim.objects.get(external_id="d1.c1").origin == "d1.evidence.json"


def test_upload_above_the_cap_leaves_no_file(project: Project, editor: User, settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = 10

    with pytest.raises(ActionRefused) as refused:
        imports.receive(project=project, name="a.json", chunks=[b"x" * 8, b"y" * 8], by=editor)

    assert refused.value.code == "too-large"
    assert not ImportBatch.objects.exists()
    assert not [p for p in Path(settings.UPLOAD_DIR).iterdir() if p.stat().st_size < 100]


def test_reviewer_and_outsider_may_not_import(
    project: Project, reviewer: User, outsider: User, tmp_path: Path
) -> None:
    batch = imports.register(project=project, path=report(tmp_path), by=None)

    for person in (reviewer, outsider):
        with pytest.raises(NotAllowed):
            imports.receive(project=project, name="a", chunks=[b"x"], by=person)
        with pytest.raises(NotAllowed):
            imports.decide(batch=batch, by=person)
        with pytest.raises(NotAllowed):
            imports.undo_import(batch=batch, by=person)


def test_two_decisions_start_one_job(project: Project, editor: User, tmp_path: Path) -> None:
    batch = imports.register(project=project, path=report(tmp_path), by=editor)

    first = imports.decide(batch=batch, by=editor, nudge=False)
    second = imports.decide(batch=batch, by=editor, nudge=False)

    assert first.pk == second.pk


def test_waiting_job_is_cancelled_at_once(project: Project, editor: User, tmp_path: Path) -> None:
    batch = imports.register(project=project, path=report(tmp_path), by=editor)
    job = imports.decide(batch=batch, by=editor, nudge=False)

    imports.cancel(job=job, by=editor)

    assert perform(job.pk, importing.run_import) is False
    assert not Claim.objects.exists()


def test_fault_between_blobs_and_rows_leaves_no_row_and_a_second_run_ends_it(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = imports.register(project=project, path=report(tmp_path), by=None)
    job = imports.decide(batch=batch, by=None, nudge=False)
    with monkeypatch.context() as patch:

        def fail(_applied: object) -> None:
            raise RuntimeError("the machine stopped")

        patch.setattr(importing, "put_files", fail)
        with pytest.raises(RuntimeError):
            perform(job.pk, importing.run_import)

    assert not Claim.objects.exists()
    assert not Snapshot.objects.exists()
    Job.objects.update(nudged_at=job.created_at)  # the pause before a second try is over

    perform(job.pk, importing.run_import)

    batch.refresh_from_db()
    assert batch.state == "imported"
    assert Claim.objects.count() == 3


def test_run_after_the_rows_were_written_only_checks(project: Project, tmp_path: Path) -> None:
    batch = bring(project, report(tmp_path))
    events = AuditEvent.objects.count()
    Claim.objects.update(checked_at=None)
    job = Job.objects.create(project=project, kind="import", task="x", args={"batch": batch.pk})

    importing.run_import(Running(job))

    assert AuditEvent.objects.count() == events
    assert not Claim.objects.filter(checked_at=None).exists()


def test_saved_mapping_must_be_usable(project: Project, editor: User) -> None:
    spec = {"records": "[]", "fields": {"claim.text": "claim"}}

    saved = imports.save_mapping(project=project, name="simple", spec=spec, by=editor)

    assert saved.spec == spec
    with pytest.raises(ActionRefused):
        imports.save_mapping(
            project=project, name="bad", spec={"fields": {"claim.colour": "x"}}, by=editor
        )
