"""Changes to many claims of a list at once."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews import standing
from reviews.actions import snooze_many
from reviews.models import Claim, Finding, Snooze
from reviews.screens import bulk
from sources.models import AuditEvent, Project, User
from tests.factories import ClaimFactory, FindingFactory, SnoozeFactory

from .lists import BULK, HTMX, LIST

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", [BULK, "/p/nsclc/views/new/"])
def test_outsider_changes_nothing(
    claims: list[Claim], outsider_client: Client, address: str
) -> None:
    assert outsider_client.post(address, {"q": "", "name": "x"}).status_code == 404
    assert outsider_client.get(address).status_code == 405


def do(client: Client, seen: int | None = None, **form: object) -> object:
    values = {"q": "", "sort": "-risk", **form}
    if seen is not None:
        values["seen"] = str(seen)
    return client.post(BULK, values, headers=HTMX)


def tomorrow() -> str:
    return (timezone.localdate() + timedelta(days=1)).isoformat()


def test_preview_tells_old_and_new_and_changes_nothing(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    SnoozeFactory(claim=claims[0], reviewer=reviewer, until="2031-01-02")

    page = do(reviewer_client, action="later", until="2031-05-06", everything="1", q="kind:factual")
    text = page.content.decode()

    assert page.status_code == 200
    assert "2031-01-02" in text
    assert "2031-05-06" in text
    assert "5 claims would change" in text
    assert Snooze.objects.count() == 1


def test_whole_query_is_put_off_at_once_and_undone_at_once(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    form = {"action": "later", "until": tomorrow(), "everything": "1", "q": "kind:factual"}

    done = do(reviewer_client, seen=5, key="k1", **form)

    assert done.headers["HX-Trigger"] == "list-changed"
    assert Snooze.objects.filter(reviewer=reviewer).count() == 5
    events = AuditEvent.objects.filter(action="claim.snoozed")
    (batch,) = set(events.values_list("batch_id", flat=True))
    assert batch
    request_id = events[0].request_id
    reviewer_client.post("/p/nsclc/undo/", {"request": request_id}, headers=HTMX)
    assert not Snooze.objects.exists()


def test_named_check_is_dismissed_with_a_reason_on_the_ticked_claims(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    for claim in claims[:3]:
        FindingFactory(claim=claim, check_id="number-ledger")
        FindingFactory(claim=claim, check_id="quote-grade")
    standing.refresh([claim.pk for claim in claims])
    form = {"action": "dismiss", "check": "number-ledger", "reason": "单位换算后相等"}

    do(reviewer_client, seen=2, key="k", claim=["d1.c1", "d1.c2", "d1.c5"], **form)

    dismissed = Finding.objects.filter(state="dismissed")
    assert {f.claim.external_id for f in dismissed} == {"d1.c1", "d1.c2"}
    assert {(f.check_id, f.reason, f.decided_by) for f in dismissed} == {
        ("number-ledger", "单位换算后相等", reviewer)
    }
    assert Claim.objects.get(external_id="d1.c1").open_errors == 1
    request_id = AuditEvent.objects.filter(action="finding.dismissed")[0].request_id
    reviewer_client.post("/p/nsclc/undo/", {"request": request_id}, headers=HTMX)
    assert not Finding.objects.exclude(state="open").exists()
    assert Claim.objects.get(external_id="d1.c1").open_errors == 2


def test_sealed_claims_are_left_out_when_a_check_is_dismissed(
    claims: list[Claim], project: Project, reviewer_client: Client
) -> None:
    project.sealed_share = 100
    project.save()
    FindingFactory(claim=claims[0])
    form = {"action": "dismiss", "check": "number-ledger", "reason": "not so"}

    page = do(reviewer_client, everything="1", **form)

    assert "0 claims would change" in page.content.decode()


def test_key_mark_is_given_and_taken_with_a_reason(
    claims: list[Claim], reviewer_client: Client
) -> None:
    Claim.objects.filter(pk=claims[0].pk).update(is_key=True)

    do(reviewer_client, seen=4, key="a", action="key", reason="in the summary", everything="1")
    assert Claim.objects.filter(is_key=True).count() == 5

    do(reviewer_client, seen=1, key="b", action="not_key", reason="not there", claim=["d1.c2"])
    assert not Claim.objects.get(external_id="d1.c2").is_key


def test_pass_is_not_to_be_had_in_bulk(claims: list[Claim], reviewer_client: Client) -> None:
    page = do(reviewer_client, seen=5, action="pass", everything="1")

    assert page.status_code == 422
    assert "Nothing was changed" in page.content.decode()


def test_second_press_changes_nothing_more(claims: list[Claim], reviewer_client: Client) -> None:
    form = {"action": "later", "until": tomorrow(), "everything": "1", "key": "same"}

    answers = [do(reviewer_client, seen=5, **form) for _ in range(2)]

    assert [a.status_code for a in answers] == [200, 200]
    assert "5 claims changed" in answers[1].content.decode()
    assert AuditEvent.objects.filter(action="claim.snoozed").count() == 5


def test_selection_that_changed_since_the_preview_is_shown_again(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = do(reviewer_client, seen=4, key="k", action="later", until=tomorrow(), everything="1")

    assert "has changed since you saw it" in page.content.decode()
    assert not Snooze.objects.exists()


@pytest.mark.parametrize(
    "form",
    [
        {"action": "later", "until": "2001-01-01", "everything": "1"},
        {"action": "later", "until": "soon", "everything": "1"},
        {"action": "dismiss", "check": "nothing", "reason": "because", "everything": "1"},
        {"action": "dismiss", "check": "number-ledger", "reason": "", "everything": "1"},
        {"action": "key", "reason": "in the summary"},
        {"action": "key", "reason": "in the summary", "everything": "1", "q": "kind:factal"},
        {"action": "key", "reason": "x\x00yz", "everything": "1"},
        {"action": "key", "reason": "long" * 500, "everything": "1"},
    ],
)
def test_unfit_change_in_bulk_is_refused_with_its_reason(
    claims: list[Claim], reviewer_client: Client, form: dict[str, str]
) -> None:
    page = do(reviewer_client, seen=5, **form)

    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert not AuditEvent.objects.exists()


def test_too_many_claims_at_once_are_refused(
    claims: list[Claim], reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "LIMIT", 4)

    page = do(reviewer_client, action="later", until=tomorrow(), everything="1")

    assert page.status_code == 422
    assert "Narrow the query" in page.content.decode()


def test_bulk_works_without_script(claims: list[Claim], reviewer_client: Client) -> None:
    form = {"q": "", "action": "later", "until": tomorrow(), "claim": ["d1.c1"]}

    preview = reviewer_client.post(BULK, form)
    done = reviewer_client.post(BULK, {**form, "seen": "1", "key": "k"})

    assert b"<html" in preview.content
    assert done.status_code == 302
    assert done.headers["Location"] == LIST
    assert Snooze.objects.count() == 1


def test_putting_off_costs_no_more_queries_for_more_claims(
    project: Project, reviewer: User
) -> None:
    def cost(number: int) -> int:
        claims = [ClaimFactory(project=project) for _ in range(number)]
        SnoozeFactory(claim=claims[0], reviewer=reviewer, until="2031-01-02", note="kept")
        with CaptureQueriesContext(connection) as seen:
            snooze_many(claims=claims, until=date(2031, 5, 6), by=reviewer, batch_id="b")
        return len(seen)

    few, many = cost(3), cost(60)

    assert many <= few
    assert Snooze.objects.filter(until="2031-05-06").count() == 63
    assert Snooze.objects.filter(note="kept").count() == 2
