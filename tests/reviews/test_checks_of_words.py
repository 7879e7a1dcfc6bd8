"""Checks of wording and numbers: the cases that reviewers would trip over."""

import pytest

from reviews.checks import BY_ID
from reviews.checks.samples import claim, evidence
from reviews.checks.saying import say
from sources.quantities import ledger

from .raising import codes


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
