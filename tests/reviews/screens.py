"""The audit screen as a reviewer opens it, with evidence that was located."""

import html

from django.test import Client
from django.urls import reverse

from reviews import locating
from reviews.models import Claim, Evidence
from tests.factories import EvidenceFactory, SnapshotFactory, SourceFactory

TEXT = (
    "# Results\n\nIn the intention-to-treat population, median overall survival was 21.4 months "
    "with X and 16.2 months with chemotherapy.\n\nThe effect may be due to chance."
)

SNIPPET = "median overall survival was 21.4 months"


def located(claim: Claim, text: str = TEXT, **given: object) -> Evidence:
    source = given.pop("source", None) or SourceFactory(project=claim.project)
    snapshot = SnapshotFactory(
        project=claim.project, normalized_url=source.normalized_url, text=text
    )
    given.setdefault("snippet", SNIPPET)
    evidence = EvidenceFactory(claim=claim, source=source, snapshot=snapshot, **given)
    list(locating.locate_in(snapshot, [evidence]))
    evidence.save()
    return evidence


def address(claim: Claim, **values: object) -> str:
    said = "&".join(f"{k}={v}" for k, v in {"at": claim.external_id, **values}.items())
    return f"{reverse('review', args=[claim.project.slug])}?{said}"


def shown(client: Client, claim: Claim, **values: object) -> str:
    response = client.get(address(claim, **values))
    assert response.status_code == 200
    return html.unescape(response.content.decode())
