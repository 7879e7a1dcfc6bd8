"""Commands bring sources, receipts and rejections in and out, and say how it went."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from sources.models import AuditEvent, ImportBatch, Project, Source

from .record_lines import MESSY, receipt, rejection, source, write

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command(*map(str, arguments), stdout=out, stderr=err)
    return int(ended.value.code or 0), out.getvalue(), err.getvalue()


def report(*arguments: object) -> tuple[int, dict[str, Any]]:
    code, out, _err = run(*arguments, "--json")
    return code, json.loads(out)


@pytest.mark.parametrize(
    ("command", "name", "line", "kind", "what"),
    [
        ("import_sources", "sources.jsonl", source(1), "sources", "sources"),
        ("import_receipts", "search_log.jsonl", receipt(1), "receipts", "search_log"),
        ("import_rejections", "rejected_sources.jsonl", rejection(7), "rejections",
         "rejected_sources"),
    ],
)  # fmt: skip
def test_each_file_goes_in_and_comes_out(
    project: Project, tmp_path: Path, command: str, name: str, line: dict[str, Any], kind: str,
    what: str,
) -> None:  # fmt: skip
    path = write(tmp_path / name, [line])

    code, looked = report(command, path, "--project", "nsclc", "--dry-run")
    assert (code, looked["dry_run"], looked["created"]) == (0, True, {kind: 1})
    assert looked["batch"] is None
    code, done = report(command, path, "--project", "nsclc")
    assert (code, done["ok"], done["created"], done["dialect"]) == (0, True, {kind: 1}, what)
    assert done["batch"] == ImportBatch.objects.get().pk
    assert set(done) >= {"changed", "unchanged", "skipped", "errors", "notices"}
    code, again = report(command, path, "--project", "nsclc")
    assert (code, again["created"], again["unchanged"]) == (0, {}, {kind: 1})

    code, out, _err = run("export_jsonl", "nsclc", what)
    assert (code, json.loads(out)) == (0, line)
    code, _out, _err = run("export_jsonl", "nsclc", what, "--output", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == path.read_bytes()
    assert AuditEvent.objects.filter(action="export.records").count() == 2


def test_bad_lines_end_with_one_and_write_nothing(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "sources.jsonl", [source(1), {"year": 2020}])

    code, said = report("import_sources", path, "--project", "nsclc")

    assert code == 1
    [error] = said["errors"]
    assert {key: error[key] for key in ("file", "line", "rule")} == {
        "file": "sources.jsonl", "line": 2, "rule": "EMPTY_SOURCE",
    }  # fmt: skip
    assert not Source.objects.exists()
    code, said = report("import_sources", path, "--project", "nsclc", "--only-valid")
    assert (code, said["created"], said["skipped"]) == (0, {"sources": 1}, {"sources": 1})


def test_a_file_of_another_kind_is_named(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "search_log.jsonl", [receipt(1)])

    code, said = report("import_sources", path, "--project", "nsclc")

    assert (code, said["errors"][0]["rule"]) == (2, "OTHER_KIND")
    assert "import_receipts" in said["errors"][0]["hint"]


def test_what_is_not_there_or_not_readable_ends_with_two(project: Project, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"\x00\x01\x02")

    assert run("import_sources", tmp_path / "none.jsonl", "--project", "nsclc")[0] == 2
    assert run("import_sources", tmp_path / "x.jsonl", "--project", "nsclc")[0] == 2
    assert run("import_sources", tmp_path / "x.jsonl")[0] == 2
    assert run("export_jsonl", "nowhere", "sources")[0] == 2
    assert not ImportBatch.objects.filter(state=ImportBatch.State.IMPORTED).exists()


def test_a_project_is_made_for_its_sources(db: None, tmp_path: Path) -> None:
    path = write(tmp_path / "sources.jsonl", MESSY)
    given = ("--project", "new", "--create", "--language", "zh-Hans", "--question", "问题")

    code, said = report("import_sources", path, *given)

    assert (code, said["created"]) == (0, {"sources": len(MESSY)})
    assert Project.objects.get(slug="new").question == "问题"
    assert any("id 是数字" in notice["message"] for notice in said["notices"])


def test_a_folder_goes_out_and_comes_in(project: Project, tmp_path: Path) -> None:
    run("import_sources", write(tmp_path / "s.jsonl", [source(1)]), "--project", "nsclc")
    run("import_receipts", write(tmp_path / "r.jsonl", [receipt(1)]), "--project", "nsclc")
    folder = tmp_path / "projects" / "nsclc" / "phase2"

    code, _out, _err = run("export_jsonl", "nsclc", "phase2", "--output", folder)
    assert (code, sorted(path.name for path in folder.iterdir())) == (
        0, ["rejected_sources.jsonl", "search_log.jsonl", "sources.jsonl"],
    )  # fmt: skip
    code, said = report("import_report", folder, "--project", "nsclc")
    assert (code, said["dialect"]) == (0, "phase2")
    assert said["unchanged"] == {"receipts": 1, "sources": 1}


def test_references_are_printed(project: Project, tmp_path: Path) -> None:
    run("import_sources", write(tmp_path / "s.jsonl", [source(1)]), "--project", "nsclc")

    code, out, _err = run("export_references", "nsclc", "--format", "bibtex")

    assert code == 0
    assert out.startswith("@article{src_001")
