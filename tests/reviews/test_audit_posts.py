"""What the audit screen saves, refuses, merges and takes back."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from reviews.models import Assessment, Claim, Defect, Draft, Finding, Snooze, Verdict
from sources.models import AuditEvent, Project, User
from tests.factories import (
    ClaimFactory,
    EvidenceFactory,
    FindingFactory,
    SnapshotFactory,
    VerdictFactory,
)

HTMX = {"HX-Request": "true"}


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    return ClaimFactory(project=project, external_id="d1.c1")


def post(client: Client, name: str, pk: int, **values: Any) -> HttpResponse:
    return client.post(reverse(name, args=["nsclc", pk]), values, headers=HTMX)


def verdict(client: Client, claim: Claim, decision: str = "pass", **values: Any) -> HttpResponse:
    values = {"claim_version": claim.version, **values}
    return post(client, "claim-verdict", claim.pk, decision=decision, **values)


def told(response: HttpResponse) -> dict[str, Any]:
    return json.loads(response.headers["HX-Trigger"])


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


def test_support_and_trust_are_saved_one_by_one(claim: Claim, reviewer_client: Client) -> None:
    evidence = EvidenceFactory(claim=claim)

    post(reviewer_client, "evidence-assess", evidence.pk, support="partial", base_version=0)
    row = post(reviewer_client, "evidence-assess", evidence.pk, trust="unusable", base_version=2)

    saved = Assessment.objects.get()
    assert (saved.support, saved.trust) == ("partial", "unusable")
    assert b'name="base_version" value="3"' in row.content
    assert b"What fails" in row.content


def test_an_old_tab_may_set_a_field_that_the_other_left_alone(
    claim: Claim, reviewer_client: Client
) -> None:
    evidence = EvidenceFactory(claim=claim)
    post(reviewer_client, "evidence-assess", evidence.pk, support="full", base_version=0)
    post(reviewer_client, "evidence-assess", evidence.pk, support="none", base_version=2)

    merged = post(
        reviewer_client,
        "evidence-assess",
        evidence.pk,
        trust="unusable",
        was_trust="",
        base_version=2,
    )
    conflict = post(
        reviewer_client,
        "evidence-assess",
        evidence.pk,
        support="partial",
        was_support="full",
        base_version=2,
    )

    assert (merged.status_code, conflict.status_code) == (200, 409)
    assert Assessment.objects.get().support == "none"


def test_a_passage_is_set_by_hand_in_code_points(claim: Claim, reviewer_client: Client) -> None:
    snapshot = SnapshotFactory(project=claim.project, text="𠮷😀 中位 21.4 个月")
    evidence = EvidenceFactory(claim=claim, snapshot=snapshot)

    response = post(reviewer_client, "evidence-assess", evidence.pk, start=6, end=10)
    reader = reviewer_client.get(reverse("evidence-reader", args=["nsclc", evidence.pk]))

    page = reader.content.decode()
    assert told(response)["assessed"]["passage"] is True
    assert 'data-span="6-10" data-label="set by hand"' in page
    assert '<span data-c="6">21.4</span>' in page


@pytest.mark.parametrize(("start", "end"), [("5", "3"), ("0", "9999"), ("", "4"), ("a", "b")])
def test_a_passage_outside_the_text_is_refused(
    claim: Claim, reviewer_client: Client, start: str, end: str
) -> None:
    snapshot = SnapshotFactory(project=claim.project, text="short text")
    evidence = EvidenceFactory(claim=claim, snapshot=snapshot)

    response = post(reviewer_client, "evidence-assess", evidence.pk, start=start, end=end)

    assert response.status_code == 422 or Assessment.objects.get().start is None


def test_a_verification_records_what_was_looked_at(claim: Claim, reviewer_client: Client) -> None:
    evidence = EvidenceFactory(claim=claim)
    post(reviewer_client, "evidence-assess", evidence.pk, trust="weak_untrusted")

    row = post(
        reviewer_client,
        "evidence-assess",
        evidence.pk,
        base_version=2,
        outcome="verified",
        outcome_note="https://registry.example.org/1",
    )

    assert b"Independent verification" in row.content
    assert Assessment.objects.get().outcome == "verified"


def test_a_finding_is_dismissed_with_a_reason_in_place(
    claim: Claim, reviewer_client: Client
) -> None:
    finding = FindingFactory(claim=claim)

    refused = post(reviewer_client, "finding-decide", finding.pk, state="dismissed", base_version=1)
    done = post(
        reviewer_client,
        "finding-decide",
        finding.pk,
        state="dismissed",
        base_version=1,
        reason="a rounding",
    )

    assert refused.status_code == 422
    assert b"Say why the finding does not hold." in refused.content
    assert done.status_code == 200
    assert told(done)["finding-decided"]["state"] == "dismissed"


def test_a_finding_that_somebody_else_decided_shows_it_and_keeps_the_text(
    claim: Claim, reviewer_client: Client, second_reviewer_client: Client
) -> None:
    finding = FindingFactory(claim=claim)
    post(
        second_reviewer_client,
        "finding-decide",
        finding.pk,
        state="dismissed",
        base_version=1,
        reason="theirs",
    )

    response = post(
        reviewer_client,
        "finding-decide",
        finding.pk,
        state="dismissed",
        base_version=1,
        reason="mine",
    )

    page = response.content.decode()
    assert response.status_code == 409
    assert "theirs" in page
    assert "second_reviewer" in page


def test_a_key_claim_needs_a_reason(claim: Claim, reviewer_client: Client) -> None:
    refused = post(reviewer_client, "claim-key", claim.pk, is_key="1", reason="")
    done = post(reviewer_client, "claim-key", claim.pk, is_key="1", reason="headline")

    claim.refresh_from_db()
    assert (refused.status_code, done.status_code) == (422, 200)
    assert claim.is_key


def test_a_draft_is_kept_and_comes_back(claim: Claim, reviewer_client: Client) -> None:
    response = post(
        reviewer_client,
        "claim-draft",
        claim.pk,
        slot="verdict",
        form_version=1,
        decision="revise",
        note="half a thought",
        defect=["H1", "H3"],
    )
    page = reviewer_client.get(f"{reverse('review', args=['nsclc'])}?at=d1.c1").content.decode()

    assert response.status_code == 204
    assert Draft.objects.get().body["defect"] == ["H1", "H3"]
    assert "half a thought" in page


def test_an_emptied_draft_is_forgotten(claim: Claim, reviewer_client: Client) -> None:
    post(reviewer_client, "claim-draft", claim.pk, slot="verdict", note="half a thought")
    post(reviewer_client, "claim-draft", claim.pk, slot="verdict", note="")

    assert not Draft.objects.exists()


def test_a_sealed_claim_is_revealed_after_a_provisional_verdict(
    claim: Claim, reviewer_client: Client
) -> None:
    Project.objects.update(sealed_share=100)

    refused = post(reviewer_client, "claim-reveal", claim.pk)
    done = post(reviewer_client, "claim-reveal", claim.pk, provisional="pass")
    again = post(reviewer_client, "claim-reveal", claim.pk, provisional="revise")
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
    post(reviewer_client, "claim-reveal", claim.pk, provisional="pass")
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


@pytest.mark.parametrize(("split", "kept"), [("30", 30), ("5", 25), ("99", 65), ("x", 42)])
def test_the_divider_is_kept_within_its_bounds(
    reviewer: User, reviewer_client: Client, split: str, kept: int
) -> None:
    reviewer_client.post(reverse("pane-split"), {"split": split})

    reviewer.refresh_from_db()
    assert reviewer.pane_split == kept


POSTS = ["claim-verdict", "claim-later", "claim-reveal", "claim-key", "claim-draft"]


@pytest.mark.parametrize("name", POSTS)
def test_an_outsider_saves_nothing(claim: Claim, outsider_client: Client, name: str) -> None:
    assert post(outsider_client, name, claim.pk, decision="pass").status_code == 404
    assert not Verdict.objects.exists()


@pytest.mark.parametrize("name", POSTS)
def test_a_claim_of_another_project_is_not_found(
    claim: Claim, reviewer_client: Client, name: str
) -> None:
    foreign = ClaimFactory()

    assert post(reviewer_client, name, foreign.pk, decision="pass").status_code == 404


def test_an_outsider_assesses_and_decides_nothing(claim: Claim, outsider_client: Client) -> None:
    evidence, finding = EvidenceFactory(claim=claim), FindingFactory(claim=claim)

    for name, pk in (("evidence-assess", evidence.pk), ("finding-decide", finding.pk)):
        assert post(outsider_client, name, pk, support="full", state="confirmed").status_code == 404


@pytest.mark.parametrize("name", [*POSTS, "evidence-assess", "finding-decide"])
def test_reading_an_address_that_saves_is_not_allowed(
    claim: Claim, reviewer_client: Client, name: str
) -> None:
    assert reviewer_client.get(reverse(name, args=["nsclc", claim.pk])).status_code == 405


def test_a_session_that_ended_is_told_to_htmx(claim: Claim, client: Client) -> None:
    response = verdict(client, claim)

    assert response.status_code == 401
    assert response.headers["HX-Trigger"] == "session-ended"
