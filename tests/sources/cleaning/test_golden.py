"""Three kinds of input in both languages, with every byte that is printed for them.

The expected files were worked out by the rules, line by line; change them only with the rules.
"""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "cleaning"
CASES = sorted(path.name.removesuffix(".input.json") for path in GOLDEN.glob("*.input.json"))


def test_there_are_three_kinds_of_input_in_two_languages() -> None:
    assert CASES == ["hits.en", "hits.zh", "ocr.en", "ocr.zh", "page.en", "page.zh"]


@pytest.mark.parametrize("case", CASES)
def test_input_gives_the_output_that_the_rules_give(case: str) -> None:
    said = StringIO()

    call_command("clean_evidence", str(GOLDEN / f"{case}.input.json"), stdout=said)

    assert said.getvalue() == (GOLDEN / f"{case}.output.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_every_index_stands_in_one_list_and_the_counts_add_up(case: str) -> None:
    wanted = json.loads((GOLDEN / f"{case}.output.json").read_text(encoding="utf-8"))
    given = json.loads((GOLDEN / f"{case}.input.json").read_text(encoding="utf-8"))

    lists = ("cleaned_evidence", "downranked_items", "removed_noise")
    indexes = [item["original_index"] for name in lists for item in wanted[name]]
    stats = wanted["cleaning_stats"]

    assert sorted(indexes) == list(range(len(given["raw_evidence_items"])))
    assert stats["kept"] + stats["removed"] + stats["downranked"] == stats["total_input"]
    assert stats["merged"] == sum(
        len(item.get("merged_with", ())) for name in lists[:2] for item in wanted[name]
    )
