"""Verdicts as the audit screen posts them: saved, refused, merged, taken back."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from reviews.actions import assess_evidence
from reviews.models import Claim, Defect, Finding, Snooze, Verdict
from sources.models import AuditEvent, Project, User
from sources.recording import Entry, record
from tests.factories import ClaimFactory, EvidenceFactory, FindingFactory, VerdictFactory

from .posting import HTMX, post, told, verdict


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    return ClaimFactory(project=project, external_id="d1.c1")


def test_a_verdict_is_saved_without_a_body(claim: Claim, reviewer_client: Client) -> None:
    response = verdict(reviewer_client, claim, note="as in table 2", active_ms="12000")

    said = told(response)["verdict-saved"]
    saved = Verdict.objects.get()
    assert (response.status_code, response.content) == (204, b"")
    assert (saved.decision, saved.note, saved.active_ms) == ("pass", "as in table 2", 12000)
    assert said["version"] == saved.version
    assert said["request"] == AuditEvent.objects.get(action="verdict.given").request_id


def test_the_answer_tells_whether_the_next_screen_still_holds(
    claim: Claim, reviewer_client: Client
) -> None:
    other = ClaimFactory(project=claim.project, external_id="d1.c2")
    page = reviewer_client.get(f"{reverse('review', args=['nsclc'])}?at=d1.c2").content.decode()

    stamp = told(verdict(reviewer_client, claim, next="d1.c2"))["verdict-saved"]["next"]["stamp"]
    Claim.objects.filter(pk=other.pk).update(version=5)
    later = told(verdict(reviewer_client, claim, base_version=2, next="d1.c2"))

    assert f'data-stamp="{stamp}"' in page
    assert later["verdict-saved"]["next"]["stamp"] != stamp


def test_the_same_form_posted_twice_saves_once(claim: Claim, reviewer_client: Client) -> None:
    first = verdict(reviewer_client, claim, key="a" * 32)
    second = verdict(reviewer_client, claim, key="a" * 32)

    assert told(first)["verdict-saved"]["request"] == told(second)["verdict-saved"]["request"]
    assert AuditEvent.objects.filter(action__startswith="verdict").count() == 1


def test_a_refused_form_may_be_sent_again(claim: Claim, reviewer_client: Client) -> None:
    refused = verdict(reviewer_client, claim, "revise", key="b" * 32)
    accepted = verdict(reviewer_client, claim, "revise", key="b" * 32, defect="H1")

    assert (refused.status_code, accepted.status_code) == (422, 204)


def test_revise_keeps_each_defect_with_its_words(claim: Claim, reviewer_client: Client) -> None:
    response = verdict(
        reviewer_client,
        claim,
        "revise",
        defect=["H1", "S2"],
        **{"H1-text": "12.4, not 21.4", "H1-action": "Write 12.4.", "S2-severity": "suggestion"},
    )

    assert response.status_code == 204
    assert list(Defect.objects.values_list("code", "severity", "text", "action")) == [
        ("H1", "hard", "12.4, not 21.4", "Write 12.4."),
        ("S2", "suggestion", "", ""),
    ]


def test_another_severity_than_the_rules_needs_a_reason(
    claim: Claim, reviewer_client: Client
) -> None:
    fields = {"defect": "H1", "H1-severity": "suggestion"}

    refused = verdict(reviewer_client, claim, "revise", **fields)
    accepted = verdict(
        reviewer_client, claim, "revise", **fields, **{"H1-severity_reason": "rounded"}
    )

    assert refused.status_code == 422
    assert accepted.status_code == 204


def test_an_open_red_check_asks_before_a_pass(claim: Claim, reviewer_client: Client) -> None:
    finding = FindingFactory(claim=claim)

    refused = verdict(reviewer_client, claim)
    accepted = verdict(reviewer_client, claim, **{f"dismiss-{finding.pk}": "same number, rounded"})

    assert refused.status_code == 422
    assert b'data-code="red-checks"' in refused.content
    assert accepted.status_code == 204
    finding.refresh_from_db()
    assert finding.state == Finding.State.DISMISSED


@pytest.mark.parametrize(
    "values",
    [
        {"decision": ""},
        {"decision": "approved"},
        {"decision": "pass", "note": "x" * 20_001},
        {"decision": "pass", "note": "a\x00b"},
        {"decision": "revise", "defect": "H77"},
        {"decision": "revise", "defect": "H1", "H1-severity": "dreadful"},
    ],
)
def test_bad_values_are_refused_with_a_message(
    claim: Claim, reviewer_client: Client, values: dict[str, str]
) -> None:
    response = reviewer_client.post(
        reverse("claim-verdict", args=["nsclc", claim.pk]),
        {"claim_version": 1, **values},
        headers=HTMX,
    )

    assert response.status_code == 422
    assert b'class="notice notice-error"' in response.content
    assert not Verdict.objects.exists()


@pytest.mark.parametrize("number", ["-1", "1e9", "٣", "9" * 30, "x"])
def test_odd_numbers_are_taken_as_none(claim: Claim, reviewer_client: Client, number: str) -> None:
    response = verdict(reviewer_client, claim, active_ms=number, **{f"dismiss-{number}": "x"})

    assert response.status_code == 204
    assert Verdict.objects.get().active_ms in (0, 86_400_000)


def test_two_tabs_that_changed_different_fields_are_merged(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    was = json.dumps({"decision": "pass", "note": "", "defects": []})
    VerdictFactory(claim=claim, reviewer=reviewer, decision="pass", note="from tab one", version=2)

    response = verdict(reviewer_client, claim, "cannot_judge", base_version=1, was=was)

    saved = Verdict.objects.get()
    assert response.status_code == 204
    assert told(response)["verdict-saved"]["merged"] is True
    assert (saved.decision, saved.note) == ("cannot_judge", "from tab one")


def test_two_tabs_that_changed_the_same_field_show_both(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    was = json.dumps({"decision": "", "note": "", "defects": []})
    VerdictFactory(claim=claim, reviewer=reviewer, decision="pass", note="theirs", version=2)

    response = verdict(reviewer_client, claim, "cannot_judge", note="mine", base_version=1, was=was)

    page = response.content.decode()
    assert response.status_code == 409
    assert "theirs" in page
    assert "mine" in page
    assert 'data-version="2"' in page
    assert Verdict.objects.get().note == "theirs"


@pytest.mark.parametrize("was", ["", "[", "[]", '{"note": 1}', "[" * 20_000])
def test_what_a_form_held_before_may_be_nonsense(
    claim: Claim, reviewer: User, reviewer_client: Client, was: str
) -> None:
    VerdictFactory(claim=claim, reviewer=reviewer, decision="pass", note="theirs", version=2)

    response = verdict(reviewer_client, claim, "cannot_judge", note="mine", base_version=1, was=was)

    assert response.status_code == 409


def test_two_reviewers_do_not_meet(
    claim: Claim, reviewer_client: Client, second_reviewer_client: Client
) -> None:
    assert verdict(reviewer_client, claim).status_code == 204
    assert verdict(second_reviewer_client, claim).status_code == 204
    assert Verdict.objects.count() == 2


def test_without_a_script_the_form_leads_on(claim: Claim, reviewer_client: Client) -> None:
    url = reverse("claim-verdict", args=["nsclc", claim.pk])
    given = {"decision": "pass", "claim_version": 1}

    here = reviewer_client.post(url, {**given, "go": "/p/nsclc/review/"})
    away = [
        reviewer_client.post(url, {**given, "base_version": 2 + n, "go": go})
        for n, go in enumerate(["https://evil.example/", "project", "//evil.example", "/\\evil"])
    ]

    assert (here.status_code, here.headers["Location"]) == (302, "/p/nsclc/review/")
    assert [answer.status_code for answer in away] == [204] * 4


def test_later_puts_the_claim_off(claim: Claim, reviewer_client: Client) -> None:
    response = post(reviewer_client, "claim-later", claim.pk, until="2999-01-01", note="ask Ana")

    assert response.status_code == 204
    assert Snooze.objects.get().note == "ask Ana"


@pytest.mark.parametrize("until", ["", "2020-01-01", "tomorrow", "9999-99-99"])
def test_a_day_that_is_none_or_past_is_refused(
    claim: Claim, reviewer_client: Client, until: str
) -> None:
    assert post(reviewer_client, "claim-later", claim.pk, until=until).status_code == 422


def test_undo_takes_the_verdict_back(claim: Claim, reviewer_client: Client) -> None:
    request = told(verdict(reviewer_client, claim))["verdict-saved"]["request"]

    response = reviewer_client.post(
        reverse("undo", args=["nsclc"]), {"request": request}, headers=HTMX
    )

    assert told(response)["undone"]["claims"] == ["d1.c1"]
    assert Verdict.objects.get().decision == ""


def test_undo_of_what_others_did_is_refused(
    claim: Claim, reviewer_client: Client, second_reviewer_client: Client
) -> None:
    request = told(verdict(reviewer_client, claim))["verdict-saved"]["request"]

    response = second_reviewer_client.post(
        reverse("undo", args=["nsclc"]), {"request": request}, headers=HTMX
    )

    assert response.status_code == 422
    assert Verdict.objects.get().decision == "pass"


@pytest.mark.parametrize("given", [{}, {"request": ""}])
def test_what_a_job_did_in_ones_name_is_no_action_to_undo(
    claim: Claim, reviewer: User, reviewer_client: Client, given: dict[str, str]
) -> None:
    assessed = assess_evidence(evidence=EvidenceFactory(claim=claim), by=reviewer, support="full")
    brought = Entry("claim.changed", "claim", "d1.c1", new={"version": 2, "batch": 1})
    record(claim.project, [brought], by=reviewer)

    response = reviewer_client.post(reverse("undo", args=["nsclc"]), given, headers=HTMX)

    assert response.status_code == 422
    assessed.refresh_from_db()
    assert assessed.support == "full"


def test_a_sealed_claim_is_revealed_after_a_provisional_verdict(
    claim: Claim, reviewer_client: Client
) -> None:
    Project.objects.update(sealed_share=100)

    refused = post(reviewer_client, "claim-reveal", claim.pk, claim_version=1)
    done = post(reviewer_client, "claim-reveal", claim.pk, provisional="pass", claim_version=1)
    again = post(reviewer_client, "claim-reveal", claim.pk, provisional="revise", claim_version=1)
    saved = verdict(
        reviewer_client, claim, "revise", defect="H1", base_version=2, provisional="revise"
    )

    row = Verdict.objects.get()
    assert [r.status_code for r in (refused, done, again, saved)] == [422, 204, 204, 204]
    assert (row.provisional, row.decision) == ("pass", "revise")
    assert row.revealed_at is not None
    assert AuditEvent.objects.filter(action="claim.revealed").count() == 1


def test_a_reveal_cannot_be_undone(claim: Claim, reviewer_client: Client) -> None:
    Project.objects.update(sealed_share=100)
    post(reviewer_client, "claim-reveal", claim.pk, provisional="pass", claim_version=1)
    request = AuditEvent.objects.get(action="claim.revealed").request_id

    response = reviewer_client.post(
        reverse("undo", args=["nsclc"]), {"request": request}, headers=HTMX
    )

    assert response.status_code == 422
    assert Verdict.objects.get().revealed_at is not None


def test_a_sealed_claim_saved_unrevealed_keeps_its_verdict_as_provisional(
    claim: Claim, reviewer_client: Client
) -> None:
    Project.objects.update(sealed_share=100)

    verdict(reviewer_client, claim, "cannot_judge")

    row = Verdict.objects.get()
    assert (row.provisional, row.revealed_at) == ("cannot_judge", None)
