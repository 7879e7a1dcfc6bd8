"""What two reviewers decided before the newcomer came: one dispute, one verdict that goes stale."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction

from reviews.actions import (
    DefectInput,
    VerdictInput,
    assess_evidence,
    decide_finding,
    give_verdict,
)
from reviews.models import Assessment, Claim, Finding, Verdict
from sources.models import Project, User

LI, WANG = "li.lei", "wang.fang"
_FULL = Assessment.Support.FULL
_PARTIAL = Assessment.Support.PARTIAL
_PRIMARY = Assessment.Trust.TRUSTED_PRIMARY
_SECONDARY = Assessment.Trust.PROFESSIONAL_SECONDARY


@dataclass(frozen=True, slots=True)
class Judged:
    """One verdict with what it rests on."""

    claim: str
    by: str
    decision: str
    note: str = ""
    support: str = _FULL
    trust: str = _PRIMARY
    aspects: tuple[str, ...] = ()
    defects: tuple[DefectInput, ...] = field(default=())
    dismissal: str = "Read the page; it holds."
    active_ms: int = 60_000


_NO_CONTROL = DefectInput(
    "S1",
    text="The extension has no control group; the claim does not say so.",
    action="Add “in an open-label extension without a control group”.",
)
_IN_MICE = DefectInput(
    "H1",
    text="小鼠实验的结果写成了一般结论。",
    action="注明“在博来霉素诱导的小鼠模型中”。",
)
_RETRACTED = DefectInput(
    "H7",
    text="The article was retracted on 4 February 2026.",
    action="Remove the claim, or rest it on another trial.",
)

JUDGED = (
    Judged("d1.c1", LI, Verdict.Decision.PASS, "与论文和注册记录一致。", active_ms=48_000),
    Judged("d1.c2", LI, Verdict.Decision.PASS, active_ms=31_000),
    Judged("d1.c5", WANG, Verdict.Decision.PASS, "三个数字均与正文一致。", active_ms=52_000),
    Judged(
        "d1.c8",
        LI,
        Verdict.Decision.REVISE,
        support=_PARTIAL,
        aspects=("scope",),
        defects=(_IN_MICE,),
        active_ms=95_000,
    ),
    Judged(
        "d1.c9",
        WANG,
        Verdict.Decision.REVISE,
        trust=Assessment.Trust.UNUSABLE,
        defects=(_RETRACTED,),
        active_ms=40_000,
    ),
    # The dispute: both read the same abstract.
    Judged("d1.c10", LI, Verdict.Decision.PASS, "摘要中有原句。", active_ms=29_000),
    Judged(
        "d1.c10",
        WANG,
        Verdict.Decision.REVISE,
        "Only an abstract, and nothing to compare with.",
        support=_PARTIAL,
        aspects=("comparator",),
        defects=(_NO_CONTROL,),
        active_ms=141_000,
    ),
    Judged(
        "d1.c12",
        LI,
        Verdict.Decision.PASS,
        dismissal="只有引号和连字符的写法不同，文字与数字一致。",
        active_ms=33_000,
    ),
    Judged("d3.c1", WANG, Verdict.Decision.PASS, active_ms=37_000),
    # The second edition changes this claim, so that the verdict goes stale.
    Judged(
        "d4.c1", WANG, Verdict.Decision.PASS, "Matches page 1.", trust=_SECONDARY, active_ms=44_000
    ),
)


@transaction.atomic
def tell(project: Project, people: Mapping[str, User]) -> None:
    """Record the assessments and verdicts as their reviewers would have."""
    for judged in JUDGED:
        _judge(project, judged, people[judged.by])
    _decide(project, "d1.c8", "preclinical", Finding.State.CONFIRMED, "", people[LI])


def _judge(project: Project, judged: Judged, by: User) -> None:
    claim = Claim.objects.get(project=project, external_id=judged.claim)
    for item in claim.evidence.filter(current=True).order_by("position"):
        assess_evidence(
            evidence=item,
            by=by,
            support=judged.support,
            trust=judged.trust,
            aspects=list(judged.aspects),
        )
    red = claim.findings.filter(state=Finding.State.OPEN, severity=Finding.Severity.ERROR)
    passes = judged.decision == Verdict.Decision.PASS
    given = VerdictInput(
        decision=judged.decision,
        note=judged.note,
        defects=judged.defects,
        dismissals={f.pk: judged.dismissal for f in red} if passes else {},
        active_ms=judged.active_ms,
    )
    give_verdict(claim=claim, given=given, by=by)


def _decide(project: Project, claim: str, code: str, state: str, reason: str, by: User) -> None:
    rows = Finding.objects.filter(
        claim__project=project, claim__external_id=claim, code=code, state=Finding.State.OPEN
    )
    for finding in rows:
        decide_finding(finding=finding, state=state, reason=reason, by=by)
