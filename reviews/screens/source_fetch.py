"""What is known of fetching a source's page: the fetch that runs, or how the last one went."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import get_language

from reviews.screens.job_progress import JobPage, show
from sources.access import OPEN, Verdict
from sources.actions.fetching import latest_fetch
from sources.models import Capture, Job, Source


@dataclass(frozen=True, slots=True)
class SourceFetch:
    """A fetch for the page of a source."""

    shown: JobPage | None  # one that waits, runs or failed
    capture: Capture | None  # the latest
    message: str  # why the latest capture has no page
    can_be_fetched: bool

    @property
    def is_underway(self) -> bool:
        return self.shown is not None and not self.shown.job.is_finished


def source_fetch(source: Source, now: datetime) -> SourceFetch:
    """Give what a page tells of fetching a source. Two queries."""
    url = source.normalized_url
    if not url:
        return SourceFetch(None, None, "", can_be_fetched=False)
    job = latest_fetch(source.project, url)
    capture = Capture.objects.of(source.project, url).first()
    message = ""
    if capture is not None and capture.outcome != OPEN:
        verdict = Verdict(capture.outcome, capture.code, capture.status)
        message = verdict.message(get_language() or "en")
    told = job is not None and job.state not in {Job.State.DONE, Job.State.CANCELLED}
    shown = show(job, now) if job is not None and told else None
    return SourceFetch(shown, capture, message, can_be_fetched=True)
