"""The rules of the evidence contract speak Chinese where they speak Chinese."""

import re

import pytest

from reviews.contracts import evidence_rules
from reviews.contracts.violations import Rule

RULES = [rule for rule in vars(evidence_rules).values() if isinstance(rule, Rule)]
ENGLISH = re.compile(r"\b(?:The|the|of|is|id|an?)\b")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.id} {rule.text.en[:40]}")
def test_chinese_of_a_rule_holds_no_english_words(rule: Rule) -> None:
    names_of_keys = re.compile(r"[a-z]+_[a-z_]+|\{\w+\}|“[^”]*”")

    for text in (rule.text.zh, rule.hint.zh):
        assert ENGLISH.findall(names_of_keys.sub("", text)) == []
        assert re.search(r"[\u4e00-\u9fff]", text)
