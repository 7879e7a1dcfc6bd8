"""The list of claims, changes in bulk, saved views."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews import bulk, listing, standing
from reviews.models import Claim, Finding, SavedView, Snooze
from reviews.sealing import is_sealed
from sources.models import AuditEvent, Project, User
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    SnoozeFactory,
    VerdictFactory,
)

pytestmark = pytest.mark.django_db
LIST = "/p/nsclc/claims/"
BULK = "/p/nsclc/claims/bulk/"
HTMX = {"HX-Request": "true"}

type SignIn = Callable[[User], Client]


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    """Five claims, the riskiest first; nothing is sealed."""
    project.sealed_share = 0
    project.save()
    return [
        ClaimFactory(
            project=project,
            external_id=f"d1.c{n}",
            position=n,
            risk=3 - n / 2,
            risk_order=3 - n / 2,
            risk_terms={"coverage": 2 - n / 4, "numbers": 1 - n / 4},
        )
        for n in range(1, 6)
    ]


def shown(page: object) -> list[str]:
    return re.findall(r'<tr class="claim-row" data-id="([^"]*)"', page.content.decode())


# --- Who sees it ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", [LIST, f"{LIST}peek/?at=d1.c1", "/p/nsclc/views/", f"{LIST}?q=is:open&last=1"]
)
def test_outsider_sees_no_list(
    claims: list[Claim], outsider_client: Client, reviewer_client: Client, address: str
) -> None:
    assert outsider_client.get(address).status_code == 404
    assert reviewer_client.get(address).status_code == 200


@pytest.mark.parametrize("address", [BULK, "/p/nsclc/views/new/"])
def test_outsider_changes_nothing(
    claims: list[Claim], outsider_client: Client, address: str
) -> None:
    assert outsider_client.post(address, {"q": "", "name": "x"}).status_code == 404
    assert outsider_client.get(address).status_code == 405


# --- Rows -------------------------------------------------------------------------------------


def test_riskiest_claim_comes_first_with_the_terms_of_its_risk(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST)

    assert shown(page) == [f"d1.c{n}" for n in range(1, 6)]
    assert "2.50 = Words missing from the best passages 1.75 + " in page.content.decode()


def test_row_shows_checks_slots_trust_and_day(
    claims: list[Claim], reviewer: User, second_reviewer: User, reviewer_client: Client
) -> None:
    first, second = claims[:2]
    FindingFactory(claim=first)
    item = EvidenceFactory(claim=first, trust_proposal="weak_untrusted")
    AssessmentFactory(evidence=item, reviewer=reviewer, trust="trusted_primary")
    EvidenceFactory(claim=first, trust_proposal="weak_untrusted")
    VerdictFactory(claim=first, reviewer=second_reviewer, decision="revise")
    VerdictFactory(claim=first, reviewer=reviewer, decision="pass")
    SnoozeFactory(claim=second, reviewer=reviewer, until=timezone.localdate() + timedelta(days=9))
    standing.refresh([first.pk, second.pk])

    rows = reviewer_client.get(LIST).content.decode().split('<tr class="claim-row"')

    assert "chip-defect" in rows[1]
    assert '<span class="confirmed" title="trusted primary">1</span>·' in rows[1]
    assert '<span class="" title="weak, untrusted">3</span>' in rows[1]
    assert "●●" in rows[1]
    assert "≠" in rows[1]
    assert "second_reviewer" not in rows[1]
    assert "○" in rows[2]
    assert "<time" in rows[2]


def test_sealed_claim_shows_nothing_that_the_machine_found(
    claims: list[Claim], project: Project, reviewer_client: Client
) -> None:
    project.sealed_share = 100
    project.save()
    EvidenceFactory(claim=claims[0], trust_proposal="weak_untrusted", grade="absent")
    FindingFactory(claim=claims[0])
    standing.refresh([claims[0].pk])
    assert is_sealed(project.slug, "d1.c1", 100)

    page = reviewer_client.get(LIST).content.decode()
    peek = reviewer_client.get(f"{LIST}peek/", {"at": "d1.c1"}).content.decode()

    for text in (page, peek):
        assert "2.50" not in text
        assert "chip-defect" not in text
        assert "weak, untrusted" not in text
        assert "absent" not in text
    assert "sealed" in page


def test_hostile_text_is_escaped_and_marked(project: Project, reviewer_client: Client) -> None:
    ClaimFactory(project=project, external_id='"><b>x', text="<script>alert(1)</script>\u202egpj")

    page = reviewer_client.get(LIST).content.decode()
    row = page[page.index("claim-row") :]

    assert "<script>alert" not in row
    assert '"><b>x' not in row
    assert "U+202E" in row


def test_link_of_a_row_opens_the_claim_with_the_queue(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST, {"q": "is:open", "sort": "position"}).content.decode()

    assert 'href="/p/nsclc/review/?q=is%3Aopen&amp;sort=position&amp;at=d1.c3"' in page


# --- Pages ------------------------------------------------------------------------------------


def test_pages_follow_by_key_in_both_directions(
    claims: list[Claim], reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)

    first = reviewer_client.get(LIST)
    second = reviewer_client.get(first.context["next"])
    last = reviewer_client.get(first.context["last"])
    before_last = reviewer_client.get(last.context["previous"])
    back = reviewer_client.get(second.context["previous"])

    assert shown(first) == ["d1.c1", "d1.c2"]
    assert shown(second) == ["d1.c3", "d1.c4"]
    assert shown(last) == ["d1.c4", "d1.c5"]
    assert last.context["next"] == ""
    assert shown(before_last) == ["d1.c2", "d1.c3"]
    assert shown(back) == shown(first)
    assert first.context["previous"] == ""


@pytest.mark.parametrize("mark", ["x", "bm90IGpzb24", "WyJhIiwyXQ", "\x00", "😀" * 400])
def test_odd_place_in_an_address_gives_the_first_page(
    claims: list[Claim], reviewer_client: Client, mark: str
) -> None:
    for name in ("after", "before"):
        page = reviewer_client.get(LIST, {name: mark})

        assert page.status_code == 200
        assert len(shown(page)) == 5


def test_queries_do_not_grow_with_rows(project: Project, reviewer_client: Client) -> None:
    counted = []
    for _ in range(2):
        for _ in range(20):
            item = EvidenceFactory(claim=ClaimFactory(project=project))
            FindingFactory(claim=item.claim)
        standing.refresh(Claim.objects.values_list("pk", flat=True))
        for address in (LIST, f"{LIST}?last=1", f"{LIST}?q=check:number%20is:open"):
            reviewer_client.get(address)
            with CaptureQueriesContext(connection) as captured:
                assert reviewer_client.get(address).status_code == 200
            counted.append(len(captured))

    assert counted[:3] == counted[3:]
    assert max(counted) <= 13


def test_large_counts_are_capped_until_asked_for(
    claims: list[Claim], reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SHOWN_COUNT", 3)

    page = reviewer_client.get(LIST, {"q": "kind:factual"})
    exact = reviewer_client.get(page.context["exact"])

    assert (page.context["counts"].matched, page.context["counts"].more) == (3, True)
    assert "10k+" in page.content.decode()
    assert (exact.context["counts"].matched, exact.context["counts"].more) == (5, False)


# --- Query, chips, empty states -----------------------------------------------------------------


def test_error_is_shown_at_its_character(claims: list[Claim], reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:factal is:open"})

    assert page.status_code == 422
    text = page.content.decode()
    assert "kind:<mark>f</mark>actal is:open" in text
    assert "Did you mean “factual”?" in text
    assert shown(page) == []


def test_error_past_the_end_points_behind_the_query(
    claims: list[Claim], reviewer_client: Client
) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:"})

    assert "kind:<mark>␣</mark>" in page.content.decode()


def test_chips_count_and_write_the_query(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    Claim.objects.filter(pk=claims[0].pk).update(state="stale")
    VerdictFactory(claim=claims[0], reviewer=reviewer, stale=True)

    page = reviewer_client.get(LIST, {"q": "kind:factual is:open"})
    chips = {chip.name: (chip.count, chip.query) for chip, _address in page.context["chips"]}

    assert chips == {
        "open": (4, "kind:factual"),
        "stale": (1, "kind:factual is:stale"),
        "conflict": (0, "kind:factual is:conflict"),
        "mine": (1, "kind:factual is:mine"),
        "later": (0, "kind:factual is:later"),
    }
    assert shown(page) == [f"d1.c{n}" for n in range(2, 6)]


def test_empty_list_says_which_term_to_drop(claims: list[Claim], reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "kind:factual is:stale"}).content.decode()

    assert "<code>is:stale</code>" in page
    assert f'href="{LIST}?q=kind%3Afactual"' in page


def test_project_without_claims_says_where_they_come_from(
    project: Project, reviewer_client: Client
) -> None:
    assert "No claims yet" in reviewer_client.get(LIST).content.decode()


def test_htmx_gets_the_list_alone_but_the_whole_page_on_the_way_back(
    claims: list[Claim], reviewer_client: Client
) -> None:
    part = reviewer_client.get(LIST, headers=HTMX)
    whole = reviewer_client.get(LIST, headers={**HTMX, "HX-History-Restore-Request": "true"})

    assert part.content.lstrip().startswith(b'<div id="list"')
    assert b"<html" in whole.content
    assert "HX-Request" in part.headers["Vary"]


def test_peek_shows_the_claim_with_its_evidence(
    claims: list[Claim], reviewer_client: Client
) -> None:
    EvidenceFactory(claim=claims[0], snippet="a passage of its own")

    part = reviewer_client.get(f"{LIST}peek/", {"at": "d1.c1", "q": "is:open"})
    page = reviewer_client.get(LIST, {"peek": "d1.c1"})

    assert "a passage of its own" in part.content.decode()
    assert "a passage of its own" in page.content.decode()
    assert reviewer_client.get(f"{LIST}peek/", {"at": "nothing"}).status_code == 404


def test_list_speaks_chinese(claims: list[Claim], reviewer: User, reviewer_client: Client) -> None:
    reviewer.language = "zh-hans"
    reviewer.save()

    page = reviewer_client.get(LIST, {"q": "score:<5"}).content.decode()

    assert "要在信源评分后才能搜索" in page


# --- In bulk ------------------------------------------------------------------------------------


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


# --- Saved views ----------------------------------------------------------------------------------


def test_view_is_private_until_it_is_shared(
    claims: list[Claim],
    reviewer: User,
    reviewer_client: Client,
    second_reviewer_client: Client,
) -> None:
    reviewer_client.post(
        "/p/nsclc/views/new/", {"name": " open  ones ", "q": "is:open", "sort": "position"}
    )
    view = SavedView.objects.get()
    link = f"/p/nsclc/views/{view.pk}/"

    own = reviewer_client.get("/p/nsclc/views/").content.decode()
    opened = reviewer_client.get(link)

    assert view.name == "open ones"
    assert '<b class="figures">5</b>' in own
    assert opened.headers["Location"] == f"{LIST}?q=is%3Aopen&sort=position"
    assert second_reviewer_client.get(link).status_code == 404
    reviewer_client.post(f"{link}change/", {"name": "open ones", "shared": "1"})
    assert second_reviewer_client.get(link).status_code == 302
    assert "open ones" in second_reviewer_client.get("/p/nsclc/views/").content.decode()


def test_only_the_owner_renames_or_deletes_a_view(
    project: Project, reviewer: User, reviewer_client: Client, second_reviewer_client: Client
) -> None:
    view = SavedView.objects.create(project=project, owner=reviewer, name="mine", shared=True)
    address = f"/p/nsclc/views/{view.pk}/change/"

    assert second_reviewer_client.post(address, {"delete": "1"}).status_code == 403
    assert second_reviewer_client.post(address, {"name": "theirs"}).status_code == 403
    reviewer_client.post(address, {"name": "renamed"})
    assert SavedView.objects.get().name == "renamed"
    reviewer_client.post(address, {"delete": "1"})
    assert not SavedView.objects.exists()


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "taken"])
def test_unfit_name_of_a_view_is_refused(
    project: Project, reviewer: User, reviewer_client: Client, name: str
) -> None:
    SavedView.objects.create(project=project, owner=reviewer, name="taken")

    page = reviewer_client.post("/p/nsclc/views/new/", {"name": name, "q": ""}, follow=True)

    assert "notice-error" in page.content.decode()
    assert SavedView.objects.count() == 1


def test_view_whose_query_no_longer_reads_has_no_count(
    project: Project, reviewer: User, reviewer_client: Client
) -> None:
    SavedView.objects.create(project=project, owner=reviewer, name="old", query="reviewer:gone")

    page = reviewer_client.get("/p/nsclc/views/")

    assert page.status_code == 200
    assert '<b class="figures">–</b>' in page.content.decode()


def test_view_of_another_project_is_not_found(
    project: Project, reviewer: User, reviewer_client: Client, outsider: User
) -> None:
    other = outsider.memberships.get().project
    view = SavedView.objects.create(project=other, owner=outsider, name="x", shared=True)

    assert reviewer_client.get(f"/p/nsclc/views/{view.pk}/").status_code == 404
