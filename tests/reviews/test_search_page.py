"""The manual page of the search language is made from its fields."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reviews.queries.fields import FIELDS
from reviews.queries.rule_fields import RULE_FIELDS
from reviews.queries.search_page import (
    BEGIN,
    BEGIN_RULES,
    BEGIN_SOURCES,
    END,
    END_RULES,
    END_SOURCES,
    with_fields,
)
from reviews.queries.source_fields import SOURCE_FIELDS
from reviews.screens.ordering import SORTS

ALL = (*FIELDS, *SOURCE_FIELDS, *RULE_FIELDS)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "search.md"


def test_page_about_searching_is_current() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert with_fields(text) == text
    assert all(f"`{name}`" in text for name in SORTS)
    assert all(f"| `{field.name}` |" in text for field in ALL)


def test_stale_page_is_refused_and_then_written(tmp_path: Path) -> None:
    page = tmp_path / "search.md"
    tables = f"{BEGIN}\nold\n{END}\n{BEGIN_SOURCES}\nold\n{END_SOURCES}"
    tables += f"\n{BEGIN_RULES}\nold\n{END_RULES}"
    page.write_text(f"# Searching\n{tables}\nrest\n", encoding="utf-8")

    with pytest.raises(SystemExit):
        call_command("document_search", "--check", page=page, stderr=StringIO())
    call_command("document_search", page=page, stdout=StringIO())
    call_command("document_search", "--check", page=page, stdout=StringIO())

    assert page.read_text(encoding="utf-8").endswith(f"{END_RULES}\nrest\n")


def test_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the marks"):
        with_fields("# Searching")


@pytest.mark.parametrize("field", ALL, ids=lambda field: field.name)
def test_field_speaks_both_languages(field: object) -> None:
    assert field.says.en
    assert any("\u4e00" <= c <= "\u9fff" for c in field.says.zh)
    assert field.example.startswith(f"{field.name}:")


@pytest.mark.parametrize("command", ["document_search", "document_checks"])
@pytest.mark.parametrize("held", [None, b"\xff no text"])
def test_page_that_cannot_be_read_is_named(
    tmp_path: Path, command: str, held: bytes | None
) -> None:
    page = tmp_path / "page.md"
    if held is None:
        page.mkdir()
    else:
        page.write_bytes(held)

    with pytest.raises(CommandError, match=r"page\.md cannot be read or written") as refused:
        call_command(command, *([] if held is None else ["--check"]), page=page)

    assert refused.value.returncode == 2
