"""Whatever a line holds, it is read or refused, and what is written of it reads the same."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search.exchange import ORDER as RECEIPT_KEYS
from search.exchange import ROW as RECEIPT_ROW
from search.exchange import read_receipt, receipt_line
from sources.exchange.keys import KEYS, ORDER, OURS, split_authors
from sources.exchange.lines import SourceLine, read_line
from sources.exchange.rejections import OWN, read_rejection
from sources.exchange.writing import Ours, line_of
from workbench.lib.problems import Log

texts = st.sampled_from(
    ["", " ", "a", "值", "https://example.org/a", "https://doi.org/10.1000/A", "10.1000/b", "2024",
     "true", "no", "12.5", "A B, C D", "x; y", "paper", "opened_original", "2024-05-01", "\u202e",
     "NCT01234567", "x" * 600, "0", "null"]
)  # fmt: skip
plain = st.none() | st.booleans() | st.integers(-5, 3000) | st.floats(-9, 9, width=16) | texts
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
lines = st.dictionaries(st.sampled_from([*ORDER, *OURS, "imported_score", "my_key", ""]), values)


def row_of(line: SourceLine) -> dict[str, Any]:
    return line.columns | {"external_id": line.id, "retraction": "not_asked", "line_hash": "x"}


@settings(max_examples=500, deadline=None)
@given(lines)
@example({"url": [], "type": False, "independence_cluster": [1]})
@example({"id": "a", "url": "https://a.example/", "raw_url": ""})
@example({"id": 1.0, "doi": "10.1101/2020.01.01.123456v2", "url": None})
def test_what_is_written_of_any_line_reads_the_same(raw: dict[str, Any]) -> None:
    line = read_line(raw, number=1, file="f", log=(log := Log()))
    [problem.stored() for problem in (*log.notices, *log.errors)]
    if line is None:
        assert log.errors
        return

    written = line_of(row_of(line))
    again = read_line(written, number=1, file="f", log=Log())

    assert again is not None
    assert again.id == line.id
    assert line_of(row_of(again)) == written
    for key, value in raw.items():
        if key not in {"id", "url", "raw_url", *(k for k in raw if k.startswith("imported_"))}:
            assert key in written, (key, raw)
            if not key.startswith("imported") and "imported_" + key not in raw:
                assert written[key] == value, (key, raw, written)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from([*RECEIPT_KEYS, "cost"]), values))
def test_any_receipt_goes_out_as_it_came(raw: dict[str, Any]) -> None:
    line = read_receipt(raw, number=1, file="f", log=(log := Log()))
    [problem.stored() for problem in (*log.notices, *log.errors)]
    if line is None:
        assert log.errors
        return

    row = {name: line.columns.get(name) for name in RECEIPT_ROW} | {"external_id": line.id}

    assert receipt_line(row) == raw


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from([*OWN, "id", "url", "title", "score", "doi"]), values))
def test_any_rejection_is_read_or_refused(raw: dict[str, Any]) -> None:
    line = read_rejection(raw, number=1, file="f", log=(log := Log()))
    [problem.stored() for problem in (*log.notices, *log.errors)]

    assert (line is None) == bool(log.errors)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Smith J; Lee K", ["Smith J", "Lee K"]),
        ("Smith, John", ["Smith, John"]),
        ("Smith, John and Lee, Ann", ["Smith, John", "Lee, Ann"]),
        ("Li Lei, Han Meimei", ["Li Lei", "Han Meimei"]),
        ("王芳、李雷", ["王芳", "李雷"]),
        ("World Health Organization", ["World Health Organization"]),
    ],
)
def test_authors_in_one_text_are_parted(text: str, names: list[str]) -> None:
    assert split_authors(text) == names


def test_our_score_stands_beside_a_stated_one_that_differs() -> None:
    raw = {"id": "a", "title": "T", "score": 8.6, "tier": 1, "coi": 1.0}
    line = read_line(raw, number=1, file="f", log=Log())
    assert line is not None
    ours = Ours({"score": Decimal("7.96"), "tier": Decimal(2), "coi": Decimal(1)})

    written = line_of(row_of(line), ours)

    assert written == {
        "id": "a", "tier": 2, "score": 8.0, "title": "T", "coi": 1.0,
        "imported_tier": 1, "imported_score": 8.6,
    }  # fmt: skip
    again = read_line(written, number=1, file="f", log=Log())
    assert again is not None
    assert again.columns["stated"] == line.columns["stated"]


def test_a_stated_score_within_rounding_is_ours() -> None:
    line = read_line({"id": "a", "score": 8.64}, number=1, file="f", log=Log())
    assert line is not None

    assert line_of(row_of(line), Ours({"score": Decimal("8.6")})) == {"id": "a", "score": 8.64}


def test_a_stated_cluster_stays_beside_ours() -> None:
    raw = {"id": "a", "independence_cluster": "cluster_trial_001"}
    line = read_line(raw, number=1, file="f", log=Log())
    assert line is not None

    written = line_of(row_of(line), Ours(cluster="K7"))

    assert written["independence_cluster"] == "K7"
    again = read_line(written, number=1, file="f", log=Log())
    assert again is not None
    assert again.columns["stated"] == line.columns["stated"]


def test_every_key_of_the_format_is_read() -> None:
    together = {"id", "url", "raw_url", "canonical_url"}
    stated = {"tier", "score", "authority", "recency", "primacy", "verifiability", "coi",
              "blacklist_checked", "retraction_checked", "independence_cluster"}  # fmt: skip

    assert set(ORDER) == together | stated | (KEYS.keys() - set(OURS))
