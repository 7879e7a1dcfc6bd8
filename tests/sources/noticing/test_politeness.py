"""Resting between requests, trying again, and leaving a provider alone."""

from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from pytest_django.fixtures import Settings

from sources.models import (
    Project,
    ProviderPause,
    RetractionCheck,
)
from sources.noticing.talking import LONGEST_PAUSE

from .providers import NOW, SLUGS, TRIAL, World, always, ask, outcomes
from .works import a_source

pytestmark = pytest.mark.django_db


def test_requests_keep_the_gap_that_the_provider_asks_for(project: Project, world: World) -> None:
    for n in range(3):
        a_source(project, f"10.5555/x,{n}")
    world.silence("pubmed", "europepmc", "openalex")
    limits = {"x-rate-limit-limit": "1", "x-rate-limit-interval": "4s"}
    world.handlers["crossref"] = lambda request: httpx.Response(404, headers=limits)

    ask(project, world)

    assert world.rests[:2] == [pytest.approx(1.0), pytest.approx(4.0)]


def test_short_retry_after_is_waited_for(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    left = [httpx.Response(429, headers={"Retry-After": "7"})]
    whole = world.handlers["crossref"]
    world.handlers["crossref"] = lambda request: left.pop() if left else whole(request)

    told = ask(project, world)

    assert 7.0 in world.rests
    assert told["crossref"] == {"asked": 1}
    assert outcomes(source)["crossref"] == "notices"


def test_long_retry_after_leaves_the_provider_alone_until_then(
    project: Project, world: World
) -> None:
    source = a_source(project, TRIAL)
    world.handlers["openalex"] = always(429, "spent", Retry_After="30000")

    told = ask(project, world)

    pause = ProviderPause.objects.get()
    assert pause.provider == "openalex"
    assert pause.until - NOW >= timedelta(seconds=30_000)
    assert told["openalex"]["again"] == pause.until.isoformat()
    assert len(world.asked["openalex"]) == 1
    assert max(world.rests, default=0) < 60
    check = RetractionCheck.objects.get(source=source, provider="openalex")
    assert (check.outcome, check.detail) == ("failed", "rate-limit")


def test_absurd_retry_after_is_capped(project: Project, world: World) -> None:
    a_source(project, TRIAL)
    world.handlers["crossref"] = always(429, Retry_After="999999999")

    ask(project, world)

    assert ProviderPause.objects.get().until - NOW <= LONGEST_PAUSE + timedelta(minutes=5)


@pytest.mark.parametrize("status", [402, 409, 429])
def test_spent_allowance_of_openalex_comes_in_three_statuses(
    project: Project, world: World, status: int
) -> None:
    a_source(project, TRIAL)
    world.handlers["openalex"] = always(status, Retry_After="7200")

    assert ask(project, world)["openalex"]["reason"] == "rate-limit"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (always(429), "rate-limit"),
        (always(500, "oops"), "status 500"),
        (always(504, "<html>"), "status 504"),
        (always(200, "<html>not json</html>"), "no-answer"),
        (always(200, '{"status": "failed", "message": []}'), "no-answer"),
        (always(200, "[" * 100_000), "no-answer"),
    ],
)
def test_fault_is_tried_three_times_then_the_provider_is_skipped(
    project: Project, world: World, answer: Any, reason: str
) -> None:
    source = a_source(project, TRIAL)
    world.handlers["crossref"] = answer

    told = ask(project, world)

    assert len(world.asked["crossref"]) == 3
    assert world.rests.count(5.0) >= 2
    assert told["crossref"]["reason"].startswith(reason)
    assert outcomes(source) == {**dict.fromkeys(SLUGS, "notices"), "crossref": "failed"}


def test_time_out_is_tried_again(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    left = [httpx.ReadTimeout("slow"), httpx.ConnectError("no route")]
    whole = world.handlers["crossref"]

    def answer(request: httpx.Request) -> httpx.Response:
        if left:
            raise left.pop()
        return whole(request)

    world.handlers["crossref"] = answer

    ask(project, world)

    assert outcomes(source)["crossref"] == "notices"


@pytest.mark.parametrize("status", [401, 403, 451])
def test_refused_key_skips_the_provider_at_once(
    project: Project, world: World, status: int
) -> None:
    a_source(project, TRIAL)
    world.handlers["openalex"] = always(status)

    assert ask(project, world)["openalex"]["reason"] == f"status {status}"
    assert len(world.asked["openalex"]) == 1


def test_provider_that_rests_is_not_asked(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    until = NOW + timedelta(hours=2)
    ProviderPause.objects.create(provider="crossref", until=until, reason="rate-limit")
    ProviderPause.objects.create(provider="pubmed", until=NOW - timedelta(1), reason="down")

    told = ask(project, world)

    assert told["crossref"] == {"asked": 0, "again": until.isoformat()}
    assert "crossref" not in outcomes(source)
    assert outcomes(source)["pubmed"] == "notices"


def test_one_bad_doi_does_not_spoil_the_others(project: Project, world: World) -> None:
    good = [a_source(project, f"10.5555/good.{n}") for n in range(4)]
    bad = a_source(project, "10.5555/bad")
    world.silence(*SLUGS)

    def answer(request: httpx.Request) -> httpx.Response:
        asked = unquote(str(request.url))
        if "10.5555/bad" in asked:
            return httpx.Response(400, json={"status": "failed"})
        dois = [f"10.5555/good.{n}" for n in range(4) if f"good.{n}" in asked]
        items = [{"DOI": doi} for doi in dois]
        single = "filter" not in request.url.params
        return httpx.Response(200, json={"message": items[0] if single else {"items": items}})

    world.handlers["crossref"] = answer

    ask(project, world)

    assert outcomes(bad)["crossref"] == "failed"
    assert {outcomes(each)["crossref"] for each in good} == {"nothing"}


def test_refusal_of_everything_ends_soon(project: Project, world: World) -> None:
    for n in range(60):
        a_source(project, f"10.5555/x.{n}")
    world.silence("pubmed", "europepmc", "openalex")
    world.handlers["crossref"] = always(400, "no")

    told = ask(project, world)

    assert told["crossref"]["reason"] == "status 400"
    assert len(world.asked["crossref"]) < 20


def test_politeness_can_be_switched_off(project: Project, world: World, settings: Settings) -> None:
    settings.FETCH_HOST_DELAY = 0
    a_source(project, TRIAL)
    world.handlers["crossref"] = always(500)

    ask(project, world)

    assert world.rests == []
