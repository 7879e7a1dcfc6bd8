"""The page about scoring lists every rule, and is current."""

from pathlib import Path

import pytest
from django.conf import settings

from sources.scoring.documenting import BEGIN, END, document
from sources.scoring.words import FINDINGS, RULES

PAGE = Path(settings.BASE_DIR) / "docs" / "scoring.md"


def test_page_about_scoring_is_current() -> None:
    held = PAGE.read_text(encoding="utf-8")

    assert document(held) == held


def test_page_lists_every_rule_and_finding() -> None:
    page = document(f"{BEGIN}{END}")

    for rules in RULES.values():
        assert all(f"| `{rule}` |" in page for rule in rules)
    assert all(f"| `{code}` |" in page for code in FINDINGS)


def test_page_without_a_place_for_the_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="must hold"):
        document("# Scoring\n")


def test_what_stands_around_the_tables_stays() -> None:
    page = document(f"before {BEGIN} old {END} after")

    assert page.startswith("before ")
    assert page.endswith(" after")
    assert " old " not in page
