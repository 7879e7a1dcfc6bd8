"""The contract of evidence.json: each rule where it is broken, and no value that stops it."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.contracts import evidence_rules
from reviews.contracts.evidence import validate_evidence
from reviews.contracts.violations import Rule

from .evidence_documents import (
    CLAIM,
    CONTEXT,
    DROP,
    EVIDENCE,
    FINDING,
    USAGE,
    Memory,
    broken,
    change,
    check,
    good,
    plan,
    upstream,
)


def test_good_document_gives_figures_and_no_violation():
    outcome = check(good())

    assert outcome.ok
    assert outcome.stats == {
        "claims": 3,
        "sources": 3,
        "key_findings": 2,
        "snapshot_refs": 3,
        "source_cache_verified": True,
        "plan_contract_verified": True,
        "expected_mode_verified": True,
        "upstream_evidence_verified": True,
        "key_questions_answered": ["kq1", "kq2"],
        "extra_findings": 1,
        "kind_distribution": {"factual": 1, "interpretive": 1, "projective": 1},
        "polarity_distribution": {"neutral": 0, "refute": 0, "support": 3},
    }


def test_older_version_needs_neither_snapshots_nor_usage():
    document = good()
    document["schema_version"] = "1.1"
    document["upstream_usage"] = None
    del document["writing_context"]
    for each in document["claims"]:
        for item in each["evidence"]:
            item["snapshot_ref"] = None

    outcome = validate_evidence(document)

    assert outcome.ok
    assert outcome.stats["snapshot_refs"] == 0
    assert outcome.stats["source_cache_verified"] is False


@pytest.mark.parametrize("root", [None, [], "x", 5, True])
def test_anything_but_an_object_breaks_one_rule_only(root):
    assert broken(root) == ["STRUCT"]


@pytest.mark.parametrize(
    ("path", "value", "rules"),
    [
        (("schema_version",), "1.3", ["V001", "V001"]),
        (("schema_version",), {}, ["V001", "V001"]),
        (("schema_version",), "1.1", ["V001"]),
        (("dimension_id",), None, ["V002", "V008"]),
        (("dimension_id",), "d2\n\n", ["V002", "V008"]),
        (("mode",), "heavy", ["V009", "V018"]),
        (("mode",), [], ["V009", "V018"]),
        (("mode",), DROP, ["V009"]),
        (("mode",), "quick", ["V008", "V009", "V009"]),
        (("headline",), "four", ["V003"]),
        (("headline",), "h" * 201, ["V003"]),
        (("headline",), None, ["V003"]),
        (("claims",), [], ["V004"]),
        (("claims",), {"d2.c1": 1}, ["V004"]),
        (("sources",), DROP, ["V005"]),
        (("upstream_usage",), DROP, ["V007"]),
        (("upstream_usage",), "d1", ["V007"]),
        (("upstream_usage",), 5, ["V007"]),
        (("upstream_usage",), ["d1"], ["V007", "V008"]),
        (("upstream_usage",), [], ["V008"]),
        (("upstream_usage",), [{}], ["V007"] * 5 + ["V008"] * 2),
        ((*USAGE, "dimension_id"), "d2", ["V007", "V007", "V008", "V008"]),
        ((*USAGE, "dimension_id"), ["d1"], ["V007", "V008", "V008"]),
        ((*USAGE, "dimension_id"), "d1\n", ["V007", "V007", "V008", "V008"]),
        ((*USAGE, "needed_for"), "background", ["V007", "V008"]),
        ((*USAGE, "needed_for"), ["entity_selection"], ["V007", "V008"]),
        ((*USAGE, "consumed_claim_ids"), [], ["V007"]),
        ((*USAGE, "consumed_claim_ids"), "d1", ["V007", "V008", "V008"]),
        ((*USAGE, "consumed_claim_ids"), 7, ["V007"]),
        ((*USAGE, "consumed_claim_ids"), ["d1.c1", 5, "c1"], ["V007", "V007", "V008"]),
        ((*USAGE, "consumed_claim_ids"), ["d3.c1"], ["V007", "V008"]),
        ((*USAGE, "consumed_claim_ids"), ["d1.c2"], ["V008"]),
        ((*USAGE, "scope_changes"), [" ", 5, "x"], ["V007", "V007"]),
        ((*USAGE, "skipped_searches"), "x", ["V007"]),
        (("sources", 0), None, ["V010", "V031", "V031", "V040", "V041", "V065"]),
        (("sources", 2, "id"), "Wiki", ["V011", "V031"]),
        (("sources", 2, "id"), "wiki\n", ["V031"]),
        (("sources", 2, "id"), "gazette", ["V012", "V031", "V035"]),
        (("sources", 0, "url"), "", ["V013"]),
        (("sources", 0, "url"), 5, ["V013"]),
        (("sources", 0, "url"), "example.org/a", ["V014"]),
        (("sources", 0, "url"), "https://port.example.cn:443/2024#x", []),
        (("sources", 0, "url"), "https://port.example.cn/2023", ["V035", "V035"]),
        (("sources", 0, "title"), "\u3000", ["V015"]),
        (("sources", 0, "title"), "\u200b", []),
        (("sources", 0, "quality"), "tier1", ["V016", "V040"]),
        (("sources", 0, "quality"), [], ["V016", "V040"]),
        (("sources", 0, "published_at"), "2024-1", ["V017"]),
        (("sources", 0, "published_at"), 2024, ["V017"]),
        (("sources", 0, "published_at"), "2024-99-99\n", []),
        (("writing_context",), None, ["V060"]),
        (("writing_context",), ["x"], ["V060"]),
        ((*CONTEXT, "id"), "w1", ["V061"]),
        ((*CONTEXT, "id"), "d2.w1\n", ["V061"]),
        ((*CONTEXT, "id"), "d3.w1", ["V061"]),
        ((*CONTEXT, "id"), "d2.w2", ["V061"]),
        ((*CONTEXT, "kind"), [], ["V062"]),
        ((*CONTEXT, "text"), "too short", ["V063"]),
        ((*CONTEXT, "use"), "u" * 301, ["V064"]),
        ((*CONTEXT, "source_ids"), "port", ["V065"]),
        ((*CONTEXT, "source_ids"), ["port", "port"], ["V065"]),
        ((*CONTEXT, "source_ids"), [["port"]], ["V065", "V065"]),
        ((*CONTEXT, "applies_to"), None, ["V066"]),
        ((*CONTEXT, "applies_to"), [5], ["V066", "V066"]),
        ((*CONTEXT, "applies_to"), ["kq1\n"], ["V066"]),
        (CLAIM, "x", ["V020", "V053"]),
        ((*CLAIM, "id"), "c1", ["V021", "V053"]),
        ((*CLAIM, "id"), ["d2.c1"], ["V021", "V053"]),
        ((*CLAIM, "id"), "d2.c2", ["V022", "V053"]),
        ((*CLAIM, "id"), "d22.c1", ["V023", "V053"]),
        ((*CLAIM, "text"), "four", ["V024"]),
        ((*CLAIM, "text"), "𠮷" * 500, []),
        ((*CLAIM, "kind"), "Factual", ["V025"]),
        ((*CLAIM, "kind"), ["factual"], ["V025"]),
        ((*CLAIM, "polarity"), False, ["V026"]),
        ((*CLAIM, "topic_tag"), "岸电", ["V027"]),
        ((*CLAIM, "topic_tag"), "t" * 31, ["V027"]),
        ((*CLAIM, "answers_key_question"), "q1", ["V028"]),
        ((*CLAIM, "answers_key_question"), 1, ["V028"]),
        ((*CLAIM, "evidence"), {}, ["V029"]),
        (EVIDENCE, [], ["V030", "V040"]),
        ((*EVIDENCE, "source_id"), ["port"], ["V031", "V040"]),
        ((*EVIDENCE, "source_id"), "Port", ["V031", "V040"]),
        ((*EVIDENCE, "snippet"), " ", ["V032"]),
        ((*EVIDENCE, "quote_type"), ["direct"], ["V033"]),
        ((*EVIDENCE, "quote_type"), "Direct", ["V033"]),
        ((*EVIDENCE, "snapshot_ref"), None, ["V034"]),
        ((*EVIDENCE, "snapshot_ref"), "source_cache/x.md", ["V034"]),
        ((*EVIDENCE, "snapshot_ref"), ["x"], ["V034"]),
        (
            (*EVIDENCE, "snapshot_ref"),
            f"source_cache/{'a' * 64}/{'b' * 64}.md",
            ["V035"],
        ),
        ((*EVIDENCE, "snippet"), "岸电 41.7 万千瓦时", ["V036"]),
        ((*EVIDENCE, "snippet"), "\ud800", ["V036"]),
        ((*EVIDENCE, "source_id"), "wiki", ["V035", "V040"]),
        (("claims", 1, "evidence", 1, "source_id"), "port", ["V035", "V041"]),
        (("key_findings",), None, ["V006"]),
        (("key_findings",), [{}], ["V006"]),
        (("key_findings",), ["x"] * 7, ["V006"]),
        (FINDING, [], ["V050"]),
        ((*FINDING, "finding"), "too short", ["V051"]),
        ((*FINDING, "claim_ids"), "d2.c1", ["V052"]),
        ((*FINDING, "claim_ids"), ["d2.c9", 5, ["d2.c1"], "d2.c1 "], ["V053"] * 4),
    ],
)
def test_each_rule_is_found_where_it_is_broken(path, value, rules):
    assert Counter(broken(change(path, value))) == Counter(rules)


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"snapshots": None}, ["V037"]),
        ({"require_version": "1.1"}, ["V001"]),
        ({"expected_mode": "supplement"}, ["V009"]),
        ({"plan": []}, ["V008"]),
        ({"plan": {}}, ["V008"]),
        ({"plan": {"dimensions": [{"id": "d1"}, "x"]}}, ["V008"]),
        ({"plan": {"dimensions": [{"id": "d2", "dependency_inputs": {}}]}}, ["V008"]),
        ({"plan": {"dimensions": [{"id": "d2", "dependency_inputs": []}]}}, ["V008"]),
        ({"upstream": None}, ["V008"]),
        ({"upstream": []}, ["V008"]),
        ({"upstream": ["x"]}, ["V008", "V008"]),
        ({"upstream": [{"dimension_id": "x"}]}, ["V008", "V008"]),
        ({"upstream": [upstream(), upstream()]}, ["V008"]),
        ({"upstream": [{"dimension_id": "d1"}]}, ["V008"]),
        ({"upstream": [{**upstream(), "claims": None}]}, ["V008", "V008"]),
        ({"upstream": [{**upstream(), "key_findings": 5}]}, ["V008", "V008"]),
        ({"upstream": [{**upstream(), "key_findings": [{"claim_ids": 5}]}]}, ["V008", "V008"]),
        ({"plan": None, "upstream": None}, []),
    ],
)
def test_each_given_document_is_held_against_the_evidence(options, rules):
    assert broken(good(), **options) == rules


def test_repeated_upstream_is_found():
    document = good()
    document["upstream_usage"] *= 2

    assert broken(document) == ["V007"]


def test_needs_nested_without_end_differ_without_a_crash():
    def nested():
        value = []
        for _ in range(100_000):
            value = [value]
        return value

    planned = plan()
    planned["dimensions"][1]["dependency_inputs"][0]["needed_for"] = nested()
    document = change((*USAGE, "needed_for"), nested())

    assert broken(document, plan=planned) == ["V007", "V008"]


def test_quick_research_asks_less():
    document = good()
    document.update(mode="quick", upstream_usage=[], key_findings=document["key_findings"][:1])
    document["sources"][0]["quality"] = "tertiary"
    document["claims"][1]["evidence"].pop()

    assert broken(document, plan=None, upstream=None, expected_mode="quick") == []

    document["claims"][1]["evidence"][0]["source_id"] = "nobody"
    rules = broken(document, plan=None, upstream=None, expected_mode="quick")
    assert rules == ["V031", "V041"]


def test_place_names_the_claim_and_its_evidence():
    (violation,) = check(change((*EVIDENCE, "snippet"), "41.7")).violations

    assert violation.path == "claims[0].evidence[0].snippet"
    assert violation.message("en") == "The snippet does not occur in the snapshot."
    assert violation.message("zh-Hans") == "快照中找不到这段摘录。"
    assert violation.hint("zh") != violation.hint()


def test_converted_line_ends_are_named_as_such():
    snapshots = Memory()
    (ref, (body, fields)), *_ = snapshots.files.items()
    snapshots.files[ref] = (body.replace(b"\n", b"\r\n"), fields)

    violations = check(good(), snapshots=snapshots).violations

    assert [each.rule for each in violations] == ["V035", "V035"]
    assert "matches after CRLF → LF" in violations[0].message()


def test_reason_of_a_refused_url_is_given_in_the_language_of_the_reader():
    (violation,) = check(change(("sources", 0, "url"), "ftp://a.example/")).violations

    assert "URL scheme must be http or https" in violation.message("en")
    assert "网址必须以 http 或 https 开头" in violation.message("zh")


def test_page_quoted_twice_is_verified_once():
    snapshots = Memory()

    assert check(good(), snapshots=snapshots).ok
    assert snapshots.asked == 3


def test_every_rule_speaks_both_languages_about_any_value():
    rules = [each for each in vars(evidence_rules).values() if isinstance(each, Rule)]

    assert len({rule.id for rule in rules}) == 50
    for rule in rules:
        assert rule.text.zh != rule.text.en
        assert rule.hint.zh != rule.hint.en
        assert "!" not in rule.text.en + rule.hint.en
        assert "！" not in rule.text.zh + rule.hint.zh


@pytest.mark.parametrize("value", ["{x}", "x" * 10_000, [1] * 10_000, 10**4000, {"a": [[[[1]]]]}])
def test_message_stays_short_and_plain_whatever_was_found(value):
    document = change((*CLAIM, "polarity"), value)

    (violation,) = check(document).violations

    assert len(violation.message()) < 300
    assert "\n" not in violation.message()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def paths(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, dict | list):
            yield from paths(inner, (*path, key))
        else:
            yield (*path, key)


@settings(max_examples=100)
@given(path=st.sampled_from([p for p in paths(good()) if p]), value=JSON)
def test_no_value_anywhere_makes_it_fail(path, value):
    document = change(path, value)

    for violation in check(document).violations:
        json.dumps([violation.path, violation.message(), violation.hint("zh")])


@settings(max_examples=50)
@given(planned=JSON, used=st.lists(JSON, max_size=2))
def test_no_plan_or_upstream_makes_it_fail(planned, used):
    wrapped = {"dimensions": [{"id": "d2", "dependency_inputs": planned}]}

    check(good(), plan=planned, upstream=used)
    check(good(), plan=wrapped, upstream=[{"dimension_id": "d1", "claims": planned}])
