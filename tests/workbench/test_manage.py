"""Commands on a database that was never made say so, and what makes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def manage(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    own = {"WORKBENCH_DATA_DIR": str(folder), "DATABASE_URL": "", "PATH": os.environ["PATH"]}
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=own | {"DJANGO_SUPERUSER_PASSWORD": "correct horse battery"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("createsuperuser", "--noinput", "--username", "ana", "--email", "ana@example.org"),
        ("export_report", "nsclc", "out"),
        ("export_jsonl", "nsclc", "sources"),
        ("export_references", "nsclc"),
        ("verify_audit", "nsclc"),
        ("import_report", "README.md", "--project", "nsclc"),
    ],
    ids=lambda words: str(words[0]),
)
def test_a_command_on_a_new_data_folder_names_the_command_that_makes_the_database(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = manage(tmp_path, *words)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "./run manage migrate" in done.stderr


def test_the_traceback_is_shown_to_those_who_ask_for_it(tmp_path: Path) -> None:
    assert "Traceback" in manage(tmp_path, "verify_audit", "nsclc", "--traceback").stderr
