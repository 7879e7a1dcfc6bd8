"""Pages of imports and their jobs: who sees them, what they tell, what can be stopped."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from reviews.models import Claim
from sources.models import ImportBatch, Job, Project, User
from tests.factories import VerdictFactory

from .uploading import Upload, post_file, text_of, url, work

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_broker", "own_upload_folder"),
]

PAGES = ("", "recognise/", "check/", "decide/", "import/", "result/", "errors.jsonl")

POSTS = ("mapping/", "choose/", "undo/")


def test_reviewers_may_not_import(
    upload: Upload, report_zip: bytes, reviewer_client: Client
) -> None:
    batch = upload(report_zip)

    seen = {reviewer_client.get(url(batch, page)).status_code for page in PAGES}
    seen |= {reviewer_client.post(url(batch, page)).status_code for page in POSTS}
    seen |= {reviewer_client.get(f"/p/nsclc/{page}/").status_code for page in ("import", "imports")}
    seen.add(post_file(reviewer_client, b"{}").status_code)

    assert seen == {403}


def test_outsiders_see_nothing(upload: Upload, report_zip: bytes, outsider_client: Client) -> None:
    batch = upload(report_zip)
    job = Job.objects.get()

    seen = {outsider_client.get(url(batch, page)).status_code for page in PAGES}
    seen |= {outsider_client.post(url(batch, page)).status_code for page in POSTS}
    seen |= {outsider_client.get(f"/p/nsclc/{page}/").status_code for page in ("import", "imports")}
    seen.add(post_file(outsider_client, b"{}").status_code)
    seen.add(outsider_client.get(f"/jobs/{job.pk}/").status_code)
    seen |= {
        outsider_client.post(f"/jobs/{job.pk}/{verb}/").status_code for verb in ("cancel", "retry")
    }

    assert seen == {404}


def test_import_of_another_project_is_not_found_under_this_one(
    lead_client: Client, upload: Upload, report_zip: bytes, outsider: User
) -> None:
    batch = upload(report_zip)
    ImportBatch.objects.update(project=Project.objects.get(slug="other"))

    assert lead_client.get(url(batch)).status_code == 404


def test_import_is_undone_until_a_decision_rests_on_it(
    editor_client: Client, upload: Upload, report_zip: bytes, reviewer: User
) -> None:
    batch = upload(report_zip)
    editor_client.post(url(batch, "choose/"), {"what": "all"})
    work()
    verdict = VerdictFactory(claim=Claim.objects.get(external_id="d1.c2"), reviewer=reviewer)

    page = text_of(editor_client.get(url(batch)))
    refused = text_of(editor_client.post(url(batch, "undo/"), follow=True))
    assert "verdict · d1.c2 · reviewer" in page
    assert "Decisions rest on this import" in refused

    verdict.delete()
    undone = text_of(editor_client.post(url(batch, "undo/"), follow=True))

    assert "The import was undone" in undone
    assert not Claim.objects.exists()


def test_list_shows_imports_work_under_way_and_failures(
    editor_client: Client, upload: Upload, report_zip: bytes, project: Project
) -> None:
    empty = text_of(editor_client.get("/p/nsclc/imports/"))
    batch = upload(report_zip)
    Job.objects.create(project=project, kind="import", state=Job.State.RUNNING, stage="writing")
    failed = Job.objects.create(
        project=project, kind="import", state=Job.State.FAILED, error="the disk is full"
    )

    page = editor_client.get("/p/nsclc/imports/")

    assert "Nothing was imported yet" in empty
    assert url(batch) in page.content.decode()
    assert "Writing records" in text_of(page)
    assert "the disk is full" in text_of(page)
    assert f"/jobs/{failed.pk}/retry/" in page.content.decode()


def test_list_needs_no_more_queries_for_more_imports(
    editor_client: Client, project: Project, editor: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        ImportBatch.objects.create(project=project, name=f"r{number}.zip", by=editor)
        Job.objects.create(project=project, kind="import", created_by=editor, task="x")

    with django_assert_max_num_queries(14):
        editor_client.get("/p/nsclc/imports/")


@pytest.fixture
def job(project: Project, editor: User) -> Job:
    task = "reviews.tasks.run_import"
    return Job.objects.create(project=project, kind="import", task=task, created_by=editor)


def test_job_that_no_worker_takes_says_so(editor_client: Client, job: Job) -> None:
    early = text_of(editor_client.get(f"/jobs/{job.pk}/"))
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=31))
    late = text_of(editor_client.get(f"/jobs/{job.pk}/"))

    assert "No worker has taken it yet" not in early
    assert "No worker has taken it yet" in late


def test_progress_tells_speed_and_time_left(editor_client: Client, job: Job) -> None:
    Job.objects.update(
        state=Job.State.RUNNING, stage="checking", done=600, total=1000, beat_at=timezone.now()
    )
    since = int(timezone.now().timestamp()) - 10

    response = editor_client.get(
        f"/jobs/{job.pk}/?since=checking:{since}:100", headers={"HX-Request": "true"}
    )
    page = text_of(response)

    assert "60 % · 600 / 1,000" in page
    assert re.search(r"(50|45) a second", page)
    assert re.search(r"[89] s left", page)
    assert "<html" not in response.content.decode()


@pytest.mark.parametrize("since", ["", "x", "checking:9:9:9", "checking:99999999999:5", ":::"])
def test_odd_memory_of_a_poll_does_no_harm(editor_client: Client, job: Job, since: str) -> None:
    Job.objects.update(state=Job.State.RUNNING, stage="checking", done=6, total=10)

    response = editor_client.get(
        f"/jobs/{job.pk}/", {"since": since}, headers={"HX-Request": "true"}
    )

    assert response.status_code == 200


def test_polling_stops_at_the_end(editor_client: Client, job: Job) -> None:
    Job.objects.update(state=Job.State.DONE)

    response = editor_client.get(f"/jobs/{job.pk}/", headers={"HX-Request": "true"})

    assert response.status_code == 286
    assert response.headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in response.content.decode()


def test_reviewers_see_a_job_but_may_not_stop_it(reviewer_client: Client, job: Job) -> None:
    page = reviewer_client.get(f"/jobs/{job.pk}/")
    stopped = reviewer_client.post(f"/jobs/{job.pk}/cancel/")

    assert page.status_code == 200
    assert "/cancel/" not in page.content.decode()
    assert stopped.status_code == 403


def test_cancelled_check_may_be_tried_again(
    editor_client: Client, report_zip: bytes, settings: LazySettings
) -> None:
    post_file(editor_client, report_zip)
    batch, job = ImportBatch.objects.get(), Job.objects.get()

    editor_client.post(f"/jobs/{job.pk}/cancel/")
    stopped = text_of(editor_client.get(url(batch)))
    for _press in range(2):
        editor_client.post(f"/jobs/{job.pk}/retry/")
    work()

    assert "Stopped as asked" in stopped
    assert "Try again" in stopped
    assert Job.objects.count() == 2
    assert "Dry run: what an import would do" in text_of(editor_client.get(url(batch)))


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_next_leads_only_to_own_pages(editor_client: Client, job: Job, target: str) -> None:
    response = editor_client.post(f"/jobs/{job.pk}/cancel/", {"next": target})

    assert response.url == f"/jobs/{job.pk}/"
