"""Score the sources of a project: facts → marks → effective values, findings, overrides.

May be killed at any moment and run again: what did not change since is left as it is. A score is
never edited; another outcome is another row, and the older ones stay as the history of a source.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import transaction
from django.utils import timezone

from workbench.lib.rows import insert, rewrite, update
from workbench.lib.texts import Text

from .following import SOURCES, STANDING, follow
from .models import Override, Project, Score, Source
from .raising import MOST_COUNTED, FindingsMerge, Found, open_findings
from .recording import hold_chain
from .running import CannotBeDone, Running
from .scoring import DIMENSIONS, RANGES, RUBRIC, Mark, Overrides, Raised, ScoreCard, Tables, Totals
from .scoring.facts import SourceFacts
from .scoring.placing import place
from .scoring.reading import decimal_of
from .scoring.rubric import mismatch
from .scoring.topics import Topics
from .scoring.words import FINDINGS
from .source_facts import facts_of, schemes_by_source
from .tabling import load_tables
from .topics import topics_of

CHUNK = 500  # sources in one transaction
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")

_EFFECTIVE = ("tier", "score", "score_raw", "band", "open_findings")
_THOUSANDTH = Decimal("0.001")  # as the columns keep scores
# Fields whose automatic value a recomputation may change.
_COMPUTED = frozenset({*DIMENSIONS, "tier", "type"})
_TIERS = frozenset({"1", "2", "3", "4"})


@dataclass(frozen=True, slots=True)
class Ground:
    """What all sources of a project are scored by."""

    project: Project
    tables: Tables
    topics: Topics
    as_of: date

    @classmethod
    def of(cls, project: Project) -> "Ground":
        """Read it. Six queries; a project without a date counts ages to the day it began."""
        as_of = project.as_of or timezone.localdate(project.created_at)
        return cls(project, load_tables(project), topics_of(project), as_of)


@dataclass(slots=True)
class Outcome:
    """What an assessment changed."""

    done: int = 0
    changed: set[int] = field(default_factory=set)  # sources whose effective values are others
    scores: int = 0  # new rows

    def add(self, other: "Outcome") -> None:
        """Take in what another part changed."""
        self.done += other.done
        self.scores += other.scores
        self.changed |= other.changed


def run(running: Running) -> dict[str, Any]:
    """Do the job: score the sources of a project, or those that the job names."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    outcome = assess_project(project, only=running.args.get("sources"), running=running)
    return {"sources": outcome.done, "scores": outcome.scores, "changed": len(outcome.changed)}


def assess_project(
    project: Project, *, only: Collection[int] | None = None, running: Running | None = None
) -> Outcome:
    """Score sources part by part, each in a transaction of its own; queue what follows.

    Progress goes through the stage ``scoring``.
    """
    wanted = Source.objects.filter(project=project)
    if only is not None:
        wanted = wanted.filter(pk__in=list(only))
    ground, outcome, last = Ground.of(project), Outcome(), 0
    total = wanted.count()
    while True:
        if running is not None:
            running.progress("scoring", outcome.done, max(total, outcome.done))
        with transaction.atomic():
            # Locked as every writer of a project does, so that nobody waits in a circle.
            hold_chain(project)
            sources = list(wanted.filter(pk__gt=last).order_by("pk")[:CHUNK])
            if not sources:
                break
            outcome.add(_assess(ground, sources))
        last = sources[-1].pk
    if outcome.changed:
        follow(project, SOURCES, STANDING)
    return outcome


def assess_sources(project: Project, sources: Collection[int]) -> Outcome:
    """Score a few sources at once, in the caller's transaction; the caller queues what follows.

    Also where the transaction is rolled back to see what a change would do.
    """
    ground, outcome, listed = Ground.of(project), Outcome(), sorted(sources)
    for at in range(0, len(listed), CHUNK):
        part = Source.objects.filter(project=project, pk__in=listed[at : at + CHUNK])
        if rows := list(part.order_by("pk")):
            outcome.add(_assess(ground, rows))
    return outcome


# --- One part ---------------------------------------------------------------------------------


def _assess(ground: Ground, sources: Sequence[Source]) -> Outcome:
    """Score some sources; the number of queries does not depend on how many."""
    keys = [source.pk for source in sources]
    schemes = schemes_by_source(keys)
    current = {row.source_id: row for row in Score.objects.filter(source__in=keys, current=True)}
    overrides = _active(keys)
    merge = FindingsMerge(keys, FINDINGS)
    new: list[Score] = []
    moved: list[Override] = []
    cards: dict[int, ScoreCard] = {}
    for source in sources:
        rows = overrides.get(source.pk, {})
        values = {name: row.value for name, row in rows.items()}
        facts = facts_of(source, schemes.get(source.pk, ()), values)
        topics = ground.topics.nearest(source.topic_type, _texts(source.used_in), source.origin)
        card = RUBRIC.score(facts, ground.tables, topics, ground.as_of, _overrides(values))
        cards[source.pk] = card
        score = _score(source, card, facts, topics, ground)
        moved += _moved_bases(source, score, rows)
        if _differs(current.get(source.pk), score):
            new.append(score)
        merge.put(source.pk, _findings(source, card))
    _put_scores(new)
    merge.save()
    rewrite(Override, moved, ("base_changed", "version"))
    changed = _put_effective(sources, cards)
    return Outcome(len(sources), changed, len(new))


def _score(
    source: Source, card: ScoreCard, facts: SourceFacts, topics: tuple[str, ...], ground: Ground
) -> Score:
    """Give the score as a row: what the rubric computes, without people's values."""
    total = card.automatic
    counted = card.marks["recency"].facts.get("topic", "")
    # A type that a person set changes what is read, yet the automatic one stays visible.
    kind = place(replace(facts, kind=""), ground.tables) if facts.kind else None
    return Score(
        source=source,
        marks={
            **{name: mark.to_json() for name, mark in card.marks.items()},
            "tier": Mark(Decimal(card.tier.tier), card.tier.rule, card.tier.facts).to_json(),
            "kind": {
                "value": kind.kind.name if kind else card.kind,
                "content": kind.content.name if kind else card.content,
            },
        },
        tier=total.tier,
        tier_rule=card.tier.rule,
        raw=_kept(total.raw),
        value=_kept(total.score),
        band=total.band,
        rubric_version=RUBRIC.version,
        tables_version=ground.tables.version,
        facts_hash=facts.fingerprint(topics, ground.as_of),
        topic_type=counted if counted in topics else (topics[0] if topics else ""),
        as_of=ground.as_of,
    )


def _differs(old: Score | None, new: Score) -> bool:
    """Tell whether a score says anything that the current one does not.

    Other tables that give the same marks are no reason for another row.
    """
    if old is None:
        return True
    return any(
        getattr(old, name) != getattr(new, name)
        for name in ("facts_hash", "rubric_version", "value", "raw", "tier", "band", "marks")
    )


def _put_scores(new: Sequence[Score]) -> None:
    if new:
        keys = [row.source_id for row in new]
        Score.objects.filter(source__in=keys, current=True).update(current=False)
        insert(Score, new)


def _put_effective(sources: Sequence[Source], cards: Mapping[int, ScoreCard]) -> set[int]:
    """Write the values that lists read; give the sources whose worth is another."""
    counts = open_findings(source.pk for source in sources)
    changed, rows = set(), []
    for source in sources:
        count = min(counts.get(source.pk, 0), MOST_COUNTED)
        if _put_totals(source, cards[source.pk].effective):
            changed.add(source.pk)
        elif source.open_findings == count:
            continue
        source.open_findings = count
        rows.append(source)
    update(Source, rows, _EFFECTIVE)
    return changed


def _put_totals(source: Source, total: Totals) -> bool:
    values = (total.tier, _kept(total.score), _kept(total.raw), total.band)
    if values == (source.tier, source.score, source.score_raw, source.band):
        return False
    source.tier, source.score, source.score_raw, source.band = values
    return True


def _kept(number: Decimal) -> Decimal:
    return number.quantize(_THOUSANDTH)


def _texts(values: Any) -> list[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


# --- Findings ---------------------------------------------------------------------------------


def _findings(source: Source, card: ScoreCard) -> list[Found]:
    stated = source.stated.get("score") if isinstance(source.stated, dict) else None
    differs = mismatch(decimal_of(stated), card.effective.score)
    return [_found(each) for each in (*card.raised, *([differs] if differs else []))]


def _found(raised: Raised) -> Found:
    return Found(raised.code, FINDINGS[raised.code][0], raised.params, raised.place)


# --- Overrides --------------------------------------------------------------------------------


def _active(sources: Collection[int]) -> dict[int, dict[str, Override]]:
    """Give the overrides that hold, by source and field. One query."""
    found: dict[int, dict[str, Override]] = defaultdict(dict)
    for row in Override.objects.filter(source__in=sources, state=Override.State.ACTIVE):
        found[row.source_id][row.field] = row
    return found


def _overrides(values: dict[str, str]) -> Overrides:
    """Read the values that stand in the place of numbers; a value that is none is passed over."""
    points = {}
    for name in DIMENSIONS:
        if (number := _decimal(values.get(name))) is not None:
            least, most = RANGES[name]
            points[name] = min(most, max(least, number))
    tier = values.get("tier", "")
    return Overrides(points, int(tier) if tier in _TIERS else None)


def _moved_bases(source: Source, score: Score, rows: Mapping[str, Override]) -> list[Override]:
    """Mark overrides whose automatic value is another than it was, or is the same again."""
    found = []
    for name, row in rows.items():
        if name not in _COMPUTED:
            continue
        moved = not _same(row.base, automatic_value(source, score, name))
        if row.base_changed is not moved:
            row.base_changed = moved
            row.version += 1
            found.append(row)
    return found


def automatic_value(source: Source, score: Score, name: str) -> str:
    """Give the computed value that an override stands before: see ``Override.base``."""
    if name in DIMENSIONS:
        return str(score.marks[name]["value"])
    return str(score.tier) if name == "tier" else source.source_type or source.type


def _same(first: str, second: str) -> bool:
    one, other = _decimal(first), _decimal(second)
    return one == other if one is not None and other is not None else first == second


def _decimal(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
