"""Build the review report of a project, freeze it, and say what a signature still lacks."""

import hashlib
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import Count

from reviews.models import Assessment, Claim, Defect, Evidence, ReviewReport
from reviews.report.building import Builder, pages_of
from reviews.report.changes import Changes, changes
from reviews.report.names import FULL, names_of
from reviews.report.records import Scope
from reviews.reporting.loading import dimension_defects, people_of, stamp
from reviews.reporting.review_writing import check_versions, tool_version, write_twin
from sources.models import AuditChain, AuditEvent, Project, Source, User
from sources.texts import blobs

CLAIMS_A_PAGE = 100  # read at once from a stored report
# What does not change the result of an audit, so that a report stays the latest.
OTHER_EVENTS = ("report", "export", "membership", "job", "request", "snooze", "draft")
# Parts of a full report whose records this project does not have.
NOT_RECORDED = ("searches", "prisma", "rejections", "scores")


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that a signature waits for; ``query`` lists the claims concerned."""

    code: str
    count: int
    query: str = ""


def freeze(project: Project, *, by: User | None, number: int, now: datetime) -> ReviewReport:
    """Build the report of what stands now; gives it unsaved, its content stored."""
    people = people_of(project)
    names = names_of(people, FULL)
    scope = Scope(
        project.slug,
        project.language,
        question=project.question,
        checks=check_versions(),
        defects=tuple(dimension_defects(project, names)),
    )
    chain = AuditChain.objects.filter(project=project).first()
    extra = {
        "number": number,
        "built_at": stamp(now),
        "built_by": names.get(by.get_username(), by.get_username()) if by else "engine",
        "project": _about(project),
        "chain": {"length": chain.length if chain else 0, "hash": chain.last_hash if chain else ""},
        "dropped_defects": _dropped(project),
        "not_recorded": list(NOT_RECORDED),
        "people": [{"username": p.username, "name": names[p.username]} for p in people],
        "sources": sources_of(project),
    }
    with tempfile.TemporaryDirectory(prefix="report-") as folder:
        target = Path(folder) / "report.json"
        claims = Claim.objects.for_project(project)
        head = write_twin(Builder(scope, tool_version()), claims, target, names, extra)
        data = target.read_bytes()
    return ReviewReport(
        project=project,
        number=number,
        sha256=blobs().put(data),
        size=len(data),
        verdict=head["verdict"],
        head=head,
        pages=[
            (start, length, content_hash(data[start : start + length]))
            for start, length in pages_of(data, CLAIMS_A_PAGE)
        ],
        chain_length=extra["chain"]["length"],  # type: ignore[index]
        built_by=by,
        built_at=now,
    )


def _about(project: Project) -> dict[str, Any]:
    return {
        "slug": project.slug,
        "title": project.title,
        "as_of": project.as_of.isoformat() if project.as_of else None,
    }


def _dropped(project: Project) -> int:
    """Count the open defects of claims that an import dropped: they are in no review."""
    rows = Defect.objects.filter(project=project, claim__current=False, withdrawn=False)
    return rows.filter(state=Defect.State.OPEN).count()


def sources_of(project: Project) -> list[dict[str, Any]]:
    """Give each cited source with its versions, its claims, and how people classed it."""
    live = Evidence.objects.filter(claim__project=project, claim__current=True, current=True)
    used = dict(
        live.exclude(source=None)
        .values_list("source")
        .annotate(Count("claim", distinct=True))
        .order_by()
    )
    versions = Counter(project.snapshots.values_list("normalized_url", flat=True))
    trust: dict[int, Counter[str]] = defaultdict(Counter)
    judged = Assessment.objects.filter(evidence__in=live, stale=False).exclude(trust="")
    for source, given in judged.values_list("evidence__source", "trust"):
        if source:
            trust[source][given] += 1
    rows = Source.objects.filter(project=project, pk__in=used).order_by("external_id")
    fields = ("pk", "external_id", "title", "url", "normalized_url", "quality", "published_at")
    return [
        {
            "id": name,
            "title": title,
            "url": url,
            "quality": quality,
            "published_at": published,
            "versions": versions[normal] if normal else 0,
            "claims": used[pk],
            "trust": dict(sorted(trust[pk].items())),
        }
        for pk, name, title, url, normal, quality, published in rows.values_list(*fields)
    ]


def changed_since(report: ReviewReport) -> int:
    """Count the events after a report that may give another result."""
    later = AuditEvent.objects.filter(project=report.project_id, number__gt=report.chain_length)
    return later.exclude(object_type__in=OTHER_EVENTS).count()


def previous(report: ReviewReport) -> ReviewReport | None:
    """Give the version before."""
    earlier = ReviewReport.objects.filter(project=report.project_id, number__lt=report.number)
    return earlier.order_by("-number").first()


def changes_of(report: ReviewReport) -> tuple[int, Changes] | None:
    """Give the number of the version before and what changed since; None for the first."""
    before = previous(report)
    return (before.number, changes(before.head, report.head)) if before else None


def lacks(report: ReviewReport) -> list[Lack]:
    """Give everything that a signature under this report still waits for."""
    claims = report.head["counts"]["claims"]
    found = [
        Lack("no-claims", 1) if not claims["total"] else None,
        Lack("not-audited", claims["open"], "is:open") if claims["open"] else None,
        Lack("stale", claims["stale"], "is:stale") if claims["stale"] else None,
        Lack("conflict", claims["conflict"], "is:conflict") if claims["conflict"] else None,
        Lack("not-latest", 1) if not is_latest(report) else None,
        Lack("changed-since", since) if (since := changed_since(report)) else None,
    ]
    return [each for each in found if each is not None]


def is_latest(report: ReviewReport) -> bool:
    """Tell whether no later version was built."""
    later = ReviewReport.objects.filter(project=report.project_id, number__gt=report.number)
    return not later.exists()


def content_hash(data: bytes) -> str:
    """Give the SHA-256 that a file states of its JSON."""
    return hashlib.sha256(data).hexdigest()
