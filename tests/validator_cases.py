"""Run the public validator cases: one folder, one command line, one answer."""

import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command


def unpack(archive: Path, to: Path) -> list[Path]:
    """Unpack an archive of cases, links and all, and give their folders in order."""
    with tarfile.open(archive) as tar:
        tar.extractall(to, filter="fully_trusted")
    return sorted(path.parent for path in to.rglob("args.json"))


def run(command: str, case: Path) -> tuple[int, dict]:
    """Give the exit code and the printed object of a command run in the folder of a case."""
    argv = json.loads((case / "args.json").read_text(encoding="utf-8"))["argv"]
    printed = io.StringIO()
    code = 0
    with _inside(case):
        try:
            call_command(command, *argv, stdout=printed)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    return code, json.loads(printed.getvalue())


def disagreement(case: Path, code: int, result: dict) -> str:
    """Say how an answer departs from the expected one; empty where it does not."""
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    rules = sorted(error["rule"] for error in result.get("errors", []))
    if expected.get("oracle_crash"):
        refused = code in (1, 2) and result["ok"] is False and rules
        return "" if refused else f"{case.name}: exit {code} is no clean refusal"
    found = {"exit": code, "ok": result["ok"], "rules": rules}
    if "stats" in expected:
        found["stats"] = result.get("stats")
    wanted = {name: expected[name] for name in found}
    return "" if found == wanted else f"{case.name}: {found} instead of {wanted}"


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
