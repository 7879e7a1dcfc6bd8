"""How far a job is, in words and figures for a page."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from sources.models import Job

UNTAKEN = timedelta(seconds=30)  # after which a page says that no worker took the job
SILENT = timedelta(seconds=45)
SETTLED = 2.0  # seconds of one stage before its speed is worth telling

STAGES = {
    "reading": _("Reading the file"),
    "storing": _("Storing texts"),
    "writing": _("Writing records"),
    "locating": _("Locating quotes"),
    "checking": _("Running checks"),
    "reading_captures": _("Reading captures"),
    "comparing": _("Comparing sources"),
    "scoring": _("Scoring sources"),
    "queueing": _("Queueing projects"),
    "asking": _("Asking providers"),
    "admitting": _("Admitting sources"),
    "blacklist": _("Asking the rules of the blacklist"),
    "measuring": _("Measuring the impact of rules"),
    "matching": _("Comparing with the table of notices"),
    "crossref": _("Asking Crossref"),
    "pubmed": _("Asking PubMed"),
    "europepmc": _("Asking Europe PMC"),
    "openalex": _("Asking OpenAlex"),
    "cleaning": _("Cleaning records"),
    "waiting": _("Waiting for the host's turn"),
    "fetching": _("Fetching the page"),
    "extracting": _("Extracting the text"),
}
KINDS = {
    "import_check": _("Check of an upload"),
    "import": _("Import"),
    "scoring": _("Scoring of sources"),
    "tables": _("Search for projects that changed tables touch"),
    "clusters": _("Proposal of clusters"),
    "search": _("Search"),
    "headings": _("Question how PubMed reads a query"),
    "admission": _("Admission of sources"),
    "blacklist": _("Look through the sources by the blacklist"),
    "rule_impact": _("Impact of blacklist rules"),
    "notices": _("Import of notices"),
    "retractions": _("Check for retractions"),
    "source_check": _("Check of claims whose sources changed"),
    "fetch": _("Fetch of a page"),
    "replay": _("Search once more"),
    "cleaning": _("Cleaning of records"),
    "check": _("Check of claims"),
    "export": _("Export"),
}
# The longer a job takes, the less often its page asks.
_EVERY = (
    (timedelta(seconds=20), 1),
    (timedelta(minutes=2), 2),
    (timedelta(minutes=15), 5),
    (timedelta.max, 15),
)
_SINCE = re.compile(r"([a-z_]{1,40}):(\d{1,12}):(\d{1,12})")


@dataclass(frozen=True, slots=True)
class Speed:
    """What the address of a poll remembers: when a stage was first seen, and how far it was."""

    stage: str
    seen: int  # seconds since 1970
    done: int

    def __str__(self) -> str:
        return f"{self.stage}:{self.seen}:{self.done}"


@dataclass(frozen=True, slots=True)
class JobPage:
    """A job as a page shows it."""

    job: Job
    kind: Any
    stage: Any
    percent: int | None  # None where the end is not known
    rate: int | None  # records a second
    seconds_left: int | None
    untaken: bool  # queued, and no worker took it
    silent: bool  # its worker gave no sign for a while
    rests: bool  # failed, and will be tried again
    poll: str
    every: int  # seconds until the next poll


def show(job: Job, now: datetime, since: str = "", *, in_list: bool = False) -> JobPage:
    """Give a job for a page; ``since`` is what the last poll's address carried."""
    seconds = int(now.timestamp())
    speed = _speed(since, job) or Speed(job.stage, seconds, job.done)
    rate = _rate(speed, job, seconds)
    left = (job.total - job.done) / rate if rate and job.total > job.done else None
    queued = job.state == Job.State.QUEUED
    running = job.state == Job.State.RUNNING
    query = f"?since={speed}" if speed.stage else "?since="
    return JobPage(
        job=job,
        kind=KINDS.get(job.kind, job.kind),
        stage=STAGES.get(job.stage, job.stage),
        percent=min(100, job.done * 100 // job.total) if job.total else None,
        rate=round(rate) or None if rate else None,
        seconds_left=round(left) if left is not None else None,
        untaken=queued and not job.attempts and now - job.created_at > UNTAKEN,
        silent=running and job.beat_at is not None and now - job.beat_at > SILENT,
        rests=queued and bool(job.attempts) and bool(job.error),
        poll=reverse("job", args=[job.pk]) + query + ("&in=list" if in_list else ""),
        every=next(every for age, every in _EVERY if now - job.created_at < age),
    )


def _speed(since: str, job: Job) -> Speed | None:
    found = _SINCE.fullmatch(since[:80])
    if found is None or found[1] != job.stage or int(found[3]) > job.done:
        return None
    return Speed(found[1], int(found[2]), int(found[3]))


def _rate(speed: Speed, job: Job, seconds: int) -> float | None:
    passed = seconds - speed.seen
    if passed < SETTLED or job.state != Job.State.RUNNING or job.done <= speed.done:
        return None
    return (job.done - speed.done) / passed
