"""Applying an import: what is written, what a second one changes, what undoing gives back."""

import json
from pathlib import Path
from typing import Any

import pytest

from reviews import importing
from reviews.actions import imports
from reviews.actions.errors import ActionRefused, NotAllowed
from reviews.models import Assessment, Claim, ClaimVersion, Evidence, Finding, Verdict
from sources.models import (
    AuditEvent,
    ImportBatch,
    Job,
    Project,
    ReportFile,
    Snapshot,
    Source,
    User,
)
from sources.recording import broken_events
from sources.running import Running, perform
from sources.texts import blobs, read_text
from tests.factories import AssessmentFactory, DefectFactory, FindingFactory, VerdictFactory

from .report_files import (
    PORT,
    PORT_TEXT,
    claim,
    document,
    evidence,
    put_snapshot,
    ref_of,
    report,
    source,
    write,
)


def bring(project: Project, path: Path, by: User | None = None, **options: Any) -> ImportBatch:
    batch = imports.register(project=project, path=path, by=by)
    job = imports.decide(batch=batch, by=by, nudge=False, **options)
    perform(job.pk, importing.run_import)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    batch.refresh_from_db()
    return batch


def said(batch: ImportBatch, kind: str = "notices") -> list[str]:
    return [problem["rule"] for problem in batch.report[kind]]


def row(project: Project, name: str) -> Claim:
    return Claim.objects.get(project=project, external_id=name)


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


def changed_report(folder: Path) -> Path:
    made = document()
    made["claims"][0]["text"] = "The port supplied 416 MWh of shore power in 2024, and more later"
    made["claims"][0]["evidence"][1]["snippet"] = "The port has 14 berths"
    return report(folder, made)


def test_changed_claim_gets_a_version_and_only_its_changed_evidence_is_replaced(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    old = row(project, "d1.c1")
    kept, replaced = old.evidence.order_by("position")

    batch = bring(project, changed_report(tmp_path / "b"))

    new = row(project, "d1.c1")
    assert (new.pk, new.version, new.text.endswith("later")) == (old.pk, 2, True)
    assert ClaimVersion.objects.get(claim=new).content["fields"]["text"] == old.text
    assert batch.report["changed"] == {"claims": 1, "evidence": 1, "files": 1}
    assert new.evidence.filter(current=True).count() == 2
    assert Evidence.objects.get(pk=kept.pk).current
    assert not Evidence.objects.get(pk=replaced.pk).current


def test_verdict_on_a_changed_claim_becomes_stale_with_a_reason(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    on_changed = VerdictFactory(claim=row(project, "d1.c1"), reviewer=reviewer)
    on_same = VerdictFactory(claim=row(project, "d1.c2"), reviewer=reviewer)

    batch = bring(project, changed_report(tmp_path / "b"))

    on_changed.refresh_from_db()
    on_same.refresh_from_db()
    assert (on_changed.stale, on_same.stale) == (True, False)
    assert str(batch.pk) in on_changed.stale_reason
    assert row(project, "d1.c1").state == Claim.State.STALE
    assert AuditEvent.objects.filter(action="verdict.stale", object_id="d1.c1").exists()


def test_keep_old_leaves_changed_claims_as_they_are(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))

    batch = bring(project, changed_report(tmp_path / "b"), keep_old=True)

    assert row(project, "d1.c1").version == 1
    assert batch.report["skipped"]["claims"] == 1
    assert "KEPT_OLD" in said(batch)


def test_claim_that_left_its_file_steps_back_and_may_return(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    verdict = VerdictFactory(claim=row(project, "d1.c3"), reviewer=reviewer)
    made = document()
    del made["claims"][2]

    batch = bring(project, report(tmp_path / "b", made))

    assert not row(project, "d1.c3").current
    assert "GONE_CLAIMS" in said(batch)
    assert Verdict.objects.filter(pk=verdict.pk).exists()

    folder = report(tmp_path / "c")
    (folder / "note.md").write_text("back", encoding="utf-8")
    bring(project, folder)

    assert row(project, "d1.c3").current
    assert row(project, "d1.c3").version == 1


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


def test_claims_of_a_file_that_was_read_in_part_do_not_vanish(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    made = document()
    made["claims"][2] = {"id": "d1.c3"}

    bring(project, report(tmp_path / "b", made), only_valid=True)

    assert row(project, "d1.c3").current


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


def test_snapshot_that_comes_later_is_tied_to_the_evidence(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a", with_cache=False))
    assert not Evidence.objects.exclude(snapshot=None).exists()

    bring(project, report(tmp_path / "b"))

    assert not Evidence.objects.filter(snapshot=None).exists()
    assert row(project, "d1.c2").version == 1
    assert row(project, "d1.c2").evidence.get().grade == "exact"


def test_one_id_for_two_texts_is_scoped_by_file_and_stays_so(
    project: Project, tmp_path: Path
) -> None:
    second = document() | {"dimension_id": "d2"}
    second["claims"] = [claim(1, "Quite another claim", []), claim(9, "A ninth claim", [])]

    bring(project, report(tmp_path / "a", document(), second))

    names = set(Claim.objects.values_list("external_id", flat=True))
    both = {"d1.evidence/d1.c1", "d2.evidence/d1.c1"}
    assert names == {*both, "d1.c2", "d1.c3", "d1.c9"}

    second["headline"] = "Another headline of it"
    batch = bring(project, report(tmp_path / "b", document(), second))

    assert set(Claim.objects.values_list("external_id", flat=True)) == names
    assert "claims" not in batch.report["changed"]


def test_id_that_a_later_file_uses_for_another_text_is_scoped(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    other = document() | {"dimension_id": "d7"}
    other["claims"] = [claim(1, "Quite another claim", [])]
    path = write(tmp_path / "other.evidence.json", other)

    bring(project, path)

    assert row(project, "d1.c1").text.startswith("The port supplied")
    assert row(project, "other.evidence/d1.c1").text == "Quite another claim"


def test_one_source_id_for_two_addresses_is_two_sources(project: Project, tmp_path: Path) -> None:
    second = document() | {"dimension_id": "d2"}
    second["claims"] = [claim(1, "Another claim", []) | {"id": "d2.c1"}]
    second["sources"] = [source("port", "https://other.example.org/")]

    bring(project, report(tmp_path, document(), second))

    ports = Source.objects.filter(raw_id="port").values_list("external_id", "url")
    assert dict(ports) == {
        "d1.evidence/port": PORT,
        "d2.evidence/port": "https://other.example.org/",
    }


def test_corrected_address_changes_the_source_in_place(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))
    before = Source.objects.get(external_id="gazette").pk
    made = document()
    made["sources"][1]["url"] = "https://gazette.example.org/moved"

    batch = bring(project, report(tmp_path / "b", made))

    assert Source.objects.get(external_id="gazette").pk == before
    assert batch.report["changed"]["sources"] == 1


def with_titles(title: str) -> dict[str, Any]:
    """Give a second dimension that cites the port under a title of its own."""
    made = document() | {"dimension_id": "d2", "key_findings": []}
    made["claims"] = [claim(1, "Another claim on the port", []) | {"id": "d2.c1"}]
    made["claims"][0]["evidence"] = [evidence("harbour", "The connection rate was 63.5 %", "")]
    made["sources"] = [source("harbour", PORT, title=title)]
    return made


def titles_differ(project: Project) -> set[str]:
    found = Finding.objects.filter(claim__project=project, code="several_titles", state="open")
    return set(found.values_list("claim__external_id", flat=True))


def test_claims_are_checked_anew_when_a_source_they_share_is_told_otherwise(
    project: Project, editor: User, tmp_path: Path
) -> None:
    title = document()["sources"][0]["title"]
    bring(project, report(tmp_path / "a", document(), with_titles(title)))
    before = titles_differ(project)

    batch = bring(
        project, report(tmp_path / "b", document(), with_titles("The moon in the mirror"))
    )
    after = titles_differ(project)
    imports.undo_import(batch=batch, by=editor)
    perform(Job.objects.latest("pk").pk, importing.check_again)

    assert before == set()
    assert after == {"d1.c1", "d1.c2", "d2.c1"}
    assert titles_differ(project) == set()


def test_claim_that_moves_to_another_file_stays_when_its_old_file_comes_alone(
    project: Project, editor: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a", document(), with_titles("Port")))
    first, second = document(), with_titles("Port")
    second["claims"].append(first["claims"].pop())
    second["sources"].append(first["sources"][1])
    moved = bring(project, report(tmp_path / "b", first, second))
    origin = row(project, "d1.c3").origin

    alone = write(tmp_path / "c" / "d1.evidence.json", first | {"headline": "Only one of two"})
    again = bring(project, alone)

    assert origin == "sub_reports/d2.evidence.json"
    assert row(project, "d1.c3").current
    assert again.report["gone"] == 0
    imports.undo_import(batch=again, by=editor)
    imports.undo_import(batch=moved, by=editor)
    assert row(project, "d1.c3").origin == "sub_reports/d1.evidence.json"


def test_mark_of_a_reviewer_survives_a_new_import(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))
    Claim.objects.filter(external_id="d1.c1").update(is_key=False, key_reason="only an aside")

    bring(project, changed_report(tmp_path / "b"))

    claim_row = row(project, "d1.c1")
    assert (claim_row.is_key, claim_row.key_reason) == (False, "only an aside")


# --- Undoing ----------------------------------------------------------------------------------


def snapshot_of_rows() -> dict[str, Any]:
    return {
        "claims": list(
            Claim.objects.order_by("pk").values(
                "external_id", "text", "version", "current", "is_key", "content_hash", "position"
            )
        ),
        "evidence": list(
            Evidence.objects.order_by("pk").values("pk", "snippet", "current", "position")
        ),
        "sources": list(Source.objects.order_by("pk").values("external_id", "url", "title")),
        "snapshots": list(Snapshot.objects.order_by("pk").values("content_hash")),
        "files": list(ReportFile.objects.order_by("pk").values("path", "sha256", "current")),
    }


def test_undo_of_the_first_import_leaves_nothing(
    project: Project, editor: User, tmp_path: Path
) -> None:
    batch = bring(project, report(tmp_path))

    imports.undo_import(batch=batch, by=editor)

    assert snapshot_of_rows() == {
        "claims": [],
        "evidence": [],
        "sources": [],
        "snapshots": [],
        "files": [],
    }
    assert not project.dimensions.exists()
    batch.refresh_from_db()
    assert batch.state == "undone"
    assert AuditEvent.objects.filter(action="import.undone").count() == 1


def test_undo_of_a_change_gives_back_what_stood_before(
    project: Project, editor: User, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    verdict = VerdictFactory(claim=row(project, "d1.c1"), reviewer=reviewer)
    before = snapshot_of_rows()
    made = document()
    made["claims"] = [*made["claims"][1::-1], claim(4, "A fourth claim of it", [])]
    made["claims"][1]["text"] += " and more"
    made["claims"][1]["evidence"].reverse()
    made["claims"][1]["evidence"][0]["snippet"] = "drew 416 MWh"
    made["sources"][1]["title"] = "A corrected title"
    second = bring(project, report(tmp_path / "b", made))
    verdict.refresh_from_db()
    assert verdict.stale

    imports.undo_import(batch=second, by=editor)

    assert snapshot_of_rows() == before
    checks = Job.objects.get(kind="check")
    perform(checks.pk, importing.check_again)
    assert not Claim.objects.filter(current=True, checked_at=None).exists()
    verdict.refresh_from_db()
    assert not verdict.stale
    assert row(project, "d1.c1").state == Claim.State.DONE
    assert not list(broken_events(project))


def test_undo_twice_is_done_once(project: Project, editor: User, tmp_path: Path) -> None:
    batch = bring(project, report(tmp_path))

    imports.undo_import(batch=batch, by=editor)
    imports.undo_import(batch=batch, by=editor)

    assert AuditEvent.objects.filter(action="import.undone").count() == 1


def test_import_can_be_repeated_after_undo(project: Project, editor: User, tmp_path: Path) -> None:
    folder = report(tmp_path)
    imports.undo_import(batch=bring(project, folder), by=editor)

    again = bring(project, folder)

    assert again.state == "imported"
    assert Claim.objects.count() == 3


@pytest.mark.parametrize("kind", ["verdict", "assessment", "finding", "defect"])
def test_undo_is_refused_while_a_judgement_rests_on_the_import(
    project: Project, editor: User, reviewer: User, tmp_path: Path, kind: str
) -> None:
    batch = bring(project, report(tmp_path))
    claim_row = row(project, "d1.c1")
    match kind:
        case "verdict":
            VerdictFactory(claim=claim_row, reviewer=reviewer)
        case "assessment":
            AssessmentFactory(evidence=claim_row.evidence.first(), reviewer=reviewer)
        case "finding":
            FindingFactory(
                claim=claim_row,
                state="dismissed",
                decided_by=reviewer,
                decided_at=batch.imported_at,
            )
        case _:
            DefectFactory(claim=claim_row, reviewer=reviewer)

    with pytest.raises(ActionRefused) as refused:
        imports.undo_import(batch=batch, by=editor)

    (obstacle,) = refused.value.details["obstacles"]
    assert (obstacle.kind, obstacle.claim, obstacle.by) == (kind, "d1.c1", "reviewer")
    assert Claim.objects.count() == 3


def test_undo_is_refused_where_a_later_import_changed_the_claims(
    project: Project, editor: User, tmp_path: Path
) -> None:
    first = bring(project, report(tmp_path / "a"))
    second = bring(project, changed_report(tmp_path / "b"))

    with pytest.raises(ActionRefused) as refused:
        imports.undo_import(batch=first, by=editor)

    assert [o.by for o in refused.value.details["obstacles"]] == [str(second.pk)]


def test_undo_of_unchanged_import_keeps_the_sources_of_others(
    project: Project, editor: User, tmp_path: Path
) -> None:
    first = bring(project, report(tmp_path / "a"))
    folder = report(tmp_path / "b")
    (folder / "note.md").write_text("a note", encoding="utf-8")
    second = bring(project, folder)

    imports.undo_import(batch=second, by=editor)

    assert Source.objects.filter(batch=first).count() == 2
    assert Claim.objects.filter(current=True).count() == 3


# --- Uploads, roles and faults -----------------------------------------------------------------


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
    assert len(importing.all_errors(batch.report)) == 600


def test_saved_mapping_must_be_usable(project: Project, editor: User) -> None:
    spec = {"records": "[]", "fields": {"claim.text": "claim"}}

    saved = imports.save_mapping(name="simple", spec=spec, by=editor)

    assert saved.spec == spec
    with pytest.raises(ActionRefused):
        imports.save_mapping(name="bad", spec={"fields": {"claim.colour": "x"}}, by=editor)


def test_assessment_of_kept_evidence_survives_a_change(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    kept = row(project, "d1.c1").evidence.get(position=1)
    AssessmentFactory(evidence=kept, reviewer=reviewer)

    bring(project, changed_report(tmp_path / "b"))

    assert Assessment.objects.get().evidence.current
