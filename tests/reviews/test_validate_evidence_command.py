import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from reviews.contracts import files as contract_files
from reviews.contracts.files import DocumentError, Fault, read_document
from reviews.management.commands.validate_evidence import Command
from tests.validator_cases import disagreement, run, unpack

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = {
    "schema_version": "1.1",
    "dimension_id": "d1",
    "headline": "A headline",
    "key_findings": [{"finding": "A key finding", "claim_ids": ["d1.c1"]}] * 2,
    "claims": [
        {
            "id": "d1.c1",
            "text": "A claim",
            "kind": "factual",
            "polarity": "neutral",
            "topic_tag": "tag",
            "evidence": [{"source_id": "s", "snippet": "x", "quote_type": "direct"}],
        }
    ],
    "sources": [{"id": "s", "url": "https://a.example/", "title": "T", "quality": "primary"}],
}


def validate(*argv):
    printed = StringIO()
    code = 0
    try:
        call_command("validate_evidence", *map(str, argv), stdout=printed)
    except SystemExit as leaving:
        code = leaving.code
    return code, json.loads(printed.getvalue())


@pytest.fixture
def evidence(tmp_path):
    path = tmp_path / "d1.evidence.json"
    path.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    return path


def test_good_file_prints_figures(evidence):
    code, result = validate(evidence)

    assert code == 0
    assert result["ok"] is True
    assert result["stats"]["claims"] == 1
    assert "errors" not in result


def test_broken_rule_prints_rule_place_and_advice(evidence):
    evidence.write_text(json.dumps({**DOCUMENT, "headline": "\ud800"}))

    code, result = validate(evidence)

    assert code == 1
    (error,) = result["errors"]
    assert error["rule"] == "V003"
    assert error["severity"] == "error"
    assert error["path"] == "headline"
    assert error["message"]
    assert error["hint"]


def test_empty_option_is_not_given(evidence):
    code, result = validate(
        evidence,
        *("--source-cache", "", "--plan", "", "--expected-mode", ""),
        *("--require-version", "", "--upstream-evidence", ""),
    )

    assert code == 0
    assert not any(value is True for value in result["stats"].values())


def test_upstream_without_files_is_given_and_empty(evidence):
    code, result = validate(evidence, "--upstream-evidence")

    assert code == 0
    assert result["stats"]["upstream_evidence_verified"] is True


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (None, "FILE"),
        ("folder", "FILE"),
        (b"", "JSON"),
        (b"\xef\xbb\xbf{}", "JSON"),
        (b"```json\n{}\n```", "JSON"),
        (b"{} {}", "JSON"),
        (b"\xff\xfe{\x00", "JSON"),
        (b"[" * 200_000, "JSON"),
        (b"9" * 5000, "JSON"),
    ],
)
def test_unreadable_file_is_one_error_and_exit_two(tmp_path, content, rule):
    path = tmp_path / "x.json"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    code, result = validate(path)

    assert code == 2
    assert result["ok"] is False
    (error,) = result["errors"]
    assert error["rule"] == rule
    assert str(path) in error["message"]


@pytest.mark.parametrize("option", ["--plan", "--upstream-evidence"])
@pytest.mark.parametrize(("content", "rule"), [(None, "FILE"), (b"\xff", "JSON")])
def test_unreadable_companion_is_one_error_and_exit_two(evidence, option, content, rule):
    companion = evidence.with_name("companion.json")
    if content is not None:
        companion.write_bytes(content)

    code, result = validate(evidence, option, companion)

    assert code == 2
    assert [error["rule"] for error in result["errors"]] == [rule]
    assert result["errors"][0]["file"] == str(companion)


@pytest.mark.parametrize(
    "argv",
    [(), ("a", "b"), ("a", "--expected-mode", "heavy"), ("a", "--require-version", "2"), ("-x",)],
)
def test_wrong_arguments_give_usage_and_no_json(argv, capsys):
    with pytest.raises(SystemExit) as leaving:
        Command().run_from_argv(["manage.py", "validate_evidence", *argv])

    printed = capsys.readouterr()
    assert leaving.value.code == 2
    assert printed.out == ""
    assert "usage:" in printed.err


def test_reasons_advise_what_to_do(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf{}")
    with pytest.raises(DocumentError, match="byte order mark"):
        read_document(str(path))
    path.write_bytes(b"```json\n{}\n```")
    with pytest.raises(DocumentError, match="fence") as refusal:
        read_document(str(path))

    assert refusal.value.fault is Fault.SYNTAX
    assert "不是 JSON" in refusal.value.message("zh")


@pytest.mark.parametrize("name", ["", "a\x00b"])
def test_name_of_no_file_is_missing(name):
    with pytest.raises(DocumentError) as refusal:
        read_document(name)

    assert refusal.value.fault is Fault.MISSING


def test_link_that_leads_to_itself_is_unreadable(tmp_path):
    path = tmp_path / "loop.json"
    path.symlink_to(path)

    code, result = validate(path)

    assert code == 2
    assert result["errors"][0]["rule"] == "FILE"


def test_huge_file_is_not_taken_in(evidence, monkeypatch):
    monkeypatch.setattr(contract_files, "MAX_DOCUMENT_BYTES", 10)

    with pytest.raises(DocumentError, match="larger than 10 bytes"):
        read_document(str(evidence))


def test_command_runs_in_its_own_process_without_a_database(evidence, tmp_path):
    env = {
        "WORKBENCH_DATA_DIR": str(tmp_path / "data"),
        "DATABASE_URL": "",
        "PYTHONIOENCODING": "utf-8",
    }

    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "validate_evidence", str(evidence)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
        encoding="utf-8",
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ok"] is True
    assert not list(tmp_path.glob("data/*.sqlite3"))


@pytest.mark.shared
def test_every_public_case_agrees(shared, tmp_path):
    cases = unpack(shared / "real/validator_cases/evidence.tar.gz", tmp_path)

    faults = [
        fault for case in cases if (fault := disagreement(case, *run("validate_evidence", case)))
    ]

    assert len(cases) == 381
    assert faults == []
