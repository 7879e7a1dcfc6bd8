"""Exports as people get them: the command, the page's zip, names, faults."""

import json
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from reviews.reporting import export_jobs
from reviews.reporting.exporting import ExportRefused, export_project
from sources.models import Job, Project, Snapshot, User
from sources.running import perform
from sources.texts import blobs
from workbench.lib.blobs import BlobError, place_of

from .exports import files_of, judge, new_project


@pytest.mark.django_db
def test_target_that_is_there_is_refused_and_untouched(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")
    full, taken = tmp_path / "full", tmp_path / "taken.zip"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    taken.write_text("mine")
    (tmp_path / "empty").mkdir()

    for target, as_zip in ((full, False), (taken, True), (tmp_path / "no/where", False)):
        with pytest.raises(ExportRefused):
            export_project(project, target, as_zip=as_zip)
    export_project(project, tmp_path / "empty")

    assert files_of(full) == {"mine.txt": b"mine"}
    assert taken.read_text() == "mine"
    assert (tmp_path / "empty/workbench.json").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("as_zip", [False, True])
def test_damaged_blob_stops_the_export_and_leaves_nothing(
    report: Path, tmp_path: Path, as_zip: bool, damage: Callable[[str], None]
) -> None:
    project = new_project(report, "first")
    damage(Snapshot.objects.get(project=project).content_hash)
    (tmp_path / "here").mkdir()

    with pytest.raises(BlobError):
        export_project(project, tmp_path / "here/out", as_zip=as_zip)

    assert list((tmp_path / "here").iterdir()) == []


@pytest.fixture
def damage() -> Any:
    """Give a function that alters a blob; it is put right afterwards, since tests share them."""
    altered: dict[Path, bytes] = {}

    def alter(sha256: str) -> None:
        from django.core.files.storage import storages

        place = Path(storages["blobs"].path(place_of(sha256)))
        altered[place] = place.read_bytes()
        place.write_bytes(b"other bytes")

    yield alter
    for place, data in altered.items():
        place.write_bytes(data)
    assert blobs()


@pytest.mark.django_db
def test_command_says_what_it_wrote(report: Path, tmp_path: Path) -> None:
    new_project(report, "first")
    said = StringIO()

    with pytest.raises(SystemExit) as stopped:
        call_command("export_report", "first", str(tmp_path / "o.zip"), "--json", stdout=said)

    answer = json.loads(said.getvalue())
    assert stopped.value.code == 0
    assert answer["ok"]
    assert answer["files"] == {"report": 2, "snapshot": 2, "review": 2}
    assert zipfile.is_zipfile(tmp_path / "o.zip")


@pytest.mark.django_db
@pytest.mark.parametrize("as_json", [False, True])
def test_command_refuses_an_unknown_project(tmp_path: Path, as_json: bool) -> None:
    out, fault = StringIO(), StringIO()
    more = ["--json"] if as_json else []

    with pytest.raises(SystemExit) as stopped:
        call_command("export_report", "none", str(tmp_path / "o"), *more, stdout=out, stderr=fault)

    assert stopped.value.code == 2
    assert "There is no project" in (out if as_json else fault).getvalue()


@pytest.mark.django_db
def test_command_refuses_a_full_folder_in_words(report: Path, tmp_path: Path) -> None:
    new_project(report, "first")
    fault = StringIO()

    with pytest.raises(SystemExit) as stopped:
        call_command("export_report", "first", str(report), stderr=fault)

    assert stopped.value.code == 1
    assert "not an empty folder" in fault.getvalue()


@pytest.mark.django_db
def test_names_are_replaced_in_review_files(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")
    judge(project)

    export_project(project, tmp_path / "out", names="pseudonyms")

    twin = (tmp_path / "out/sub_reports/d1.review.json").read_text(encoding="utf-8")
    assert "Li Lei" not in twin
    assert "li.lei" not in twin
    assert "Reviewer A" in twin


def test_page_makes_a_zip_and_gives_it(
    project: Project, editor: User, editor_client: Client, reviewer_client: Client
) -> None:
    start, waiting = (
        reverse(name, args=[project.slug]) for name in ("export-start", "export-list")
    )

    for _twice in range(2):
        editor_client.post(start, {"names": "full"})
    asked = editor_client.get(waiting).status_code
    job = Job.objects.get(kind="export")
    perform(job.pk, export_jobs.run_export)
    told = editor_client.get(waiting)
    file = reverse("export-download", args=[project.slug, job.pk])
    body = b"".join(editor_client.get(file).streaming_content)

    assert asked == 200
    assert told.status_code == 286
    assert "Download the zip" in told.content.decode()
    assert body.startswith(b"PK")
    assert reviewer_client.get(file).status_code == 403


def test_only_the_last_zips_are_kept(project: Project, editor: User) -> None:
    jobs = []
    for _number in range(export_jobs.KEPT + 2):
        args = {"project": project.pk, "names": "full"}
        job = Job.objects.create(
            project=project, kind="export", task="x", args=args, created_by=editor
        )
        perform(job.pk, export_jobs.run_export)
        jobs.append(job)

    there = [export_jobs.place_of(job).exists() for job in jobs]

    assert there == [False] * 2 + [True] * export_jobs.KEPT


@pytest.mark.parametrize("name", ["caf\udce9", "a\0b"])
def test_command_refuses_a_target_that_cannot_be_recorded(
    project: Project, tmp_path: Path, name: str
) -> None:
    with pytest.raises(CommandError):
        call_command("export_report", project.slug, f"{tmp_path}/{name}")

    assert not list(tmp_path.iterdir())
