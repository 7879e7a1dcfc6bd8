"""Number values, comparison and the number ledger."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sources.quantities import LedgerRow, ledger, number_values

RELATIONS = [
    ("41.6 万千瓦时", "416 MWh", "converted", ""),
    ("41.6 MWh", "41.6 万千瓦时", "different", "unit"),
    ("12亿元", "1.2 billion yuan", "converted", ""),
    ("63.5 per cent", "63.5%", "equal", ""),
    ("three-quarters", "75 %", "converted", ""),
    ("四成", "40%", "converted", ""),
    ("三分之一", "33%", "converted", ""),
    ("12/45", "26.7%", "converted", ""),
    ("21.4 个月", "21.4 months", "equal", ""),
    ("2 年", "24 months", "converted", ""),
    ("2 weeks", "14 days", "converted", ""),
    ("500 mg", "0.5 g", "converted", ""),
    ("37 °C", "98.6 °F", "converted", ""),
    ("355 feet", "108 m", "converted", ""),
    ("1.2万", "12,000", "converted", ""),
    ("HR 0.68", "hazard ratio for death, 0.68; P=0.07", "equal", ""),
    ("HR 0.86", "HR 0.68", "different", "value"),
    ("OR 0.68", "HR 0.68", "different", "name"),
    ("41.6 万千瓦时", "41.60 万千瓦时", "equal", ""),
    ("12 %", "11.7 %", "rounded", ""),
    ("11.7 %", "12 %", "different", "value"),
    ("约500人", "497 people", "rounded", ""),
    ("nearly half", "48%", "rounded", ""),
    ("约41.6", "41.8", "different", "value"),
    ("500人", "约500人", "rounded", "approximate"),
    ("20 million", "19.6 million", "rounded", ""),
    ("≥12 months", "12 months", "different", "comparator"),
    ("超过10亿美元", "exceeded $1 billion", "converted", ""),
    ("over 500 patients", "537 patients", "rounded", "comparator"),
    ("over 500 patients", "437 patients", "different", "value"),
    ("p<0.05", "P=0.07", "different", "comparator"),
    ("p<0.05", "P=0.03", "rounded", "comparator"),
    ("P = .03", "P=0.03", "equal", ""),
    ("下降 12%", "增长 12%", "different", "direction"),
    ("下降 12%", "a 12% decline", "equal", ""),
    ("下降 12%", "-12%", "equal", ""),
    ("12%", "12个百分点", "different", "unit"),
    ("0.3 个百分点", "30 basis points", "converted", ""),
    ("12", "12%", "different", "unit"),
    ("63.5%", "63.5", "equal", "unit"),
    ("12 亿美元", "12 亿元", "different", "currency"),
    ("3.8", "3.8 billion", "different", "unit"),
    ("$3.8 billion", "$3.8 million", "different", "unit"),
    ("2024年3月5日", "5 March 2024", "equal", ""),
    ("2024年3月5日", "6 March 2024", "different", "value"),
    ("2024年3月5日", "2024", "different", "precision"),
    ("2024年", "5 March 2024", "rounded", "precision"),
    ("2025年第四季度", "Q4 2025", "equal", ""),
    ("2025年第四季度", "Q3 2025", "different", "value"),
    ("2025年第四季度", "November 2025", "rounded", "precision"),
    ("November 2025", "2025年第四季度", "different", "precision"),
    ("Q4 2025", "42025", "missing", ""),
    ("3至5年", "3–5 years", "equal", ""),
    ("3至5年", "from 3 to 5 years", "equal", ""),
    ("5 years", "3–5 years", "rounded", "range"),
    ("95% CI 18.9–24.0", "95%置信区间 18.9 至 24.0", "equal", ""),
    ("95% CI 18.9–25.0", "95%置信区间 18.9 至 24.0", "different", "value"),
    ("第 7 位", "seventh", "equal", ""),
    ("14 个", "14 ports", "equal", ""),
    ("2021", "2019", "missing", ""),
    ("1,240 calls", "1,204 calls", "different", "value"),
    ("12 ports", "300 people", "missing", ""),
    ("07:20", "07:40", "different", "value"),
]


@pytest.mark.parametrize(("claim", "passage", "relation", "note"), RELATIONS)
def test_relation_of_two_numbers(claim: str, passage: str, relation: str, note: str) -> None:
    rows = ledger(claim, passage)

    assert [(row.relation, row.note) for row in rows] == [(relation, note)]


def test_claim_without_numbers_has_no_rows() -> None:
    assert ledger("港口使用岸电", "2024 年 41.6 万千瓦时") == ()


def test_context_answers_where_the_passage_is_silent() -> None:
    context = "In 2024 the port delivered 416 MWh."

    year, amount = ledger("2024 年供应 416 MWh", "It delivered 416 MWh.", context)

    assert (year.relation, year.origin) == ("equal", "context")
    assert year.passage is not None
    assert context[year.passage.start : year.passage.end] == "2024"
    assert amount.origin == "passage"


def test_number_that_answers_one_row_is_not_the_other_side_of_a_difference() -> None:
    rows = ledger("21.4 个月对 16.2 个月", "21.4 months in the treated group")

    assert [row.relation for row in rows] == ["equal", "missing"]


def test_nearest_number_stands_beside_a_wrong_one() -> None:
    rows = ledger("增长 13.3%", "占 64.0%，增长 12.3%")

    assert [(row.relation, row.passage and row.passage.raw) for row in rows] == [
        ("different", "12.3%")
    ]


def test_row_survives_json() -> None:
    rows = ledger("OS 21.4 个月（HR 0.68），2021 年", "21.4 months; hazard ratio, 0.68")

    stored = json.loads(json.dumps([row.to_json() for row in rows]))

    assert tuple(LedgerRow.from_json(row) for row in stored) == rows


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,204 calls", {"1204": 1}),
        ("１，２０４", {"1204": 1}),
        ("𝟏𝟐 and ١٢", {"12": 2}),
        ("12亿元, 12.0%", {"12": 2}),
        ("十二亿元", {"12": 1}),
        ("二〇二四年三月", {"2024": 1, "3": 1}),
        ("COVID-19", {"19": 1}),
        ("10² ①", {"10": 1}),
        ("007", {"7": 1}),
        ("0.50 and 0", {"0.5": 1, "0": 1}),
        ("统一, 一个, 十分", {}),
        ("5\n100", {"5": 1, "100": 1}),
        ("5 100", {"5": 1, "100": 1}),
    ],
)
def test_values_are_counted_as_written(text: str, values: dict[str, int]) -> None:
    assert number_values(text) == Counter(values)


def test_altered_digit_alters_the_values() -> None:
    assert number_values("增长 12.3%，共 14 个") != number_values("增长 12.8%，共 14 个")


@settings(max_examples=100, deadline=None)
@given(
    st.text(alphabet="0123456789.,%–-$ 万亿年月十二分之成约至p<=CIHRmg°CF/:\n", max_size=40),
    st.text(alphabet="0123456789.,%–-$ 万亿年月十二分之成约至p<=CIHRmg°CF/:\n", max_size=40),
)
@example("0%", "0 元")
@example("-1 °F", "9" * 30 + "万亿")
@example("1e99", "1e-99")
def test_any_two_texts_have_a_ledger(claim: str, passage: str) -> None:
    rows = ledger(claim, passage, passage)

    assert all((row.passage is None) == (row.relation == "missing") for row in rows)
    assert all(row.claim.raw == claim[row.claim.start : row.claim.end] for row in rows)
    assert all(
        row.passage is None or row.passage.raw == passage[row.passage.start : row.passage.end]
        for row in rows
    )
    json.dumps([row.to_json() for row in rows])


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_claim_agrees_with_itself(text: str) -> None:
    rows = ledger(text, text)

    assert all(row.relation == "equal" for row in rows)


@pytest.mark.shared
def test_numbers_of_supported_claims_are_seldom_called_different(shared: Path) -> None:
    lines = (shared / "real/labelled_claims/citation_claims.jsonl").read_text("utf-8").splitlines()
    relations: Counter[str] = Counter()
    for line in lines:
        row = json.loads(line)
        if row["ground_truth"] == "Supported":
            found = ledger(row["claim_text"], row["source_text"] or "")
            relations.update(entry.relation for entry in found)

    assert relations.total() > 40
    assert relations["different"] <= relations.total() * 0.08
