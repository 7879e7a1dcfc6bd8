"""Undoing an import: what it gives back, and when it is refused."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews.actions import imports
from reviews.actions.errors import ActionRefused
from reviews.importing import jobs as importing
from reviews.models import Claim, Evidence
from sources.models import AuditEvent, Job, Project, ReportFile, Snapshot, Source, User
from sources.recording import broken_events
from sources.running import perform
from tests.factories import AssessmentFactory, DefectFactory, FindingFactory, VerdictFactory

from .bringing import bring, changed_report, row
from .report_files import claim, document, report


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


def many(number: int, first: str) -> dict[str, Any]:
    """Give a document of many claims; another first one moves all the others in the order."""
    made = document()
    made["key_findings"] = []
    made["claims"] = [claim(n, f"Claim number {n} of many", []) for n in range(2, number + 2)]
    if first:
        made["claims"].insert(0, claim(1, first, []))
    return made


def test_undo_costs_no_more_queries_for_more_claims_that_moved(
    project: Project, editor: User, tmp_path: Path
) -> None:
    costs = []
    for number in (5, 60):
        bring(project, report(tmp_path / f"a{number}", many(number, "")))
        batch = bring(project, report(tmp_path / f"b{number}", many(number, "A new first one")))
        places = list(Claim.objects.order_by("pk").values_list("position", flat=True))

        with CaptureQueriesContext(connection) as seen:
            imports.undo_import(batch=batch, by=editor)

        costs.append(len(seen))
        assert list(Claim.objects.order_by("pk").values_list("position", flat=True)) != places
        assert not Claim.objects.filter(external_id="d1.c1").exists()

    assert costs[0] == costs[1]
