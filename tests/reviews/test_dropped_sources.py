"""A source that its file lists no more: what becomes of the evidence that rests on it."""

from pathlib import Path
from typing import Any

from reviews.actions import imports
from reviews.importing import jobs as importing
from reviews.models import Claim, ClaimVersion, Evidence, Finding
from sources.models import AuditEvent, Job, Project, Source, User
from sources.running import perform
from tests.factories import VerdictFactory

from .bringing import bring, row, said
from .report_files import (
    GAZETTE,
    PORT,
    PORT_TEXT,
    claim,
    document,
    evidence,
    put_snapshot,
    report,
    source,
    write,
)


def without_gazette() -> dict[str, Any]:
    made = document()
    del made["sources"][1]
    return made


def link_of(name: str, position: int = 1) -> str | None:
    item = Evidence.objects.get(claim__external_id=name, position=position, current=True)
    return item.source.external_id if item.source else None


def test_evidence_of_a_dropped_source_is_linked_to_nothing_and_its_claim_is_a_new_version(
    project: Project, reviewer: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    rests_on_it = VerdictFactory(claim=row(project, "d1.c3"), reviewer=reviewer)
    rests_on_another = VerdictFactory(claim=row(project, "d1.c2"), reviewer=reviewer)
    before = row(project, "d1.c3").evidence.get()

    batch = bring(project, report(tmp_path / "b", without_gazette()))

    after = row(project, "d1.c3").evidence.get()
    assert (after.pk, after.source, after.source_ref) == (before.pk, None, "gazette")
    assert after.snapshot == before.snapshot
    assert (link_of("d1.c1", 1), link_of("d1.c1", 2)) == ("port", None)
    assert [row(project, f"d1.c{n}").version for n in (1, 2, 3)] == [2, 1, 2]
    assert ClaimVersion.objects.filter(claim=row(project, "d1.c3"), version=1).exists()
    assert batch.report["changed"]["claims"] == 2
    assert batch.report["changed"]["evidence"] == 2
    assert "DANGLING_SOURCE" in said(batch)
    rests_on_it.refresh_from_db()
    rests_on_another.refresh_from_db()
    assert (rests_on_it.stale, rests_on_another.stale) == (True, False)
    assert row(project, "d1.c3").state == Claim.State.STALE
    assert AuditEvent.objects.filter(action="claim.changed", object_id="d1.c3").exists()


def test_the_unknown_source_id_is_a_finding_of_the_contract(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    bring(project, report(tmp_path / "b", without_gazette()))

    raised = Finding.objects.filter(claim=row(project, "d1.c3"), state="open")
    rules = [f.params["rule"] for f in raised.filter(check_id="contract")]
    assert "V031" in rules
    assert raised.filter(check_id="citation-ids", code="unresolved").exists()


def test_the_same_report_once_more_makes_no_further_version(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    bring(project, report(tmp_path / "b", without_gazette()))
    folder = report(tmp_path / "c", without_gazette())
    (folder / "note.md").write_text("a note", encoding="utf-8")

    again = bring(project, folder)

    assert row(project, "d1.c3").version == 2
    assert again.report["changed"] == {}


def test_undo_ties_the_evidence_to_its_source_again(
    project: Project, editor: User, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a"))
    batch = bring(project, report(tmp_path / "b", without_gazette()))

    imports.undo_import(batch=batch, by=editor)
    perform(Job.objects.latest("pk").pk, importing.check_again)

    assert link_of("d1.c3") == "gazette"
    assert row(project, "d1.c3").version == 1
    unresolved = Finding.objects.filter(code="unresolved", state="open")
    assert not unresolved.exists()


def test_keep_old_leaves_the_evidence_with_its_source(project: Project, tmp_path: Path) -> None:
    bring(project, report(tmp_path / "a"))

    batch = bring(project, report(tmp_path / "b", without_gazette()), keep_old=True)

    assert link_of("d1.c3") == "gazette"
    assert row(project, "d1.c3").version == 1
    assert batch.report["skipped"]["claims"] == 2


def second_dimension() -> dict[str, Any]:
    """Give a file whose evidence names a source that only another file lists."""
    made = document() | {"dimension_id": "d2", "key_findings": []}
    made["claims"] = [claim(1, "Another claim on ships", []) | {"id": "d2.c1"}]
    made["claims"][0]["evidence"] = [evidence("gazette", "drew 416 MWh from the quay", "")]
    made["sources"] = [source("harbour", "https://harbour.example.org/")]
    return made


def test_a_source_of_a_file_that_is_not_in_the_upload_is_not_dropped(
    project: Project, tmp_path: Path
) -> None:
    bring(project, report(tmp_path / "a", document(), second_dimension()))
    alone = second_dimension() | {"headline": "Another headline of it"}

    bring(project, write(tmp_path / "d2.evidence.json", alone))

    assert link_of("d2.c1") == "gazette"
    assert row(project, "d2.c1").version == 1


def with_citations(folder: Path, citations: Any) -> Path:
    made = document()
    del made["sources"][1]
    report(folder, made)
    write(folder / "citations.json", citations)
    return folder


def test_a_source_of_the_citations_is_dropped_only_where_they_could_be_read(
    project: Project, tmp_path: Path
) -> None:
    held = {"citations": [{"id": "gazette", "url": GAZETTE, "title": "Gazette"}]}
    bring(project, with_citations(tmp_path / "a", held))
    linked = link_of("d1.c3")

    broken = with_citations(tmp_path / "b", {})
    (broken / "citations.json").write_text("{", encoding="utf-8")
    bring(project, broken)
    after_broken = link_of("d1.c3")
    bring(project, with_citations(tmp_path / "c", {"citations": []}))

    assert (linked, after_broken, link_of("d1.c3")) == ("gazette", "gazette", None)
    assert row(project, "d1.c3").version == 2


def test_evidence_that_comes_to_mean_another_page_is_a_new_version(
    project: Project, tmp_path: Path
) -> None:
    other = document() | {"dimension_id": "d2", "key_findings": [], "claims": []}
    other["claims"] = [claim(1, "A claim of its own", []) | {"id": "d2.c1"}]
    other["sources"] = [source("gazette", "https://elsewhere.example.org/")]
    bring(project, report(tmp_path / "a", document(), other))
    before = row(project, "d1.c3").evidence.get().source

    bring(project, report(tmp_path / "b", without_gazette(), other))

    after = row(project, "d1.c3").evidence.get().source
    assert (before.url, after.url) == (GAZETTE, "https://elsewhere.example.org/")
    assert row(project, "d1.c3").version == 2


def without_refs(*sources: dict[str, Any]) -> dict[str, Any]:
    """Give a document whose evidence leaves the snapshot to be chosen by its address."""
    made = document() | {"schema_version": "1.1", "sources": list(sources)}
    item = evidence("port", "The connection rate was 63.5 %", "")
    del item["snapshot_ref"]
    made["claims"] = [claim(2, "The connection rate was 63.5 %", [item])]
    return made


def test_a_snapshot_chosen_by_the_address_goes_and_comes_with_the_source(
    project: Project, editor: User, tmp_path: Path
) -> None:
    gazette = source("gazette", GAZETTE)
    bring(project, report(tmp_path / "a", without_refs(source("port", PORT), gazette)))
    first = Evidence.objects.get()

    dropped = bring(project, report(tmp_path / "b", without_refs(gazette)))
    second = Evidence.objects.get()
    imports.undo_import(batch=dropped, by=editor)
    undone = Evidence.objects.get()
    folder = report(tmp_path / "c", without_refs(gazette))
    (folder / "note.md").write_text("a note", encoding="utf-8")
    bring(project, folder)
    back = report(tmp_path / "d", without_refs(source("port", PORT), gazette))
    (back / "note.md").write_text("another note", encoding="utf-8")
    bring(project, back)
    third = Evidence.objects.get()

    assert (first.snapshot_id is None, first.extra) == (False, {"snapshot_chosen": True})
    assert (second.source, second.snapshot, second.extra) == (None, None, {})
    assert second.grade == "not_checkable"
    assert (undone.snapshot_id, undone.extra) == (first.snapshot_id, first.extra)
    assert (third.source_id, third.snapshot_id) == (first.source_id, first.snapshot_id)
    assert (third.grade, third.extra) == ("exact", {"snapshot_chosen": True})


def test_a_snapshot_of_the_address_that_comes_later_is_chosen(
    project: Project, tmp_path: Path
) -> None:
    made = without_refs(source("port", PORT))
    bring(project, report(tmp_path / "a", made, with_cache=False))
    before = Evidence.objects.get().snapshot
    folder = report(tmp_path / "b", made, with_cache=False)
    put_snapshot(folder, PORT, PORT_TEXT)

    bring(project, folder)

    item = Evidence.objects.get()
    assert before is None
    assert item.snapshot is not None
    assert (item.grade, item.extra) == ("exact", {"snapshot_chosen": True})
    assert row(project, "d1.c2").version == 1


def test_a_ledger_whose_list_of_sources_lost_one_leaves_the_evidence_without(
    project: Project, tmp_path: Path
) -> None:
    mapping = {
        "name": "cards",
        "records": "claims[]",
        "fields": {
            "claim.id": "id",
            "claim.text": "text",
            "evidence.source_ref": "cites",
            "source.url": "cites -> :sources[id].url",
            "source.id": "cites -> :sources[id].id",
        },
    }
    held = {
        "claims": [{"id": "a1", "text": "The port supplied 416 MWh in 2024", "cites": "s1"}],
        "sources": [{"id": "s1", "url": PORT}],
    }
    bring(project, write(tmp_path / "a" / "ledger.json", held), mapping=mapping)
    assert Source.objects.count() == 1

    held["sources"] = []
    bring(project, write(tmp_path / "b" / "ledger.json", held), mapping=mapping)

    assert link_of("a1") is None
    assert row(project, "a1").version == 2
