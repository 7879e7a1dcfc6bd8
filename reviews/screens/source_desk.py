"""The record of one source: its marks with their reasons, its standing, what rests on it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.utils.translation import get_language

from reviews.models import Assessment, Claim, Evidence
from reviews.screens.hit_rows import HitRow, hits_of_source
from reviews.screens.notice_rows import Notices, notices_of_source
from search.admitting import decision_of
from sources.actions.commenting import COMMENTED
from sources.actions.declaring import answers_of
from sources.admission import LACKS
from sources.models import (
    AuditEvent,
    Override,
    Rejection,
    RetractionCheck,
    Score,
    Snapshot,
    Source,
    SourceFinding,
    SourceIdentifier,
    User,
)
from sources.scoring import bands, words
from sources.scoring.marks import DIMENSIONS, RANGES, shown
from sources.source_words import finding_text

CLAIMS_SHOWN = 200
EVENTS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class MarkRow:
    """One dimension: its points, why, what would give more, and what a person made of it."""

    name: str
    label: str
    points: str  # as computed, one decimal
    value: str  # as computed, as stored
    most: str
    share: int  # of the most, per cent, for the bar
    why: str
    rule: str
    more: tuple[str, ...]
    unknown: bool
    override: Override | None
    waiting: Override | None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim that cites the source."""

    id: str
    text: str
    state: str  # its word
    is_key: bool
    others: int  # further sources that the claim cites
    trust: str  # as the reader assessed it


@dataclass(slots=True)
class SourceDesk:
    """Everything that the page of a source shows."""

    source: Source
    score: Score | None
    marks: list[MarkRow]
    tier_why: str
    tier_override: Override | None
    tier_waiting: Override | None
    other_overrides: list[Override]
    band_says: str
    findings: list[tuple[SourceFinding, str]]
    notices: Notices
    checks: list[RetractionCheck]
    hits: list[HitRow]
    rejections: list[Rejection]
    identifiers: list[SourceIdentifier]
    cluster: list[Source]
    claims: list[ClaimRow]
    claims_more: bool
    sole: int  # claims that would lose all support without the source
    snapshots: list[Snapshot]
    events: list[AuditEvent]
    comments: list[AuditEvent]
    trust: list[tuple[str, int]] = field(default_factory=list)  # words and counts
    lacks: str = ""  # what a candidate lacks to be admitted
    conflict_asked: bool = False  # whether anybody answered its form about conflicts of interest

    @property
    def total(self) -> str:
        """Give the effective score as people see it; empty where there is none."""
        return "" if self.source.score is None else shown(self.source.score)

    @property
    def automatic_type(self) -> str:
        """Give the type that a person's one stands before."""
        return self.source.source_type or self.source.type

    @property
    def computed(self) -> str:
        """Give the computed score where a person's value stands in its place; else empty."""
        if self.score is None or self.source.score in {None, self.score.value}:
            return ""
        return shown(self.score.value)


def source_desk(source: Source, user: User) -> SourceDesk:
    """Load what the page shows. The queries do not grow with the rows."""
    score = Score.objects.filter(source=source, current=True).first()
    overrides = _overrides(source)
    claims, more, sole = _claims(source, user)
    tier = score.marks.get("tier", {}) if score else {}
    return SourceDesk(
        source=source,
        score=score,
        marks=_marks(score, overrides),
        tier_why=_tier_why(score, tier),
        tier_override=overrides.get(("tier", "active")),
        tier_waiting=overrides.get(("tier", "waiting")),
        other_overrides=[
            each for (name, _state), each in overrides.items() if name in OTHER_FIELDS
        ],
        band_says=bands.WORDS[source.band].render(_language())
        if source.band in bands.WORDS
        else "",
        findings=_findings(source),
        notices=notices_of_source(source),
        checks=list(RetractionCheck.objects.filter(source=source).order_by("provider")),
        hits=hits_of_source(source),
        rejections=list(source.rejections.order_by("-pk")[:20]),
        identifiers=list(source.identifiers.all()),
        cluster=_cluster(source),
        claims=claims,
        claims_more=more,
        sole=sole,
        snapshots=_snapshots(source),
        events=_events(source),
        comments=_comments(source),
        trust=_trust(source, user),
        lacks=_lacks(source),
        conflict_asked=any(answers_of(source).values()),
    )


OTHER_FIELDS = frozenset({"cluster", "type", "access_status"})


def _language() -> str:
    return get_language() or "en"


def _overrides(source: Source) -> dict[tuple[str, str], Override]:
    rows = Override.objects.filter(source=source, state__in=["active", "waiting"])
    return {(row.field, row.state): row for row in rows.select_related("by")}


def _marks(score: Score | None, overrides: dict[tuple[str, str], Override]) -> list[MarkRow]:
    if score is None:
        return []
    language = _language()
    made = []
    for name in DIMENSIONS:
        mark = score.marks.get(name, {})
        points, (least, most) = Decimal(str(mark.get("value", "0"))), RANGES[name]
        more = [words.MORE[each] for each in mark.get("more", ()) if each in words.MORE]
        made.append(
            MarkRow(
                name=name,
                label=str(Override.Field(name).label),
                points=shown(points),
                value=str(mark.get("value", "")),
                most=shown(most),
                share=int(
                    100 * (points - min(least, Decimal(0))) / (most - min(least, Decimal(0)))
                ),
                why=words.render(name, mark.get("rule", ""), mark.get("facts", {}), language),
                rule=mark.get("rule", ""),
                more=tuple(text.render(language) for text in more),
                unknown=bool(mark.get("unknown")),
                override=overrides.get((name, "active")),
                waiting=overrides.get((name, "waiting")),
            )
        )
    return made


def _tier_why(score: Score | None, tier: dict[str, object]) -> str:
    if score is None:
        return ""
    facts = tier.get("facts")
    given = {str(k): str(v) for k, v in facts.items()} if isinstance(facts, dict) else {}
    return words.render("tier", score.tier_rule, given, _language())


def _lacks(source: Source) -> str:
    """Say what a candidate still lacks; "" for one that will be looked at soon."""
    if source.status != Source.Status.CANDIDATE:
        return ""
    decision = decision_of(source)
    return LACKS[decision.lacks].render(_language()) if decision.lacks else ""


def _findings(source: Source) -> list[tuple[SourceFinding, str]]:
    rows = source.findings.exclude(state=SourceFinding.State.OUTDATED).order_by("state", "pk")
    return [(row, finding_text(row.code, row.params, _language())) for row in rows]


def _cluster(source: Source) -> list[Source]:
    if source.cluster_id is None:
        return []
    return list(Source.objects.filter(cluster=source.cluster_id).exclude(pk=source.pk)[:50])


def _claims(source: Source, user: User) -> tuple[list[ClaimRow], bool, int]:
    """Give the claims that cite the source, whether there are more, and those it alone carries."""
    cited = Evidence.objects.filter(source=source, current=True, claim__current=True)
    claims = list(
        Claim.objects.filter(pk__in=cited.values("claim")).order_by("position", "pk")[
            : CLAIMS_SHOWN + 1
        ]
    )
    more, claims = len(claims) > CLAIMS_SHOWN, claims[:CLAIMS_SHOWN]
    others: dict[int, set[int]] = {claim.pk: set() for claim in claims}
    rows = Evidence.objects.filter(claim__in=claims, current=True, source__isnull=False)
    for claim_id, source_id in rows.exclude(source=source).values_list("claim", "source"):
        others[claim_id].add(source_id)
    mine = Assessment.objects.filter(
        evidence__source=source, evidence__claim__in=claims, reviewer=user
    ).exclude(trust="")
    trust = dict(mine.values_list("evidence__claim", "trust"))
    made = [
        ClaimRow(
            id=claim.external_id,
            text=claim.text,
            state=claim.get_state_display(),
            is_key=claim.is_key,
            others=len(others[claim.pk]),
            trust=_trust_word(trust.get(claim.pk, "")),
        )
        for claim in claims
    ]
    return made, more, sum(not row.others for row in made)


def _trust(source: Source, user: User) -> list[tuple[str, int]]:
    """Count the trust classes that the reader gave it; a class is per claim, not of the source."""
    rows = Assessment.objects.filter(
        evidence__source=source, evidence__current=True, reviewer=user, stale=False
    ).exclude(trust="")
    counted = Counter(rows.values_list("trust", flat=True))
    return [(_trust_word(value), counted[value]) for value in _ordered(counted)]


def _ordered(counted: Iterable[str]) -> list[str]:
    return [value for value in Assessment.Trust.values if value in set(counted)]


def _trust_word(value: str) -> str:
    return str(Assessment.Trust(value).label) if value in Assessment.Trust.values else value


def _snapshots(source: Source) -> list[Snapshot]:
    if not source.normalized_url:
        return []
    return list(Snapshot.objects.versions_of(source.project, source.normalized_url)[:50])


def _events(source: Source) -> list[AuditEvent]:
    rows = AuditEvent.objects.filter(
        project=source.project, object_type="source", object_id=source.external_id[:300]
    )
    rows = rows.exclude(action=COMMENTED)  # they stand apart
    return list(rows.select_related("user").order_by("-number")[:EVENTS_SHOWN])


def _comments(source: Source) -> list[AuditEvent]:
    """Give what people said about a source, the latest first."""
    rows = AuditEvent.objects.filter(
        project=source.project, object_type="source", object_id=source.external_id[:300],
        action=COMMENTED,
    )  # fmt: skip
    return list(rows.select_related("user").order_by("-number")[:EVENTS_SHOWN])
