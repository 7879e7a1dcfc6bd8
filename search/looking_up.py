"""Ask PubMed how it reads a query: which headings and entry terms it takes, what it leaves out.

No search: nothing is found and no receipt is written. What PubMed said stands in the job's result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from django.db import transaction

from search.asking import talk
from search.providers import Query
from search.providers.pubmed import PUBMED_READING
from search.sending import Means
from search.wording import headings_of
from sources import sweeping
from sources.models import Job, Project, User
from sources.running import CannotBeDone, Running
from workbench.lib.texts import Text

TASK, KIND = "search.tasks.look_up_headings", "headings"
FAILED = Text("PubMed cannot be asked: {reason}", "无法查询 PubMed：{reason}")


@dataclass(frozen=True, slots=True)
class Reading:
    """How PubMed read a query."""

    query: str
    translated: str
    headings: list[str]
    dropped: list[str]
    total: int | None = None
    receipt: str = ""  # of the search, where it was one

    @classmethod
    def of(cls, query: str, said: Mapping[str, Any], receipt: str = "") -> Self:
        """Read what was kept of PubMed's answer."""
        translated, total = str(said.get("translated", "")), said.get("total")
        dropped = [str(each) for each in said.get("dropped", [])]
        known = total if isinstance(total, int) else None
        return cls(query, translated, headings_of(translated), dropped, known, receipt)


def begin(project: Project, text: str, *, by: User | None) -> Job:
    """Queue the question."""
    job = Job.objects.create(
        project=project, kind=KIND, task=TASK, args={"text": text}, created_by=by
    )
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job


def run(running: Running) -> dict[str, Any]:
    """Do the job. Raises CannotBeDone."""
    running.progress("asking", 0, 1, force=True)
    return look_up(str(running.args.get("text", "")), Means(), running)


def look_up(text: str, means: Means, running: Running | None = None) -> dict[str, Any]:
    """Give what PubMed says of a query. Raises CannotBeDone."""
    if running is not None:
        means = replace(means, rest=partial(_rest, running, means))
    answer = talk(PUBMED_READING, Query(text=text, now=means.now()), means)
    if answer.fault is not None:
        raise CannotBeDone(FAILED, reason=answer.reason)
    return answer.hits.said.as_dict()


def _rest(running: Running, means: Means, seconds: float) -> None:
    running.progress("asking", 0, 1, force=True)  # also the moment at which a person may stop it
    means.rest(seconds)
