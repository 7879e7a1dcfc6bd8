"""What else the audit screen saves: assessments, findings, marks, drafts; and who may."""

import pytest
from django.test import Client
from django.urls import reverse

from reviews.models import Assessment, Claim, Draft, Verdict
from sources.models import Project, User
from tests.factories import ClaimFactory, EvidenceFactory, FindingFactory, SnapshotFactory

from .posting import post, told, verdict


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    return ClaimFactory(project=project, external_id="d1.c1")


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
