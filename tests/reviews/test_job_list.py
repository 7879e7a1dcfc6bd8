"""The jobs of a project: what they are, how far, who may stop them, and whether anybody works."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from reviews.screens.job_listing import no_worker_since
from reviews.screens.job_progress import KINDS, show
from sources.models import Job, Project
from tests.factories import JobFactory

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(minutes=10)


def page(client: Client, project: Project, **asked: str) -> str:
    return client.get(reverse("jobs", args=[project.slug], query=asked or None)).content.decode()


def old(project: Project, **given: object) -> Job:
    job = JobFactory(project=project, **given)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - LONG_AGO)
    return job


def test_jobs_stand_with_kind_state_tries_and_who(
    project: Project, editor_client: Client, reviewer_client: Client
) -> None:
    JobFactory(project=project, kind="search", state=Job.State.FAILED, error="No route to it.",
               attempts=3)  # fmt: skip
    JobFactory(project=project, kind="fetch", state=Job.State.RUNNING, stage="fetching", done=2,
               total=8, beat_at=timezone.now(), attempts=1)  # fmt: skip

    said = page(editor_client, project)

    for words in ("No route to it.", "Fetch of a page", "25 %", "Try again", "Cancel"):
        assert words in said
    assert "Try again" not in page(reviewer_client, project)
    assert "Fetch of a page" not in page(editor_client, project, state="failed")


def test_retry_leads_back_to_the_list(project: Project, editor_client: Client) -> None:
    failed = JobFactory(project=project, kind="search", state=Job.State.FAILED)
    here = reverse("jobs", args=[project.slug], query={"state": "failed"})

    answer = editor_client.post(reverse("job-retry", args=[failed.pk]), {"next": here})

    assert answer["Location"] == here
    assert Job.objects.filter(args__retry_of=failed.pk).count() == 1


def test_page_says_that_no_worker_works(project: Project, reviewer_client: Client) -> None:
    assert "no worker works on any" not in page(reviewer_client, project)
    old(project)

    assert "no worker works on any" in page(reviewer_client, project)


@pytest.mark.parametrize(
    "sign",
    [
        {"state": Job.State.RUNNING, "beat_at": timedelta()},
        {"state": Job.State.DONE, "finished_at": timedelta()},
    ],
)
def test_worker_that_shows_itself_in_any_project_is_one(
    project: Project, sign: dict[str, object]
) -> None:
    old(project)
    now = timezone.now()
    assert no_worker_since(now) is not None

    JobFactory(**{k: now - v if isinstance(v, timedelta) else v for k, v in sign.items()})

    assert no_worker_since(now) is None


def test_job_that_was_just_queued_is_no_sign_of_a_missing_worker(project: Project) -> None:
    JobFactory(project=project)

    assert no_worker_since(timezone.now()) is None


def test_long_jobs_are_asked_less_often(project: Project) -> None:
    job, now = JobFactory(project=project), timezone.now()
    ages = [timedelta(0), timedelta(seconds=30), timedelta(minutes=5), timedelta(days=3)]

    assert [show(job, now + age).every for age in ages] == [1, 2, 5, 15]


def test_queries_do_not_grow_with_jobs(project: Project, editor_client: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as seen:
            page(editor_client, project)
        return len(seen)

    JobFactory(project=project)
    count()
    few = count()
    for _ in range(60):
        JobFactory(project=project, state=Job.State.DONE)

    assert count() == few
    assert 'rel="next"' in page(editor_client, project)


def test_jobs_of_other_projects_are_not_listed(
    project: Project, reviewer_client: Client, outsider_client: Client
) -> None:
    JobFactory(kind="export")

    assert str(KINDS["export"]) not in page(reviewer_client, project).partition("found")[2]
    assert outsider_client.get(reverse("jobs", args=[project.slug])).status_code == 404
