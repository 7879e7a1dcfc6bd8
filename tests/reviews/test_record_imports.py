"""Sources, receipts and rejections go in and out as JSON Lines, and nothing of them is lost."""

from pathlib import Path
from typing import Any

import pytest

from search.importing import receipt_lines
from search.models import Receipt
from sources.importing.loading import source_lines
from sources.importing.rejections import rejection_lines
from sources.models import AuditEvent, ImportBatch, Project, Rejection, Source
from workbench.lib.jsonl import write_lines

from .bringing import bring, said
from .record_lines import MESSY, receipt, rejection, source, write
from .report_files import document, report

pytestmark = pytest.mark.django_db


def counts(batch: ImportBatch) -> dict[str, dict[str, int]]:
    names = ("created", "changed", "unchanged", "skipped")
    return {name: batch.report[name] for name in names if batch.report[name]}


def test_well_formed_lines_come_out_as_they_went_in(project: Project, tmp_path: Path) -> None:
    lines = [source(number, my_key={"a": [1, "值"]}) for number in range(1, 6)]

    batch = bring(project, write(tmp_path / "sources.jsonl", lines))

    assert batch.state == ImportBatch.State.IMPORTED
    assert batch.dialect == "sources"
    assert counts(batch) == {"created": {"sources": 5}}
    written = list(source_lines(project))
    assert written == lines
    assert [list(line) for line in written] == [list(line) for line in lines]


def test_messy_lines_are_read_and_written_back_as_they_were(
    project: Project, tmp_path: Path
) -> None:
    batch = bring(project, write(tmp_path / "sources.jsonl", MESSY))

    assert counts(batch) == {"created": {"sources": len(MESSY)}}
    assert batch.report["errors"] == []
    assert {
        "ID_IS_NUMBER", "ID_MISSING", "AUTHORS_ARE_TEXT", "AUTHORS_READ", "YEAR_IS_TEXT",
        "DOI_FOLDED", "NO_ADDRESS", "ODD_ADDRESS", "UNKNOWN_WORD", "FLAG_IS_TEXT",
        "NUMBER_IS_TEXT", "LIST_IS_TEXT", "OBJECT_UNREAD",
    } <= set(said(batch))  # fmt: skip
    seven = Source.objects.get(project=project, external_id="7")
    assert (seven.authors, seven.year, seven.url) == (["Smith J", "Lee K"], 2024, "")
    by_id = {str(line["id"]).strip(): line for line in source_lines(project)}
    for line in MESSY:
        out = (
            by_id[str(line["id"]).strip()]
            if "id" in line
            else by_id[next(iter(by_id.keys() - {"7", "s1", "s2", "s3", "s4", "s5"}))]
        )
        differing = {
            key for key in out.keys() | line.keys() if out.get(key, ...) != line.get(key, ...)
        }
        assert differing <= {"id", "url", "raw_url"}, (line, out)
        for key in differing:
            assert key not in line


def test_sources_are_known_by_address_and_identifiers(project: Project, tmp_path: Path) -> None:
    line = source(9, notes="registered as NCT03036124", doi="", my="x")

    bring(project, write(tmp_path / "sources.jsonl", [line]))

    row = Source.objects.get(project=project)
    assert row.doi == "10.1056/nejmoa9"
    assert row.canonical_url == "https://nejm.org/doi/full/10.1056/NEJMoa9"
    assert len(row.canonical_key) == 64
    assert row.normalized_url == line["url"]
    found = row.identifiers.values_list("scheme", "value", "found_in")
    assert set(found) == {("doi", "10.1056/nejmoa9", "url"), ("nct", "NCT03036124", "notes")}
    assert list(source_lines(project)) == [line]


def test_stated_scores_are_kept_apart_from_ours(project: Project, tmp_path: Path) -> None:
    bring(project, write(tmp_path / "sources.jsonl", [source()]))

    row = Source.objects.get(project=project)
    assert row.stated["score"] == 8.6
    assert row.stated["independence_cluster"] == "cluster_trial_001"
    assert (row.score, row.tier) == (None, None)


@pytest.mark.parametrize("lines", [[source(1), source(2)], MESSY], ids=["clean", "messy"])
def test_importing_an_export_changes_nothing(
    project: Project, tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    bring(project, write(tmp_path / "sources.jsonl", lines))
    write_lines(tmp_path / "out.jsonl", source_lines(project))

    batch = bring(project, tmp_path / "out.jsonl")

    assert counts(batch) == {"unchanged": {"sources": len(lines)}}
    assert list(source_lines(project)) == list(source_lines(project))


def test_export_of_one_project_makes_the_same_in_another(project: Project, tmp_path: Path) -> None:
    other = Project.objects.create(slug="b", title="B", question="?", language="en")
    bring(project, write(tmp_path / "sources.jsonl", [*MESSY, source()]))
    write_lines(tmp_path / "out.jsonl", source_lines(project))

    bring(other, tmp_path / "out.jsonl")

    assert list(source_lines(other)) == list(source_lines(project))


def test_a_changed_line_changes_its_source_alone(project: Project, tmp_path: Path) -> None:
    bring(project, write(tmp_path / "sources.jsonl", [source(1), source(2)]))
    before = Source.objects.get(external_id="src_002")

    batch = bring(project, write(tmp_path / "again.jsonl", [source(1, title="Other"), source(2)]))

    assert counts(batch) == {"changed": {"sources": 1}, "unchanged": {"sources": 1}}
    row = Source.objects.get(external_id="src_001")
    assert (row.title, row.version) == ("Other", 2)
    assert Source.objects.get(external_id="src_002").version == before.version
    told = AuditEvent.objects.get(project=project, action="source.changed")
    assert (told.object_id, told.new) == ("src_001", {"title": "Other"})


def test_the_very_same_file_points_to_its_import(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "sources.jsonl", [source(1)])
    first = bring(project, path)

    second = bring(project, path)

    assert second.state == ImportBatch.State.CHECKED
    assert second.report["same_as"] == first.pk
    assert second.report["unchanged"] == {"sources": 1}
    assert "SAME_UPLOAD" in said(second)


def test_bad_lines_stop_all_unless_they_are_left_out(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "sources.jsonl", [source(1), {"id": "x", "url": "https://a.example/"}])
    with path.open("a") as stream:
        stream.write('{"id": "broken",\n{"notes": "nothing"}\n{"id": ["list"], "title": "t"}\n')

    refused = bring(project, path)
    assert refused.state == ImportBatch.State.REFUSED
    assert [(error["line"], error["rule"]) for error in refused.report["errors"]] == [
        (3, "JSON"), (4, "EMPTY_SOURCE"), (5, "BAD_ID"),
    ]  # fmt: skip
    assert not Source.objects.exists()

    taken = bring(project, path, only_valid=True)
    assert counts(taken) == {"created": {"sources": 2}, "skipped": {"sources": 3}}


def test_one_id_for_two_sources_is_an_error_with_both_lines(
    project: Project, tmp_path: Path
) -> None:
    batch = bring(
        project, write(tmp_path / "sources.jsonl", [source(1), source(2, id="src_001"), source(1)])
    )

    assert [(error["line"], error["rule"]) for error in batch.report["errors"]] == [(2, "ID_TWICE")]
    assert "LINE_TWICE" in said(batch)


def test_an_id_that_names_another_source_of_the_project_is_refused(
    project: Project, tmp_path: Path
) -> None:
    bring(project, write(tmp_path / "sources.jsonl", [source(1)]))
    other = source(2, id="src_001")

    refused = bring(project, write(tmp_path / "other.jsonl", [other, source(3)]))
    assert [error["rule"] for error in refused.report["errors"]] == ["ID_TAKEN"]
    assert Source.objects.count() == 1

    taken = bring(project, write(tmp_path / "other.jsonl", [other, source(3)]), only_valid=True)
    assert counts(taken) == {"created": {"sources": 1}, "skipped": {"sources": 1}}
    assert Source.objects.get(external_id="src_001").title == source(1)["title"]


def test_two_ids_of_one_source_are_told_and_both_kept(project: Project, tmp_path: Path) -> None:
    twin = source(1, id="twin", url="https://nejm.org/doi/full/10.1056/NEJMoa1?utm_source=x")

    batch = bring(project, write(tmp_path / "sources.jsonl", [source(1), twin]))

    assert counts(batch) == {"created": {"sources": 2}}
    assert "SAME_SOURCE" in said(batch)


def test_receipts_come_out_as_they_went_in(project: Project, tmp_path: Path) -> None:
    lines = [
        receipt(1),
        receipt(2, timestamp="2026-04-20 09:14", result_count="10", tool="curl", cost=0.1),
        {"receipt_id": "srch_0003", "status": "failed", "failure_reason": "time-out", "round": 2},
        {"receipt_id": "srch_0004", "timestamp": "yesterday", "opened_urls": "https://a.example/"},
    ]

    batch = bring(project, write(tmp_path / "search_log.jsonl", lines))

    assert counts(batch) == {"created": {"receipts": 4}}
    assert {"TIME_READ", "TIME_UNREAD", "COUNT_READ", "UNKNOWN_WORD", "LIST_IS_TEXT"} <= set(
        said(batch)
    )
    assert list(receipt_lines(project)) == lines
    second = Receipt.objects.get(external_id="srch_0002")
    assert (second.result_count, second.at.isoformat()) == (10, "2026-04-20T09:14:00+00:00")
    write_lines(tmp_path / "out.jsonl", receipt_lines(project))
    assert counts(bring(project, tmp_path / "out.jsonl"))["unchanged"] == {"receipts": 4}


def test_a_receipt_is_never_changed(project: Project, tmp_path: Path) -> None:
    bring(project, write(tmp_path / "search_log.jsonl", [receipt(1)]))

    batch = bring(project, write(tmp_path / "b.jsonl", [receipt(1, result_count=3), receipt(2)]))

    assert [error["rule"] for error in batch.report["errors"]] == ["RECEIPT_CHANGED"]
    assert Receipt.objects.get().result_count == 10


def test_rejections_come_out_as_they_went_in(project: Project, tmp_path: Path) -> None:
    lines = [rejection(7), rejection(8, rejection_rule="low_score", extra="x", rejected_at=None)]

    batch = bring(project, write(tmp_path / "rejected_sources.jsonl", lines))

    assert counts(batch) == {"created": {"rejections": 2}}
    assert list(rejection_lines(project)) == lines
    write_lines(tmp_path / "out.jsonl", rejection_lines(project))
    assert counts(bring(project, tmp_path / "out.jsonl")).get("changed") is None


def test_a_rejection_turns_a_candidate_away(project: Project, tmp_path: Path) -> None:
    bring(project, write(tmp_path / "sources.jsonl", [source(1), source(2)]))
    lines = [rejection(1, url=source(1)["url"]), rejection(2, rejection_rule="strong_coi", url="")]

    batch = bring(project, write(tmp_path / "rejected_sources.jsonl", lines))

    assert Rejection.objects.get(external_id="src_001").source.status == Source.Status.REJECTED
    assert Rejection.objects.get(external_id="src_002").source.status == Source.Status.CANDIDATE
    assert [line["id"] for line in source_lines(project)] == ["src_002"]
    assert AuditEvent.objects.filter(action="source.rejected", batch_id=str(batch.key)).count() == 1


def test_a_folder_of_the_three_files_is_one_import(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "x" / "phase2"
    write(folder / "sources.jsonl", [source(1), source(7)])
    write(folder / "search_log.jsonl", [receipt(1)])
    write(folder / "rejected_sources.jsonl", [rejection(7)])
    (folder / "notes.txt").write_text("what else lies there")

    batch = bring(project, tmp_path / "projects" / "x")

    assert batch.dialect == "phase2"
    assert counts(batch) == {"created": {"receipts": 1, "rejections": 1, "sources": 2}}
    assert "LEFT_ALONE" in said(batch)


def test_import_of_many_sources_costs_no_query_for_each(
    project: Project, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    small = write(tmp_path / "a.jsonl", [source(n) for n in range(20)])
    large = write(tmp_path / "b.jsonl", [source(n) for n in range(100, 400)])
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as few:
        bring(project, small)
    with CaptureQueriesContext(connection) as many:
        bring(project, large)

    assert len(many) <= len(few) + 4


def test_a_report_fills_who_its_sources_are(project: Project, tmp_path: Path) -> None:
    made = document()
    made["sources"][0] |= {"url": "https://www.nejm.org/doi/full/10.1056/NEJMoa1", "pmid": 32}

    bring(project, report(tmp_path / "r", made))

    row = Source.objects.get(project=project, doi="10.1056/nejmoa1")
    assert row.canonical_url == "https://nejm.org/doi/full/10.1056/NEJMoa1"
    assert set(row.identifiers.values_list("scheme", flat=True)) == {"doi", "pmid"}


def test_a_report_and_a_line_describe_one_source_together(project: Project, tmp_path: Path) -> None:
    made = document()
    name, url = made["sources"][0]["id"], made["sources"][0]["url"]
    line = source(1, id=name, url=url, raw_url=url, canonical_url=url, doi="10.1000/a", my_key=1)
    bring(project, write(tmp_path / "sources.jsonl", [line]))

    bring(project, report(tmp_path / "r", made | {"sources": [*made["sources"]]}))

    row = Source.objects.get(project=project, external_id=name)
    assert (row.year, row.doi, row.extra["my_key"]) == (2025, "10.1000/a", 1)
    assert row.title == made["sources"][0]["title"]
