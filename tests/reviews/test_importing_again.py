"""What a second import changes of the claims, their evidence and the judgements on them."""

from pathlib import Path

from reviews.actions import imports
from reviews.importing import jobs as importing
from reviews.models import Assessment, Claim, ClaimVersion, Evidence, Finding, Verdict
from sources.models import AuditEvent, Job, Project, User
from sources.running import perform
from tests.factories import AssessmentFactory, VerdictFactory

from .bringing import bring, changed_report, row, said, with_titles
from .report_files import document, report, write


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


def test_claims_of_a_file_that_was_read_in_part_do_not_vanish(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    made = document()
    made["claims"][2] = {"id": "d1.c3"}

    bring(project, report(tmp_path / "b", made), only_valid=True)

    assert row(project, "d1.c3").current


def test_snapshot_that_comes_later_is_tied_to_the_evidence(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a", with_cache=False))
    assert not Evidence.objects.exclude(snapshot=None).exists()

    bring(project, report(tmp_path / "b"))

    assert not Evidence.objects.filter(snapshot=None).exists()
    assert row(project, "d1.c2").version == 1
    assert row(project, "d1.c2").evidence.get().grade == "exact"


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


def test_assessment_of_kept_evidence_survives_a_change(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    kept = row(project, "d1.c1").evidence.get(position=1)
    AssessmentFactory(evidence=kept, reviewer=reviewer)

    bring(project, changed_report(tmp_path / "b"))

    assert Assessment.objects.get().evidence.current
