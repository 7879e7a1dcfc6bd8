"""What an import writes of a report, and what it keeps out."""

from pathlib import Path

from reviews.importing.batches import all_errors
from reviews.models import Claim, Evidence
from sources.models import AuditEvent, Project, ReportFile, Source, User
from sources.recording import broken_events
from sources.texts import blobs, read_text

from .bringing import bring, row, said
from .report_files import PORT, PORT_TEXT, claim, document, evidence, put_snapshot, ref_of, report


def test_report_is_written_whole(project: Project, tmp_path: Path) -> None:
    batch = bring(project, report(tmp_path))

    assert batch.state == "imported"
    assert batch.report["created"] == {
        "claims": 3,
        "dimensions": 1,
        "evidence": 4,
        "files": 5,
        "key_questions": 2,
        "snapshots": 2,
        "sources": 2,
    }
    first = row(project, "d1.c1")
    assert (first.position, first.is_key, first.dimension.name) == (1, True, "Ports")
    assert first.key_question.text == "How much?"
    item = first.evidence.get(position=1)
    assert item.snapshot.ref == ref_of(PORT, PORT_TEXT)
    assert read_text(item.snapshot.content_hash) == PORT_TEXT
    assert (item.grade, item.source.external_id) == ("exact", "port")


def test_import_is_in_the_audit_trail(project: Project, editor: User, tmp_path: Path) -> None:
    batch = bring(project, report(tmp_path), by=editor)

    done = AuditEvent.objects.get(project=project, action="import.done")
    assert (done.actor, done.object_id, done.batch_id) == ("editor", str(batch.pk), str(batch.key))
    assert done.new["created"]["claims"] == 3
    assert not list(broken_events(project))


def test_kept_files_are_there_byte_for_byte(project: Project, tmp_path: Path) -> None:
    folder = report(tmp_path)

    bring(project, folder)

    kept = ReportFile.objects.get(project=project, path="stitched.md")
    assert blobs().get(kept.sha256) == (folder / "stitched.md").read_bytes()


def test_same_upload_again_changes_nothing_and_points_to_the_first(
    project: Project, tmp_path: Path
) -> None:
    folder = report(tmp_path)
    first = bring(project, folder)

    again = bring(project, folder)

    assert again.state == "checked"
    assert again.report["batch"] == first.pk
    assert (again.report["created"], again.report["changed"]) == ({}, {})
    assert again.report["unchanged"]["claims"] == 3
    assert "SAME_UPLOAD" in said(again)
    assert Claim.objects.count() == 3


def test_same_content_in_another_container_is_unchanged(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))
    before = list(Claim.objects.values("pk", "version", "content_hash"))
    folder = report(tmp_path / "b")
    (folder / "note.md").write_text("a note", encoding="utf-8")

    again = bring(project, folder)

    assert again.report["created"] == {"files": 1}
    assert again.report["changed"] == {}
    assert list(Claim.objects.values("pk", "version", "content_hash")) == before
    assert Evidence.objects.count() == 4


def test_broken_file_keeps_everything_out(project: Project, tmp_path: Path) -> None:
    folder = report(tmp_path)
    (folder / "sub_reports" / "d2.evidence.json").write_text("{", encoding="utf-8")

    batch = bring(project, folder)

    assert (batch.state, batch.report["ok"]) == ("refused", False)
    assert said(batch, "errors") == ["JSON"]
    assert not Claim.objects.exists()
    assert not Source.objects.exists()


def test_only_valid_leaves_the_broken_file_out_and_counts_it(
    project: Project, tmp_path: Path
) -> None:
    folder = report(tmp_path)
    (folder / "sub_reports" / "d2.evidence.json").write_text("{", encoding="utf-8")

    batch = bring(project, folder, only_valid=True)

    assert batch.state == "imported"
    assert batch.report["skipped"] == {"files": 1}
    assert Claim.objects.count() == 3


def test_evidence_without_reference_gets_the_version_that_holds_its_quote(
    project: Project, tmp_path: Path
) -> None:
    made = document() | {"schema_version": "1.1"}
    item = evidence("port", "The connection rate was 63.5 %", "")
    del item["snapshot_ref"]
    made["claims"] = [claim(1, "The connection rate was 63.5 %", [item])]
    folder = report(tmp_path, made)
    put_snapshot(folder, PORT, "A later version of the page, without any of the figures.")

    batch = bring(project, folder)

    chosen = Evidence.objects.get()
    assert chosen.snapshot is not None
    assert read_text(chosen.snapshot.content_hash) == PORT_TEXT
    assert chosen.extra == {"snapshot_chosen": True}
    assert "VERSION_NOT_FIXED" in said(batch)


def test_archive_that_is_none_is_refused_plainly(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(b"PK\x03\x04 and then nothing of use")

    batch = bring(project, path)

    assert batch.state == "refused"
    assert said(batch, "errors") == ["ARCHIVE"]


def test_many_errors_are_all_kept_though_few_are_shown(project: Project, tmp_path: Path) -> None:
    made = document()
    made["claims"] += [{"id": f"d1.c{n}"} for n in range(10, 610)]

    batch = bring(project, report(tmp_path, made))

    assert batch.report["error_count"] == 600
    assert len(batch.report["errors"]) == 500
    assert len(all_errors(batch.report)) == 600
