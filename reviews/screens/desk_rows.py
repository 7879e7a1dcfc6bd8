"""Evidence as a reviewer sees it: his own judgement beside what the machine proposes."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from reviews.checks.saying import LABELS
from reviews.models import Assessment, Claim, Evidence, Verdict
from reviews.sealing import is_sealed
from sources.models import Project, Snapshot, User
from sources.quotes import LOCATED

_GRADES = ("absent", "partial", "script", "not_checkable", "interleaved", "normalised", "exact")
_GRADE_KIND = {"absent": "defect", "partial": "attention", "script": "attention"}


_PROPOSED = (("support_proposal", _("Support")), ("trust_proposal", _("Trust")))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the machine proposes a support or a trust class, or none."""

    label: str | Promise  # of what; empty where it is not known
    text: str
    proposed: bool


@dataclass(slots=True)
class EvidenceRow:
    """One pair of claim and source, with the reviewer's own view and the machine's."""

    evidence: Evidence
    mine: Assessment | None
    focused: bool = False
    sealed: bool = False

    @property
    def support(self) -> str:
        """Give the support to show: the reviewer's own, else the proposed one."""
        if self.mine and self.mine.support:
            return self.mine.support
        return "" if self.sealed else self.evidence.support_proposal

    @property
    def trust(self) -> str:
        """Give the trust class to show: the reviewer's own, else the proposed one."""
        if self.mine and self.mine.trust:
            return self.mine.trust
        return "" if self.sealed else self.evidence.trust_proposal

    @property
    def stale(self) -> bool:
        """Tell whether an import overtook the reviewer's own judgement."""
        mine = self.mine
        return bool(mine and mine.stale and (mine.support or mine.trust or mine.outcome))

    @property
    def support_given(self) -> bool:
        return bool(self.mine and self.mine.support and not self.mine.stale)

    @property
    def trust_given(self) -> bool:
        return bool(self.mine and self.mine.trust and not self.mine.stale)

    @property
    def unconfirmed(self) -> int:
        """Count what still waits for a person: support, trust class."""
        return (not self.support_given) + (not self.trust_given)

    @property
    def wants_aspects(self) -> bool:
        """Below full support the failing aspects are named. Rulebook section 7, A2."""
        return bool(self.mine and self.mine.support in {"partial", "none", "contradicts"})

    @property
    def aspects(self) -> list[tuple[str, Any, bool]]:
        """Give (value, label, chosen) for each aspect."""
        chosen = set(self.mine.aspects) if self.mine else set()
        return [(value, label, value in chosen) for value, label in Assessment.Aspect.choices]

    @property
    def weak(self) -> bool:
        return self.trust == Assessment.Trust.WEAK_UNTRUSTED

    @property
    def grade_kind(self) -> str:
        if self.evidence.grade in LOCATED:
            return "located"
        return _GRADE_KIND.get(self.evidence.grade, "unknown")

    @property
    def folded(self) -> str:
        """Name what had to be folded for the quote to be found."""
        language = get_language() or "en"
        labels = LABELS["folded"]
        names = [
            labels[name].render(language) if name in labels else name
            for name in self.evidence.location.get("folded", ())
        ]
        return ("、" if language.startswith("zh") else ", ").join(names)

    @property
    def reasons(self) -> list[Reason]:
        """Say why the machine proposes what it proposes, or why it proposes nothing."""
        if self.sealed:
            return []
        key = "zh" if (get_language() or "").startswith("zh") else "en"
        said = [str(reason.get(key, "")) for reason in self.evidence.proposal_reasons]
        if len(said) != len(_PROPOSED):
            return [Reason("", text, self.proposes) for text in said]
        return [
            Reason(label, text, bool(getattr(self.evidence, field)))
            for (field, label), text in zip(_PROPOSED, said, strict=True)
        ]

    @property
    def proposes(self) -> bool:
        """Tell whether the machine proposes anything of this evidence."""
        return any(getattr(self.evidence, field) for field, _label in _PROPOSED)

    @property
    def base_version(self) -> int:
        return self.mine.version if self.mine else 0


def sealed_for(project: Project, claim: Claim, verdict: Verdict | None) -> bool:
    """Tell whether the machine's view of a claim is still hidden from the verdict's reviewer."""
    if verdict is not None and (verdict.revealed_at or verdict.decision):
        return False
    return is_sealed(project.slug, claim.external_id, project.sealed_share)


def evidence_rows(
    claim: Claim, user: User, *, position: int = 0, sealed: bool = False
) -> list[EvidenceRow]:
    """Give the claim's evidence with the reviewer's own assessments; one row has the focus."""
    items = list(
        claim.evidence.filter(current=True)
        .select_related("source", "snapshot")
        .order_by("position")
    )
    mine = {a.evidence_id: a for a in Assessment.objects.filter(evidence__in=items, reviewer=user)}
    rows = [EvidenceRow(item, mine.get(item.pk), sealed=sealed) for item in items]
    if rows:
        chosen = next((row for row in rows if row.evidence.position == position), None)
        (chosen or min(rows, key=_worst_first)).focused = True
    return rows


def _worst_first(row: EvidenceRow) -> int:
    return _GRADES.index(row.evidence.grade) if row.evidence.grade in _GRADES else 0


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """A claim beside the snapshot it cites, in source reading mode."""

    claim: Claim
    rows: list[EvidenceRow]
    verdict: Verdict | None
    sealed: bool
    start: int | None

    @property
    def done(self) -> bool:
        return bool(self.verdict and self.verdict.decision and not self.verdict.stale)


def reading_claims(project: Project, snapshot: Snapshot, user: User) -> list[ReadingClaim]:
    """Give the claims that rest on a snapshot, in the order of its text. Three queries."""
    items = list(
        Evidence.objects.filter(
            claim__project=project,
            claim__current=True,
            current=True,
            snapshot__content_hash=snapshot.content_hash,
        )
        .select_related("claim", "source", "snapshot")
        .order_by("claim__position", "claim", "position")
    )
    mine = {a.evidence_id: a for a in Assessment.objects.filter(evidence__in=items, reviewer=user)}
    ids = {item.claim_id for item in items}
    verdicts = {v.claim_id: v for v in Verdict.objects.filter(claim__in=ids, reviewer=user)}
    rows: dict[int, list[EvidenceRow]] = {}
    for item in items:
        rows.setdefault(item.claim_id, []).append(EvidenceRow(item, mine.get(item.pk)))
    given = []
    for own in rows.values():
        claim = own[0].evidence.claim
        verdict = verdicts.get(claim.pk)
        sealed = sealed_for(project, claim, verdict)
        for row in own:
            row.sealed = sealed
        starts = [s for s in map(_start, own) if s is not None]
        given.append(ReadingClaim(claim, own, verdict, sealed, min(starts) if starts else None))
    return sorted(
        given, key=lambda each: (each.start is None, each.start or 0, each.claim.position)
    )


def _start(row: EvidenceRow) -> int | None:
    if row.mine and row.mine.start is not None:
        return row.mine.start
    return row.evidence.start
