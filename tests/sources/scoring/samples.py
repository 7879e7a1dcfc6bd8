"""Facts of sources for the tests of the rubric, and the tables that a site begins with."""

from dataclasses import replace
from datetime import date
from typing import Any

from sources.scoring import RUBRIC, Mark, Overrides, ScoreCard, SourceFacts, Tables
from sources.scoring.rubric import NO_OVERRIDES
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS

STARTER = Tables(JOURNALS, PUBLISHERS, DOMAINS)
AS_OF = date(2026, 4, 20)

ARTICLE = SourceFacts(
    url="https://journal.example.org/a1",
    title="Overall survival with drug X",
    source_type="paper",
    venue="Journal of Examples",
    doi="10.5555/a1",
    schemes=("doi",),
    published="2025-02-14",
    access_status="opened_original",
)
PAGE = SourceFacts(url="https://example.net/post", title="A post", access_status="opened_original")


def article(**changes: Any) -> SourceFacts:
    return replace(ARTICLE, **changes)


def page(**changes: Any) -> SourceFacts:
    return replace(PAGE, **changes)


def card(
    facts: SourceFacts,
    *,
    tables: Tables = STARTER,
    topic: str = "clinical",
    as_of: date = AS_OF,
    overrides: Overrides = NO_OVERRIDES,
) -> ScoreCard:
    return RUBRIC.score(facts, tables, (topic,) if topic else (), as_of, overrides)


def mark(dimension: str, facts: SourceFacts, **options: Any) -> Mark:
    return card(facts, **options).marks[dimension]


def points(dimension: str, facts: SourceFacts, **options: Any) -> str:
    return f"{mark(dimension, facts, **options).points:.1f}"


def codes(found: ScoreCard) -> set[str]:
    return {raised.code for raised in found.raised}
