import io
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command


def run(*argv):
    printed, refused = io.StringIO(), io.StringIO()
    code = 0
    try:
        call_command("locate", *argv, stdout=printed, stderr=refused)
    except SystemExit as leaving:
        code = leaving.code
    return code, printed.getvalue(), refused.getvalue()


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes("\ufeffRevenue rose 21.4%\r\nin 2024. Revenue rose again.".encode())
    return str(path)


def test_json_holds_grade_place_and_folds(page):
    code, printed, _ = run("--snapshot", page, "--snippet", "ROSE 21.4% in", "--json")

    assert code == 0
    assert json.loads(printed) == {
        "grade": "normalised",
        "start": 9,
        "end": 23,
        "occurrences": [[9, 23]],
        "folded": ["case", "white_space"],
        "numbers_equal": True,
    }


def test_absent_quote_is_exit_zero_with_nulls(page):
    code, printed, _ = run("--snapshot", page, "--snippet", "the port closed its doors", "--json")

    assert code == 0
    assert json.loads(printed) == {
        "grade": "absent",
        "start": None,
        "end": None,
        "occurrences": [],
        "folded": [],
        "numbers_equal": None,
    }


def test_claim_decides_between_occurrences(page):
    argv = ("--snapshot", page, "--snippet", "Revenue rose", "--json")

    assert json.loads(run(*argv)[1])["start"] == 1
    assert json.loads(run(*argv, "--claim", "It rose again")[1])["start"] > 1


def test_people_read_grade_passage_and_difference(page):
    code, printed, _ = run("--snapshot", page, "--snippet", "Revenue rose 22.4% in 2024")

    assert code == 0
    assert "grade: partial" in printed
    assert 'quote has "22.4", passage has "21.4"' in printed
    assert "numbers differ" in printed


def test_people_read_other_places_folds_and_flags(page):
    printed = run("--snapshot", page, "--snippet", "REVENUE")[1]

    assert "1 other place: 30 to 37" in printed
    assert "folded: case" in printed
    assert "flags: too_short" in printed


def test_people_read_of_an_absent_quote_that_it_is_absent(page):
    printed = run("--snapshot", page, "--snippet", "the port closed its doors")[1]

    assert printed == "grade: absent\n"


@pytest.mark.parametrize("content", [None, b"a\xff"])
def test_unreadable_file_is_exit_two_with_the_reason(tmp_path, content):
    path = tmp_path / "page.md"
    if content:
        path.write_bytes(content)

    code, printed, refused = run("--snapshot", str(path), "--snippet", "x")
    as_json = run("--snapshot", str(path), "--snippet", "x", "--json")

    assert (code, printed) == (2, "")
    assert "page.md" in refused
    assert as_json[0] == 2
    assert json.loads(as_json[1])["ok"] is False


def test_words_on_a_terminal_that_is_no_unicode_get_escapes(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("前言：云屿港供应岸电，见下文。", encoding="utf-8")
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]

    done = subprocess.run(
        [*manage, "locate", "--snapshot", path, "--snippet", "云屿港供应岸电"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u4e91\u5c7f\u6e2f" in done.stdout


def test_every_occurrence_is_listed_and_the_best_of_all_is_first(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "a port. " * 2_500 + "In Rotterdam a port. " + "a port. " * 10, encoding="utf-8"
    )

    argv = ("--snapshot", str(path), "--snippet", "a port", "--claim", "The port of Rotterdam")
    found = json.loads(run(*argv, "--json")[1])
    read = run(*argv)[1]

    assert len(found["occurrences"]) == 2_511
    assert found["occurrences"][0] == [found["start"], found["end"]]
    assert found["start"] == 2_500 * 8 + len("In Rotterdam ")
    assert "2510 other places: " in read
    assert read.splitlines()[3].endswith(", …")
    assert "more_occurrences" not in read


def test_every_occurrence_of_an_elided_quote_is_listed(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("The harbour, it said, was closed. " * 90, encoding="utf-8")

    argv = ("--snapshot", str(path), "--snippet", "The harbour … was closed", "--json")
    found = json.loads(run(*argv)[1])

    assert found["grade"] == "interleaved"
    assert len(found["occurrences"]) == 90
