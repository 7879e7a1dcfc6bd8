"""What holds for every source whatever its facts are."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from sources.scoring import DIMENSIONS, RANGES, RUBRIC, SourceFacts
from sources.scoring.coi_form import QUESTIONS, CoiAnswers
from sources.scoring.dates import published_on
from sources.scoring.kinds import CONTENTS, KINDS
from sources.scoring.phrases import Phrases, fold_text
from sources.scoring.recency import TOPICS
from sources.scoring.starter import DOMAINS, JOURNALS
from sources.scoring.words import FINDINGS, MORE, RULES, render, render_finding

from .samples import AS_OF, STARTER

WORDS = (
    "review",
    "meta-analysis",
    "randomized",
    "据报道",
    "综述",
    "Acme Inc",
    "NIH",
    "none",
    "{x}",
)
text = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
)
hosts = st.sampled_from([row.host for row in DOMAINS] + ["example.net", ""])
figures = st.one_of(st.none(), st.decimals(0, 300, places=3, allow_nan=False))
answers = st.builds(
    CoiAnswers,
    **{name: st.sampled_from(["", *offered]) for name, (_q, offered) in QUESTIONS.items()},
)
facts = st.builds(
    SourceFacts,
    url=st.one_of(hosts.map(lambda host: f"https://{host}/a" if host else ""), text),
    title=text,
    abstract=text,
    type=st.sampled_from(["", "journal", "trial", "news", "report", "odd"]),
    source_type=st.sampled_from(["", "paper", "regulator", "patent", "media", "odd"]),
    kind=st.sampled_from(["", "", "", *KINDS, *CONTENTS]),
    venue=st.one_of(text, st.sampled_from([row.title for row in JOURNALS])),
    publisher=text,
    authors=st.lists(text, max_size=2).map(tuple),
    doi=st.sampled_from(["", "10.5555/a", "10.1101/2024.01.01.123456"]),
    schemes=st.lists(st.sampled_from(["doi", "pmid", "nct", "arxiv"]), unique=True).map(tuple),
    impact_factor=figures,
    published=st.one_of(text, st.dates(date(1900, 1, 1), date(2100, 1, 1)).map(date.isoformat)),
    year=st.one_of(st.none(), st.integers(-5, 20_000)),
    in_force=st.sampled_from([None, True, False]),
    access_status=st.sampled_from(
        ["", "opened_original", "opened_abstract", "paywalled", "failed", "snippet_only", "odd"]
    ),
    dead_link=st.booleans(),
    raw_data=st.booleans(),
    results_posted=st.booleans(),
    conflict_of_interest=text,
    funding_statement=text,
    disclosure=text,
    coi=answers,
    strong_coi=st.booleans(),
)
topics = st.lists(st.sampled_from(TOPICS), max_size=2).map(tuple)


@given(facts, topics)
def test_every_number_stays_in_its_range(
    given_facts: SourceFacts, given_topics: tuple[str, ...]
) -> None:
    found = RUBRIC.score(given_facts, STARTER, given_topics, AS_OF)

    assert Decimal(-1) <= found.automatic.score <= Decimal(10)
    assert Decimal(-1) <= found.automatic.raw <= Decimal(10)
    assert found.tier.tier in {1, 2, 3, 4}
    for name in DIMENSIONS:
        least, most = RANGES[name]
        assert least <= found.marks[name].points <= most
    assert found.automatic.raw == sum(mark.points for mark in found.marks.values())


@given(facts, topics)
def test_every_rule_finding_and_advice_has_words_in_both_languages(
    given_facts: SourceFacts, given_topics: tuple[str, ...]
) -> None:
    found = RUBRIC.score(given_facts, STARTER, given_topics, AS_OF)

    for name, mark in found.marks.items():
        assert mark.rule in RULES[name]
        assert set(mark.more) <= set(MORE)
        for language in ("en", "zh-Hans"):
            assert (
                "–" not in render(name, mark.rule, mark.facts, language)
                or "–" in mark.facts.values()
            )
    assert found.tier.rule in RULES["tier"]
    for raised in found.raised:
        assert raised.code in FINDINGS
        for language in ("en", "zh-Hans"):
            assert render_finding(raised.code, raised.params, language)


@given(facts, topics)
def test_unknown_fact_leaves_a_finding_of_its_dimension(
    given_facts: SourceFacts, given_topics: tuple[str, ...]
) -> None:
    found = RUBRIC.score(given_facts, STARTER, given_topics, AS_OF)
    raised = {each.code for each in found.raised}

    for name, mark in found.marks.items():
        assert (f"unknown_{name}" in raised) is mark.unknown


@given(facts, st.decimals(0, 300, places=3), st.decimals(0, 300, places=3))
def test_higher_impact_factor_never_gives_less(
    given_facts: SourceFacts, first: Decimal, second: Decimal
) -> None:
    low, high = sorted((first, second))
    scores = [
        RUBRIC.score(replace(given_facts, impact_factor=figure), STARTER, ("clinical",), AS_OF)
        for figure in (low, high)
    ]

    assert scores[0].automatic.points["authority"] <= scores[1].automatic.points["authority"]
    assert scores[0].automatic.score <= scores[1].automatic.score


@given(facts, topics, st.dates(date(1950, 1, 1), date(2050, 1, 1)), st.integers(0, 20_000))
def test_recency_never_rises_with_age(
    given_facts: SourceFacts, given_topics: tuple[str, ...], start: date, days: int
) -> None:
    earlier = RUBRIC.score(given_facts, STARTER, given_topics, start)
    later = RUBRIC.score(given_facts, STARTER, given_topics, start + timedelta(days=days))

    assert later.marks["recency"].points <= earlier.marks["recency"].points


@given(facts)
def test_same_facts_give_the_same_score_and_fingerprint(given_facts: SourceFacts) -> None:
    again = replace(given_facts)

    assert RUBRIC.score(again, STARTER, ("clinical",), AS_OF) == RUBRIC.score(
        given_facts, STARTER, ("clinical",), AS_OF
    )
    assert again.fingerprint((), AS_OF) == given_facts.fingerprint((), AS_OF)
    assert again.fingerprint((), AS_OF) != given_facts.fingerprint(("policy",), AS_OF)


@given(facts)
def test_dead_link_and_lead_never_gain(given_facts: SourceFacts) -> None:
    def verifiability(**changes: object) -> Decimal:
        made = replace(given_facts, **changes)  # type: ignore[arg-type]
        return RUBRIC.score(made, STARTER, (), AS_OF).marks["verifiability"].points

    assert verifiability(dead_link=True) == 0
    assert verifiability(access_status="snippet_only") <= Decimal("0.5")


@given(st.text(max_size=80))
def test_reading_a_date_never_fails(written: str) -> None:
    found = published_on(written)

    assert found is None or 1 <= found.day.year <= 9999


@given(st.text(max_size=200))
def test_looking_for_phrases_never_fails(written: str) -> None:
    phrases = Phrases("systematic review*", "inc", "综述")

    assert phrases.find(fold_text(written)) in {"", "systematic review", "inc", "综述"}
    assert phrases.starts(fold_text(written)) in {True, False}
