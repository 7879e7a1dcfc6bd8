"""What the audit screen shows, to whom, and at what cost."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reviews.models import Claim, Finding, Verdict
from reviews.sealing import is_sealed
from sources.models import Project, User
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    DefectFactory,
    EvidenceFactory,
    FindingFactory,
    VerdictFactory,
)

from .screens import address, located, shown


@pytest.fixture
def claim(open_project: Project) -> Claim:
    claim = ClaimFactory(project=open_project, external_id="d1.c1")
    located(claim, support_proposal="full", trust_proposal="weak_untrusted")
    return claim


def test_the_screen_shows_claim_evidence_passage_and_query(
    claim: Claim, reviewer_client: Client
) -> None:
    page = shown(reviewer_client, claim)

    assert claim.project.question in page
    assert '<mark class="mark-located" data-span="' in page
    assert 'data-label="exact"' in page
    assert re.search(r'<span data-c="\d+" class="mark-equal">21\.4 months</span>', page)


def test_the_address_of_the_project_opens_the_riskiest_claim(
    claim: Claim, reviewer_client: Client
) -> None:
    worse = ClaimFactory(project=claim.project, external_id="d1.c9", risk=2.0, risk_order=2.0)

    page = reviewer_client.get(reverse("review", args=["nsclc"])).content.decode()

    assert f'data-claim="{worse.external_id}"' in page


def test_an_outsider_finds_no_claim(claim: Claim, outsider_client: Client) -> None:
    assert outsider_client.get(address(claim)).status_code == 404


def test_a_claim_of_another_project_is_not_found(claim: Claim, reviewer_client: Client) -> None:
    ClaimFactory(external_id="d9.c9")

    response = reviewer_client.get(f"{reverse('review', args=['nsclc'])}?at=d9.c9")

    assert response.status_code == 404


@pytest.mark.parametrize("at", ["%00", "nothing", "x" * 5000, "'; drop"])
def test_an_address_with_nonsense_is_not_found(
    claim: Claim, reviewer_client: Client, at: str
) -> None:
    response = reviewer_client.get(f"{reverse('review', args=['nsclc'])}?at={at}")

    assert response.status_code == 404


def test_a_query_that_cannot_be_read_is_explained(claim: Claim, reviewer_client: Client) -> None:
    response = reviewer_client.get(f"{reverse('review', args=['nsclc'])}?q=nosuchfield:1")

    assert response.status_code == 422
    assert b"nosuchfield" in response.content


def test_an_empty_project_says_what_to_do(open_project: Project, reviewer_client: Client) -> None:
    page = reviewer_client.get(reverse("review", args=["nsclc"])).content.decode()

    assert "No claims to audit" in page


def test_htmx_gets_the_desk_alone(claim: Claim, reviewer_client: Client) -> None:
    response = reviewer_client.get(address(claim), headers={"HX-Request": "true"})

    page = response.content.decode()
    assert page.strip().startswith('<div id="desk"')
    assert "<html" not in page
    assert "HX-Request" in response.headers["Vary"]


def test_machine_values_are_unconfirmed_until_a_person_says_so(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    before = shown(reviewer_client, claim)
    AssessmentFactory(evidence=claim.evidence.get(), reviewer=reviewer)

    after = shown(reviewer_client, claim)

    assert 'id="unconfirmed">2<' in before
    assert 'id="unconfirmed">0<' in after
    assert 'class="choices confirmed"' not in before
    assert after.count('class="choices confirmed"') == 2


def test_others_verdicts_are_unseen_before_ones_own(
    claim: Claim, reviewer: User, second_reviewer: User, reviewer_client: Client
) -> None:
    VerdictFactory(claim=claim, reviewer=second_reviewer, decision="revise", note="no such number")
    DefectFactory(claim=claim, reviewer=second_reviewer)

    before = shown(reviewer_client, claim)
    VerdictFactory(claim=claim, reviewer=reviewer)
    after = shown(reviewer_client, claim)

    assert "no such number" not in before
    assert "second_reviewer" not in before
    assert "no such number" in after
    assert "1 other reviewer" in after


def test_the_history_hides_others_judgements_before_ones_own(
    claim: Claim, reviewer: User, second_reviewer: User, reviewer_client: Client
) -> None:
    from reviews import actions

    given = actions.VerdictInput("cannot_judge", note="beyond me")
    actions.give_verdict(claim=claim, given=given, by=second_reviewer)
    url = reverse("claim-history", args=["nsclc", claim.pk])

    before = reviewer_client.get(url).content.decode()
    actions.give_verdict(claim=claim, given=actions.VerdictInput("pass"), by=reviewer)
    after = reviewer_client.get(url).content.decode()

    assert "beyond me" not in before
    assert "beyond me" in after


@pytest.fixture
def sealed(project: Project) -> Claim:
    project.sealed_share = 100
    project.save()
    claim = ClaimFactory(project=project, external_id="d1.c1", risk=1.5, risk_order=1.5)
    located(claim, support_proposal="full", proposal_reasons=[{"en": "all there", "zh": "都在"}])
    FindingFactory(claim=claim, params={"claim": "21.4", "found": "12.4"})
    return claim


def test_a_sealed_claim_hides_what_the_machine_says(
    sealed: Claim, reviewer: User, reviewer_client: Client
) -> None:
    before = shown(reviewer_client, sealed)
    VerdictFactory(
        claim=sealed,
        reviewer=reviewer,
        decision="",
        provisional="pass",
        revealed_at="2026-01-01T00:00Z",
    )
    after = shown(reviewer_client, sealed)

    assert is_sealed("nsclc", "d1.c1", 100)
    assert "sealed sample" in before
    for said in ("all there", "number-ledger", ">1.50<", "finding-"):
        assert said not in before
    assert "all there" in after
    assert 'class="finding ' in after


def test_a_stale_verdict_shows_what_changed(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    claim.versions.create(
        version=1, content={"fields": {"text": "Drug X lengthens survival."}}, content_hash="x"
    )
    Claim.objects.filter(pk=claim.pk).update(version=2)
    VerdictFactory(claim=claim, reviewer=reviewer, stale=True, stale_reason="changed by import 2")

    page = shown(reviewer_client, claim)

    assert "Your verdict is stale." in page
    assert "changed by import 2" in page
    assert "<ins>" in page


def test_chinese_pages_carry_the_language_of_each_text(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    Claim.objects.filter(pk=claim.pk).update(text="药物 X 使总生存期延长至 21.4 个月。")

    page = shown(reviewer_client, claim)

    assert '<p class="claim-text" lang="zh"' in page
    assert re.search(r'class="snapshot-text" lang="en"', page)


def queries(client: Client, url: str) -> int:
    client.get(url)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(url).status_code == 200
    return len(seen)


def test_queries_do_not_grow_with_claims_evidence_or_findings(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    def cost() -> int:
        page = reviewer_client.get(address(claim)).content.decode()
        cursor = re.search(r"cur=([\w-]+)", page)
        assert cursor
        return queries(reviewer_client, address(claim, cur=cursor.group(1)))

    evidence = claim.evidence.get()
    Claim.objects.filter(pk=claim.pk).update(risk_order=1.0)
    for number, risk in enumerate([2.0, 0.5]):
        ClaimFactory(project=claim.project, external_id=f"d2.c{number}", risk_order=risk)
    FindingFactory(claim=claim)
    few = cost()
    for number in range(200):
        other = ClaimFactory(project=claim.project, external_id=f"d3.c{number}")
        EvidenceFactory(claim=other, source=evidence.source, snapshot=evidence.snapshot)
    for _ in range(20):
        FindingFactory(claim=claim)
        located(claim)
        VerdictFactory(claim=claim)

    many = cost()

    assert many == few
    assert many <= 24


def test_outdated_findings_are_only_counted(claim: Claim, reviewer_client: Client) -> None:
    FindingFactory(claim=claim, state=Finding.State.OUTDATED, params={"claim": "9", "found": "8"})

    page = shown(reviewer_client, claim)

    assert "1 outdated" in page
    assert 'class="finding ' not in page


def test_ones_own_last_decisions_lead_back(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    past = ClaimFactory(project=claim.project, external_id="d7.c7")
    VerdictFactory(claim=past, reviewer=reviewer)

    page = shown(reviewer_client, claim)

    assert 'class="recent-one recent-pass"' in page
    assert Verdict.objects.count() == 1


def test_the_next_open_claim_is_found_when_asked_for(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    ClaimFactory(project=claim.project, external_id="d1.c2", state=Claim.State.DONE)
    ClaimFactory(project=claim.project, external_id="d1.c3")

    page = shown(reviewer_client, claim, on=1)

    assert 'data-claim="d1.c3"' in page


def test_there_is_no_next_open_claim_at_the_end(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    VerdictFactory(claim=claim, reviewer=reviewer)

    to_htmx = reviewer_client.get(address(claim, on=1), headers={"HX-Request": "true"})
    page = shown(reviewer_client, claim, on=1)

    assert to_htmx.status_code == 204
    assert 'data-claim="d1.c1"' in page


def test_a_link_without_its_queue_walks_the_one_opened_a_moment_ago(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    for _ in range(3):
        shown(reviewer_client, claim)

    assert reviewer.cursors.count() == 1


def test_the_history_speaks_in_words_and_offers_undo_of_ones_own(
    claim: Claim, reviewer_client: Client
) -> None:
    reviewer_client.post(
        reverse("claim-verdict", args=["nsclc", claim.pk]),
        {"decision": "pass", "note": "fits", "claim_version": 1},
    )

    page = reviewer_client.get(reverse("claim-history", args=["nsclc", claim.pk])).content.decode()

    assert "gave a verdict" in page
    assert ">note</th>" in page
    assert "data-undo=" in page
