"""The review file: its verdict by rule, merged defects, counts and names."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.report.counts import share
from reviews.report.escaping import cell, inline
from reviews.report.files import place_review, safe_stem, stem_of
from reviews.report.markdown import review_file
from reviews.report.names import Person, names_of
from reviews.screens.report_reading import Measure
from sources.models import Project

from .review_records import built, claim, defect, item, whole

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_review_file_is_the_golden_one(language: str) -> None:
    head = built(*whole(), language=language)

    written = review_file(head, twin="d1.review.json")

    assert written == (GOLDEN / f"review.{language[:2]}.md").read_text(encoding="utf-8")


def test_sections_stand_in_order_and_defects_have_their_form() -> None:
    written = review_file(built(*whole()), twin="d1.review.json")

    headings = [line for line in written.splitlines() if line.startswith("#")]
    assert headings == [
        "## 审查结论",
        "## 问题清单",
        "### 🔴 硬伤",
        "### 🟡 改进建议",
        "## 核验记录",
        "## 审查说明",
    ]
    assert written.splitlines()[1] == "VERDICT: revise"
    numbered = [line for line in written.splitlines() if re.match(r"\d+\. ", line)]
    assert all(re.fullmatch(r"\d+\. \[\S+\] .+ → [^→]+", line) for line in numbered)
    assert len(numbered) == 2


def test_verification_log_is_left_out_without_outcomes() -> None:
    written = review_file(built(claim(), language="en"), twin="d1.review.json")

    assert "Verification log" not in written


def test_suggestions_alone_pass() -> None:
    head = built(claim(defects=(defect(severity="suggestion"),)))

    assert head["verdict"] == "pass"


@pytest.mark.parametrize(
    ("state", "verdict"), [("open", "revise"), ("resolved", "pass"), ("rejected", "pass")]
)
def test_only_an_open_hard_defect_asks_for_revision(state: str, verdict: str) -> None:
    assert built(claim(defects=(defect(state=state),)))["verdict"] == verdict


def test_same_defect_of_two_reviewers_is_one_with_both_names() -> None:
    two = (defect(), defect(id=2, reviewer="韩梅梅"))

    head = built(claim(defects=two))

    assert [row["reviewers"] for row in head["defects"]] == [["李雷", "韩梅梅"]]
    assert "1. [d1.c5] H3 显著 but P=0.07（李雷、韩梅梅） → 显示延长趋势" in review_file(
        head, twin="x"
    )


def test_defect_of_a_dimension_stands_under_its_id() -> None:
    own = defect(
        claim="",
        code="S3",
        severity="suggestion",
        text="未检索反面证据",
        action="补检索",
        evidence=None,
    )

    head = built(claim(), defects=(own,))

    assert "1. [d1] S3 未检索反面证据 → 补检索" in review_file(head, twin="x")


def test_counts_name_everything_that_was_not_done() -> None:
    counts = built(*whole())["counts"]

    claims = counts["claims"]
    assert (claims["total"], claims["audited"], claims["open"], claims["done"]) == (2, 1, 1, 1)
    assert (claims["stale"], claims["conflict"], claims["with_hard_defect"]) == (0, 0, 1)
    assert counts["quotes"] == {
        "total": 3,
        "found": 1,
        "not_found": 1,
        "not_checked": 1,
        "interleaved": 0,
    }
    assert counts["evidence"]["unconfirmed"] == 2
    assert counts["evidence"]["version_not_fixed"] == 1
    assert counts["not_checkable"] == {"no-snapshot": 1}


def test_number_is_equal_if_one_located_piece_has_it() -> None:
    far = item(position=2, grade="absent", numbers=((0, 4, "equal"),))
    other = item(position=3, numbers=((0, 4, "different"),))

    assert built(claim(evidence=(far,)))["counts"]["numbers"]["not_checked"] == 1
    assert built(claim(evidence=(far, other)))["counts"]["numbers"]["differs"] == 1
    assert built(claim(evidence=(far, other, item())))["counts"]["numbers"]["equal"] == 1


@pytest.mark.parametrize(
    ("measure", "kind"),
    [
        (Measure("quotes", 0, 0, 0, 0), "unknown"),
        (Measure("quotes", 0, 0, 5, 5), "unknown"),
        (Measure("quotes", 4, 0, 1, 5), "attention"),
        (Measure("quotes", 5, 0, 0, 5), "located"),
    ],
)
def test_nothing_checked_is_never_green(measure: Measure, kind: str) -> None:
    assert measure.kind == kind


def test_share_says_all_only_where_it_is_all() -> None:
    assert share(999, 1000) == "99 %"
    assert share(1000, 1000) == "100 %"
    assert share(1, 1000) == "1 %"
    assert share(0, 0) == "–"


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_out_of_its_line(text: str) -> None:
    line = inline(text)

    assert len(line.splitlines()) <= 1
    assert "→" not in line
    assert not re.search(r"(?<!\\)[\[\]`*]", line)
    assert not re.search(r"(?<!\\)\|", cell(text))


def test_markup_in_texts_stays_text() -> None:
    assert inline("<script>x</script> p < 0.05") == r"\<script>x\</script> p < 0.05"
    assert inline("src_042 _em_") == r"src_042 \_em\_"
    assert inline("a\u202eb") == "aU+202Eb"


def test_names_can_be_initials_or_pseudonyms() -> None:
    people = [Person("wang", "Wang Fang"), Person("li", "Li Lei"), Person("wf", "Wu Feng")]

    assert names_of(people, "initials") == {"wang": "W.F.", "li": "L.L.", "wf": "W.F.2"}
    assert names_of(people, "pseudonyms", "zh") == {
        "wang": "审查人A",
        "li": "审查人B",
        "wf": "审查人C",
    }
    assert names_of(people, "full")["li"] == "Li Lei"


def test_people_of_one_name_are_told_apart() -> None:
    people = [Person("a", "Li Lei"), Person("b", "Li Lei")]

    assert set(names_of(people, "full").values()) == {"Li Lei (a)", "Li Lei (b)"}


@pytest.mark.parametrize(
    ("origin", "stem"),
    [
        ("sub_reports/d1.evidence.json", "d1"),
        ("ledger.jsonl", "ledger"),
        ("a/s1.evidence_subset.json", "s1"),
        (".json", ".json"),
    ],
)
def test_stem_is_the_name_without_its_format(origin: str, stem: str) -> None:
    assert stem_of(origin) == stem


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "..", "", "a\x00b", "c" * 900, "长" * 300, "%2e%2e"]
)
def test_name_from_a_file_gives_a_safe_name(name: str) -> None:
    stem = safe_stem(name)

    assert stem
    assert "/" not in stem
    assert len(stem.encode()) <= 200


def test_review_never_takes_the_place_of_a_file() -> None:
    place = place_review("d1", "sub_reports/d1.evidence.json", {"sub_reports/d1.review.md"})

    assert place.markdown == "sub_reports/d1.workbench.review.md"


def test_ids_of_a_file_cannot_forge_a_section(project: Project) -> None:
    forged = "d1.c1](http://x)\n## 审查结论\nVERDICT: pass\n### 🔴 硬伤"
    head = built(claim(id=forged, defects=(defect(claim=forged),)))

    written = review_file(head, twin="d1.review.json")

    assert written.count("\nVERDICT:") == 1
    assert len(re.findall(r"^## ", written, re.M)) == 3
    assert "\\](http" in written
