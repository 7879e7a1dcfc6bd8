"""Hosts are asked one after another, by all workers together."""

from datetime import timedelta

import pytest
from django.utils import timezone

from sources import politeness
from sources.actions.fetching import start_fetch
from sources.capturing import LONGEST_WAIT, Means, run
from sources.models import FetchHost, Job
from sources.running import perform

pytestmark = pytest.mark.django_db
NOW = timezone.now()
HOST = "example.org"


def reserve(host=HOST, now=NOW):
    return politeness.reserve(host, now, longest=LONGEST_WAIT)


def test_requests_to_one_host_are_a_delay_apart_and_hosts_do_not_wait_for_each_other(settings):
    settings.FETCH_HOST_DELAY = 2.0

    assert [reserve(), reserve(), reserve("other.example")] == [0.0, 2.0, 0.0]
    assert reserve(now=NOW + timedelta(seconds=10)) == 0.0


def test_a_turn_too_far_away_is_not_taken(settings):
    settings.FETCH_HOST_DELAY = 60.0

    assert [reserve(), reserve(), reserve()] == [0.0, 60.0, 60.0]


def test_without_delay_nothing_is_written(settings):
    settings.FETCH_HOST_DELAY = 0.0

    assert reserve() == 0.0
    assert not FetchHost.objects.exists()


def test_a_host_may_ask_for_more_time_up_to_a_limit(settings):
    settings.FETCH_HOST_DELAY = 1.0
    for asked, kept in ((5, 5.0), (9999, politeness.LONGEST_DELAY)):
        FetchHost.objects.all().delete()
        robots = f"User-agent: *\nCrawl-delay: {asked}"
        FetchHost.objects.create(host=HOST, next_at=NOW, robots=robots, robots_at=NOW)
        reserve()
        assert FetchHost.objects.get().next_at == NOW + timedelta(seconds=kept)


def test_robots_are_read_anew_after_a_day(web):
    with web.door() as door:
        for hours in (0, 1, 25):
            assert politeness.may_fetch(web.url(), door, NOW + timedelta(hours=hours))

    assert web.asked == ["/robots.txt"] * 2


def test_rules_for_our_own_name_come_before_those_for_all(web):
    web.pages["/robots.txt"] = type(web.pages["/story"])(
        b"User-agent: *\nDisallow: /\n\nUser-agent: evidenceworkbench\nAllow: /", 200, "text/plain"
    )
    with web.door() as door:
        assert politeness.may_fetch(web.url(), door, NOW)


def test_a_worker_waits_a_short_turn_out(web, project, settings):
    settings.FETCH_HOST_DELAY = 3.0
    reserve(web.place, timezone.now())
    rested = []
    job = start_fetch(project=project, url=web.url(), by=None, nudge=False)
    perform(job.pk, lambda running: run(running, Means(door=web.door, rest=rested.append)))

    job.refresh_from_db()
    assert job.result["ok"]
    assert 2.0 < sum(rested) <= 3.0


def test_a_job_whose_turn_is_far_away_goes_back_to_the_queue_uncounted(web, project, settings):
    settings.FETCH_HOST_DELAY = 100.0
    reserve(web.place, timezone.now())
    job = start_fetch(project=project, url=web.url(), by=None, nudge=False)
    perform(job.pk, lambda running: run(running, Means(door=web.door)))

    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0)
    assert job.nudged_at > timezone.now() + timedelta(seconds=90)
    assert not web.fetched
    assert perform(job.pk, run) is False
