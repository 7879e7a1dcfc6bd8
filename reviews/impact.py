"""What rules of the blacklist would hit, before they hold: over all projects, down to the claims.

Nothing is written but the measure itself (``BlacklistRule.impact``). A rule is measured against
the rules that hold now: where a sharper one decides, it would change nothing.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils import timezone

from reviews.models import Claim, Evidence, Verdict
from sources.blacklist.matching import Index
from sources.blacklist.rules import Effect, Rule, Scope, precedence
from sources.blacklist_facts import Candidate, Ground, candidates
from sources.blacklist_index import index_of, load_index, rule_of, rules_version
from sources.blacklisting import blocking_kind, lifts_of
from sources.models import BlacklistHit, BlacklistRule, Override, Project, Score, Source
from sources.running import CannotBeDone, Running
from sources.scoring.bands import DISCOVERY
from workbench.lib.texts import Text

CHUNK = 500
HIGH = Decimal("2.5")  # points of authority from which a hit is a warning. Screens (e)
EXAMPLES = 50  # sources and claims that are named
NO_RULES = Text("The rules of this job are gone.", "该任务的规则已不存在。")
# Scopes that the row of a source alone tells of.
_PLAIN = frozenset(
    {Scope.EXACT, Scope.PREFIX, Scope.HOST, Scope.HOST_AND_SUBDOMAINS, Scope.DOI_PREFIX,
     Scope.TITLE_WORDS}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Touched:
    """One source that a rule would hit."""

    pk: int
    project: str  # slug
    id: str
    title: str
    blocked: bool  # and was not before
    freed: bool  # and was blocked before


@dataclass(slots=True)
class Measure:
    """What one rule would do."""

    rule: Rule
    replaces: int | None = None  # the rule that holds with the same pattern
    sources: list[Touched] = field(default_factory=list)
    claims: set[int] = field(default_factory=set)
    unsupported: set[int] = field(default_factory=set)
    named: dict[int, tuple[str, str]] = field(default_factory=dict)  # claim → project, id


def run(running: Running) -> dict[str, Any]:
    """Do the job: measure the rules that it names."""
    keys = running.args.get("rules", [])
    rules = list(BlacklistRule.objects.filter(pk__in=keys).order_by("pk"))
    if not rules:
        raise CannotBeDone(NO_RULES)
    return {"rules": len(measure(rules, running=running))}


def measure(
    rules: Sequence[BlacklistRule], *, running: Running | None = None
) -> dict[int, dict[str, Any]]:
    """Measure rules and keep what was found with each; give it by rule.

    A rule that was changed meanwhile keeps nothing. Progress goes through the stage ``measuring``.
    """
    began, now = time.monotonic(), timezone.now()
    version = rules_version()
    measures = {row.pk: Measure(rule_of(row), _replaced(row)) for row in rules}
    active = load_index()
    drafts = index_of(rules, timezone.localdate())
    looked = 0
    for project in Project.objects.order_by("pk"):
        for part in _parts(project, drafts):
            looked += part.looked
            _look(part, active, drafts, measures)
            if running is not None:
                running.progress("measuring", looked)
        _touch_claims(project, measures.values())
    seconds = round(time.monotonic() - began, 1)
    found = {}
    for row in rules:
        said = _said(measures[row.pk], looked)
        said |= {"rule_version": row.version, "rules_version": version, "seconds": seconds}
        same = BlacklistRule.objects.filter(pk=row.pk, version=row.version)
        if same.update(impact=said, impact_at=now):
            found[row.pk] = said
    return found


def _replaced(row: BlacklistRule) -> int | None:
    same = BlacklistRule.objects.filter(
        kind=row.kind,
        scope=row.scope,
        pattern_key=row.pattern_key,
        state=BlacklistRule.State.ACTIVE,
    )
    return same.exclude(pk=row.pk).values_list("pk", flat=True).first()


# --- Sources --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """Some sources of a project that may be hit, and how many were looked at for them."""

    ground: Ground
    sources: list[Source]
    looked: int


def _parts(project: Project, drafts: Index) -> Iterator[_Part]:
    """Yield the sources of a project that rules may hit, part by part."""
    ground: Ground | None = None
    plain = all(rule.scope in _PLAIN for rule in drafts.rules)
    rows, last = Source.objects.filter(project=project).order_by("pk"), 0
    while True:
        keys = rows.filter(pk__gt=last).values_list(
            "pk", "url", "normalized_url", "canonical_url", "doi", "title"
        )[: CHUNK * 10]
        found = list(keys)
        if not found:
            return
        last = found[-1][0]
        # Most sources are told to be none of the rules' business by their row alone.
        named = [
            pk
            for pk, url, normal, canonical, doi, title in found
            if not plain or drafts.trace(url or normal, doi, title=title, canonical=canonical).found
        ]
        looked = len(found)
        for at in range(0, max(len(named), 1), CHUNK):
            ground = ground or Ground.of(project)
            part = list(rows.filter(pk__in=named[at : at + CHUNK]))
            yield _Part(ground, part, looked if at == 0 else 0)


def _look(part: _Part, active: Index, drafts: Index, measures: Mapping[int, Measure]) -> None:
    """See which of the rules would decide about some sources. Constant queries."""
    if not part.sources:
        return
    keys = [source.pk for source in part.sources]
    hits: dict[int, set[int]] = defaultdict(set)
    rows = BlacklistHit.objects.filter(source__in=keys, current=True)
    for source, number in rows.values_list("source", "rule"):
        hits[source].add(number)
    lifts = lifts_of(keys)
    known = {rule.id: rule for rule in active.rules}
    rows_of_rules = BlacklistRule.objects.filter(state=BlacklistRule.State.ACTIVE)
    since = dict(rows_of_rules.values_list("pk", "activated_at"))
    as_of = part.ground.as_of
    for candidate in candidates(part.ground, part.sources):
        held = candidate.trace(active)
        standing = [known[number] for number in hits[candidate.source.pk] if number in known]
        for rule in _hitting(candidate, drafts, as_of):
            measured = measures[rule.id]
            rivals = [
                each
                for each in (*held.found, *(r for r in standing if r.scope is Scope.JUDGED))
                if each.kind == rule.kind
                and each.id not in {rule.id, measured.replaces}
                and not (each.unless and each.unless in candidate.holds)
            ]
            if any(precedence(rival) < precedence(rule) for rival in rivals):
                continue
            after = [rule, *(each for each in standing if each.kind != rule.kind)]
            own = lifts.get(candidate.source.pk, {})
            # A rule that is new covers what was lifted before: nobody lifted this one.
            blocked = bool(blocking_kind(after, since | {rule.id: timezone.now()}, own))
            measured.sources.append(_touched(candidate, part.ground.project, blocked))


def _hitting(candidate: Candidate, drafts: Index, as_of: Any) -> list[Rule]:
    """Give the rules that would hit a source, each as if it were alone."""
    trace = candidate.trace(drafts)
    found = [r for r in trace.found if not (r.unless and r.unless in candidate.holds)]
    judged = [rule for rule in drafts.rules if rule.scope is Scope.JUDGED]
    if judged:
        fired = {kind for kind, each in candidate.judgements(as_of).items() if each.fired}
        found += (rule for rule in judged if rule.kind in fired)
    return found


def _touched(candidate: Candidate, project: Project, blocked: bool) -> Touched:
    source = candidate.source
    return Touched(
        pk=source.pk,
        project=project.slug,
        id=source.external_id,
        title=source.title[:200],
        blocked=blocked and not source.blacklist,
        freed=bool(source.blacklist) and not blocked,
    )


# --- Claims ---------------------------------------------------------------------------------------


def _touch_claims(project: Project, measures: Iterable[Measure]) -> None:
    """See which claims of a project rest on what would be blocked or freed."""
    for measured in measures:
        own = [each for each in measured.sources if each.project == project.slug]
        moved = [each.pk for each in own if each.blocked or each.freed]
        blocked = {each.pk for each in own if each.blocked}
        touched: set[int] = set()
        for keys in _chunks(moved):
            rows = Evidence.objects.filter(source__in=keys, current=True, claim__current=True)
            touched |= set(rows.values_list("claim", flat=True))
        measured.claims |= touched
        if touched:
            _name(measured, sorted(touched), blocked, project.slug)


def _name(measured: Measure, claims: list[int], blocked: Collection[int], slug: str) -> None:
    """Find the claims that would lose all support, and the names of some."""
    for keys in _chunks(claims):
        carried_before, carried_after = set(), set()
        rows = Evidence.objects.filter(claim__in=keys, current=True, source__isnull=False)
        rows = rows.exclude(source__status=Source.Status.REJECTED)
        rows = rows.exclude(source__band=DISCOVERY).filter(source__blacklist="")
        for claim, source in rows.values_list("claim", "source"):
            carried_before.add(claim)
            if source not in blocked:
                carried_after.add(claim)
        lost = carried_before - carried_after
        measured.unsupported |= lost
        if len(measured.named) < EXAMPLES * 2:
            first = sorted(lost)[:EXAMPLES] + sorted(set(keys) - lost)[:EXAMPLES]
            for pk, name in Claim.objects.filter(pk__in=first).values_list("pk", "external_id"):
                measured.named[pk] = (slug, name)


def _chunks(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    return (keys[at : at + CHUNK] for at in range(0, len(keys), CHUNK))


# --- What is kept ---------------------------------------------------------------------------------


def _said(measured: Measure, looked: int) -> dict[str, Any]:
    """Give the figures as a rule keeps them, with the first examples of each."""
    authority = _authority([each.pk for each in measured.sources])
    high = {pk for pk, points in authority.items() if points >= HIGH}
    ordered = sorted(
        measured.sources, key=lambda each: (-authority.get(each.pk, 0), not each.blocked, each.pk)
    )
    claims = sorted(measured.claims)
    named = sorted(measured.named.items(), key=lambda each: each[0] not in measured.unsupported)
    restricts = measured.rule.effect is not Effect.ALLOW
    return {
        "looked": looked,
        "projects": len({each.project for each in measured.sources}),
        "sources": len(measured.sources),
        "blocked": sum(each.blocked for each in measured.sources),
        "freed": sum(each.freed for each in measured.sources),
        "claims": len(claims),
        "unsupported": len(measured.unsupported),
        "passed": _passed(claims),
        "reports": _projects_of(claims),
        "authority": len(high) if restricts else 0,
        "replaces": measured.replaces,
        "examples": [
            {
                "pk": each.pk,
                "project": each.project,
                "id": each.id,
                "title": each.title,
                "blocked": each.blocked,
                "freed": each.freed,
                "authority": str(authority[each.pk]) if each.pk in authority else "",
                "high": each.pk in high,
            }
            for each in ordered[:EXAMPLES]
        ],
        "examples_of_claims": [
            {"project": slug, "id": name, "unsupported": pk in measured.unsupported}
            for pk, (slug, name) in named[:EXAMPLES]
        ],
    }


def _authority(keys: Sequence[int]) -> dict[int, Decimal]:
    """Give the points of authority that count now, of those sources that are scored."""
    found: dict[int, Decimal] = {}
    for part in _chunks(keys):
        scores = Score.objects.filter(source__in=part, current=True)
        for source, marks in scores.values_list("source", "marks"):
            _put_points(found, source, marks.get("authority", {}).get("value"))
        overrides = Override.objects.filter(
            source__in=part, field=Override.Field.AUTHORITY, state=Override.State.ACTIVE
        )
        for source, value in overrides.values_list("source", "value"):
            _put_points(found, source, value)
    return found


def _put_points(found: dict[int, Decimal], source: int, value: object) -> None:
    try:
        found[source] = Decimal(str(value))
    except InvalidOperation:
        return


def _passed(claims: Sequence[int]) -> int:
    """Count the claims that somebody has passed."""
    passed: set[int] = set()
    for part in _chunks(claims):
        rows = Verdict.objects.filter(claim__in=part, decision=Verdict.Decision.PASS, stale=False)
        passed |= set(rows.values_list("claim", flat=True))
    return len(passed)


def _projects_of(claims: Sequence[int]) -> int:
    found: set[int] = set()
    for part in _chunks(claims):
        found |= set(Claim.objects.filter(pk__in=part).values_list("project", flat=True).distinct())
    return len(found)
