"""Why a judgement is stale is stored as a code, and said in the reader's language."""

import pytest
from django.test import Client
from django.urls import reverse

from reviews import stale_reasons
from reviews.models import Claim, Evidence
from reviews.stale_reasons import REASONS, SOURCE_GONE, said, written
from sources.models import Project, User
from sources.recording import Entry, record
from tests.factories import AssessmentFactory, ClaimFactory, EvidenceFactory, VerdictFactory

OLD = "Import 2 changed {this} claim."  # as an older version stored it


@pytest.mark.parametrize("code", sorted(REASONS))
def test_every_reason_speaks_both_languages_and_fits_its_column(code: str) -> None:
    stored = written(code, 2_147_483_647)

    assert len(stored) <= 60
    assert "2147483647" in said(stored, "en")
    assert "第 2147483647 次导入" in said(stored, "zh-Hans")


@pytest.mark.parametrize("stored", ["", OLD, "claim-changed", "odd:3", "Import: it changed"])
def test_text_of_an_older_version_stands(stored: str) -> None:
    assert said(stored, "en") == said(stored, "zh-Hans") == stored


@pytest.fixture
def judged(project: Project, reviewer: User) -> Evidence:
    claim: Claim = ClaimFactory(project=project, external_id="d1.c1")
    evidence: Evidence = EvidenceFactory(claim=claim)
    changed = written(stale_reasons.CLAIM_CHANGED, 7)
    VerdictFactory(claim=claim, reviewer=reviewer, stale=True, stale_reason=changed)
    gone = written(SOURCE_GONE, 8)
    AssessmentFactory(
        evidence=evidence, reviewer=reviewer, support="full", stale=True, stale_reason=gone
    )
    return evidence


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Import 7 changed this claim.", "Import 8 no longer holds the source"]),
        ("zh-hans", ["第 7 次导入更改了这条论断。", "第 8 次导入不再包含这条证据的信源。"]),
    ],
)
def test_audit_screen_says_it_in_the_readers_language(
    judged: Evidence, reviewer: User, reviewer_client: Client, language: str, words: list[str]
) -> None:
    reviewer.language = language
    reviewer.save()

    page = reviewer_client.get(reverse("review", args=["nsclc"]), {"at": "d1.c1"}).content.decode()

    assert [word for word in words if word not in page] == []
    assert "claim-changed" not in page


@pytest.mark.django_db
def test_history_says_it_in_the_readers_language(
    project: Project, lead: User, lead_client: Client
) -> None:
    new = {"pk": 1, "reviewer": "wang"}
    reason = written(stale_reasons.CLAIM_CHANGED, 7)
    record(project, [Entry("verdict.stale", "verdict", "d1.c1", new=new, reason=reason)], by=lead)
    record(project, [Entry("verdict.stale", "verdict", "d1.c1", new=new, reason=OLD)], by=lead)
    lead.language = "zh-hans"
    lead.save()

    old, coded = lead_client.get(reverse("history", args=["nsclc"])).context["told"]

    assert coded.reason == "第 7 次导入更改了这条论断。"
    assert old.reason == OLD
