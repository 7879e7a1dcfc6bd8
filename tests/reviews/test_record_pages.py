"""Editors bring sources in by the wizard and take them out again; others do not."""

import io
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from reviews.importing import jobs as importing
from sources.models import AuditEvent, ImportBatch, Project, Source
from sources.running import perform

from .bringing import bring
from .record_lines import receipt, rejection, source, write

pytestmark = pytest.mark.django_db


def upload(client: Client, project: Project, path: Path) -> ImportBatch:
    with path.open("rb") as stream:
        client.post(reverse("import", args=[project.slug]), {"file": stream, "key": "k" * 32})
    batch = ImportBatch.objects.get(name=path.name)
    perform(batch.check_job_id, importing.check_upload)
    batch.refresh_from_db()
    return batch


def test_wizard_takes_sources_as_it_takes_reports(
    project: Project, editor_client: Client, tmp_path: Path
) -> None:
    bring(project, write(tmp_path / "before.jsonl", [source(1, title="Before")]))
    lines = [source(1), source(2), {"notes": "nothing to know it by"}]

    batch = upload(editor_client, project, write(tmp_path / "mine.jsonl", lines))

    assert batch.dialect == "sources"
    assert batch.report["changed"] == {"sources": 1}
    check = editor_client.get(reverse("batch-check", args=[project.slug, batch.key]))
    assert "EMPTY_SOURCE" in check.content.decode()
    decide = editor_client.get(reverse("batch-decide", args=[project.slug, batch.key]))
    assert "Records that changed" in decide.content.decode()
    editor_client.post(
        reverse("batch-choose", args=[project.slug, batch.key]),
        {"what": "valid", "changed": "keep", "key": "j" * 32},
    )
    batch.refresh_from_db()
    perform(batch.import_job_id, importing.run_import)
    result = editor_client.get(reverse("batch-result", args=[project.slug, batch.key]))
    assert result.status_code == 200
    assert set(Source.objects.values_list("external_id", "title")) == {
        ("src_001", "Before"), ("src_002", source(2)["title"]),
    }  # fmt: skip


def test_wizard_takes_references(project: Project, editor_client: Client, tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("@article{a1, title = {A title}, doi = {10.1000/a}}\n")

    batch = upload(editor_client, project, path)

    assert (batch.dialect, batch.report["created"]) == ("bibtex", {"sources": 1})


def test_import_of_records_is_undone_while_nothing_rests_on_it(
    project: Project, editor_client: Client, tmp_path: Path
) -> None:
    bring(project, write(tmp_path / "a.jsonl", [source(1), source(2, title="Before")]))
    folder = tmp_path / "phase2"
    write(folder / "sources.jsonl", [source(2), source(3)])
    write(folder / "search_log.jsonl", [receipt(1)])
    write(folder / "rejected_sources.jsonl", [rejection(1, url="")])
    batch = bring(project, folder)
    assert Source.objects.get(external_id="src_001").status == Source.Status.REJECTED

    editor_client.post(reverse("batch-undo", args=[project.slug, batch.key]))

    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.UNDONE
    rows = Source.objects.order_by("external_id").values_list("external_id", "title", "status")
    assert list(rows) == [
        ("src_001", source(1)["title"], "candidate"), ("src_002", "Before", "candidate"),
    ]  # fmt: skip
    assert (project.receipts.count(), project.rejections.count()) == (0, 0)


def test_a_later_import_stands_in_the_way_of_undoing(
    project: Project, editor_client: Client, tmp_path: Path
) -> None:
    first = bring(project, write(tmp_path / "a.jsonl", [source(1)]))
    bring(project, write(tmp_path / "b.jsonl", [source(1, title="Later")]))

    editor_client.post(reverse("batch-undo", args=[project.slug, first.key]))

    first.refresh_from_db()
    assert first.state == ImportBatch.State.IMPORTED
    assert Source.objects.get().title == "Later"


@pytest.mark.parametrize(
    ("what", "start"),
    [("sources", b'{"id": "src_001"'), ("search_log", b'{"receipt_id"'), ("ris", b"1.\nTY  - JOUR"),
     ("rejected_sources", b'{"id": "src_007"'), ("bibtex", b"@article{src_001")],
)  # fmt: skip
def test_export_page_gives_files_and_remembers_them(
    project: Project, editor_client: Client, tmp_path: Path, what: str, start: bytes
) -> None:
    folder = tmp_path / "phase2"
    write(folder / "sources.jsonl", [source(1)])
    write(folder / "search_log.jsonl", [receipt(1)])
    write(folder / "rejected_sources.jsonl", [rejection(7)])
    bring(project, folder)

    answer = editor_client.post(reverse("record-export", args=[project.slug, what]))

    assert b"".join(answer).startswith(start)
    assert AuditEvent.objects.get(action="export.records").new == {what: 1}
    page = editor_client.get(reverse("record-exports", args=[project.slug])).content.decode()
    assert "phase2" in page


def test_the_folder_that_is_exported_is_imported_again(
    project: Project, editor_client: Client, tmp_path: Path
) -> None:
    write(tmp_path / "phase2" / "sources.jsonl", [source(1)])
    write(tmp_path / "phase2" / "search_log.jsonl", [receipt(1)])
    bring(project, tmp_path / "phase2")

    answer = editor_client.post(reverse("record-export", args=[project.slug, "phase2"]))

    data = b"".join(answer)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert sorted(archive.namelist()) == [
            "phase2/rejected_sources.jsonl", "phase2/search_log.jsonl", "phase2/sources.jsonl",
        ]  # fmt: skip
    (tmp_path / "back.zip").write_bytes(data)
    batch = bring(project, tmp_path / "back.zip")
    assert batch.report["unchanged"] == {"receipts": 1, "sources": 1}


def test_an_unknown_kind_is_not_there(project: Project, editor_client: Client) -> None:
    assert editor_client.post(reverse("record-export", args=[project.slug, "x"])).status_code == 404
