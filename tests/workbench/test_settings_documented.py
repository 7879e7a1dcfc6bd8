"""Every variable that the code reads stands in ``.env.example`` and ``docs/settings.md``."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_READ = re.compile(r"(?:\benv\.\w+|environ(?:\.get)?)[(\[]\s*\"([A-Z][A-Z_0-9]+)\"")
_SHELL = re.compile(r"\$\{?(WORKBENCH_\w+)")


def read_by_the_code() -> set[str]:
    found = set(_SHELL.findall((ROOT / "run").read_text(encoding="utf-8")))
    for app in ("workbench", "sources", "search", "reviews"):
        for path in (ROOT / app).rglob("*.py"):
            found |= set(_READ.findall(path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        (".env.example", re.compile(r"^# ?([A-Z][A-Z_0-9]+)=", re.MULTILINE)),
        ("docs/settings.md", re.compile(r"^\| `([A-Z][A-Z_0-9]+)` \|", re.MULTILINE)),
    ],
)
def test_every_setting_is_documented_and_nothing_else(name: str, entry: re.Pattern[str]) -> None:
    listed = entry.findall((ROOT / name).read_text(encoding="utf-8"))

    assert len(listed) == len(set(listed))
    assert set(listed) == read_by_the_code()


def test_example_holds_no_value_that_is_in_force() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if line.strip() and not line.startswith("#")] == []
