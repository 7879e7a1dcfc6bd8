"""Export of a project: the same files again, reviews beside them, and back in unchanged."""

import hashlib
import json
from pathlib import Path

import pytest

from reviews.models import Claim, Evidence
from reviews.reporting.exporting import export_project
from sources.models import ReportFile, Snapshot
from sources.source_cache import snapshot_ref

from .exports import TEXT, URL, files_of, judge, new_project, run_import, without_ours


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
