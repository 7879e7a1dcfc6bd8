"""Keep the hits of the blacklist up to date. May be killed at any moment and run again.

A hit is a row as long as the rule hits the source; ended ones stay as the log of what a rule did.
What a person lifted stays lifted until a rule is made anew that hits the source for the same kind.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, F, IntegerField, Value, When
from django.utils import timezone

from workbench.lib.rows import BATCH, rewrite
from workbench.lib.texts import Text

from .blacklist.matching import Index, Trace, strongest
from .blacklist.rules import Effect, Kind, Rule
from .blacklist_facts import Candidate, Ground, candidates
from .blacklist_index import load_index
from .following import HITS, STANDING, follow
from .models import BlacklistHit, BlacklistLift, BlacklistRule, Project, Source
from .recording import Entry, hold_chain, record
from .running import CannotBeDone, Running

CHUNK = 500  # sources in one transaction
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")


@dataclass(slots=True)
class Outcome:
    """What a run changed."""

    sources: int = 0  # looked at
    hits: int = 0  # new
    ended: int = 0
    changed: set[int] = field(default_factory=set)  # sources that are blocked or freed

    def add(self, other: "Outcome") -> None:
        """Take in what another part changed."""
        self.sources += other.sources
        self.hits += other.hits
        self.ended += other.ended
        self.changed |= other.changed

    def to_json(self) -> dict[str, int]:
        """Give the figures as a job keeps them."""
        changed = len(self.changed)
        return {"sources": self.sources, "hits": self.hits, "ended": self.ended, "changed": changed}


def run(running: Running) -> dict[str, Any]:
    """Do the job of one project."""
    if running.job.project is None:
        raise CannotBeDone(NO_PROJECT)
    return recheck(running.job.project, running=running).to_json()


def run_everywhere(running: Running) -> dict[str, Any]:
    """Do the job of all projects, after rules changed."""
    outcome = Outcome()
    for project in Project.objects.order_by("pk"):
        outcome.add(recheck(project, running=running))
    return outcome.to_json()


def recheck(
    project: Project, *, only: Collection[int] | None = None, running: Running | None = None
) -> Outcome:
    """Ask the rules about the sources of a project; queue what follows where standing changed.

    Each part is a transaction of its own. Progress goes through the stage ``blacklist``.
    """
    wanted = Source.objects.filter(project=project)
    if only is not None:
        wanted = wanted.filter(pk__in=list(only))
    ground, index, outcome, last = Ground.of(project), load_index(), Outcome(), 0
    total = wanted.count()
    while True:
        if running is not None:
            running.progress("blacklist", outcome.sources, max(total, outcome.sources))
        with transaction.atomic():
            if running is not None:
                running.hold()
            hold_chain(project)
            sources = list(wanted.filter(pk__gt=last).order_by("pk")[:CHUNK])
            if not sources:
                break
            outcome.add(recheck_some(ground, index, sources))
        last = sources[-1].pk
    if outcome.changed:
        follow(project, HITS, STANDING)
    return outcome


def recheck_some(ground: Ground, index: Index, sources: Sequence[Source]) -> Outcome:
    """Ask the rules about some sources and write what they say, in the caller's transaction.

    The number of queries does not depend on how many there are.
    """
    keys = [source.pk for source in sources]
    standing: dict[int, list[BlacklistHit]] = defaultdict(list)
    for hit in BlacklistHit.objects.filter(source__in=keys, current=True):
        standing[hit.source_id].append(hit)
    changes = _Changes(index)
    for candidate in candidates(ground, sources):
        source = candidate.source
        key, wanted = _wanted(candidate, ground, index, standing[source.pk])
        if key != source.judged_key:
            source.judged_key = key
            changes.rows.add(source.pk)
        changes.put(source, standing[source.pk], wanted)
    changes.settle(sources, lifts_of(keys))
    return changes.save(ground.project, sources)


# --- What the rules say of one source -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """One rule that hits a source, with the facts that fired."""

    rule: Rule
    matched: Mapping[str, Any]


def found_by_name(trace: Trace) -> list[Found]:
    """Give the rules that name a source and win, those that let pass too."""
    lost = {
        match.rule.id for step in trace.steps for match in step.matches if match.outcome != "wins"
    }
    told = {
        "address": trace.address.canonical if trace.address else "",
        "doi": trace.doi,
        "not_reached": sorted(lost),
    }
    return [Found(rule, {**told, "key": rule.key}) for rule in trace.winners.values()]


def open_judged(index: Index, trace: Trace) -> dict[Kind, Rule]:
    """Give the judged rules that no rule about the source itself stands before."""
    return {kind: rule for kind, rule in index.judged.items() if kind not in trace.winners}


def _wanted(
    candidate: Candidate, ground: Ground, index: Index, standing: Iterable[BlacklistHit]
) -> tuple[str, dict[int, Found]]:
    """Give the key of the judgements and what hits the source now.

    Judgements whose ground did not change are taken over: a text is read once.
    """
    trace = candidate.trace(index)
    found = {each.rule.id: each for each in (found_by_name(trace) if trace.found else ())}
    rules = open_judged(index, trace)
    if not rules:
        return "", found
    key = candidate.judged_key(ground.as_of, rules.values())
    if key == candidate.source.judged_key:
        judged = {rule.id: rule for rule in rules.values()}
        for hit in standing:
            if hit.rule_id in judged:
                found[hit.rule_id] = Found(judged[hit.rule_id], hit.matched)
        return key, found
    for kind, judgement in candidate.judgements(ground.as_of).items():
        if judgement.fired and kind in rules:
            found[rules[kind].id] = Found(rules[kind], judgement.to_json())
    return key, found


# --- Lifts and standing ---------------------------------------------------------------------------

type Lifts = Mapping[int, Mapping[str, datetime]]  # source → kind → when it was lifted last


def lifts_of(sources: Collection[int]) -> Lifts:
    """Give what people lifted for some sources and did not take back. One query."""
    found: dict[int, dict[str, datetime]] = defaultdict(dict)
    rows = BlacklistLift.objects.filter(source__in=sources, ended_at__isnull=True).order_by("at")
    for source, kind, at in rows.values_list("source", "kind", "at"):
        found[source][kind] = at
    return found


def is_lifted(kind: str, active_since: datetime | None, lifts: Mapping[str, datetime]) -> bool:
    """Tell whether a lift covers a rule: one made since was not looked at by who lifted."""
    at = lifts.get(kind)
    return at is not None and (active_since is None or active_since <= at)


def blocking_kind(
    rules: Iterable[Rule], since: Mapping[int, datetime | None], lifts: Mapping[str, datetime]
) -> str:
    """Give the kind of the rule that blocks a source; empty where none does."""
    blocks = (
        rule
        for rule in rules
        if rule.effect is Effect.BLOCK and not is_lifted(rule.kind, since.get(rule.id), lifts)
    )
    winner = strongest(blocks)
    return winner.kind.value if winner else ""


# --- Writing --------------------------------------------------------------------------------------


class _Changes:
    """What is to be written about some sources."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._new: list[BlacklistHit] = []
        self._other: list[BlacklistHit] = []  # hits whose facts are others now
        self._ended: list[int] = []
        self._hitting: dict[int, list[Rule]] = {}
        self._entries: list[Entry] = []
        self._changed: set[int] = set()
        self.rows: set[int] = set()  # sources to be written

    def put(
        self, source: Source, standing: Iterable[BlacklistHit], wanted: Mapping[int, Found]
    ) -> None:
        """Take what hits a source now, and compare it with what did."""
        left = dict(wanted)
        for hit in standing:
            found = left.pop(hit.rule_id, None)
            if found is None:
                self._ended.append(hit.pk)
            elif (hit.effect, hit.matched) != (found.rule.effect, dict(found.matched)):
                hit.effect, hit.matched = found.rule.effect.value, dict(found.matched)
                self._other.append(hit)
        self._new += (
            BlacklistHit(
                source=source,
                rule_id=number,
                effect=found.rule.effect.value,
                matched=dict(found.matched),
                rules_version=int(self._index.version or 0),
            )
            for number, found in left.items()
        )
        self._hitting[source.pk] = [found.rule for found in wanted.values()]

    def settle(self, sources: Iterable[Source], lifts: Lifts) -> None:
        """Set which kind blocks each source. One query."""
        named = {rule.id for rules in self._hitting.values() for rule in rules}
        since = _active_since(named) if lifts else {}
        for source in sources:
            rules = self._hitting[source.pk]
            kind = blocking_kind(rules, since, lifts.get(source.pk, {}))
            if kind != source.blacklist:
                self._entries.append(standing_entry(source, kind, rules, self._index.version))
                source.blacklist = kind
                self._changed.add(source.pk)
        self.rows |= self._changed

    def save(self, project: Project, sources: Iterable[Source]) -> Outcome:
        """Write it, with its audit events."""
        for at in range(0, len(self._ended), BATCH):
            part = self._ended[at : at + BATCH]
            BlacklistHit.objects.filter(pk__in=part).update(current=False, ended_at=timezone.now())
        BlacklistHit.objects.bulk_update(self._other, ["effect", "matched"], batch_size=BATCH)
        BlacklistHit.objects.bulk_create(self._new, batch_size=BATCH)
        _count(Counter(hit.rule_id for hit in self._new))
        written = [source for source in sources if source.pk in self.rows]
        rewrite(Source, written, ["blacklist", "judged_key"])
        if self._entries:
            record(project, self._entries, by=None)
        return Outcome(len(self._hitting), len(self._new), len(self._ended), self._changed)


def _active_since(rules: Collection[int]) -> dict[int, datetime | None]:
    return dict(BlacklistRule.objects.filter(pk__in=rules).values_list("pk", "activated_at"))


def _count(new: Mapping[int, int]) -> None:
    """Count new hits at their rules. One statement."""
    if not new:
        return
    more = [When(pk=number, then=Value(count)) for number, count in new.items()]
    BlacklistRule.objects.filter(pk__in=list(new)).update(
        hits=F("hits") + Case(*more, default=Value(0), output_field=IntegerField()),
        last_hit_at=timezone.now(),
    )


def standing_entry(
    source: Source, kind: str, rules: Iterable[Rule], version: str = "", reason: str = ""
) -> Entry:
    """Say in the audit trail that a source is blocked now, or free again."""
    winner = strongest(rule for rule in rules if rule.kind == kind)
    new: dict[str, Any] = {"blacklist": kind}
    if kind and winner is not None:
        new |= {"rule": winner.id, "pattern": winner.pattern}
    return Entry(
        "source.blacklisted" if kind else "source.blacklist_cleared",
        "source",
        source.external_id,
        old={"blacklist": source.blacklist},
        new=new,
        reason=reason,
        rule_version=version,
    )


def settle_source(source: Source) -> bool:
    """Set which kind blocks one source by its hits and lifts; True where that changed.

    In the caller's transaction, after a person lifted a hit or took that back. Three queries.
    """
    hits = source.blacklist_hits.filter(current=True).select_related("rule")
    rules = {hit.rule_id: hit.rule for hit in hits}
    index = load_index()
    hitting = [rule for rule in index.rules if rule.id in rules]
    since = {number: rule.activated_at for number, rule in rules.items()}
    kind = blocking_kind(hitting, since, lifts_of([source.pk]).get(source.pk, {}))
    if kind == source.blacklist:
        return False
    source.blacklist = kind
    source.save(update_fields=["blacklist"])
    return True
