"""One address becomes one snapshot, and every other answer a reason."""

import hashlib

import pytest
from django.urls import reverse

from sources import running as running_module
from sources.actions import ActionRefused
from sources.actions.fetching import start_fetch
from sources.capturing import Means, run
from sources.models import AuditEvent, Capture, Job, Override, Snapshot
from sources.running import perform
from sources.texts import blobs, read_text
from tests.factories import SourceFactory
from tests.sources.extracting.pdf_files import pdf_of
from tests.sources.jobs import silent

from .web import STORY, Page


def source_of(web, project, path="/story", **values):
    url = web.url(path)
    return SourceFactory(project=project, url=url, normalized_url=url, **values)


def test_a_page_becomes_a_snapshot_with_what_it_says_of_itself(fetch, web):
    job, capture = fetch()

    snapshot = Snapshot.objects.get()
    assert job.result == {
        "ok": True,
        "snapshot_ref": snapshot.ref,
        "access_status": "opened_original",
        "depth": "full",
        "canonical_url": web.url(),
        "title": "Slow tumours",
        "authors": ["Jane Roe"],
        "published": "2024-03-05",
        "text_chars": snapshot.characters,
    }
    text = read_text(snapshot.content_hash)
    assert "enrolled 410 patients" in text
    assert len(text) == snapshot.characters
    assert blobs().get(capture.raw_hash) == STORY
    assert [text[start:end].startswith("Slow") for start, end in capture.found["article"]] == [True]


def test_the_reference_is_that_of_a_source_cache(fetch, web):
    fetch()

    snapshot = Snapshot.objects.get()
    assert snapshot.url_hash == hashlib.sha256(web.url().encode()).hexdigest()
    assert snapshot.meta["normalized_url"] == web.url()
    assert snapshot.meta["content_hash"] == snapshot.content_hash


def test_an_address_with_a_snapshot_is_not_fetched_again(fetch, web):
    first, _ = fetch()
    second, capture = fetch(url=web.url() + "#part")

    assert web.fetched == ["/story"]
    assert second.result == first.result
    assert capture is None


def test_a_new_version_is_fetched_where_a_person_asks_for_it(fetch, web):
    fetch()
    web.pages["/story"] = Page(STORY.replace(b"410", b"411"))
    fetch(again=True)

    first, second = Snapshot.objects.order_by("pk")
    assert first.url_hash == second.url_hash
    assert "411" in read_text(second.content_hash)
    assert fetch()[0].result["snapshot_ref"] == second.ref


def test_an_unchanged_page_fetched_anew_stays_one_snapshot_with_two_captures(fetch):
    fetch()
    fetch(again=True)

    assert Snapshot.objects.count() == 1
    assert Capture.objects.count() == 2


def test_a_fetch_that_waits_is_not_queued_twice(web, project, editor):
    first = start_fetch(project=project, url=web.url(), by=editor)
    assert start_fetch(project=project, url=web.url() + "#x", by=editor) == first
    assert start_fetch(project=project, url=web.url(), by=editor, again=True) != first


@pytest.mark.parametrize(
    ("status", "outcome", "code"),
    [
        (401, "blocked", "blocked"),
        (402, "blocked", "blocked"),
        (403, "blocked", "blocked"),
        (429, "blocked", "blocked"),
        (451, "blocked", "blocked"),
        (404, "gone", "gone"),
        (410, "gone", "gone"),
        (500, "unknown", "unknown"),
        (503, "unknown", "unknown"),
        (400, "unknown", "unknown"),
        (799, "unknown", "unknown"),
    ],
)
def test_a_status_is_blocked_gone_or_unknown_and_makes_no_snapshot(
    fetch, web, status, outcome, code
):
    web.pages["/story"] = Page(b"<p>some words of an error page", status)

    job, capture = fetch()

    assert (capture.outcome, job.result["ok"], job.result["code"]) == (outcome, False, code)
    assert str(status) in job.result["message"]
    assert not Snapshot.objects.exists()
    assert b"error page" in blobs().get(capture.raw_hash)


def test_a_server_that_says_nothing_is_unknown_and_changes_no_source(fetch, web, project):
    source = source_of(web, project, access_status="opened_abstract")
    web.during = lambda: __import__("time").sleep(1)

    job, capture = fetch()

    source.refresh_from_db()
    assert (capture.outcome, capture.code) == ("unknown", "read-time")
    assert job.result["message"] == "The server stopped in the middle."
    assert (source.access_status, source.version) == ("opened_abstract", 1)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://10.0.0.1/", "non-public-address"),
        ("http://169.254.169.254/latest/meta-data/", "non-public-address"),
        ("http://[::1]/", "non-public-address"),
        ("http://example.org:22/", "port"),
    ],
)
def test_what_we_do_not_fetch_is_refused_by_its_rule(fetch, url, code):
    job, capture = fetch(url=url)

    assert (capture.outcome, capture.code, job.result["code"]) == ("refused", code, code)


def test_a_redirect_to_the_inside_is_refused(fetch, web):
    web.pages["/story"] = Page(b"", 302, headers={"Location": "http://127.0.0.1:22/"})

    assert fetch()[0].result["code"] == "port"


@pytest.mark.parametrize("url", ["ftp://example.org/", "mailto:a@b", "", "http://u:p@example.org/"])
def test_what_has_no_normal_address_is_refused_before_a_job_is_made(project, url):
    with pytest.raises(ActionRefused) as refused:
        start_fetch(project=project, url=url, by=None)

    assert refused.value.code == "bad-url"
    assert not Job.objects.exists()


def test_redirects_are_recorded_and_the_asked_address_names_the_snapshot(fetch, web):
    web.pages["/old"] = Page(b"", 301, headers={"Location": "/story"})

    _, capture = fetch("/old")

    assert capture.hops == [[web.url("/old"), 301], [web.url("/story"), 200]]
    assert capture.final_url == web.url("/story")
    assert Snapshot.objects.get().normalized_url == web.url("/old")


def test_a_gone_page_marks_the_source_and_proposes_an_archived_copy(fetch, web, project):
    source = source_of(web, project, "/gone")

    job, capture = fetch("/gone", copy=("https://web.archive.org/web/2019/x", "2019-03-01"))

    source.refresh_from_db()
    assert (source.dead_link, source.access_status) == (True, "failed")
    assert source.failure_reason == "The page is gone: 404 Not Found."
    assert (capture.archived_url, capture.archived_at) == (
        "https://web.archive.org/web/2019/x",
        "2019-03-01",
    )
    assert "2019-03-01" in job.result["message"]


def test_a_page_that_is_back_is_no_dead_link(fetch, web, project):
    source = source_of(web, project, dead_link=True, failure_reason="gone", access_status="failed")

    fetch()

    source.refresh_from_db()
    assert (source.dead_link, source.access_status, source.failure_reason) == (
        False,
        "opened_original",
        "",
    )
    assert source.accessed_at == Capture.objects.get().fetched_at.date().isoformat()


def test_being_turned_away_does_not_undo_that_a_person_opened_it(fetch, web, project):
    source = source_of(web, project, access_status="opened_original")
    web.pages["/story"] = Page(b"no", 403)

    fetch()

    source.refresh_from_db()
    assert source.access_status == "opened_original"
    assert source.failure_reason == "The server lets us not read it: 403 Forbidden."


def test_an_override_of_the_access_status_stands(fetch, web, project, editor):
    source = source_of(web, project, access_status="paywalled")
    Override.objects.create(
        source=source, field="access_status", value="paywalled", base="", reason="seen", by=editor
    )

    fetch()

    source.refresh_from_db()
    assert source.access_status == "paywalled"


@pytest.mark.parametrize(
    ("answer", "depth", "status"),
    [
        (Page(b"<p>Just a moment...</p><p>Checking your browser</p>"), "captcha", "failed"),
        (Page(b"<p>hi</p>"), "too_short", "failed"),
        (Page(b"<script>x</script>"), "no_text", "failed"),
        (Page(b"\x89PNG\r\n\x1a\n", type="image/png"), "no_text", "failed"),
        (Page(pdf_of([[]]), type="application/pdf"), "no_text", "failed"),
        (
            Page(
                STORY.replace(
                    b"</head>",
                    b'<script type="application/ld+json">{"isAccessibleForFree":false}</script>',
                )
            ),
            "paywall",
            "paywalled",
        ),
    ],
)
def test_depth_and_access_say_how_much_was_captured(fetch, web, answer, depth, status):
    web.pages["/story"] = answer

    job, _ = fetch()

    snapshot = Snapshot.objects.get()
    assert (job.result["depth"], job.result["access_status"]) == (depth, status)
    assert snapshot.depth_reason


def test_a_pdf_is_read_and_its_pages_are_kept(fetch, web):
    lines = [f"Line {number} of a report with words and figures." for number in range(12)]
    web.pages["/story"] = Page(pdf_of([lines, lines], "A report"), type="application/octet-stream")

    job, capture = fetch()

    assert (job.result["depth"], job.result["title"]) == ("full", "A report")
    assert len(capture.found["pages"]) == 2


def test_a_chinese_page_in_its_own_encoding_is_read(fetch, web):
    words = "公司实现营业收入约十二亿元，同比增长百分之十六。" * 20
    page = f'<meta charset="gb2312"><title>营收</title><p>{words}</p>'.encode("gb18030")
    web.pages["/story"] = Page(page, type="text/html")

    _, capture = fetch()

    assert words in read_text(Snapshot.objects.get().content_hash)
    assert capture.found["encoding"] == "gb18030"


def test_robots_are_kept_to_and_asked_once(fetch, web):
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /private/*.html$", type="text/plain")
    web.pages["/private/a.html"] = Page()

    job, capture = fetch("/private/a.html")
    fetch()

    assert (capture.outcome, capture.code, job.result["code"]) == ("blocked", "robots", "blocked")
    assert web.asked == ["/robots.txt", "/story"]


def test_robots_that_cannot_be_read_forbid_nothing(fetch, web):
    web.pages["/robots.txt"] = Page(b"oops", 500)

    assert fetch()[0].result["ok"]


def test_an_operator_may_leave_robots_aside(fetch, web, settings):
    settings.FETCH_ROBOTS = False
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /", type="text/plain")

    assert fetch()[0].result["ok"]
    assert web.asked == ["/story"]


def test_a_job_killed_before_it_wrote_fetches_once_more_and_writes_once(web, project, monkeypatch):
    job = start_fetch(project=project, url=web.url(), by=None, nudge=False)
    means = Means(door=web.door)

    class Killed(BaseException):
        pass

    def dies(*args, **more):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Snapshot.objects.__class__, "get_or_create", dies)
        with pytest.raises(Killed):
            perform(job.pk, lambda running: run(running, means))
    assert not Capture.objects.exists()
    silent(job)
    perform(job.pk, lambda running: run(running, means))

    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert (Snapshot.objects.count(), Capture.objects.count()) == (1, 1)


def test_a_job_killed_before_it_settled_does_not_fetch_again(web, project, monkeypatch):
    job = start_fetch(project=project, url=web.url(), by=None, nudge=False)
    means = Means(door=web.door)

    class Killed(BaseException):
        pass

    def dies(*args, **more):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(running_module, "settle", dies)
        with pytest.raises(Killed):
            perform(job.pk, lambda running: run(running, means))
    silent(job)
    web.pages["/story"] = Page(STORY.replace(b"410", b"411"))
    perform(job.pk, lambda running: run(running, means))

    job.refresh_from_db()
    assert job.result["snapshot_ref"] == Snapshot.objects.get().ref
    assert web.fetched == ["/story"]


def test_a_worker_that_lost_its_job_writes_nothing(fetch):
    _, capture = fetch(during=lambda: Job.objects.update(token="another"))

    assert capture is None
    assert not Snapshot.objects.exists()
    assert not AuditEvent.objects.exists()


def test_of_two_jobs_for_one_address_the_slower_one_takes_the_others_snapshot(fetch, web):
    quicker = []

    def other():
        Job.objects.update(args={})  # so that the second fetch is a job of its own
        quicker.append(fetch()[0])
        web.pages["/story"] = Page(STORY.replace(b"410", b"411"))

    slower, capture = fetch(during=other)

    assert slower.result == quicker[0].result
    assert capture is None
    assert Snapshot.objects.count() == 1


def test_the_trail_tells_who_fetched_what(fetch, web, project, editor):
    source_of(web, project)

    fetch(by=editor)

    told = list(AuditEvent.objects.order_by("number").values_list("action", "actor"))
    assert told == [("page.fetched", "editor"), ("source.fetched", "editor")]


def test_what_follows_on_a_fetch_is_queued(fetch, web, project):
    source_of(web, project)
    fetch()

    kinds = set(Job.objects.exclude(kind="fetch").values_list("kind", flat=True))
    assert {"scoring", "clusters", "admission", "source_check"} <= kinds


def test_a_header_with_nul_or_broken_bytes_can_be_stored(fetch, web):
    web.pages["/story"] = Page(headers={"X-Odd": "caf\xe9", "Set-Cookie": "secret=1"})

    _, capture = fetch()

    assert "set-cookie" not in dict(capture.headers)


def test_a_snapshot_without_text_has_a_page_that_says_so(fetch, web, project, sign_in, reviewer):
    web.pages["/story"] = Page(b"<script>x</script>")
    fetch()

    snapshot = Snapshot.objects.get()
    address = reverse("snapshot", args=[project.slug, snapshot.content_hash[:12]])

    shown = sign_in(reviewer).get(address)
    assert shown.status_code == 200
    assert "No text" in shown.content.decode()
