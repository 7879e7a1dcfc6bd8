"""Checks: every example holds, no text stops one, and what they raise can be said."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.checks import BY_ID, CHECKS
from reviews.checks.base import Check, ClaimFacts, ContractViolation, Finding, apart
from reviews.checks.samples import claim, evidence, source
from reviews.checks.saying import say

from .raising import codes

EXAMPLES = [
    pytest.param(check, facts, codes, id=f"{check.id}-{number}")
    for check in CHECKS
    for number, (facts, codes) in enumerate(check.examples)
]


@pytest.mark.parametrize(("check", "facts", "expected"), EXAMPLES)
def test_example_raises_what_it_says(
    check: Check, facts: ClaimFacts, expected: tuple[str, ...]
) -> None:
    raised = tuple(finding.code for finding in check.run(facts))

    assert raised == expected


@pytest.mark.parametrize(("check", "facts", "expected"), EXAMPLES)
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_finding_can_be_said_in_both_languages(
    check: Check, facts: ClaimFacts, expected: tuple[str, ...], language: str
) -> None:
    for finding in check.run(facts):
        said = say(check, finding.code, finding.params, language)

        assert said.text
        assert said.hint
        assert "{" not in said.text.replace(str(finding.params.get("url", "")), "")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_check_is_silent_about_a_claim_without_evidence(check: Check) -> None:
    assert list(check.run(ClaimFacts(id="d1.c1", text="Use rose in 2024."))) == []


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=200),
    passage=st.text(max_size=200),
    url=st.text(max_size=60),
    grade=st.sampled_from(["exact", "normalised", "partial", "absent", "not_checkable", "odd"]),
    kind=st.sampled_from(["factual", "interpretive", "projective", "", "other"]),
)
def test_no_text_makes_a_check_fail(
    text: str, passage: str, url: str, grade: str, kind: str
) -> None:
    piece = evidence(passage, grade=grade, source=source(url=url, title=text))
    facts = claim(text, piece, evidence(text), kind=kind)

    for check in CHECKS:
        for finding in check.run(facts):
            assert say(check, finding.code, finding.params, "zh").text


def test_evidence_that_names_no_source_is_told_in_words_of_its_own() -> None:
    facts = claim("Use rose.", evidence("use rose", source=None, source_ref=" "))

    assert codes("citation-ids", facts) == ["unnamed"]


def test_leaked_id_is_told_once_however_often_it_stands() -> None:
    facts = claim("See d1.c3, and d1.c3 again.", evidence("use rose"))

    assert codes("citation-ids", facts) == ["leaked"]


def test_same_rule_broken_twice_gives_two_findings_with_places_of_their_own() -> None:
    broken = ContractViolation("V030", "not an object", "claims[0].evidence[0]")
    facts = replace(claim("Use rose.", evidence("use rose")), violations=(broken, broken))

    places = [finding.place for finding in BY_ID["contract"].run(facts)]

    assert places == ["V030", "V030 #2"]


def test_findings_at_different_places_keep_them() -> None:
    findings = [Finding("x", "info", place="a"), Finding("x", "info", place="b")]

    assert list(apart(findings)) == findings


def test_unknown_code_of_an_older_version_is_shown_under_the_title() -> None:
    said = say(BY_ID["quote-grade"], "gone", {}, "en")

    assert said.text == "Quotes are in their snapshots: gone"


def test_parameters_of_an_older_version_do_not_hide_the_finding() -> None:
    said = say(BY_ID["quote-grade"], "absent", {}, "en")

    assert "is not in its snapshot" in said.text


def test_broken_rule_is_said_in_the_language_of_the_reader() -> None:
    violation = ContractViolation("V034", "No snapshot.", "claims[0]", message_zh="没有快照。")
    older = ContractViolation("V034", "No snapshot.", "claims[0]")
    check = BY_ID["contract"]

    def told(found: ContractViolation, language: str) -> str:
        (finding,) = check.run(claim("Use rose.", violations=(found,)))
        return say(check, finding.code, finding.params, language).text

    assert told(violation, "en") == "V034 at claims[0]: No snapshot."
    assert told(violation, "zh-hans") == "V034，位于 claims[0]：没有快照。"
    assert told(older, "zh-hans") == "V034，位于 claims[0]：No snapshot."
