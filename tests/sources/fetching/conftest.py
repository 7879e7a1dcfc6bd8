from collections.abc import Iterator

import pytest
from django.test import override_settings

from sources.actions.fetching import start_fetch
from sources.archived import Copy
from sources.capturing import Means, run
from sources.extraction import EXTRACTOR
from sources.models import Capture
from sources.running import perform

from .web import STORY, Page, Web, serving


@pytest.fixture(scope="module", autouse=True)
def _children() -> Iterator[None]:
    # Loading the libraries may take longer than a job is left without a sign of life, which
    # another connection could not give: rows of a test are not there for it.
    EXTRACTOR.extract(STORY, "text/html")
    yield
    EXTRACTOR.close()


@pytest.fixture
def web() -> Iterator[Web]:
    with (
        serving({"/story": Page()}) as web,
        override_settings(FETCH_ALLOW=[web.place], FETCH_HOST_DELAY=0.0, FETCH_ROBOTS=True),
    ):
        yield web


@pytest.fixture
def fetch(web, project):
    """Fetch a path in the project, as a worker would; gives the job and its capture."""

    def do(path="/story", *, again=False, copy=None, by=None, url="", during=None):
        job = start_fetch(
            project=project, url=url or web.url(path), by=by, again=again, nudge=False
        )

        def door():
            if during:
                during()
            return web.door()

        means = Means(
            door=door, copy=lambda gone: Copy(*copy) if copy else None, rest=lambda s: None
        )
        perform(job.pk, lambda running: run(running, means), pulse_every=600)
        job.refresh_from_db()
        return job, Capture.objects.filter(job=job).first()

    return do
