"""Reading numbers, amounts and dates."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sources.quantities import Quantity, parse_quantities


def one(text: str) -> Quantity:
    found = parse_quantities(text)

    assert len(found) == 1, found

    return found[0]


def shown(text: str) -> list[str]:
    rows = []
    for q in parse_quantities(text):
        pair = "" if q.low is None else f"{q.low.normalize():f}..{q.high.normalize():f}"
        value = pair if q.value is None or (q.kind == "ratio" and pair) else f"{q.value:f}"
        if "." in value and ".." not in value:
            value = value.rstrip("0").rstrip(".")
        parts = [q.kind, q.iso or value, q.unit]
        parts += [q.comparator] if q.comparator != "=" else []
        parts += ["~"] if q.approximate else []
        parts += [q.name] if q.name else []
        parts += [q.direction] if q.direction else []
        rows.append(" ".join(part for part in parts if part))
    return rows


AMOUNTS = {
    "11.7%": ["percent 11.7 %"],
    "63.5 per cent": ["percent 63.5 %"],
    "23 percent": ["percent 23 %"],
    "百分之十二": ["percent 12 %"],
    "千分之三": ["percent 3 ‰"],
    "2.3 个百分点": ["percentage_point 2.3 pp"],
    "4 percentage points": ["percentage_point 4 pp"],
    "30 basis points": ["percentage_point 30 bp"],
    "约12亿元": ["currency 1200000000 CNY ~"],
    "$6.1 billion": ["currency 6100000000 USD"],
    "6,120亿美元": ["currency 612000000000 USD"],
    "$5m": ["currency 5000000 USD"],
    "HK$227.48": ["currency 227.48 HKD"],
    "RMB 45.00": ["currency 45 CNY"],
    "￥45.00": ["currency 45 CNY"],
    "现金分红高达16.128亿元": ["currency 1612800000 CNY"],
    "1.2 万": ["number 12000"],
    "1.2 万亿": ["number 1200000000000"],
    "1亿2千万": ["number 120000000"],
    "3.8 billion": ["number 3800000000"],
    "500M+": ["number 500000000 >="],
    "618k": ["number 618000"],
    "2.8T": ["number 2800000000000"],
    "1,204 calls": ["number 1204"],
    "１，２０４": ["number 1204"],
    "1.204,5": ["number 1204.5"],
    "5,8 %": ["percent 5.8 %"],
    "1.2×10⁻⁵": ["number 0.000012"],
    "1.2 x 10^5": ["number 120000"],
    "两万人": ["measure 20000 person"],
    "两万五": ["number 25000"],
    "一百二十": ["number 120"],
    "一百二": ["number 120"],
    "一千零五": ["number 1005"],
    "三点五倍": ["measure 3.5 times"],
    "廿五": ["number 25"],
    "3亿零五百": ["number 300000000", "number 500"],
    "two hundred and fifty thousand": ["number 250000"],
    "twenty-one": ["number 21"],
    "a dozen ports": ["number 12"],
    "a hundred": ["number 100"],
    "half a million": ["number 500000"],
    "three-quarters": ["ratio 0.75 fraction"],
    "三分之二以上": ["ratio 0.66666666666666666666666666666666666666666666666667 fraction >="],
    "四成": ["ratio 4 tenth"],
    "六成五": ["ratio 6.5 tenth"],
    "7.5折": ["ratio 7.5 tenth"],
    "过半": ["ratio 0.5 fraction >"],
    "nearly half of them": ["ratio 0.5 fraction ~"],
    "a quarter of the fleet": ["ratio 0.25 fraction"],
    "one in five": ["ratio 0.2 fraction"],
    "½": ["ratio 0.5 fraction"],
    "1½": ["number 1.5"],
    "1:2": ["ratio 1..2"],
    "41.6 万千瓦时": ["measure 416000 kWh"],
    "416 MWh": ["measure 416 MWh"],
    "1 234.5 万千瓦时": ["measure 12345000 kWh"],
    "1.5 mg/kg": ["measure 1.5 mg/kg"],
    "120 mmHg": ["measure 120 mmHg"],
    "7.8 mmol/L": ["measure 7.8 mmol/L"],
    "12-month": ["measure 12 month"],
    "10小时40分钟": ["measure 640 minute"],
    "65岁及以上": ["measure 65 year >="],
    "54例患者": ["measure 54 patient"],
    "14 个": ["measure 14 item"],
    "半年": ["measure 0.5 year"],
    "300余人": ["measure 300 person >"],
    "10多万人": ["measure 100000 person >"],
    "−5.3 °C": ["measure -5.3 °C"],
    "15 倍": ["measure 15 times"],
    "doubled": ["measure 2 times"],
    "翻一番": ["measure 2 times"],
    "第 7 位": ["ordinal 7"],
    "第七位": ["ordinal 7"],
    "ranked seventh": ["ordinal 7"],
    "Table 3": ["ordinal 3"],
    "the 7th": ["ordinal 7"],
}


@pytest.mark.parametrize(("text", "expected"), AMOUNTS.items())
def test_amount_is_read_with_its_unit(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


DATES = {
    "Q4 2025": ["quarter 2025-Q4"],
    "2025Q4": ["quarter 2025-Q4"],
    "4Q25": ["quarter 2025-Q4"],
    "2025年第四季度": ["quarter 2025-Q4"],
    "the fourth quarter of 2025": ["quarter 2025-Q4"],
    "三季度": ["quarter Q3"],
    "2024年3月5日": ["date 2024-03-05"],
    "2024 年 3 月": ["date 2024-03"],
    "二〇二四年三月": ["date 2024-03"],
    "3月29日": ["date --03-29"],
    "5 March 2024": ["date 2024-03-05"],
    "March 5th, 2024": ["date 2024-03-05"],
    "Mar. 2024": ["date 2024-03"],
    "2024-03-05T09:00:00+08:00": ["date 2024-03-05"],
    "2024.3.5": ["date 2024-03-05"],
    "25/3/2024": ["date 2024-03-25"],
    "3/5/2024": ["year 2024"],
    "since August": ["date --08"],
    "in 2021": ["year 2021"],
    "mid-2025": ["year 2025"],
    "FY2025": ["year 2025"],
    "2019–2023": ["year 2019", "year 2023"],
    "2024/25": ["year 2024", "year 2025"],
    "in the 1980s": ["number 1980 decade"],
    "about 2000 patients": ["measure 2000 patient ~"],
    "2000 calls": ["number 2000"],
    "2000元": ["currency 2000 CNY"],
    "07:20": ["time 440"],
    "9:30 pm": ["time 1290"],
}


@pytest.mark.parametrize(("text", "expected"), DATES.items())
def test_date_is_read_as_far_as_it_is_given(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


SENTENCES = {
    "median overall survival was 21.4 months (95% CI 18.9–24.0) and 16.2 months": [
        "measure 21.4 month",
        "interval 18.9..24 95% CI",
        "measure 16.2 month",
    ],
    "(hazard ratio for death, 0.68; P=0.07)": ["ratio 0.68 HR", "p_value 0.07 p"],
    "HR 0.68, 95%置信区间：0.51至0.91；P ＜ .001": [
        "ratio 0.68 HR",
        "interval 0.51..0.91 95% CI",
        "p_value 0.001 < p",
    ],
    "on 5 March\n2024 for 21.4\nmonths, 12\nT": [
        "date 2024-03-05",
        "measure 21.4 month",
        "number 12",
    ],
    "IF 176.0": ["number 176 IF"],
    "12.3 ± 4.5 mmHg": ["number 12.3", "measure 4.5 mmHg ±"],
    "rose from $3bn to 4.5 million": ["currency 3000000000 USD up", "number 4500000"],
    "从 9% 到 34%": ["percent 9 %", "percent 34 %"],
    "同比增长 16.8％": ["percent 16.8 % up"],
    "降幅为12%": ["percent 12 % down"],
    "a 12% decline": ["percent 12 % down"],
    "up to 15 months": ["measure 15 month <="],
    "不超过 3 天": ["measure 3 day <="],
    "超过10亿元": ["currency 1000000000 CNY >"],
    "no more than about 5 km": ["measure 5 km <= ~"],
    "3至5年": ["range 3..5 year"],
    "between 3 and 5": ["range 3..5"],
    "$3–5 billion": ["range 3000000000..5000000000 USD"],
    "30-40%": ["range 30..40 %"],
    "HK$227.48至HK$2,894.95": ["range 227.48..2894.95 HKD"],
    "defeat Arsenal 5–4": ["number 5", "number 4"],
    "Kimi K3 ranked #1 in 6 of 7 sub-domains": ["ordinal 1", "number 6", "number 7"],
    "云屿港 2024 年累计供应岸电 41.6 万千瓦时，同比增长 12.3%": [
        "year 2024",
        "measure 416000 kWh",
        "percent 12.3 % up",
    ],
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.items())
def test_sentence_gives_its_quantities_in_order(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "d1.c5", "[12]", "[44,55]", "[^n12]", "【3†source】", "[cite: 12]", "v1.2.3", "COVID-19",
        "GPT-4", "ChatGPT-5", "PM2.5", "IL-6", "H1N1", "NCT01234567", "Q345", "5G", "78A", "9f3c",
        "10.1056/NEJMoa2034577", "https://example.com/2024/12?p=3", "ISBN 978-3-16-148410-0",
        "PMID: 12345678", "arXiv:2501.07493", "0769-23151111", "400-96520-88", "13812345678",
        "+86 138 1234 5678", "claims 38, 63", "research-03-2026-g60", "Form 8-K", "192.168.0.1",
        "D3123次", "统一", "一个问题", "千万别", "十分重要", "one of them", "second thoughts",
        "first half", "May I", "H2O", "1" * 40,
    ],
)  # fmt: skip
def test_identifier_is_no_quantity(text: str) -> None:
    assert parse_quantities(text) == ()


def test_offsets_are_those_of_the_text_given() -> None:
    text = "𠮷😀 约１２％ and e\u0301 US$３bn，Ｐ＝０.０７"

    found = parse_quantities(text)

    assert [text[q.start : q.end] for q in found] == ["约１２％", "US$３bn", "Ｐ＝０.０７"]
    assert [q.raw for q in found] == ["约１２％", "US$３bn", "Ｐ＝０.０７"]


def test_precision_is_what_was_written() -> None:
    assert one("41.60 %").precision == 4
    assert one("41.60 %").quantum == Decimal("0.01")
    assert one("3.8 billion").quantum == Decimal(100_000_000)
    assert one("3.8 billion").scale == Decimal(1_000_000_000)


def test_sign_is_kept_where_it_is_one() -> None:
    assert [q.value for q in parse_quantities("变化 -5%，A-5，(−3.1)")] == [
        Decimal(-5),
        Decimal("-3.1"),
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "123 ",
        "1,234",
        "1.",
        "1-",
        "1:",
        "[1,",
        "十万亿",
        "a1",
        "from 1 to ",
        "p <",
        "1e9",
        "[",
    ],
)
def test_long_repetition_stays_readable(unit: str) -> None:
    text = unit * (20_000 // len(unit))

    found = parse_quantities(text)

    assert all(q.start < q.end <= len(text) for q in found)


ALPHABET = (
    "0123456789.,:-–/%$¥()[] \n万亿千百十一二三两成分之年月日第个元约至pPHRCIQ±×e=<~xMkbn²½\ud800"
)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=ALPHABET, max_size=60) | st.text(max_size=60))
@example("1e99x10^99万亿万亿")
@example("分之1分之0")
@example("千分之百分之")
def test_any_text_is_read_without_error(text: str) -> None:
    found = parse_quantities(text)

    assert all(q.raw == text[q.start : q.end] and q.raw for q in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
