import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[3]
GOOD = {
    "raw_evidence_items": [{"source_url": "https://a.example/1", "snippet": "AI chips sell."}],
    "primary_subject": "AI chips",
    "cleaning_goal": "research",
}


def write(path: Path, document: object) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def refused(*arguments: str) -> tuple[int, str]:
    with pytest.raises(CommandError) as stopped:
        call_command("clean_evidence", *arguments, stdout=StringIO())
    return stopped.value.returncode, str(stopped.value)


def said(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("clean_evidence", *arguments, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "must be a JSON object"),
        ("x", "must be a JSON object"),
        ({}, "“raw_evidence_items” is missing"),
        ({**GOOD, "raw_evidence_items": {}}, "“raw_evidence_items” must be a list"),
        ({**GOOD, "primary_subject": None}, "“primary_subject” is missing"),
        ({**GOOD, "primary_subject": "  "}, "“primary_subject” is missing"),
        ({**GOOD, "primary_subject": 3}, "“primary_subject” must be"),
        ({**GOOD, "cleaning_goal": []}, "“cleaning_goal” must be"),
        ({**GOOD, "canonical_time_frame": "2024"}, "“canonical_time_frame” must be"),
        ({**GOOD, "canonical_time_frame": {"start": 4}}, "“canonical_time_frame” must be"),
        ({**GOOD, "relations": [3]}, "“relations” must be"),
        ({**GOOD, "subject_aliases": "x"}, "“subject_aliases” must be"),
    ],
)
def test_input_that_lacks_what_is_needed_is_refused_with_what_to_do(
    tmp_path: Path, document: object, words: str
) -> None:
    path = write(tmp_path / "in.json", document)

    code, message = refused(path)

    assert code == 2
    assert path in message
    assert words in message


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refused(str(tmp_path / "none.json"))[0] == 2
    code, message = refused(str(tmp_path))

    assert code == 2
    assert "cannot be read" in message


def test_no_json_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text('{"raw_evidence_items": [\n {"a" 1}]}', encoding="utf-8")

    code, message = refused(str(path))

    assert code == 2
    assert "Line 2, column 7" in message


def test_json_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text("[" * 200_000, encoding="utf-8")

    assert refused(str(path))[0] == 2


def test_deep_values_in_an_item_are_read_as_text(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    path = write(tmp_path / "in.json", {**GOOD, "raw_evidence_items": [{"snippet": deep}]})

    assert said(path)["cleaning_stats"]["total_input"] == 1


def test_bytes_of_two_encodings_in_one_file_lose_no_item(tmp_path: Path) -> None:
    head = json.dumps({**GOOD, "raw_evidence_items": []}, ensure_ascii=False).encode()
    items = (
        b'[{"snippet":"AI chips ' + "芯片报告".encode() + b'"},'
        b'{"snippet":"AI chips ' + "产能扩大".encode("gb18030") + b'"},'
        b'{"snippet":"AI chips \xff\xfe"}]'
    )
    path = tmp_path / "in.json"
    path.write_bytes(head.replace(b"[]", items))

    found = said(str(path))

    texts = [item["cleaned_snippet"] for item in found["downranked_items"]]
    assert found["cleaning_stats"]["total_input"] == 3
    assert any("芯片报告" in text for text in texts)
    assert any("产能扩大" in text for text in texts)
    assert "not UTF-8 throughout" in found["warnings"][0]


def test_a_file_of_gb18030_and_one_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    document = json.dumps(
        {
            "raw_evidence_items": [{"snippet": "AI芯片产能扩大，需求旺盛。"}],
            "primary_subject": "AI芯片",
            "cleaning_goal": "调研",
        },
        ensure_ascii=False,
    )
    for name, data in (
        ("gb.json", document.encode("gb18030")),
        ("bom.json", b"\xef\xbb\xbf" + document.encode()),
        ("wide.json", document.encode("utf-16")),
    ):
        (tmp_path / name).write_bytes(data)

        (item,) = said(str(tmp_path / name))["downranked_items"]

        assert item["cleaned_snippet"].startswith("AI芯片产能扩大，需求旺盛。")


def test_half_characters_and_nul_in_the_texts_are_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(
        json.dumps(GOOD).replace("AI chips sell.", "AI chips\\u0000 \\ud83d sell."),
        encoding="utf-8",
    )

    (item,) = said(str(path))["downranked_items"]

    assert item["cleaned_snippet"] == "AI chips \ufffd sell. [ENCODING_UNRESOLVED]"


def test_output_goes_to_a_file_when_it_is_whole(tmp_path: Path) -> None:
    path, target = write(tmp_path / "in.json", GOOD), tmp_path / "out.json"
    out = StringIO()

    call_command("clean_evidence", path, output=str(target), stdout=out)

    assert json.loads(target.read_text(encoding="utf-8"))["cleaning_stats"]["total_input"] == 1
    assert "1 items, 0 kept, 1 ranked lower, 0 removed." in out.getvalue()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "in.json", GOOD)

    code, message = refused(path, "--output", str(tmp_path / "none" / "out.json"))

    assert code == 2
    assert "cannot be written" in message


def test_warnings_speak_the_language_of_the_subject_or_the_one_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "in.json", GOOD)

    assert said(path)["warnings"] == ["No date of publication (ev_001)"]
    assert said(path, "--language", "zh")["warnings"] == ["缺少发布日期（ev_001）"]


def test_it_needs_no_database_and_reads_standard_input(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "manage.py", "clean_evidence", "-"],
        input=json.dumps(GOOD).encode(),
        capture_output=True,
        cwd=ROOT,
        env=os.environ
        | {
            "WORKBENCH_SECRET_KEY": "x" * 60,
            "WORKBENCH_DATA_DIR": str(tmp_path / "empty"),
            "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
        },
        timeout=120,
        check=False,
    )

    assert made.returncode == 0, made.stderr.decode()
    assert json.loads(made.stdout)["cleaning_stats"]["total_input"] == 1
