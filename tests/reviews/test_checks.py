"""Checks: every example holds, and the cases that reviewers would trip over."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.checks import BY_ID, CHECKS
from reviews.checks.base import Check, ClaimFacts, ContractViolation, Finding, apart
from reviews.checks.hosts import is_official, kind_of
from reviews.checks.samples import claim, evidence, source
from reviews.checks.saying import say
from sources.quantities import ledger

EXAMPLES = [
    pytest.param(check, facts, codes, id=f"{check.id}-{number}")
    for check in CHECKS
    for number, (facts, codes) in enumerate(check.examples)
]


def codes(check_id: str, facts: ClaimFacts) -> list[str]:
    return [finding.code for finding in BY_ID[check_id].run(facts)]


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


class TestStrongWords:
    @pytest.mark.parametrize(
        "text",
        [
            "Sales rose in the first quarter.",
            "The company raised money in its first round.",
            "It was first published in 1990.",
            "公司首次公开募股融资 10 亿元。",
            "请提交收入证明材料。",
            "一定程度上有所改善。",
            "It is due to open in May.",
            "It did not cause the fire.",
            "并非首个获批的产品。",
            "尚未证明其有效。",
            "该产品可能导致过敏。",
            "It may cause a rash.",
            "It is called “the world's first port” by its owner.",
            "央行维持最低工资标准。",
            "At best it is unchanged.",
        ],
    )
    def test_weak_use_of_a_strong_word_is_left_alone(self, text: str) -> None:
        assert codes("strong-words", claim(text, evidence("Something else is said."))) == []

    @pytest.mark.parametrize(
        ("text", "passage"),
        [
            ("该研究证明疗效。", "The trial demonstrated efficacy."),
            ("It is the only approved drug.", "这是唯一获批的药物。"),
            ("它是全球首款产品。", "It is the first such product."),
            ("The market leader is X.", "X 在市场上排名第一。"),
            ("显著提高。", "a statistically significant increase (P<0.001)"),
            ("It will inevitably rise.", "用量必然上升。"),
        ],
    )
    def test_equal_word_of_the_other_language_is_enough(self, text: str, passage: str) -> None:
        assert codes("strong-words", claim(text, evidence(passage))) == []

    def test_equal_word_in_the_neighbourhood_is_enough(self) -> None:
        piece = evidence(
            "It opened in May.", context="It opened in May. No port was earlier; first."
        )

        assert codes("strong-words", claim("It was the first port.", piece)) == []

    def test_claim_without_located_passage_is_not_judged(self) -> None:
        piece = evidence("nothing", grade="absent", passage="", context="")

        assert codes("strong-words", claim("This proves it.", piece)) == []

    def test_proof_under_a_key_claim_is_an_error(self) -> None:
        facts = claim("This proves it.", evidence("This suggests it."), is_key=True)

        (finding,) = BY_ID["strong-words"].run(facts)

        assert (finding.severity, finding.place) == ("error", "proves")

    def test_significance_that_the_p_value_bears_out_is_left_alone(self) -> None:
        facts = claim("药物 X 显著优于化疗。", evidence("hazard ratio 0.68; P=0.003"))

        assert codes("strong-words", facts) == []

    def test_significance_that_the_source_denies_is_an_error(self) -> None:
        passage = "There was no significant difference between the groups."
        facts = claim("X works significantly better.", evidence(passage))

        (finding,) = BY_ID["strong-words"].run(facts)

        assert (finding.code, finding.severity) == ("not_significant", "error")

    def test_p_value_of_a_neighbouring_comparison_saves_no_significance(self) -> None:
        passage = "Exacerbations did not differ significantly (P=0.09)."
        piece = evidence(passage, context=f"FVC fell less with X (P<0.001). {passage}")

        (finding,) = BY_ID["strong-words"].run(claim("X significantly delays attacks.", piece))

        assert finding.code == "not_significant"

    def test_association_is_told_once_and_by_the_better_check(self) -> None:
        facts = claim("饮酒导致血压升高。", evidence("饮酒与血压升高相关。"))

        assert codes("strong-words", facts) == []
        assert codes("causal-mismatch", facts) == ["correlation_as_cause"]


class TestCausalMismatch:
    @pytest.mark.parametrize(
        "passage", ["相关部门负责此事。", "关联公司负责此事。", "The relevant office said so."]
    )
    def test_relevant_is_no_correlation(self, passage: str) -> None:
        assert codes("causal-mismatch", claim("补贴导致上升。", evidence(passage))) == []


class TestHedgeDropped:
    def test_month_of_may_is_no_hedge(self) -> None:
        facts = claim("The port opened in 2024.", evidence("The port opened in May 2024."))

        assert codes("hedge-dropped", facts) == []

    def test_hedge_about_something_else_is_left_alone(self) -> None:
        passage = "The port opened in 2024. Weather may delay ships next week."

        assert codes("hedge-dropped", claim("The port opened in 2024.", evidence(passage))) == []

    def test_plain_statement_elsewhere_is_enough(self) -> None:
        facts = claim(
            "X lowers blood pressure.",
            evidence("X may lower blood pressure."),
            evidence("X lowers blood pressure in adults."),
        )

        assert codes("hedge-dropped", facts) == []

    def test_cautious_passage_in_the_other_language_is_found(self) -> None:
        facts = claim("X 降低血压。", evidence("X might lower blood pressure."))

        assert codes("hedge-dropped", facts) == ["hedge_dropped"]

    def test_company_s_word_is_enough_for_a_fact_of_its_own(self) -> None:
        passage = "The company said it shipped ten units in May."
        facts = claim("It shipped ten units in May.", evidence(passage))

        assert codes("hedge-dropped", facts) == []

    def test_projective_claim_may_rest_on_an_expectation(self) -> None:
        passage = "Revenue is expected to grow by 12%."
        facts = claim("Revenue grows by 12%.", evidence(passage), kind="projective")

        assert codes("hedge-dropped", facts) == []

    def test_long_passage_in_another_language_is_not_guessed_at(self) -> None:
        facts = claim("X 降低血压。", evidence("X is a drug. It may lower blood pressure."))

        assert codes("hedge-dropped", facts) == []


class TestForecastPremise:
    def test_condition_of_another_sentence_is_left_alone(self) -> None:
        passage = "Use will rise in 2026. If it rains, ships wait."
        facts = claim("Use will rise in 2026.", evidence(passage), kind="projective")

        assert codes("forecast-premise", facts) == []


class TestNumberLedger:
    def test_number_given_by_any_evidence_counts(self) -> None:
        text = "Use reached 63.5% in 2024"
        passages = ("Use reached 61% in 2023", "In 2024 use reached 63.5%")
        facts = claim(text, *(evidence(p, ledger=ledger(text, p)) for p in passages))

        assert codes("number-ledger", facts) == []

    def test_altered_number_is_an_error_that_names_both(self) -> None:
        text, passage = "Use reached 65.3%", "use reached 63.5 per cent"
        facts = claim(text, evidence(passage, ledger=ledger(text, passage)))

        (finding,) = BY_ID["number-ledger"].run(facts)

        assert finding.severity == "error"
        assert "63.5" in say(BY_ID["number-ledger"], finding.code, finding.params, "en").text

    def test_missing_number_that_an_unread_quote_holds_is_left_to_the_quote(self) -> None:
        text = "Use reached 63.5%"
        unread = evidence("reached 63.5%", grade="absent", passage="", context="")
        facts = claim(text, evidence("Use rose.", ledger=ledger(text, "Use rose.")), unread)

        assert codes("number-ledger", facts) == []

    def test_number_without_evidence_near_it_is_told_once(self) -> None:
        text = "Use reached 63.5%"
        passages = ("Use rose.", "Use rose again.")
        facts = claim(text, *(evidence(p, ledger=ledger(text, p)) for p in passages))

        assert codes("number-ledger", facts) == ["missing"]


class TestQuotes:
    def test_invented_tail_shows_the_longest_part_that_matches(self) -> None:
        passage = "The port has 14 high-voltage berths, up from nine a year earlier"
        piece = evidence(f"{passage}, all of them free", grade="partial", passage=passage)

        (finding,) = BY_ID["quote-grade"].run(claim("Berths rose.", piece))

        assert finding.code == "partial"
        assert str(finding.params["longest"]).startswith("The port has 14")
        assert "all of them free" in str(finding.params["quote"])

    def test_uncheckable_quote_is_neither_error_nor_silence(self) -> None:
        piece = evidence("ships connect", grade="not_checkable", passage="", depth="")

        (finding,) = BY_ID["quote-grade"].run(claim("Use rose.", piece))

        assert (finding.code, finding.severity) == ("not_checkable", "info")

    def test_foldings_are_named_in_the_reader_s_language(self) -> None:
        piece = evidence("long-term", grade="normalised", folded=("dashes", "case"))
        check = BY_ID["quote-grade"]

        (finding,) = check.run(claim("Use rose.", piece))

        assert "capital letters, dashes" in say(check, finding.code, finding.params, "en").text
        assert "大小写、连字符" in say(check, finding.code, finding.params, "zh-Hans").text

    def test_paraphrase_is_not_held_to_the_form_of_a_quote(self) -> None:
        piece = evidence("up", quote_type="paraphrase", cut_start=True, source=source(title="up"))
        facts = claim("Use rose.", piece)

        assert codes("quote-too-short", facts) == []
        assert codes("quote-is-title", facts) == []
        assert codes("quote-cut-in-word", facts) == []

    def test_cut_quote_without_its_neighbourhood_shows_itself(self) -> None:
        piece = evidence("1.4 months", passage="", context="", cut_start=True)

        (finding,) = BY_ID["quote-cut-in-word"].run(claim("It lasted.", piece))

        assert finding.params["around"] == "1.4 months"

    def test_altered_quote_without_words_is_just_absent(self) -> None:
        piece = evidence(" ", grade="partial", passage="\n")

        assert codes("quote-grade", claim("Use rose.", piece)) == ["absent"]

    def test_title_with_other_punctuation_is_still_the_title(self) -> None:
        piece = evidence("Shore power: a study", source=source(title="Shore Power — A Study"))

        assert codes("quote-is-title", claim("Use rose.", piece)) == ["title"]


class TestSources:
    def test_one_fault_of_a_source_is_told_once_however_often_it_is_cited(self) -> None:
        bad = source(url="https://example.com/a")
        facts = claim("Use rose.", evidence("use rose", source=bad), evidence("more", source=bad))

        assert codes("reserved-host", facts) == ["reserved_host"]

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("https://sub.example.org/x", "reserved_host"),
            ("http://db.localhost/", "reserved_host"),
            ("http://site.invalid/", "reserved_host"),
            ("https://例子.测试/x", "reserved_host"),
            ("http://127.0.0.1/x", "private_address"),
            ("http://[fd00::1]/x", "private_address"),
            ("[URL]", "placeholder"),
            ("TBD", "placeholder"),
            ("https://www.your-website.com/", "placeholder"),
        ],
    )
    def test_unreal_address_is_named_for_what_it_is(self, url: str, code: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        assert codes("reserved-host", facts) == [code]

    @pytest.mark.parametrize(
        ("url", "severity"),
        [("https://www.example.org/a", "error"), ("https://journal.example.org/a", "info")],
    )
    def test_named_host_of_a_documentation_domain_is_a_note(self, url: str, severity: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        found = list(BY_ID["reserved-host"].run(facts))

        assert [finding.severity for finding in found] == [severity]

    @pytest.mark.parametrize(
        "url", ["https://examples.com", "https://www.example.cn/a", "http://[", "https://latest.io"]
    )
    def test_real_or_broken_address_is_not_called_reserved(self, url: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        assert codes("reserved-host", facts) == []

    def test_sources_joined_through_address_and_cluster_are_one(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="https://a.fi/x", cluster="")),
            evidence("b", source=source(id="b", url="https://a.fi/x#top", cluster="k1")),
            evidence("c", source=source(id="c", url="https://c.fi/", cluster="k1")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == [
            "one_cluster"
        ]

    def test_one_source_without_recorded_cluster_is_not_joined_to_another(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="https://a.fi/")),
            evidence("b", source=source(id="b", url="https://b.fi/")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == []

    def test_broken_addresses_are_compared_as_they_stand(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="http://[")),
            evidence("b", source=source(id="b", url="http://[")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == [
            "one_url"
        ]

    def test_mislabelled_source_of_a_key_claim_weighs_more(self) -> None:
        wiki = source(url="https://zh.wikipedia.org/wiki/X")
        facts = claim("Use rose.", evidence("use rose", source=wiki), is_key=True)

        (finding,) = BY_ID["quality-mislabelled"].run(facts)

        assert finding.severity == "error"

    @pytest.mark.parametrize(
        "title",
        ["Retraction rates in surgery", "Why papers get retracted", "Withdrawn from the market"],
    )
    def test_paper_about_retractions_is_not_retracted(self, title: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(title=title)))

        assert codes("retracted-source", facts) == []

    @pytest.mark.parametrize(
        ("url", "kind"),
        [
            ("https://www.nmpa.gov.cn/x", "official"),
            ("https://mofa.go.jp/x", "official"),
            ("https://go.com/x", ""),
            ("https://notwikipedia.org/x", ""),
            ("https://m.weibo.cn/1", "social"),
        ],
    )
    def test_host_tells_the_kind_of_publisher(self, url: str, kind: str) -> None:
        assert kind_of(url) == kind
        assert is_official(url) is (kind == "official")


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
