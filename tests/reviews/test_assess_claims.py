"""The command assess_claims, and the records that it reads."""

import base64
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from reviews.claim_lines import assess_record
from workbench.lib.notices import InputError


def run(path: str) -> tuple[int, list[dict[str, object]]]:
    out = io.StringIO()
    code = 0
    try:
        call_command("assess_claims", path, stdout=out)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def written(folder: Path, data: bytes) -> str:
    path = folder / "in.jsonl"
    path.write_bytes(data)
    return str(path)


def test_each_line_is_answered_in_order(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        b'{"id": "b", "claim": "The plant grew", "text": "Hello. The plant grew."}\n'
        b'{"id": 7, "claim": "The plant grew", "sentences": ["Hello.", "The plant grew."]}\n',
    )

    code, (first, second) = run(path)

    assert code == 0
    assert list(first) == ["id", "risk", "terms", "passages"]
    assert (first["id"], second["id"]) == ("b", 7)
    assert first["risk"] == 0
    assert first["passages"] == second["passages"]
    assert first["passages"][0] == {"start": 7, "end": 22, "index": 1, "score": 1.0}


def test_bad_lines_are_named_and_stop_no_good_one(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        b'{"id": "a", "claim": 3, "text": ""}\n'
        b"not json\n"
        b'{"id": "b", "claim": "x1", "text": NaN}\n'
        b'{"id": "c", "claim": "\\ud800", "text": ""}\n'
        b'{"id": "d", "id": "e", "claim": "", "text": ""}\n'
        + b"[" * 100_000
        + b'\n\xff\n{"id": "good", "claim": "plant", "text": "A plant."}\n',
    )

    code, results = run(path)

    assert code == 1
    assert [result.get("line") for result in results] == [1, 2, 3, 4, 5, 6, 7, None]
    assert all(result["error"] for result in results[:7])
    assert results[0]["id"] == "a"
    assert "`claim`" in str(results[0]["error"])
    assert results[7]["id"] == "good"


def test_bom_crlf_and_blank_lines_are_accepted(tmp_path: Path) -> None:
    record = b'{"id": "a", "claim": "plant", "text": "A plant."}'

    code, results = run(written(tmp_path, b"\xef\xbb\xbf" + record + b"\r\n\r\n \n" + record))

    assert code == 0
    assert len(results) == 2


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    line = '{"id": "a", "claim": "经济增长", "text": "经济增长。"}'.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))

    code, results = run("-")

    assert code == 0
    assert results[0]["risk"] == 0


def test_claim_without_checkable_text_has_risk_null(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        b'{"id": 1, "claim": "", "text": "x"}\n{"id": 2, "claim": "plant", "text": ""}\n',
    )

    code, results = run(path)

    assert code == 0
    assert [result["risk"] for result in results] == [None, None]


def test_missing_file_ends_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, results = run(str(tmp_path / "absent.jsonl"))

    assert code == 2
    assert results == []
    assert "cannot be read" in capsys.readouterr().err


def test_reader_that_goes_away_gets_no_traceback(tmp_path: Path) -> None:
    line = b'{"id": "a", "claim": "plant", "text": "A plant."}\n'
    command = [sys.executable, "manage.py", "assess_claims", written(tmp_path, line * 2_000)]

    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()

    assert process.returncode == 1
    assert complaint == b""


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"claim": "a", "text": "b"}, "missing"),
        ({"id": None, "claim": "a", "text": "b"}, "not_an_id"),
        ({"id": True, "claim": "a", "text": "b"}, "not_an_id"),
        ({"id": 1.5, "claim": "a", "text": "b"}, "not_an_id"),
        ({"id": "x", "text": "b"}, "missing"),
        ({"id": "x", "claim": None, "text": "b"}, "not_text"),
        ({"id": "x", "claim": "a"}, "no_source"),
        ({"id": "x", "claim": "a", "text": None}, "no_source"),
        ({"id": "x", "claim": "a", "text": ["b"]}, "not_text"),
        ({"id": "x", "claim": "a", "text": "b", "sentences": ["b"]}, "one_source"),
        ({"id": "x", "claim": "a", "sentences": "b"}, "not_a_list"),
        ({"id": "x", "claim": "a", "sentences": ["b", 1]}, "not_text"),
    ],
)
def test_wrong_fields_are_refused_by_name(record: dict[str, object], code: str) -> None:
    with pytest.raises(InputError) as caught:
        assess_record(record)

    assert caught.value.code == code
    assert caught.value.render("zh")


@pytest.mark.shared
def test_hostile_json_is_answered(shared: Path, tmp_path: Path) -> None:
    cases = [
        json.loads(line) for line in (shared / "real/hostile/json.jsonl").read_bytes().splitlines()
    ]
    lines = [base64.b64decode(case["b64"]).replace(b"\n", b" ") for case in cases]

    code, results = run(written(tmp_path, b"\n".join(lines)))

    assert code == 1
    assert len(results) == sum(1 for line in lines if line.strip())
    assert all(result["error"] for result in results)


@pytest.mark.shared
def test_hostile_characters_are_answered(shared: Path, tmp_path: Path) -> None:
    cases = [
        json.loads(line)
        for line in (shared / "real/hostile/unicode.jsonl").read_bytes().splitlines()
    ]
    records = [
        {"id": case["id"], "claim": case.get("text", ""), "text": f"A {case.get('text', '')}."}
        for case in cases
    ]

    _, results = run(written(tmp_path, "\n".join(map(json.dumps, records)).encode()))

    refused = [
        record["id"] for record, result in zip(records, results, strict=True) if "error" in result
    ]
    unstorable = [record["id"] for record in records if not _storable(record["claim"])]
    assert refused == unstorable


def _storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def test_output_that_is_no_unicode_gets_escapes(tmp_path: Path) -> None:
    line = {"id": "云😀", "claim": "云屿港", "text": "云屿港"}
    path = written(tmp_path, json.dumps(line).encode())
    printed = io.TextIOWrapper(io.BytesIO(), encoding="ascii")

    call_command("assess_claims", path, stdout=printed)
    printed.seek(0)

    assert json.loads(printed.read())["id"] == "云😀"
