"""Post what the audit screen posts."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from reviews.models import Claim

HTMX = {"HX-Request": "true"}


def post(client: Client, name: str, pk: int, **values: Any) -> HttpResponse:
    return client.post(reverse(name, args=["nsclc", pk]), values, headers=HTMX)


def verdict(client: Client, claim: Claim, decision: str = "pass", **values: Any) -> HttpResponse:
    values = {"claim_version": claim.version, **values}
    return post(client, "claim-verdict", claim.pk, decision=decision, **values)


def told(response: HttpResponse) -> dict[str, Any]:
    return json.loads(response.headers["HX-Trigger"])
