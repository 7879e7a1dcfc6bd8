"""Export of a project: the same files again, reviews beside them, and back in without a change."""

import hashlib
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

from reviews import export_jobs, standing
from reviews.exporting import ExportRefused, export_project
from reviews.models import Claim, Evidence
from sources.models import Job, Project, ReportFile, Snapshot, User
from sources.running import perform
from sources.source_cache import encode_metadata, metadata, snapshot_ref
from sources.texts import blobs
from tests.factories import AssessmentFactory, DefectFactory, UserFactory, VerdictFactory
from workbench.lib.blobs import BlobError, place_of

URL = "https://journal.example.org/trial"
TEXT = "Median overall survival was 21.4 months with X and 16.2 months without.\n" * 30


def evidence_file(dimension: str = "d1") -> dict[str, Any]:
    quote = "Median overall survival was 21.4 months"
    item = {
        "source_id": "src_a",
        "snippet": quote,
        "quote_type": "direct",
        "snapshot_ref": str(snapshot_ref(URL, TEXT)),
    }
    said = {
        "id": f"{dimension}.c1",
        "text": "Drug X lengthens median overall survival to 21.4 months.",
        "kind": "factual",
        "polarity": "support",
        "topic_tag": "survival",
        "answers_key_question": "kq1",
        "evidence": [item],
    }
    return {
        "schema_version": "1.2",
        "dimension_id": dimension,
        "upstream_usage": [],
        "headline": "Survival is longer",
        "key_findings": [
            {"finding": "Survival is longer with X.", "claim_ids": [f"{dimension}.c1"]},
            {"finding": "The gain is five months.", "claim_ids": [f"{dimension}.c1"]},
        ],
        "claims": [said],
        "sources": [{"id": "src_a", "url": URL, "title": "A trial", "quality": "primary"}],
    }


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A small report directory, with white space that only its own writer would make."""
    root = tmp_path / "report"
    (root / "sub_reports").mkdir(parents=True)
    (root / "sub_reports" / "d1.evidence.json").write_text(json.dumps(evidence_file(), indent=3))
    (root / "request.md").write_text("Does X help?\r\n", newline="")
    ref = snapshot_ref(URL, TEXT)
    folder = root / "source_cache" / ref.url_hash
    folder.mkdir(parents=True)
    (folder / ref.body_name).write_text(TEXT, encoding="utf-8")
    (folder / ref.metadata_name).write_bytes(encode_metadata(metadata(URL, ref)))
    return root


def run_import(path: Path, slug: str, *more: str) -> dict[str, Any]:
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("import_report", str(path), "--project", slug, "--json", *more, stdout=said)
    return dict(json.loads(said.getvalue()))


def new_project(path: Path, slug: str, *more: str) -> Project:
    answer = run_import(path, slug, "--create", "--language", "en", *more)
    assert answer["ok"], answer
    return Project.objects.get(slug=slug)


def files_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def without_ours(files: dict[str, bytes]) -> dict[str, bytes]:
    return {p: b for p, b in files.items() if ".review." not in p and p != "workbench.json"}


def judge(project: Project) -> None:
    person = UserFactory(username="li.lei", first_name="Li", last_name="Lei")
    claim = Claim.objects.get(project=project)
    evidence = Evidence.objects.get(claim=claim)
    AssessmentFactory(evidence=evidence, reviewer=person, support="partial", outcome="unverified")
    VerdictFactory(claim=claim, reviewer=person, decision="revise")
    DefectFactory(claim=claim, reviewer=person, dimension=claim.dimension)
    standing.refresh([claim.pk])


@pytest.mark.django_db
def test_export_gives_back_every_imported_byte(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")

    export_project(project, tmp_path / "out")

    assert without_ours(files_of(tmp_path / "out")) == files_of(report)


@pytest.mark.django_db
def test_reviews_lie_beside_their_evidence(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")
    judge(project)

    summary = export_project(project, tmp_path / "out")

    written = (tmp_path / "out/sub_reports/d1.review.md").read_text(encoding="utf-8")
    twin = json.loads((tmp_path / "out/sub_reports/d1.review.json").read_text(encoding="utf-8"))
    assert summary["verdicts"] == {"sub_reports/d1.review.md": "revise"}
    assert "1. [d1.c1] H1 The number differs from the source. → Write 21.4 months." in written
    assert f"- <{URL}> `{snapshot_ref(URL, TEXT)}` cache_reused A4 unverified" in written
    assert twin["verdict"] == "revise"
    assert twin["defects"][0]["reviewers"] == ["Li Lei"]
    assert twin["claims"][0]["verdicts"][0]["decision"] == "revise"


@pytest.mark.django_db
def test_export_comes_back_without_a_change(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")
    judge(project)
    export_project(project, tmp_path / "one")

    answer = run_import(tmp_path / "one", "first")
    export_project(project, tmp_path / "two")

    assert answer["created"] == {}
    assert answer["changed"] == {}
    assert "OWN_REVIEWS" in {notice["rule"] for notice in answer["notices"]}
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


@pytest.mark.django_db
def test_new_project_from_an_export_has_the_same_records(report: Path, tmp_path: Path) -> None:
    first = new_project(report, "first")
    judge(first)
    export_project(first, tmp_path / "one")

    second = new_project(tmp_path / "one", "second")
    export_project(second, tmp_path / "two")

    for model, path in ((Claim, "project"), (Evidence, "claim__project")):
        hashes = [
            list(
                model.objects.filter(**{path: each})
                .order_by("pk")
                .values_list("content_hash", flat=True)
            )
            for each in (first, second)
        ]
        assert hashes[0] == hashes[1]
    refs = [
        sorted(s.ref for s in Snapshot.objects.filter(project=each)) for each in (first, second)
    ]
    assert refs[0] == refs[1]
    one, two = files_of(tmp_path / "one"), files_of(tmp_path / "two")
    assert one.keys() == two.keys()
    assert without_ours(one) == without_ours(two)
    assert second.question == first.question


@pytest.mark.django_db
def test_zip_has_the_same_bytes_each_time(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")

    for name in ("a.zip", "b.zip"):
        export_project(project, tmp_path / name, as_zip=True)

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert run_import(tmp_path / "a.zip", "first")["created"] == {}


@pytest.mark.django_db
def test_manifest_lists_every_file_with_its_hash(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")

    export_project(project, tmp_path / "out")

    files = files_of(tmp_path / "out")
    listed = json.loads(files.pop("workbench.json"))
    assert {f["path"]: (f["sha256"], f["size"]) for f in listed["files"]} == {
        path: (hashlib.sha256(data).hexdigest(), len(data)) for path, data in files.items()
    }
    assert listed["project"]["slug"] == "first"
    assert listed["dialects"] == ["evidence-1.2"]


@pytest.mark.django_db
def test_review_changed_by_hand_is_kept_and_ours_steps_aside(report: Path, tmp_path: Path) -> None:
    project = new_project(report, "first")
    export_project(project, tmp_path / "one")
    edited = tmp_path / "one/sub_reports/d1.review.md"
    edited.write_text("VERDICT: pass, says a friend\n")

    answer = run_import(tmp_path / "one", "first")
    export_project(project, tmp_path / "two")

    assert answer["created"] == {"files": 1}
    assert "REVIEW_CHANGED" in {notice["rule"] for notice in answer["notices"]}
    files = files_of(tmp_path / "two/sub_reports")
    assert files["d1.review.md"] == edited.read_bytes()
    assert files["d1.workbench.review.md"].startswith(b"## Review verdict")


@pytest.mark.django_db
def test_manifest_cannot_hide_evidence(report: Path, tmp_path: Path) -> None:
    listed = {
        "format": "evidence-workbench-export",
        "files": [
            {
                "path": "sub_reports/d1.evidence.json",
                "kind": "review",
                "sha256": hashlib.sha256(
                    (report / "sub_reports/d1.evidence.json").read_bytes()
                ).hexdigest(),
            },
            7,
            {"path": ["x"]},
        ],
    }
    (report / "workbench.json").write_text(json.dumps(listed))

    project = new_project(report, "first")

    assert Claim.objects.filter(project=project).count() == 1
    assert ReportFile.objects.filter(path="sub_reports/d1.evidence.json").exists()


@pytest.mark.django_db
def test_foreign_file_of_the_manifests_name_is_kept(report: Path, tmp_path: Path) -> None:
    (report / "workbench.json").write_text('{"mine": 1}')
    project = new_project(report, "first")

    export_project(project, tmp_path / "one")
    answer = run_import(tmp_path / "one", "first")

    files = files_of(tmp_path / "one")
    assert files["workbench.json"] == b'{"mine": 1}'
    assert b"evidence-workbench-export" in files["workbench.export.json"]
    assert answer["created"] == {}


@pytest.mark.django_db
def test_ledger_comes_back_with_the_mapping_of_its_export(tmp_path: Path) -> None:
    ledger = tmp_path / "claims.jsonl"
    rows = [
        {"claim": "The market grew 12% in 2024.", "link": URL, "said": "12%", "page": TEXT},
        {"claim": "Costs fell.", "link": URL, "said": "fell", "page": TEXT},
    ]
    ledger.write_text("".join(json.dumps(row) + "\n" for row in rows))
    mapping = tmp_path / "mapping.json"
    fields = {
        "claim.text": "claim",
        "source.url": "link",
        "evidence.snippet": "said",
        "snapshot.text": "page",
    }
    mapping.write_text(json.dumps({"name": "small", "records": "", "fields": fields}))
    first = new_project(ledger, "first", "--mapping", str(mapping), "--question", "What grew?")
    export_project(first, tmp_path / "one")

    again = run_import(tmp_path / "one", "first")
    second = new_project(tmp_path / "one", "second")
    export_project(second, tmp_path / "two")

    assert again["created"] == {}
    assert again["changed"] == {}
    assert second.question == "What grew?"
    assert without_ours(files_of(tmp_path / "one")) == without_ours(files_of(tmp_path / "two"))
    assert (tmp_path / "one/claims.review.md").exists()
    assert (tmp_path / "one/claims.jsonl").read_bytes() == ledger.read_bytes()


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


@pytest.mark.shared
@pytest.mark.django_db
def test_real_report_comes_back_byte_for_byte(shared: Path, tmp_path: Path) -> None:
    source = shared / "real" / "report_dir"
    project = new_project(source, "first")

    export_project(project, tmp_path / "one")
    answer = run_import(tmp_path / "one", "first")
    export_project(project, tmp_path / "two")

    assert without_ours(files_of(tmp_path / "one")) == files_of(source)
    assert answer["created"] == {}
    assert answer["changed"] == {}
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


@pytest.mark.parametrize("name", ["caf\udce9", "a\0b"])
def test_command_refuses_a_target_that_cannot_be_recorded(
    project: Project, tmp_path: Path, name: str
) -> None:
    with pytest.raises(CommandError):
        call_command("export_report", project.slug, f"{tmp_path}/{name}")

    assert not list(tmp_path.iterdir())
