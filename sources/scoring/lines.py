"""Score one line of sources.jsonl: the line comes back with what the rubric gives. Pure.

Formats section 10: computed values stand under the plain names; a stated one that differs moves
to ``imported_<name>``. Nothing that the line said is lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from .bands import rounded
from .facts import Tables
from .marks import DIMENSIONS, Raised
from .reading import Problem, decimal_of, read_facts
from .rubric import RUBRIC, TOLERANCE, ScoreCard, mismatch
from .words import FINDINGS, MORE, render, render_finding

COMPUTED = (*DIMENSIONS, "score_raw", "score", "tier", "band")
_ROUNDED = frozenset({"score", "score_raw"})


@dataclass(frozen=True, slots=True)
class Scoring:
    """What lines are scored by."""

    tables: Tables
    topics: tuple[str, ...]
    as_of: date
    language: str = "en"


class BadLine(Exception):
    """Fields of a line could not be read; the line is not scored."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.render("en") for problem in problems))
        self.problems = problems


def score_line(
    record: Mapping[str, Any], scoring: Scoring, topics: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Give a line with its score, reasons and findings. Raises BadLine.

    ``topics``: nearer topic types than those of the run, such as the source's own.
    """
    facts, problems = read_facts(record)
    if problems:
        raise BadLine(problems)
    card = RUBRIC.score(facts, scoring.tables, topics or scoring.topics, scoring.as_of)
    # A line that was scored before keeps the number of its file aside.
    stated = decimal_of(record.get("imported_score", record.get("score")))
    differs = mismatch(stated, card.effective.score)
    values = _values(card)
    return {
        **{name: values.get(name, value) for name, value in record.items()},
        **{name: value for name, value in values.items() if name not in record},
        **_imported(record, values, card),
        "reasons": _reasons(card, scoring.language),
        "findings": [
            _finding(each, scoring.language)
            for each in (*card.raised, *([differs] if differs else []))
        ],
    }


def _values(card: ScoreCard) -> dict[str, Any]:
    total = card.effective
    numbers: dict[str, Any] = {name: float(total.points[name]) for name in DIMENSIONS}
    numbers["score_raw"] = float(total.raw)
    numbers["score"] = float(rounded(total.score))
    return {**numbers, "tier": total.tier, "band": total.band}


def _imported(
    record: Mapping[str, Any], values: Mapping[str, Any], card: ScoreCard
) -> dict[str, Any]:
    exact = {"score": card.effective.score, "score_raw": card.effective.raw}
    kept = {}
    for name in COMPUTED:
        stated = record.get(name)
        if stated is None or stated == values[name]:
            continue
        number = decimal_of(stated)
        if number is None or not _near(number, name, exact, values):
            kept[f"imported_{name}"] = stated
    return kept


def _near(
    number: Decimal, name: str, exact: Mapping[str, Decimal], values: Mapping[str, Any]
) -> bool:
    if name in _ROUNDED:
        return abs(number - exact[name]) <= TOLERANCE
    return name != "band" and number == Decimal(str(values[name]))


def _reasons(card: ScoreCard, language: str) -> dict[str, Any]:
    reasons: dict[str, Any] = {
        name: {
            "rule": mark.rule,
            "text": render(name, mark.rule, mark.facts, language),
            "facts": dict(mark.facts),
            "more": [MORE[each].render(language) for each in mark.more],
        }
        for name, mark in card.marks.items()
    }
    tier = card.tier
    reasons["tier"] = {
        "rule": tier.rule,
        "text": render("tier", tier.rule, tier.facts, language),
        "facts": dict(tier.facts),
        "more": [],
    }
    return reasons


def _finding(raised: Raised, language: str) -> dict[str, Any]:
    return {
        "code": raised.code,
        "severity": FINDINGS[raised.code][0],
        "message": render_finding(raised.code, raised.params, language),
        "params": dict(raised.params),
    }
