"""What a sealed claim tells before it is judged: nothing that the machine or others said."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from reviews import actions
from reviews.models import Claim, Evidence, Finding, Verdict
from sources.models import AuditEvent, Project, User
from tests.factories import AssessmentFactory, EvidenceFactory, FindingFactory, VerdictFactory

HTMX = {"HX-Request": "true"}
LEDGER = [
    {
        "claim": {"raw": "21.4 months", "start": 43, "end": 54},
        "passage": {"raw": "21.4 months", "start": 28, "end": 39},
        "relation": "different",
        "origin": "",
    }
]


@pytest.fixture
def evidence(project: Project) -> Evidence:
    project.sealed_share = 100
    project.save()
    made: Evidence = EvidenceFactory(
        claim__project=project,
        claim__external_id="d1.c1",
        claim__open_errors=7,
        claim__open_warnings=9,
        ledger=LEDGER,
        start=0,
        end=39,
        grade="exact",
        trust_proposal="unusable",
    )
    text = made.claim.text.index("21.4")
    LEDGER[0]["claim"] = {"raw": "21.4 months", "start": text, "end": text + 11}
    Evidence.objects.update(ledger=LEDGER)
    made.refresh_from_db()
    return made


def found(client: Client, query: str) -> bool:
    page = client.get(reverse("claims", args=["nsclc"]), {"q": query})
    return b'data-id="d1.c1"' in page.content


@pytest.mark.parametrize("query", ["is:red", "-is:red", "is:open,red", "has:override"])
def test_no_query_tells_what_the_machine_found(
    evidence: Evidence, reviewer: User, reviewer_client: Client, query: str
) -> None:
    AssessmentFactory(evidence=evidence, reviewer=reviewer, trust="trusted_primary")

    assert not found(reviewer_client, query)
    assert found(reviewer_client, "is:open")


def test_the_numbers_are_shown_without_what_the_ledger_says(
    evidence: Evidence, reviewer: User, reviewer_client: Client
) -> None:
    assert evidence.snapshot is not None
    snapshot = evidence.snapshot.content_hash[:12]
    addresses = [
        reverse("review", args=["nsclc"]) + "?at=d1.c1",
        reverse("evidence-reader", args=["nsclc", evidence.pk]),
        reverse("snapshot-find", args=["nsclc", snapshot]) + f"?ev={evidence.pk}",
        reverse("snapshot-text", args=["nsclc", snapshot]) + f"?ev={evidence.pk}",
    ]

    before = [reviewer_client.get(each, headers=HTMX).content.decode() for each in addresses]
    VerdictFactory(claim=evidence.claim, reviewer=reviewer)
    after = [reviewer_client.get(each, headers=HTMX).content.decode() for each in addresses]

    for page in before:
        assert "mark-different" not in page
        assert "ledger-different" not in page
    for page in after:
        assert "mark-different" in page


def test_no_attribute_and_no_header_counts_the_checks(
    evidence: Evidence, reviewer_client: Client, project: Project
) -> None:
    other = EvidenceFactory(claim__project=project).claim
    url = reverse("claim-verdict", args=["nsclc", other.pk])

    page = reviewer_client.get(reverse("review", args=["nsclc"]), {"at": "d1.c1"})
    saved = reviewer_client.post(
        url, {"decision": "cannot_judge", "claim_version": 1, "next": "d1.c1"}, headers=HTMX
    )

    stamp = json.loads(saved.headers["HX-Trigger"])["verdict-saved"]["next"]["stamp"]
    assert "7.9" not in stamp
    assert f'data-stamp="{stamp}"' in page.content.decode()


def test_a_finding_of_a_sealed_claim_is_not_found(
    evidence: Evidence, reviewer_client: Client
) -> None:
    finding = FindingFactory(claim=evidence.claim)
    url = reverse("finding-decide", args=["nsclc", finding.pk])

    response = reviewer_client.post(url, {"state": "confirmed"}, headers=HTMX)

    assert response.status_code == 404
    assert Finding.objects.get().state == "open"


def test_a_refusal_that_tells_of_red_checks_keeps_what_was_decided_without_them(
    evidence: Evidence, reviewer_client: Client
) -> None:
    FindingFactory(claim=evidence.claim)
    url = reverse("claim-verdict", args=["nsclc", evidence.claim.pk])

    refused = reviewer_client.post(url, {"decision": "pass", "claim_version": 1}, headers=HTMX)

    assert b'data-code="red-checks"' in refused.content
    row = Verdict.objects.get()
    assert (row.decision, row.provisional) == ("", "pass")
    assert row.revealed_at is not None
    assert AuditEvent.objects.filter(action="claim.revealed").count() == 1


def test_the_history_of_a_sealed_claim_names_no_finding_of_others(
    evidence: Evidence, second_reviewer: User, reviewer: User, reviewer_client: Client
) -> None:
    finding = FindingFactory(claim=evidence.claim)
    actions.decide_finding(
        finding=finding, state="dismissed", reason="told by others", by=second_reviewer
    )
    url = reverse("claim-history", args=["nsclc", evidence.claim.pk])

    before = reviewer_client.get(url).content
    VerdictFactory(claim=evidence.claim, reviewer=reviewer)
    after = reviewer_client.get(url).content

    assert b"told by others" not in before
    assert b"told by others" in after


def test_the_history_of_the_project_hides_what_others_chose_before_a_reveal(
    evidence: Evidence, second_reviewer: User, reviewer_client: Client, lead_client: Client
) -> None:
    claim = Claim.objects.get(pk=evidence.claim.pk)
    actions.reveal(claim=claim, provisional="revise", by=second_reviewer)
    url = reverse("history", args=["nsclc"])

    assert b"claim.revealed" not in reviewer_client.get(url).content
    assert b"claim.revealed" in lead_client.get(url).content
