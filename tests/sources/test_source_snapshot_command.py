import io
import json
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from sources.management.commands.source_snapshot import Command
from sources.source_cache import url_hash

URL = "https://example.org/a"


def run(*argv):
    printed = io.StringIO()
    code = 0
    try:
        call_command("source_snapshot", *argv, stdout=printed)
    except SystemExit as leaving:
        code = leaving.code
    return code, json.loads(printed.getvalue())


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes("岸电\r\n使用率".encode())
    return path


def test_normalize_prints_normal_form_and_hash():
    code, result = run("normalize", "HTTPS://Example.org:443/a#x")

    assert code == 0
    assert result == {"ok": True, "normalized_url": URL, "url_hash": url_hash(URL)}


def test_refused_url_is_an_error_with_its_reason():
    code, result = run("normalize", "ftp://example.org/")

    assert code == 1
    assert result == {"ok": False, "error": "URL scheme must be http or https"}


def test_stored_file_is_looked_up_and_verified(tmp_path, page):
    cache = str(tmp_path / "source_cache")

    _, stored = run("store", "--source-cache", cache, "--url", URL, "--input", str(page))
    _, found = run("lookup", "--source-cache", cache, "--url", URL)
    code, verified = run(
        "verify", "--source-cache", cache, "--snapshot-ref", stored["snapshot_ref"], "--url", URL
    )

    assert code == 0
    assert verified == stored
    assert stored["media_type"] == "text/markdown"
    assert [each["snapshot_ref"] for each in found["snapshots"]] == [stored["snapshot_ref"]]


def test_standard_input_is_kept_byte_for_byte(tmp_path, monkeypatch):
    cache = tmp_path / "source_cache"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\r\nb")))

    _, stored = run("store", "--source-cache", str(cache), "--url", URL)

    assert (tmp_path / stored["snapshot_ref"]).read_bytes() == b"a\r\nb"


@pytest.mark.parametrize("content", [b"\xff", None])
def test_unreadable_input_is_refused(tmp_path, content):
    path = tmp_path / "page.md"
    if content is not None:
        path.write_bytes(content)

    code, result = run("store", "--source-cache", str(tmp_path), "--url", URL, "--input", str(path))

    assert code == 1
    assert str(path) in result["error"]


def test_lookup_in_an_absent_cache_is_an_error(tmp_path):
    code, result = run("lookup", "--source-cache", str(tmp_path / "x"), "--url", URL)

    assert code == 1
    assert "does not exist" in result["error"]


def test_malformed_reference_is_an_error(tmp_path):
    code, result = run("verify", "--source-cache", str(tmp_path), "--snapshot-ref", "x")

    assert code == 1
    assert "snapshot_ref" in result["error"]


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("fetch",),
        ("normalize",),
        ("store", "--url", URL),
        ("store", "--source-cache", "", "--url", URL),
        ("verify", "--source-cache", "x", "--snapshot-ref", ""),
    ],
)
def test_wrong_arguments_give_usage_and_no_json(argv, capsys):
    with pytest.raises(CommandError):
        call_command("source_snapshot", *argv)
    with pytest.raises(SystemExit) as leaving:
        Command().run_from_argv(["manage.py", "source_snapshot", *argv])

    assert leaving.value.code == 2
    assert capsys.readouterr().out == ""


def test_empty_optional_values_are_not_given(tmp_path, page):
    cache = str(tmp_path / "source_cache")
    _, stored = run("store", "--source-cache", cache, "--url", URL, "--input", str(page))

    code, _ = run("lookup", "--source-cache", cache, "--url", URL, "--content-hash", "")
    assert code == 0
    code, _ = run(
        "verify", "--source-cache", cache, "--snapshot-ref", stored["snapshot_ref"], "--url", ""
    )
    assert code == 0
