"""Rules about the tree itself."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from reviews.checks import CHECKS
from reviews.checks.base import Check
from reviews.checks.documenting import document

ROOT = Path(__file__).resolve().parents[1]
APPS = ("workbench", "sources", "search", "reviews")
OWN = (*APPS, "templates", "static", "docs", "tests", "benchmarks")
TEXTS = {".py", ".html", ".md", ".js", ".css", ".txt", ".toml", ".yml", ".yaml", ".sh", ".po"}

# Written so that this file does not find itself.
_MACHINE_PATH = re.compile(r"(?<![\w.])/" + r"work/|/ro" + r"ot/")
_REGISTRY = re.compile(
    r"(?:pypi\.or" + r"g|pythonhosted\.or" + r"g|npmjs\.(?:or" + r"g|com)|unpkg\.co" + r"m"
    r"|jsdelivr\.ne" + r"t|cdnjs\.|googleapis\.com/aja" + r"x|fonts\.g" + r"oogleapis)"
)
_SENDING = re.compile(r"\.(?:delay|apply_async)\(")
_UNESCAPED = re.compile(r"\|\s*safe(?:seq)?\b|\bmark_safe\b|\{%\s*autoescape off")
_MARKUP = re.compile(r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write")
_DEFECT = re.compile(r"^[HS]\d$")


def files(*folders: str, suffixes: frozenset[str] | set[str] = TEXTS) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def offending(pattern: re.Pattern[str], paths: Iterator[Path]) -> list[str]:
    found = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return found


def test_check_ids_are_unique_and_well_formed() -> None:
    ids = [check.id for check in CHECKS]

    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", check_id) for check_id in ids)
    assert all(len(check_id) <= 60 for check_id in ids)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_check_has_an_example_that_passes_and_one_that_fails(check: Check) -> None:
    raised = [codes for _facts, codes in check.examples]

    assert any(codes for codes in raised)
    assert any(not codes for codes in raised)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_every_code_of_a_check_has_words_and_an_example(check: Check) -> None:
    raised = {code for _facts, codes in check.examples for code in codes}

    assert raised == set(check.messages)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_check_speaks_both_languages_calmly(check: Check) -> None:
    texts = [check.title, check.description]
    texts += [text for message in check.messages.values() for text in (message.text, message.hint)]

    for text in texts:
        assert text.en.strip()
        assert re.search(r"[\u4e00-\u9fff]", text.zh)
        assert not re.search(r"[!！]", text.en + text.zh)
        assert set(re.findall(r"{\w+}", text.en)) == set(re.findall(r"{\w+}", text.zh))
    assert check.version >= 1
    assert check.defect == "" or _DEFECT.match(check.defect)


def test_page_about_the_checks_is_current() -> None:
    page = ROOT / "docs" / "checks.md"

    assert page.read_text(encoding="utf-8") == document(CHECKS)


def test_stale_page_about_the_checks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "checks.md"
    page.write_text("old", encoding="utf-8")
    said = StringIO()

    with pytest.raises(SystemExit) as stopped:
        call_command("document_checks", "--check", page=page, stderr=said)

    assert stopped.value.code == 1
    assert "stale" in said.getvalue()


def test_page_is_current_right_after_it_was_written(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "checks.md"
    said = StringIO()

    call_command("document_checks", page=page, stdout=said)
    call_command("document_checks", "--check", page=page, stdout=said)

    assert "current" in said.getvalue()


def test_jobs_are_sent_only_by_actions_and_tasks() -> None:
    paths = (
        path
        for path in files(*APPS, suffixes={".py"})
        if path.stem not in {"actions", "tasks"} and "actions" not in path.parts
    )

    assert offending(_SENDING, paths) == []


def test_nothing_is_marked_safe() -> None:
    assert offending(_UNESCAPED, files(*APPS, "templates", suffixes={".py", ".html"})) == []


def test_each_place_where_text_becomes_markup_says_why() -> None:
    silent = []
    for path in files("static", suffixes={".js"}):
        above = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if _MARKUP.search(line) and "//" not in line and not above.strip().startswith("//"):
                silent.append(f"{path.relative_to(ROOT)}: {line.strip()}")
            above = line

    assert silent == []


def test_no_registry_or_cdn_is_named() -> None:
    assert offending(_REGISTRY, files(*OWN)) == []


def test_no_path_of_a_machine_is_named() -> None:
    assert offending(_MACHINE_PATH, files(*OWN)) == []


def test_rules_of_checks_are_pure() -> None:
    impure = re.compile(r"^\s*(?:from|import) (?:django|celery|httpx|requests|.*\.models)\b")

    assert offending(impure, files("reviews/checks", suffixes={".py"})) == []


def test_no_module_opens_a_connection_of_its_own() -> None:
    opening = re.compile(
        r"^\s*(?:import|from)\s+(?:urllib\.request|http\.client|ftplib|smtplib|asyncio|socket|ssl)\b"
    )

    found = offending(opening, files(*APPS, suffixes={".py"}))

    assert [line for line in found if not line.startswith("workbench/lib/http/")] == []
