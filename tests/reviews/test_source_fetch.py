"""The button that fetches a source's page, and what the page says of it."""

import pytest
from django.urls import reverse
from django.utils import timezone

from sources.models import Capture, Job
from sources.source_cache import url_hash
from tests.factories import SnapshotFactory, SourceFactory

URL = "https://example.org/story"


@pytest.fixture
def source(project):
    return SourceFactory(project=project, url=URL, normalized_url=URL)


def page(client, source):
    address = reverse("source", args=[source.project.slug, source.pk])
    return client.get(address).content.decode()


def press(client, source, **form):
    return client.post(reverse("source-fetch", args=[source.project.slug, source.pk]), form)


def captured(source, **values):
    return Capture.objects.create(
        project=source.project,
        normalized_url=URL,
        url_hash=url_hash(URL),
        fetched_at=timezone.now(),
        **values,
    )


def test_an_editor_fetches_and_sees_how_it_goes(source, editor, sign_in):
    client = sign_in(editor)
    assert ">Fetch</button>" in page(client, source)

    answer = press(client, source, key="one")

    job = Job.objects.get()
    assert answer.url.endswith(f"/sources/{source.pk}/#snapshots-head")
    assert (job.args, job.created_by) == ({"url": URL, "again": False}, editor)
    assert f'id="job-{job.pk}"' in page(client, source)
    assert "Fetch</button>" not in page(client, source)


def test_a_button_pressed_twice_queues_one_fetch(source, editor, sign_in):
    client = sign_in(editor)
    for key in ("one", "one", "two"):
        press(client, source, key=key)

    assert Job.objects.count() == 1


def test_where_a_snapshot_is_stored_a_new_version_is_offered(source, editor, sign_in):
    SnapshotFactory(project=source.project, normalized_url=URL, url_hash=url_hash(URL))
    client = sign_in(editor)
    assert "Fetch a new version" in page(client, source)
    editor.language = "zh-hans"
    editor.save()
    assert "抓取新版本" in page(client, source)

    press(client, source, again="1")

    assert Job.objects.get().args["again"] is True


def test_a_reviewer_reads_what_came_of_it_and_has_no_button(source, reviewer, sign_in):
    captured(source, outcome="blocked", code="status", status=403)
    shown = page(sign_in(reviewer), source)

    assert "The server lets us not read it: 403 Forbidden." in shown
    assert "Fetch</button>" not in shown
    assert press(sign_in(reviewer), source).status_code == 403


def test_a_gone_page_shows_the_archived_copy(source, editor, sign_in):
    captured(
        source,
        outcome="gone",
        code="status",
        status=404,
        archived_url="https://web.archive.org/web/2019/x",
        archived_at="2019-03-01",
    )

    editor.language = "zh-hans"
    editor.save()

    shown = page(sign_in(editor), source)

    assert "https://web.archive.org/web/2019/x" in shown
    assert "可以用 2019-03-01 的存档副本代替" in shown
    assert "页面已不存在：404 Not Found。" in shown


def test_a_source_without_an_address_has_no_button(project, editor, sign_in):
    source = SourceFactory(project=project, url="see page 4", normalized_url="")
    client = sign_in(editor)

    assert "It has no address that can be fetched." in page(client, source)
    assert press(client, source).status_code == 302
    assert not Job.objects.exists()


def test_a_failed_fetch_tells_why(source, editor, sign_in):
    Job.objects.create(
        project=source.project,
        kind="fetch",
        task="sources.tasks.fetch_page",
        args={"url": URL, "again": False},
        state=Job.State.FAILED,
        error="The worker stopped five times during this job.",
    )

    assert "The worker stopped five times" in page(sign_in(editor), source)
