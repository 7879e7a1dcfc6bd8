"""Replays of receipts: a new receipt, linked, with what differs."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from search import replaying
from search.actions.replaying import replay_receipt
from search.actions.starting import start_search
from search.models import Receipt
from search.plans import Plan
from sources.actions.errors import ActionRefused
from sources.models import Dimension, Job, Project, User
from sources.running import perform
from tests.search.found import hit, searched
from tests.search.runs import answered
from tests.standin import Given, StandIn

pytestmark = pytest.mark.django_db


def hits_of(*names: str) -> dict[str, Any]:
    """Give an answer of Exa with one page for each name."""
    return {
        "results": [
            {"id": name, "url": f"https://journal.fi/{name}", "title": f"Study {name}"}
            for name in names
        ]
    }


@pytest.fixture
def first(project: Project, editor: User, standin: StandIn) -> Receipt:
    standin.give("exa", hits_of("a", "b", "c"))
    dimension = Dimension.objects.create(project=project, external_id="d1", name="Efficacy")
    plan = Plan(
        text="drug x", route="general", limit=7, year_low=2023, language="en", round=3,
        purpose="counter-evidence", dimension=dimension.pk,
    )  # fmt: skip
    answered(start_search(project=project, plan=plan, by=editor))
    return Receipt.objects.get()


def replayed(receipt: Receipt, by: User) -> Receipt:
    job = replay_receipt(receipt=receipt, by=by)
    perform(job.pk, replaying.run)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    return Receipt.objects.of_job(job).get()


def test_replay_asks_the_same_again_and_is_linked(
    first: Receipt, editor: User, standin: StandIn
) -> None:
    again = replayed(first, editor)

    one, two = standin.of("exa")
    assert one.json == two.json
    assert again.replay_of == first
    same = ("query_or_url", "route", "provider", "round", "language", "purpose", "dimension",
            "request", "mode")  # fmt: skip
    assert [getattr(again, name) for name in same] == [getattr(first, name) for name in same]
    assert again.external_id == "srch_0002"
    assert again.result_hash == first.result_hash


def test_replay_tells_what_is_new_gone_and_moved(
    first: Receipt, editor: User, standin: StandIn
) -> None:
    standin.give("exa", hits_of("b", "a", "d"))

    found = replaying.compared(replayed(first, editor))

    assert found is not None
    assert found.counts() == {"new": 1, "gone": 1, "moved": 2, "same": 0, "retracted": 0}
    assert [each.title for each in found.new] == ["Study d"]


def test_replay_names_what_was_retracted_since(project: Project, editor: User) -> None:
    before = searched(project, hit("a"), hit("b"))
    after = searched(
        project, hit("a"), hit("b", standing="retracted"), links={"replay_of_id": before.pk}
    )

    found = replaying.compared(after)

    assert found is not None
    assert [each.title for each in found.retracted] == ["Study b"]


def test_failed_replay_compares_nothing(first: Receipt, editor: User, standin: StandIn) -> None:
    standin.give("exa", Given(b"{}", 401))

    again = replayed(first, editor)

    assert again.status == "failed"
    assert replaying.compared(again) is None


def test_replay_of_a_fallback_gives_leads_again(
    project: Project, editor: User, standin: StandIn
) -> None:
    standin.give("exa", hits_of("a"))
    lead = searched(
        project, hit("a"), provider="exa", route="general", fallback_of="srch_0000", is_lead=True
    )

    again = replayed(lead, editor)

    assert again.fallback_of == "srch_0000"
    assert [row.is_lead for row in again.results.all()] == [True]


def test_job_that_runs_twice_asks_once(first: Receipt, editor: User, standin: StandIn) -> None:
    job = replay_receipt(receipt=first, by=editor)
    perform(job.pk, replaying.run)
    Job.objects.filter(pk=job.pk).update(state="queued", token="")
    perform(job.pk, replaying.run)

    assert len(standin.of("exa")) == 2  # the first search, and one replay
    assert Receipt.objects.of_job(job).count() == 1


def test_two_presses_are_one_replay(first: Receipt, editor: User) -> None:
    assert replay_receipt(receipt=first, by=editor) == replay_receipt(receipt=first, by=editor)


def test_imported_receipt_without_our_provider_is_refused(project: Project, editor: User) -> None:
    foreign = searched(project, provider="bing")

    with pytest.raises(ActionRefused, match="names no provider"):
        replay_receipt(receipt=foreign, by=editor)


def test_reviewer_may_not_replay(first: Receipt, reviewer_client: Client) -> None:
    address = reverse("receipt-replay", args=[first.project.slug, first.pk])

    assert reviewer_client.post(address).status_code == 403
    assert Job.objects.filter(kind="replay").count() == 0


def test_button_queues_the_replay_and_the_page_shows_the_differences(
    first: Receipt, editor: User, editor_client: Client, standin: StandIn
) -> None:
    address = reverse("receipt-replay", args=[first.project.slug, first.pk])
    answer = editor_client.post(address)
    job = Job.objects.get(kind="replay")
    assert answer["Location"].endswith(f"?job={job.pk}")

    standin.give("exa", hits_of("c", "d"))
    perform(job.pk, replaying.run)
    again = Receipt.objects.of_job(job).get()
    page = editor_client.get(reverse("receipt", args=[first.project.slug, again.pk]))

    said = page.content.decode()
    for expected in ("Compared with", "srch_0001", "Study d", "Gone", "Moved"):
        assert expected in said


def run_command(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        call_command("replay_search", *args)
    return int(ended.value.code or 0), capsys.readouterr().out


def test_command_prints_what_differs(
    first: Receipt, standin: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    standin.give("exa", hits_of("a", "d"))

    code, said = run_command(capsys, first.project.slug, "srch_0001")

    assert code == 0
    assert said.splitlines() == [
        "Receipt: srch_0002, a replay of srch_0001",
        "new #2 Study d",
        "gone #2 Study b",
        "gone #3 Study c",
        "1 new, 2 gone, 0 moved, 1 same, 0 retracted",
    ]


def test_command_prints_one_object_as_json(
    first: Receipt, standin: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run_command(capsys, first.project.slug, "srch_0001", "--json")

    report = json.loads(said)
    assert code == 0
    assert report["replay_of"] == "srch_0001"
    assert report["receipts"][0]["receipt_id"] == "srch_0002"
    assert report["receipts"][0]["tool"] == "search-cli"
    assert report["differences"]["same"] == 3


@pytest.mark.parametrize("name", ["srch_9999", "", "x" * 300])
def test_command_refuses_what_is_no_receipt(
    first: Receipt, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(capsys, first.project.slug, name)[0] == 2


def test_command_ends_with_1_where_the_provider_fails(
    first: Receipt, standin: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    standin.give("exa", Given(b"{}", 401))

    assert run_command(capsys, first.project.slug, "srch_0001")[0] == 1
