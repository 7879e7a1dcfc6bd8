"""What a change of a source would do to the claims: done for real, looked at, taken back."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from reviews import checking
from reviews.models import Claim, Defect, Evidence, Finding, Verdict
from search.admitting import admit
from sources.blacklisting import recheck
from sources.models import Band, Project, Source
from sources.scoring.bands import DISCOVERY
from sources.scoring.marks import shown

MOST = 500  # claims that are checked again while a person waits


@dataclass(frozen=True, slots=True)
class Radius:
    """What would be otherwise. Pairs are (before, after)."""

    score: tuple[str, str]
    band: tuple[str, str]
    status: tuple[str, str]
    touched: int  # claims that cite the source
    looked: int  # of them, those that were checked again
    lose_support: list[str] = field(default_factory=list)  # external ids of claims
    new_findings: list[str] = field(default_factory=list)
    lost_findings: list[str] = field(default_factory=list)
    passed: int = 0  # verdicts "pass" on claims with new findings
    report: tuple[str, str] = ("", "")

    @property
    def limited(self) -> bool:
        """Whether some of the claims were not looked at."""
        return self.looked < self.touched


@dataclass(frozen=True, slots=True)
class _View:
    """How things stand at one moment."""

    score: str
    band: str
    status: str
    carried: frozenset[int]  # claims that some source carries
    findings: frozenset[tuple[int, str]]  # open errors and warnings of claims
    verdict: str  # of the report


def radius_of(source: Source, change: Callable[[], object]) -> Radius:
    """Make a change with all that follows, see what is otherwise, and take it back.

    Runs in a transaction that is rolled back. What ``change`` raises is raised.
    """
    cited = Claim.objects.filter(
        pk__in=Evidence.objects.filter(source=source, current=True).values("claim"), current=True
    )
    touched = cited.count()
    with transaction.atomic():
        claims = list(cited.order_by("position", "pk")[:MOST])
        before = _look(source.pk, source.project, claims)
        change()
        recheck(source.project, only=[source.pk])  # the blacklist reads a type that was set
        admit(source.project, source_ids=[source.pk])
        checking.check_now(source.project, claims)
        after = _look(source.pk, source.project, claims)
        transaction.set_rollback(True)
    names = {claim.pk: claim.external_id for claim in claims}
    new = {pk for pk, _code in after.findings - before.findings}
    lost = {pk for pk, _code in before.findings - after.findings} - new
    return Radius(
        score=(before.score, after.score),
        band=(before.band, after.band),
        status=(before.status, after.status),
        touched=touched,
        looked=len(claims),
        lose_support=[names[pk] for pk in names if pk in before.carried - after.carried],
        new_findings=[names[pk] for pk in names if pk in new],
        lost_findings=[names[pk] for pk in names if pk in lost],
        passed=Verdict.objects.filter(claim__in=new, decision="pass", stale=False).count(),
        report=(before.verdict, after.verdict),
    )


def _look(pk: int, project: Project, claims: list[Claim]) -> _View:
    source = Source.objects.get(pk=pk)
    carrying = Evidence.objects.filter(claim__in=claims, current=True, source__isnull=False)
    carrying = carrying.exclude(source__status=Source.Status.REJECTED)
    carrying = carrying.exclude(source__band=DISCOVERY)
    return _View(
        score="–" if source.score is None else shown(source.score),
        band=_band(source.band),
        status=str(source.get_status_display()),
        carried=frozenset(carrying.values_list("claim", flat=True)),
        findings=frozenset(_open_findings(claims).values_list("claim", "code")),
        verdict=_report_verdict(project),
    )


def _band(name: str) -> str:
    return str(Band(name).label) if name in Band.values else "–"


def _open_findings(claims: list[Claim]) -> QuerySet[Finding]:
    rows = Finding.objects.filter(claim__in=claims, state=Finding.State.OPEN)
    return rows.exclude(severity=Finding.Severity.INFO)


def _report_verdict(project: Project) -> str:
    """Any open hard defect means "revise". Rulebook section 7."""
    hard = Defect.objects.filter(
        claim__project=project,
        claim__current=True,
        severity=Defect.Severity.HARD,
        state=Defect.State.OPEN,
        withdrawn=False,
    )
    decision = Verdict.Decision.REVISE if hard.exists() else Verdict.Decision.PASS
    return str(decision.label)
