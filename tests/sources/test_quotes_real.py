import json

import pytest

from sources.quotes import SnapshotIndex, locate

pytestmark = pytest.mark.shared

PARTIAL = {"ocr1", "ocr2", "ocr4", "word_edit", "combined"}
BY_OVERLAP = PARTIAL | {"ellipsis", "wrapped"}


@pytest.fixture(scope="module")
def pairs(shared):
    path = shared / "real/text/quote_pairs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        (pair, locate(SnapshotIndex(pair["doc"]), pair["snippet"]))
        for pair in map(json.loads, lines)
    ]


def overlap(pair, found):
    if found.start is None:
        return 0
    common = min(pair["end"], found.end) - max(pair["start"], found.start)
    return max(0, common) / (max(pair["end"], found.end) - min(pair["start"], found.start))


def test_true_quotes_stand_at_their_place(pairs):
    for pair, found in pairs:
        if pair["findable"]:
            least = 0.9 if pair["cat"] in BY_OVERLAP else 1
            assert overlap(pair, found) >= least, pair["id"]


def test_grades_follow_the_kind_of_change(pairs):
    for pair, found in pairs:
        if pair["cat"] in PARTIAL and pair["snippet"] != pair["true_text"]:
            assert found.grade == "partial", pair["id"]
        elif pair["cat"] == "ellipsis":
            assert found.grade == "interleaved", pair["id"]
        elif pair["findable"]:
            assert found.located, pair["id"]


def test_altered_numbers_and_foreign_quotes_are_never_located(pairs):
    for pair, found in pairs:
        if not pair["findable"]:
            assert not found.located, pair["id"]
        if pair["cat"] == "neg_number":
            assert found.number_mismatch or found.grade == "absent", pair["id"]


def test_exact_agrees_with_the_validator_of_the_format(shared):
    cases = json.loads((shared / "real/validator_cases/quote_cases.json").read_text("utf-8"))

    for case in cases:
        if isinstance(case["snippet"], str):
            found = locate(SnapshotIndex(case["snapshot"]), case["snippet"])
            assert (found.grade == "exact") is case["expected"], case
