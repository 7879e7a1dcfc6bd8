"""Check claims anew whose sources are not what they were. May be killed and run again.

A claim remembers what the checks read of its sources (``Claim.sources_hash``). Whoever changes a
source need not know which claims rest on it: what differs is found by comparing. Decision 0011.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from reviews import checking
from reviews.facts import digest, source_facts
from reviews.linking import link_fetched
from reviews.models import Claim, Evidence
from sources.models import Project, Source
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

_BATCH = 5_000
NO_PROJECT = Text("The job names no project.", "任务没有指明项目。")


def run(running: Running) -> dict[str, Any]:
    """Do the job: find the claims of a project whose sources changed, and check them."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    linked = link_fetched(project)
    found = mark(project)
    return {"changed": found, "linked": linked, **checking.check_claims(project, running=running)}


def mark(project: Project, source_ids: Collection[int] | None = None) -> int:
    """Mark checked claims whose sources changed as to be checked; give how many.

    Only claims that rest on ``source_ids`` are looked at, where those are given.
    """
    changed = touched(project, source_ids)
    for at in range(0, len(changed), _BATCH):
        Claim.objects.filter(pk__in=changed[at : at + _BATCH]).update(checked_at=None)
    return len(changed)


def touched(project: Project, source_ids: Collection[int] | None = None) -> list[int]:
    """Give checked claims whose sources are not what they were when they were checked."""
    evidence = Evidence.objects.filter(
        claim__project=project, claim__current=True, current=True, source__isnull=False
    )
    claims = Claim.objects.filter(project=project, current=True, checked_at__isnull=False)
    if source_ids is not None:
        claims = claims.filter(
            pk__in=Evidence.objects.filter(current=True, source__in=source_ids).values("claim")
        )
        evidence = evidence.filter(claim__in=claims)
    cited: dict[int, set[int]] = defaultdict(set)
    for claim, source in evidence.values_list("claim", "source").iterator():
        cited[claim].add(source or 0)
    sources = Source.objects.filter(project=project, pk__in=evidence.values("source"))
    known = source_facts(project, list(sources.select_related("cluster")))
    return [
        pk
        for pk, stood in claims.order_by("pk").values_list("pk", "sources_hash").iterator()
        if digest(known[source] for source in cited.get(pk, ())) != stood
    ]
