"""Nobody judges what he did not see: claims that an import changed, posts that differ."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from reviews.actions.errors import ClaimChanged
from reviews.actions.verdicts import VerdictInput, give_verdict
from reviews.models import Claim, Evidence, Verdict
from sources.models import Project, User
from tests.factories import ClaimFactory, EvidenceFactory, VerdictFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    return EvidenceFactory(claim__project=project, claim__external_id="d1.c1").claim


def verdict(client: Client, claim: Claim, decision: str = "pass", **values: Any) -> HttpResponse:
    url = reverse("claim-verdict", args=["nsclc", claim.pk])
    return client.post(url, {"decision": decision, **values}, headers=HTMX)


def restate(claim: Claim) -> None:
    """Do what an import does to a claim that says something else now."""
    Claim.objects.filter(pk=claim.pk).update(text="Drug X cures everybody.", version=2)


def test_a_verdict_on_a_text_that_an_import_changed_is_refused(
    claim: Claim, reviewer_client: Client
) -> None:
    restate(claim)

    refused = verdict(reviewer_client, claim, claim_version=1)
    read_again = verdict(reviewer_client, claim, claim_version=2)

    assert refused.status_code == 409
    assert b'data-code="claim-changed"' in refused.content
    assert read_again.status_code == 204
    assert Verdict.objects.get().claim_version == 2


def test_a_verdict_on_a_claim_whose_import_was_undone_meanwhile_is_refused(
    claim: Claim, reviewer: User
) -> None:
    read = Claim.objects.select_related("project").get(pk=claim.pk)
    Claim.objects.all().delete()

    with pytest.raises(ClaimChanged):
        give_verdict(claim=read, given=VerdictInput("pass"), by=reviewer)


def test_a_claim_that_an_import_changed_is_not_revealed(
    claim: Claim, project: Project, reviewer_client: Client
) -> None:
    project.sealed_share = 100
    project.save()
    restate(claim)
    url = reverse("claim-reveal", args=["nsclc", claim.pk])

    answers = [
        reviewer_client.post(url, {"provisional": "pass", **seen}, headers=HTMX)
        for seen in ({}, {"claim_version": 1}, {"claim_version": 2})
    ]

    assert [answer.status_code for answer in answers] == [422, 409, 204]
    assert b'data-code="claim-changed"' in answers[1].content
    assert Verdict.objects.get().provisional == "pass"


def test_a_verdict_given_again_is_not_merged_with_what_an_import_made_stale(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    VerdictFactory(claim=claim, reviewer=reviewer, decision="revise", stale=True, version=2)
    restate(claim)
    was = json.dumps({"decision": "revise", "note": "", "defects": []})

    response = verdict(reviewer_client, claim, base_version=1, claim_version=1, was=was)

    assert response.status_code == 409
    assert b'data-code="claim-changed"' in response.content
    assert (Verdict.objects.get().decision, Verdict.objects.get().stale) == ("revise", True)


@pytest.mark.parametrize("version", ["", "-1", "x", None])
def test_a_form_that_does_not_say_what_it_showed_is_refused(
    claim: Claim, reviewer_client: Client, version: str | None
) -> None:
    values = {} if version is None else {"claim_version": version}

    response = verdict(reviewer_client, claim, **values)

    assert response.status_code == 422
    assert not Verdict.objects.exists()


def test_both_screens_say_which_version_they_show(claim: Claim, reviewer_client: Client) -> None:
    Claim.objects.update(version=7)
    snapshot = Evidence.objects.get().snapshot
    assert snapshot is not None

    desk = reviewer_client.get(reverse("review", args=["nsclc"]), {"at": "d1.c1"})
    reading = reviewer_client.get(reverse("reading", args=["nsclc", snapshot.content_hash[:12]]))

    for page in (desk, reading):
        assert b'name="claim_version" value="7"' in page.content


def test_the_key_of_a_form_names_no_other_decision(claim: Claim, reviewer_client: Client) -> None:
    given = {"key": "k" * 32, "claim_version": 1, "note": "n", "was": "{}"}
    verdict(reviewer_client, claim, **given)

    again = verdict(reviewer_client, claim, **given)
    other = verdict(reviewer_client, claim, "cannot_judge", **given)

    assert again.status_code == 204
    assert other.status_code == 409
    assert Verdict.objects.get().decision == "pass"


def test_the_key_of_a_form_names_no_other_claim(claim: Claim, reviewer_client: Client) -> None:
    second = ClaimFactory(project=claim.project)

    for each in (claim, second):
        assert verdict(reviewer_client, each, key="k", claim_version=1).status_code == 204

    assert Verdict.objects.count() == 2


def test_a_day_is_chosen_after_a_verdict_of_the_same_form(
    claim: Claim, reviewer: User, reviewer_client: Client
) -> None:
    verdict(reviewer_client, claim, key="k", claim_version=1)
    later = reverse("claim-later", args=["nsclc", claim.pk])

    reviewer_client.post(later, {"key": "k", "until": "2999-01-01"}, headers=HTMX)

    assert claim.snoozes.filter(reviewer=reviewer).exists()
