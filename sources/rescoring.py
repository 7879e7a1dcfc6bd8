"""Find the projects whose sources must be scored anew: tables or rules changed, or no score yet."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from . import sweeping
from .following import FACTS, follow
from .models import Domain, Job, Journal, Project, Publisher, Score, Source, Subject, User
from .models.tables import TableRow
from .running import Running
from .scoring import RUBRIC

log = logging.getLogger(__name__)

TASK = "sources.tasks.score_after_tables"
HOSTS_AT_ONCE = 40  # looked for one by one; above that every project with sources is asked


@dataclass(frozen=True, slots=True)
class Touched:
    """What changed in the tables, as far as it tells which projects may score otherwise."""

    hosts: frozenset[str] = frozenset()
    names: bool = False  # of journals or publishers: any source may carry one
    projects: frozenset[int] = frozenset()

    @classmethod
    def by(cls, rows: Iterable[TableRow]) -> "Touched":
        """Tell it from rows as they were or as they are now."""
        hosts, projects, names = set(), set(), False
        for row in rows:
            if isinstance(row, Domain):
                hosts.add(row.host)
            elif isinstance(row, Subject):
                projects.add(row.project_id)
            elif isinstance(row, Journal | Publisher):
                names = True
        return cls(frozenset(hosts), names, frozenset(projects))

    def to_json(self) -> dict[str, Any]:
        """Give it as the arguments of a job."""
        many = len(self.hosts) > HOSTS_AT_ONCE
        return {
            "hosts": [] if many else sorted(self.hosts),
            "names": self.names or many,
            "projects": sorted(self.projects),
        }


def ask(touched: Touched, *, by: User | None) -> Job | None:
    """Queue a job that finds the projects that a change of tables touches; None for none."""
    if not (touched.hosts or touched.names or touched.projects):
        return None
    job = Job.objects.create(
        kind="tables", task=TASK, args=touched.to_json(), created_by=by, project=None
    )
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job


def run(running: Running) -> dict[str, Any]:
    """Do the job: queue the scoring of every project that is touched."""
    args = running.args
    found = projects_touched(args["hosts"], names=args["names"], projects=args["projects"])
    for project in found:
        running.progress("queueing")
        follow(project, FACTS)
    return {"projects": len(found)}


def projects_touched(
    hosts: Iterable[str], *, names: bool, projects: Iterable[int]
) -> list[Project]:
    """Give the projects of which some source may score otherwise, by changed rows."""
    sources = Source.objects.filter(project=OuterRef("pk")).order_by()
    if not names:
        nothing = Q(pk__in=())
        sources = sources.filter(reduce(or_, map(_on_host, hosts), nothing))
    wanted = Q(pk__in=list(projects)) | Q(Exists(sources))
    return list(Project.objects.filter(wanted).order_by("pk"))


def _on_host(host: str) -> Q:
    return Q(url__icontains=host) | Q(normalized_url__icontains=host)


def unscored() -> QuerySet[Project]:
    """Give the projects with sources that have no current score of the present rules."""
    current = Score.objects.filter(
        source=OuterRef("pk"), current=True, rubric_version=RUBRIC.version
    )
    sources = Source.objects.filter(~Exists(current), project=OuterRef("pk")).order_by()
    return Project.objects.filter(Exists(sources)).order_by("pk")


def queue_unscored() -> int:
    """Queue the scoring of all that have no score of the present rules; give how many projects."""
    try:
        found = list(unscored())
        for project in found:
            follow(project, FACTS)
    except OperationalError as fault:
        log.warning("scoring put off, the database is busy", extra={"fault": str(fault)})
        return 0
    return len(found)
