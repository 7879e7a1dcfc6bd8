"""What is due, what was asked lately, and jobs that go on where they stopped."""

from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.utils import timezone

from sources.models import (
    Job,
    Project,
    RetractionCheck,
    Source,
)
from sources.noticing import checking
from sources.noticing.checking import Age
from sources.running import Running, Superseded, perform
from tests.factories import JobFactory
from tests.sources.jobs import taken

from .providers import NOW, SLUGS, TRIAL, World, always, ask, outcomes
from .works import a_source

pytestmark = pytest.mark.django_db


def ages(days: float) -> Age:
    moment = NOW + timedelta(days=days)
    return Age(moment - timedelta(days=7), moment - timedelta(hours=1))


def test_works_asked_about_lately_are_left_out(project: Project, world: World) -> None:
    a_source(project, TRIAL)
    ask(project, world)
    world.asked.clear()

    ask(project, world, ages(6))
    six_days = dict(world.asked)
    ask(project, world, ages(8))

    assert six_days == {}
    assert set(world.asked) == set(SLUGS)


def test_work_with_another_doi_is_asked_about_at_once(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    ask(project, world)
    world.asked.clear()
    Source.objects.filter(pk=source.pk).update(doi="10.5555/clean.1")

    ask(project, world, ages(1))

    assert set(world.asked) == set(SLUGS)


def test_failed_work_is_asked_about_again_after_an_hour(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    world.handlers["crossref"] = always(400)
    ask(project, world)
    world.asked.clear()

    ask(project, world, ages(0.03))
    soon = list(world.asked)
    ask(project, world, ages(0.5))

    assert soon == []
    assert list(world.asked) == ["crossref"]
    assert outcomes(source)["crossref"] == "failed"


def test_failed_try_does_not_take_an_answer_away(project: Project, world: World) -> None:
    source = a_source(project, TRIAL)
    ask(project, world)
    world.handlers["crossref"] = always(400)

    ask(project, world, ages(8))

    check = RetractionCheck.objects.get(source=source, provider="crossref")
    source.refresh_from_db()
    assert (check.outcome, check.detail) == ("notices", "status 400")
    assert source.retraction == "retracted"


def test_notice_that_a_provider_takes_back_no_longer_counts(project: Project, world: World) -> None:
    source = a_source(project, "10.5555/a")
    world.silence("pubmed", "europepmc", "openalex")
    update = {"DOI": "10.5555/n", "type": "retraction"}
    world.handlers["crossref"] = lambda request: httpx.Response(
        200, json={"message": {"DOI": "10.5555/a", "updated-by": [update]}}
    )
    ask(project, world)
    source.refresh_from_db()
    before = source.retraction
    world.handlers["crossref"] = lambda request: httpx.Response(
        200, json={"message": {"DOI": "10.5555/a"}}
    )

    ask(project, world, ages(8))

    source.refresh_from_db()
    assert (before, source.retraction) == ("retracted", "clean")


def test_job_that_was_killed_goes_on_where_it_stopped(
    project: Project, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(50):
        a_source(project, f"10.5555/x.{n:02}")
    world.silence(*SLUGS)
    calls = []

    def dying(request: httpx.Request) -> httpx.Response:
        calls.append(request)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return httpx.Response(200, json={"message": {"items": []}})

    world.handlers["crossref"] = dying
    with pytest.raises(KeyboardInterrupt):
        ask(project, world)
    asked = RetractionCheck.objects.filter(provider="crossref").count()

    ask(project, world)

    assert asked == 20
    assert len(calls) == 4
    assert RetractionCheck.objects.filter(provider="crossref").count() == 50


def test_late_worker_writes_nothing(project: Project, world: World) -> None:
    a_source(project, TRIAL)
    job = JobFactory(project=project, kind="retractions")
    late = Running(taken(job))
    Job.objects.filter(pk=job.pk).update(token="another")

    with pytest.raises(Superseded):
        ask(project, world, running=late)

    assert not RetractionCheck.objects.exists()


def test_job_asks_about_everything_or_what_is_due(
    project: Project, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_door", world.doors)
    a_source(project, TRIAL)
    counts = []
    for everything in (False, False, True):
        job = JobFactory(project=project, args={"everything": everything})
        Job.objects.filter(pk=job.pk).update(created_at=timezone.now() + timedelta(minutes=1))
        perform(job.pk, checking.run)
        job.refresh_from_db()
        counts.append(job.result["crossref"]["asked"])

    assert counts == [1, 0, 1]


@pytest.mark.shared
def test_real_answer_about_wakefield_rejects_nothing_but_tells_both_notices(
    shared: Path, project: Project, world: World
) -> None:
    folder = shared / "real" / "apis"
    source = a_source(project, "10.1016/s0140-6736(97)11096-0", "9500320")
    world.silence("pubmed", "europepmc")
    real = (folder / "crossref" / "work_retracted_wakefield_lancet_1998.json").read_bytes()
    flag = (folder / "openalex" / "work_retracted_wakefield_select.json").read_bytes()
    world.handlers["crossref"] = lambda request: httpx.Response(200, content=real)
    world.handlers["openalex"] = lambda request: httpx.Response(200, content=flag)

    ask(project, world)

    source.refresh_from_db()
    assert source.retraction == "retracted"
    assert {each.params["notice"] for each in source.findings.all()} == {
        "10.1016/s0140-6736(10)60175-4",
        "10.1016/s0140-6736(04)15715-2",
    }
