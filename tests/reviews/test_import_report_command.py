"""``manage.py import_report``: exit codes and what it prints."""

import io
import json
import os
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from reviews.actions import imports
from reviews.importing import jobs as importing
from reviews.models import Claim
from sources.models import ImportBatch, Job, Project, User

from .report_files import document, report, write

COUNTS = ("created", "changed", "unchanged", "skipped")


def run_apart(*args: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("import_report", *map(str, args), stdout=out, stderr=err)
    return int(ended.value.code or 0), out.getvalue(), err.getvalue()


def run(*args: object) -> tuple[int, str]:
    code, printed, refused = run_apart(*args)
    return code, printed + refused


def run_json(*args: object) -> tuple[int, dict[str, Any]]:
    code, printed, _refused = run_apart(*args, "--json")
    return code, json.loads(printed)


def test_new_project_is_made_with_the_query_of_the_request(db: None, tmp_path: Path) -> None:
    code, said = run_json(
        report(tmp_path), "--project", "ports", "--create", "--language", "zh-Hans"
    )

    project = Project.objects.get(slug="ports")
    assert code == 0
    assert (project.question, project.language) == ("Compare two ports.", "zh-Hans")
    assert said["ok"]
    assert said["batch"] == ImportBatch.objects.get().pk
    assert said["dialect"] == "evidence-1.2"
    assert said["created"]["claims"] == 3
    assert Job.objects.get(kind="import").state == Job.State.DONE


def test_messages_are_in_the_language_of_the_project(db: None, tmp_path: Path) -> None:
    _code, said = run_json(
        report(tmp_path), "--project", "ports", "--create", "--language", "zh-Hans"
    )

    assert "引用标记" in said["notices"][0]["message"]
    assert list(said["notices"][0]) == ["file", "line", "path", "rule", "message", "hint"]
    assert list(said)[:4] == ["ok", "batch", "dry_run", "dialect"]


def test_second_run_says_that_nothing_changed(project: Project, tmp_path: Path) -> None:
    folder = report(tmp_path)
    _code, first = run_json(folder, "--project", project.slug)

    code, said = run_json(folder, "--project", project.slug)

    assert code == 0
    assert (said["created"], said["changed"]) == ({}, {})
    assert said["unchanged"]["claims"] == 3
    assert said["batch"] == first["batch"]


def test_dry_run_reports_and_writes_nothing(project: Project, tmp_path: Path) -> None:
    code, said = run_json(report(tmp_path), "--project", project.slug, "--dry-run")

    assert code == 0
    assert (said["dry_run"], said["batch"], said["created"]["claims"]) == (True, None, 3)
    assert not Claim.objects.exists()
    assert not ImportBatch.objects.exists()


def test_dry_run_of_a_new_project_makes_none(db: None, tmp_path: Path) -> None:
    code, said = run_json(
        report(tmp_path), "--project", "ports", "--create", "--language", "en", "--dry-run"
    )

    assert (code, said["created"]["claims"]) == (0, 3)
    assert not Project.objects.exists()


def test_bad_line_ends_with_one_and_writes_nothing(db: None, tmp_path: Path) -> None:
    made = document()
    made["claims"][1] = 5
    folder = report(tmp_path, made)

    code, said = run_json(folder, "--project", "ports", "--create", "--language", "en")

    assert code == 1
    assert (said["ok"], said["created"]) == (False, {})
    assert said["errors"][0]["path"] == "claims[1]"
    assert not Project.objects.exists()


def test_only_valid_ends_with_zero_and_counts_what_was_skipped(
    project: Project, tmp_path: Path
) -> None:
    made = document()
    made["claims"][1] = 5

    code, said = run_json(report(tmp_path, made), "--project", project.slug, "--only-valid")

    assert code == 0
    assert said["skipped"] == {"claims": 1}
    assert said["created"]["claims"] == 2


def test_missing_path_ends_with_two(project: Project, tmp_path: Path) -> None:
    code, said = run_json(tmp_path / "absent", "--project", project.slug)

    assert (code, said["ok"], said["errors"][0]["rule"]) == (2, False, "FILE")


def test_broken_archive_ends_with_two(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(b"PK\x03\x04 not a zip")

    code, said = run_json(path, "--project", project.slug)

    assert (code, said["errors"][0]["rule"]) == (2, "ARCHIVE")


LEDGER = {
    "claims": [
        {
            "id": "c1",
            "claim": "Forty-two states began an action.",
            "source_urls": ["https://a.org/"],
        }
    ]
}


def test_unknown_ledger_ends_with_two_and_a_proposal(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "x.claims.json", LEDGER)

    code, said = run_json(path, "--project", project.slug)

    assert code == 2
    assert said["proposal"]["fields"]["source.url"] == "source_urls[]"
    assert not Claim.objects.exists()


def test_proposal_can_be_used_as_it_is_printed(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path / "x.claims.json", LEDGER)
    code, text = run(path, "--propose-mapping")
    assert code == 0
    mapping = write(tmp_path / "mapping.json", json.loads(text))

    code, said = run_json(path, "--project", project.slug, "--mapping", mapping)

    assert (code, said["created"]["claims"], said["created"]["sources"]) == (0, 1, 1)
    assert ImportBatch.objects.get().mapping == json.loads(text)


def test_saved_mapping_is_known_by_its_name(project: Project, editor: User, tmp_path: Path) -> None:
    spec = {"records": "claims[]", "fields": {"claim.text": "claim"}}
    imports.save_mapping(project=project, name="states", spec=spec, by=editor)
    path = write(tmp_path / "x.claims.json", LEDGER)

    code, said = run_json(path, "--project", project.slug, "--mapping", "states")

    assert (code, said["created"]["claims"]) == (0, 1)


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_mapping_that_cannot_be_used_ends_with_two(
    project: Project, tmp_path: Path, dry: list[str]
) -> None:
    ledger = write(tmp_path / "ledger.json", [{"id": 1, "text": "A claim"}])
    mapping = write(tmp_path / "mapping.json", {"name": "m", "records": 5})

    code, said = run_json(ledger, "--project", project.slug, "--mapping", mapping, *dry)

    assert (code, said["ok"], said["errors"][0]["rule"]) == (2, False, "BAD_MAPPING")
    assert not ImportBatch.objects.exists()


def test_file_without_claims_is_named(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(
        '{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {}}',
        encoding="utf-8",
    )

    code, said = run_json(path, "--project", project.slug)

    assert code == 2
    assert "A JSON schema" in said["notices"][0]["message"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "--project"),
        (["--project", "absent"], "--create"),
        (["--project", "new", "--create"], "--language"),
        (["--project", "new", "--create", "--language", "not a tag"], "language"),
        (["--project", "new", "--create", "--language", "en", "--mapping", "nix"], "nix"),
    ],
)
def test_arguments_that_do_not_fit_end_with_two(
    db: None, tmp_path: Path, args: list[str], words: str
) -> None:
    code, said = run(report(tmp_path), *args)

    assert code == 2
    assert words in said
    assert not Project.objects.exists()


@pytest.mark.parametrize("option", ["--project", "--question", "--language", "--mapping"])
def test_argument_that_is_no_utf8_is_refused_as_wrong(
    db: None, tmp_path: Path, option: str
) -> None:
    given = {"--project": "ports", "--language": "en", "--question": "Which port?"}
    given[option] = "caf\udce9"

    with pytest.raises(CommandError, match=r"“caf\\udce9” is not UTF-8"):
        call_command(
            "import_report", report(tmp_path), "--create", *chain.from_iterable(given.items())
        )

    assert not Project.objects.exists()


def test_upload_with_a_name_that_is_no_utf8_makes_no_project(db: None, tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.json")
    given = ("--project", "ports", "--create", "--language", "en", "--question", "Which port?")

    with pytest.raises(CommandError, match="rename it in UTF-8"):
        call_command("import_report", path, *given)

    assert not Project.objects.exists()


def test_arguments_that_do_not_fit_are_told_as_json_too(db: None, tmp_path: Path) -> None:
    code, said = run_json(report(tmp_path), "--project", "absent")

    assert (code, said["ok"], said["errors"][0]["rule"]) == (2, False, "ARGUMENTS")
    assert "--create" in said["errors"][0]["message"]
    assert said["created"] == {}


def test_proposal_for_a_known_dialect_says_only_that_it_is_known(db: None, tmp_path: Path) -> None:
    code, said = run_json(report(tmp_path), "--propose-mapping")

    assert code == 2
    assert [error["rule"] for error in said["errors"]] == ["KNOWN_DIALECT"]
    assert "d1.evidence.json" in said["errors"][0]["message"]


def test_new_project_needs_a_query(db: None, tmp_path: Path) -> None:
    path = write(tmp_path / "d1.evidence.json", document())
    given = ("--project", "ports", "--create", "--language", "en")

    code, said = run(path, *given)

    assert code == 2
    assert "--question" in said
    assert run(path, *given, "--question", "Which port?")[0] == 0
    assert Project.objects.get().question == "Which port?"


def test_project_that_another_run_makes_meanwhile_is_used(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = report(tmp_path), importing.dry_run

    def read_while_another_makes_it(*args: Any, **options: Any) -> dict[str, Any]:
        Project.objects.create(slug="ports", title="Ports", question="Which?", language="en")
        return read(*args, **options)

    monkeypatch.setattr(importing, "dry_run", read_while_another_makes_it)
    code, said = run_json(path, "--project", "ports", "--create", "--language", "en")

    assert (code, said["created"]["claims"]) == (0, 3)
    assert Project.objects.get().question == "Which?"


def test_people_are_told_what_happened(project: Project, tmp_path: Path) -> None:
    _code, said = run(report(tmp_path), "--project", project.slug)

    assert "created   3 claims" in said
    assert "stitched.md: Citation markers that lead nowhere: 1 (nobody)." in said


@pytest.mark.shared
def test_real_report_directory_is_imported(db: None, shared: Path) -> None:
    code, said = run_json(
        shared / "real" / "report_dir", "--project", "ports", "--create", "--language", "zh-Hans"
    )

    assert code == 0
    assert (said["created"]["claims"], said["created"]["evidence"]) == (8, 12)
