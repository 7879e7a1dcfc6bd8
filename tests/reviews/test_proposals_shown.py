"""What the audit screen says of proposals: what is proposed, what is not, and why."""

import re

import pytest
from django.test import Client

from reviews.models import Claim
from sources.models import Project
from tests.factories import ClaimFactory, EvidenceFactory

from .screens import shown

pytestmark = pytest.mark.django_db
FULL = {"en": "The quote is located.", "zh": "引文已定位。"}
NO_PASSAGE = {"en": "A paraphrase needs a passage.", "zh": "转述需有段落。"}
UNKNOWN_HOST = {"en": "Nothing certain is known.", "zh": "发布方情况不明。"}


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    made: Claim = ClaimFactory(project=project, external_id="d1.c1")
    return made


def why(client: Client, claim: Claim) -> str:
    """Give what the page says about the reasons, without its markup."""
    page = shown(client, claim)
    found = re.search(r'<details class="why">(.*?)</details>', page, re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def test_no_proposal_is_not_explained_as_one(claim: Claim, reviewer_client: Client) -> None:
    EvidenceFactory(claim=claim, proposal_reasons=[NO_PASSAGE, UNKNOWN_HOST])

    assert why(reviewer_client, claim) == (
        "Why nothing is proposed Support A paraphrase needs a passage."
        " Trust Nothing certain is known."
    )


def test_half_a_proposal_says_which_half_there_is(claim: Claim, reviewer_client: Client) -> None:
    EvidenceFactory(claim=claim, support_proposal="full", proposal_reasons=[FULL, UNKNOWN_HOST])

    said = why(reviewer_client, claim)

    assert said.startswith("Why this is proposed Support The quote is located.")
    assert "Trust (no proposal) Nothing certain is known." in said


def test_reasons_of_an_older_version_stand_without_a_label(
    claim: Claim, reviewer_client: Client
) -> None:
    EvidenceFactory(claim=claim, support_proposal="full", proposal_reasons=[FULL])

    assert why(reviewer_client, claim) == "Why this is proposed The quote is located."


def test_a_sealed_proposal_is_not_called_none(
    claim: Claim, project: Project, reviewer_client: Client
) -> None:
    project.sealed_share = 100
    project.save()
    EvidenceFactory(claim=claim, support_proposal="full", proposal_reasons=[FULL, UNKNOWN_HOST])

    page = shown(reviewer_client, claim)

    assert "no proposal" not in page
    assert '<span class="unconfirmed">sealed</span>' in page
    assert "The quote is located." not in page
