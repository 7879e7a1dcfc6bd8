"""A run that is killed, cancelled, delivered twice; limits, pauses and pace of providers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from search.answering import blocked_hosts
from search.models import Call, ProviderPace, Receipt, Result
from search.plans import Plan
from search.searching import begin
from search.sending import Means, reserve
from search.tasks import answer_search
from sources.models import BlacklistRule, Job, Project, ProviderPause
from sources.models.jobs import LEASE
from tests.search.runs import answered
from tests.standin import Given, StandIn

pytestmark = pytest.mark.django_db
LITERATURE = Plan("drug x", profile="biomed_literature")


def queued(project: Project, plan: Plan) -> Job:
    return begin(project, plan, by=None, nudge=False)


class Clock:
    """Time that passes by resting."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
        self.rests: list[float] = []

    def rest(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.now += timedelta(seconds=seconds)

    @property
    def means(self) -> Means:
        return Means(rest=self.rest, now=lambda: self.now)


@pytest.fixture
def unhurried(settings: Any) -> Clock:
    """Politeness is on, and costs a test no time."""
    settings.FETCH_HOST_DELAY = 1.0
    return Clock()


def test_worker_does_the_job_of_a_search(standin: StandIn, project: Project) -> None:
    job = queued(project, LITERATURE)

    answer_search(job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert job.result["routes_used"] == ["scholar", "pubmed", "trials"]
    assert job.result["receipts"] == ["srch_0001", "srch_0002", "srch_0003"]


def test_second_delivery_asks_nobody(standin: StandIn, project: Project) -> None:
    job = queued(project, LITERATURE)
    answer_search(job.pk)
    asked = len(standin.asked)

    answer_search(job.pk)

    assert len(standin.asked) == asked
    assert Receipt.objects.count() == 3


class Killed(BaseException):
    """What ends a process, and is caught by nobody."""


@pytest.mark.parametrize("at", range(1, 6))
def test_run_that_was_killed_goes_on_and_asks_no_finished_dialogue_again(
    standin: StandIn, project: Project, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued(project, LITERATURE)
    serve, left = standin.answer, at

    def dying(asked: Any) -> Given:
        nonlocal left
        left -= 1
        if left == 0:
            # As a killed worker leaves it: the claim stands, and nobody renews it.
            Job.objects.filter(pk=job.pk).update(beat_at=timezone.now() - 2 * LEASE, token="gone")
        return serve(asked)

    monkeypatch.setattr(standin, "answer", dying)
    answered(job)
    monkeypatch.setattr(standin, "answer", serve)
    written = list(Receipt.objects.values_list("step", flat=True))

    finished = answered(job)

    assert finished.state == Job.State.DONE
    steps = list(Receipt.objects.values_list("step", flat=True))
    assert len(steps) == len(set(steps)) == 3
    assert set(written) <= set(steps)
    assert finished.result["ok"]
    assert finished.result["routes_used"] == ["scholar", "pubmed", "trials"]


@pytest.mark.django_db(transaction=True)  # whether to stop is asked outside of transactions
def test_search_can_be_stopped_between_two_tries(
    standin: StandIn, project: Project, unhurried: Clock
) -> None:
    standin.give("serper", Given(b"", 503))
    job = queued(project, Plan("drug x", route="scholar"))

    def stop(seconds: float) -> None:
        Job.objects.filter(pk=job.pk).update(cancel_requested=True)
        # Progress is told once a second.
        job.refresh_from_db()
        import time

        time.sleep(min(seconds, 1.05))

    done = answered(job, Means(rest=stop))

    assert done.state == Job.State.CANCELLED
    assert len(standin.of("serper")) == 1


def test_failed_provider_is_tried_three_times_with_five_seconds_between(
    standin: StandIn, project: Project, unhurried: Clock
) -> None:
    standin.give("serper", Given(b"", 503))

    answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)

    assert len(standin.of("serper")) == 3
    assert sum(unhurried.rests) == pytest.approx(10, abs=1)
    assert [call.attempt for call in Call.objects.all()] == [1, 2, 3]
    assert {call.outcome for call in Call.objects.all()} == {"no-answer"}


def test_retry_after_is_obeyed(standin: StandIn, project: Project, unhurried: Clock) -> None:
    limited = Given(b'{"message":"slow down"}', 429, {"Retry-After": "17"})
    standin.give("serper", limited, (standin.folder / "serper/scholar.json").read_bytes())

    job = answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)

    assert job.result["ok"]
    assert sum(unhurried.rests) == pytest.approx(17, abs=1)
    assert [call.outcome for call in Call.objects.all()] == ["rate-limit", "ok"]
    assert Receipt.objects.get().status == "ok"


def test_long_rest_is_not_waited_for_and_holds_for_everybody(
    standin: StandIn, project: Project, unhurried: Clock
) -> None:
    standin.give("serper", Given(b"{}", 429, {"Retry-After": "7200"}))

    first = answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)
    second = answered(queued(project, Plan("drug x", route="news")), unhurried.means)

    assert unhurried.rests == []
    assert len(standin.of("serper")) == 1
    assert ProviderPause.objects.get().until == unhurried.now + timedelta(hours=2)
    assert "asked again from 2026-03-02 14:00 UTC" in first.result["failures"][0]
    assert "left alone until 2026-03-02 14:00 UTC" in second.result["failures"][0]
    unhurried.now += timedelta(hours=3)
    standin.give_file("serper", "serper/news.json")
    third = answered(queued(project, Plan("drug x", route="news")), unhurried.means)
    assert third.result["ok"]


@pytest.mark.parametrize("seconds", ["999999999", "99999999999999999999"])
def test_absurd_rest_is_capped(
    standin: StandIn, project: Project, unhurried: Clock, seconds: str
) -> None:
    standin.give("serper", Given(b"{}", 429, {"Retry-After": seconds}))

    answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)

    assert ProviderPause.objects.get().until <= unhurried.now + timedelta(hours=48)


def test_spent_month_is_spent_until_it_is_renewed(
    standin: StandIn, project: Project, unhurried: Clock
) -> None:
    standin.give_file("exa", "exa/err_402.json", 402)
    standin.give_file("tavily", "tavily/err_432.json", 432)
    standin.give_file(
        "brave", "brave/err_429.json", 429, X_RateLimit_Limit="1, 2000",
        X_RateLimit_Remaining="1, 0", X_RateLimit_Reset="1, 86400",
    )  # fmt: skip

    job = answered(queued(project, Plan("drug x", route="general")), unhurried.means)

    assert [len(standin.of(each)) for each in ("exa", "tavily", "brave")] == [1, 1, 1]
    pause = ProviderPause.objects.get()
    assert (pause.provider, pause.until) == ("brave", unhurried.now + timedelta(days=1))
    assert not job.result["ok"]
    assert [receipt.status for receipt in Receipt.objects.all()] == ["failed"] * 3


def test_cut_answer_is_tried_again(standin: StandIn, project: Project) -> None:
    whole = (standin.folder / "serper/scholar.json").read_bytes()
    standin.give("serper", Given(whole, cut=True), whole)

    job = answered(queued(project, Plan("drug x", route="scholar")))

    assert job.result["ok"]
    assert [call.outcome for call in Call.objects.all()] == ["cut", "ok"]


def test_what_was_answered_well_is_not_asked_again(standin: StandIn, project: Project) -> None:
    ids = (standin.folder / "pubmed/esearch.json").read_bytes()
    records = (standin.folder / "pubmed/efetch.xml").read_bytes()
    standin.give("pubmed", ids, b"<html>back end</html>", records)

    answered(queued(project, Plan("drug x", route="pubmed")))

    assert [asked.path.rsplit("/", 1)[1] for asked in standin.asked] == [
        "esearch.fcgi", "efetch.fcgi", "efetch.fcgi",
    ]  # fmt: skip
    assert Receipt.objects.get().result_count == 1


def test_pages_before_an_error_are_kept_in_part(standin: StandIn, project: Project) -> None:
    page = {"organic": [{"title": str(n), "link": f"https://a.example/{n}"} for n in range(10)]}
    standin.give("serper", {"searchParameters": {}, **page}, Given(b"{}", 403))

    job = answered(queued(project, Plan("drug x", route="scholar", limit=20)))

    receipt = Receipt.objects.get()
    assert (receipt.status, receipt.result_count) == ("partial", 10)
    assert "key is refused" in receipt.failure_reason
    assert Result.objects.count() == 10
    assert job.result["ok"]
    assert "Serper answered in part" in job.result["warnings"][0]


def test_places_in_the_row_are_given_out_once(db: None) -> None:
    now = timezone.now()

    assert [round(reserve("pubmed", 0.5, now), 3) for _ in range(4)] == [0.0, 0.5, 1.0, 1.5]
    assert reserve("exa", 0.5, now) == 0.0
    assert reserve("pubmed", 0.5, now + timedelta(seconds=60)) == 0.0


def test_pace_that_a_service_asks_for_is_learnt_by_all(
    standin: StandIn, project: Project, unhurried: Clock
) -> None:
    body = (standin.folder / "serper/scholar.json").read_bytes()
    said = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Interval": "3s"}
    standin.give("serper", Given(body, 200, said))

    for _ in range(2):
        answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)

    assert ProviderPace.objects.get(service="serper").gap == 3.0
    answered(queued(project, Plan("drug x", route="scholar")), unhurried.means)
    assert sum(unhurried.rests) >= 3.0


def test_blocked_hosts_are_left_out(standin: StandIn, project: Project) -> None:
    BlacklistRule.objects.all().delete()
    rule: Callable[..., Any] = BlacklistRule.objects.create
    host = {"scope": BlacklistRule.Scope.HOST, "reason": "spam", "state": "active"}
    rule(pattern="spam.example", pattern_key="spam.example", **host)
    rule(pattern="ok.example", pattern_key="ok.example", **(host | {"effect": "warn"}))
    rule(pattern="off.example", pattern_key="off.example", **(host | {"state": "off"}))
    standin.give_file("exa", "exa/err_402.json", 402)

    answered(queued(project, Plan("drug x", route="company")))

    assert blocked_hosts() == ("spam.example",)
    (asked,) = standin.of("tavily")
    assert asked.json["exclude_domains"] == ["spam.example"]
    assert asked.json["search_depth"] == "advanced"


def test_run_of_a_route_that_is_gone_says_so(standin: StandIn, project: Project) -> None:
    job = answered(queued(project, Plan("drug x", route="gone")))

    assert job.state == Job.State.FAILED
    assert "gone" in job.error
    assert "路线" in job.error_zh


@pytest.mark.parametrize(
    "body",
    [
        b"\x00\xff",
        b'{"organic":' + b"[" * 5000,
        b'{"searchParameters":{},"organic":[{"title":"\\ud800\\u0000x"}]}',
    ],
)
def test_hostile_body_ends_in_no_traceback(standin: StandIn, project: Project, body: bytes) -> None:
    standin.give("serper", Given(body))

    job = answered(queued(project, Plan("drug x", route="scholar")))

    assert job.state == Job.State.DONE
    receipt = Receipt.objects.get()
    said = [receipt.failure_reason, *Call.objects.values_list("error", flat=True)]
    assert all(text.encode() and "\x00" not in text for text in said if text)
