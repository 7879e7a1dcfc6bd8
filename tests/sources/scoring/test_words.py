"""What scoring says, in both languages."""

import re

import pytest

from sources.scoring.words import FINDINGS, MORE, RULES, render, render_finding

TEXTS = [rule.text for rules in RULES.values() for rule in rules.values()]
TEXTS += [*MORE.values(), *(text for _severity, text in FINDINGS.values())]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.en[:40])
def test_text_says_the_same_in_both_languages(text: object) -> None:
    english, chinese = text.en, text.zh  # type: ignore[attr-defined]

    assert english.strip()
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert not re.search(r"[!！]", english + chinese)
    assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", chinese))


def test_severities_are_known() -> None:
    assert {severity for severity, _text in FINDINGS.values()} <= {"error", "warning", "info"}


def test_rule_of_an_older_version_is_given_bare() -> None:
    assert render("authority", "gone", {"a": "1"}, "en") == "gone: a 1"


def test_missing_fact_shows_as_a_dash() -> None:
    assert "–" in render("authority", "impact_factor", {"points": "3.0"}, "en")


def test_text_from_outside_is_never_a_template() -> None:
    shown = render("primacy", "third_hand", {"words": "{0.__class__}"}, "en")

    assert "{0.__class__}" in shown


def test_finding_without_words_is_given_bare() -> None:
    assert render_finding("other_code", {}, "zh") == "other_code"
