"""``manage.py score_sources``: each line comes back with its score and the reasons."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from sources.models import Dimension, Journal, Project, Subject

pytestmark = pytest.mark.django_db

NEJM = {"id": 1, "venue": "NEJM", "doi": "10.1056/x", "year": "2025", "title": "A randomized trial"}


def run(path: Path, *options: str) -> tuple[list[dict[str, Any]], int, str]:
    out, err = StringIO(), StringIO()
    code = 0
    wanted = ("--topic", "clinical", "--as-of", "2026-04-20", *options)
    try:
        call_command("score_sources", str(path), *wanted, stdout=out, stderr=err)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return [json.loads(line) for line in out.getvalue().splitlines()], code, err.getvalue()


def file_of(folder: Path, *lines: object) -> Path:
    path = folder / "sources.jsonl"
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(written), encoding="utf-8")
    return path


def test_line_comes_back_with_score_reasons_and_findings(tmp_path: Path) -> None:
    lines, code, _said = run(file_of(tmp_path, NEJM))

    (line,) = lines
    assert code == 0
    assert (line["id"], line["tier"], line["band"]) == (1, 1, "core")
    assert line["authority"] == 3.0
    assert line["reasons"]["authority"]["rule"] == "authority_band"
    assert isinstance(line["findings"], list)


def test_bad_lines_are_named_and_the_good_ones_scored(tmp_path: Path) -> None:
    path = file_of(tmp_path, NEJM, "{not json", {"id": "s2", "year": [2024]}, "[1]", NEJM)
    lines, code, said = run(path)

    assert code == 1
    assert [("score" in line, line.get("line")) for line in lines] == [
        (True, None), (False, 2), (False, 3), (False, 4), (True, None),
    ]  # fmt: skip
    assert lines[2]["fields"] == ["year"]
    assert lines[2]["id"] == "s2"
    assert "Line 3: `year`" in said
    assert "3 lines could not be scored." in said


def test_line_with_a_key_called_error_is_no_bad_line(tmp_path: Path) -> None:
    lines, code, _said = run(file_of(tmp_path, {**NEJM, "error": "none", "line": 7}))

    assert code == 0
    assert lines[0]["score"] > 0


def test_edited_table_changes_the_score(tmp_path: Path) -> None:
    Journal.objects.get(title="New England Journal of Medicine").delete()

    lines, _code, _said = run(file_of(tmp_path, NEJM))

    assert lines[0]["authority"] == 0.0


def test_project_adds_its_companies_and_dimensions(tmp_path: Path, project: Project) -> None:
    Subject.objects.create(project=project, kind="company", name="Acme", domains=["acme.example"])
    Dimension.objects.create(project=project, external_id="d2", topic_type="mechanism")
    line = {"url": "https://acme.example/1", "year": 2018, "used_in": ["d2"]}
    path = file_of(tmp_path, line)

    (alone,), _code, _said = run(path)
    (within,), _code, _said = run(path, "--project", "nsclc")

    assert (alone["recency"], within["recency"]) == (0.0, 2.0)
    assert "coi_company_host" in {each["code"] for each in within["findings"]}
    assert "coi_company_host" not in {each["code"] for each in alone["findings"]}


def test_own_topic_of_a_line_wins(tmp_path: Path) -> None:
    lines, _code, _said = run(file_of(tmp_path, {**NEJM, "year": 1950, "topic_type": "historical"}))

    assert lines[0]["recency"] == 2.0


def test_chinese_reasons_are_given_on_request(tmp_path: Path) -> None:
    lines, _code, _said = run(file_of(tmp_path, NEJM), "--language", "zh-Hans")

    assert "权威分档" in lines[0]["reasons"]["authority"]["text"]


@pytest.mark.parametrize(
    "options",
    [("--topic", "gossip"), ("--as-of", "yesterday"), ("--project", "absent")],
)
def test_wrong_arguments_are_refused(tmp_path: Path, options: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        run(file_of(tmp_path, NEJM), *options)


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read") as refused:
        run(tmp_path / "absent.jsonl")

    assert refused.value.returncode == 2


@pytest.mark.shared
def test_sources_of_real_ledgers_are_scored(shared: Path, tmp_path: Path) -> None:
    bundle = shared / "real/ledgers/emmmdty__deep-research-agent/ths-20260522/sources.json"
    standalone = shared / "real/ledgers/dialects/standalone.evidence.json"
    found = [
        *json.loads(bundle.read_text(encoding="utf-8"))["sources"],
        *json.loads(standalone.read_text(encoding="utf-8"))["sources"],
    ]

    lines, code, said = run(file_of(tmp_path, *found))

    assert (code, said) == (0, "")
    assert len(lines) == len(found)
    assert all("band" in line for line in lines)
    assert {line["tier"] for line in lines if "cninfo" in str(line)} == {1}
