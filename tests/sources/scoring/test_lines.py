"""A line of sources.jsonl comes back scored, and nothing that it said is lost."""

from typing import Any

import pytest

from sources.scoring.lines import BadLine, Scoring, score_line

from .samples import AS_OF, STARTER

SCORING = Scoring(STARTER, ("clinical",), AS_OF)
SEED = {
    "id": "src_042",
    "title": "A randomized trial of X",
    "venue": "NEJM",
    "year": 2025,
    "doi": "10.1056/x1",
    "url": "https://www.nejm.org/doi/10.1056/x1",
    "impact_factor": 176.0,
    "access_status": "opened_original",
}


def scored(**changes: Any) -> dict[str, Any]:
    return score_line({**SEED, **changes}, SCORING)


def test_line_comes_back_with_what_the_rubric_gives() -> None:
    found = scored()

    assert list(found)[: len(SEED)] == list(SEED)
    assert {name: found[name] for name in ("authority", "recency", "primacy")} == {
        "authority": 3.0,
        "recency": 2.0,
        "primacy": 2.0,
    }
    assert (found["verifiability"], found["coi"]) == (1.5, 0.0)
    assert (found["score_raw"], found["score"]) == (8.5, 10.0)
    assert (found["tier"], found["band"]) == (1, "core")
    assert set(found["reasons"]) == {
        "authority", "recency", "primacy", "verifiability", "coi", "tier",
    }  # fmt: skip
    assert found["reasons"]["authority"]["text"].startswith("IF 176.0 → 3.0")
    assert [each["code"] for each in found["findings"]] == ["unknown_coi"]


def test_stated_values_that_differ_move_aside() -> None:
    found = scored(score=8.6, tier=2, authority=2.5, recency=2.0, band="reference")

    assert (found["imported_score"], found["score"]) == (8.6, 10.0)
    assert (found["imported_tier"], found["tier"]) == (2, 1)
    assert (found["imported_authority"], found["authority"]) == (2.5, 3.0)
    assert (found["imported_band"], found["band"]) == ("reference", "core")
    assert "imported_recency" not in found
    mismatch = next(each for each in found["findings"] if each["code"] == "score_mismatch")
    assert mismatch["params"]["stated"] == "8.6"


@pytest.mark.parametrize(("stated", "moved"), [(9.95, False), (9.94, True), ("9.97", False)])
def test_stated_score_may_differ_by_what_rounding_explains(stated: object, moved: bool) -> None:
    found = scored(score=stated)
    codes = {each["code"] for each in found["findings"]}

    assert ("imported_score" in found) is moved
    assert ("score_mismatch" in codes) is moved


def test_stated_score_that_is_no_number_is_kept() -> None:
    assert scored(score="high")["imported_score"] == "high"


def test_unknown_keys_stay() -> None:
    assert scored(mood="good", used_in=["ch01"])["mood"] == "good"


def test_scoring_a_scored_line_changes_nothing() -> None:
    once = scored(score=8.6, tier=4)

    again = score_line(once, SCORING)

    assert again == once


def test_display_is_rounded_and_the_band_is_not() -> None:
    # 2.0 + 0.8 + 0.5 + 0 + 0 = 3.3, × 1.2 = 3.96
    line = {"venue": "JCO", "title": "Editorial: X", "year": 2009, "dead_link": True}
    found = score_line(line, Scoring(STARTER, ("mechanism",), AS_OF))

    assert (found["score_raw"], found["score"]) == (3.3, 4.0)
    assert found["band"] == "discovery"


def test_nearer_topic_wins() -> None:
    old = {**SEED, "year": 2012}

    assert score_line(old, SCORING)["recency"] == 0.0
    assert score_line(old, SCORING, topics=("historical",))["recency"] == 2.0


def test_bad_line_names_every_field() -> None:
    with pytest.raises(BadLine) as refused:
        scored(year=[2024], impact_factor="high")

    assert [problem.field for problem in refused.value.problems] == ["impact_factor", "year"]
    assert "`year`" in str(refused.value)
    assert "应为数字" in refused.value.problems[0].render("zh-Hans")


def test_line_that_states_nothing_gets_a_score_too() -> None:
    found = score_line({}, SCORING)

    assert (found["score"], found["tier"], found["band"]) == (0.0, 4, "discovery")
    assert {each["code"] for each in found["findings"]} == {
        "unknown_authority", "unknown_recency", "unknown_primacy", "unknown_coi",
    }  # fmt: skip


def test_chinese_reader_gets_chinese_reasons() -> None:
    found = score_line(SEED, Scoring(STARTER, ("clinical",), AS_OF, language="zh-Hans"))

    assert (
        "来自" in found["reasons"]["authority"]["text"]
        or "记录" in found["reasons"]["authority"]["text"]
    )
    assert found["findings"][0]["message"] == "资助与利益冲突情况未知。"
