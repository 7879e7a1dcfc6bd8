"""Every field of every model posted to every form: only what the form shows is taken."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import reverse

from reviews.models import Defect, SavedView
from sources.actions import project_content
from sources.models import Project, User
from tests.factories import (
    DefectFactory,
    EvidenceFactory,
    FindingFactory,
    JobFactory,
    MembershipFactory,
    UserFactory,
)

MODELS = [
    model for app in ("sources", "reviews") for model in apps.get_app_config(app).get_models()
]
# What differs from one post to the next whatever is posted.
MOVING = {
    "at", "hash", "last_hash", "previous_hash", "request_id", "batch_id", "key", "last_login",
    "created_at", "updated_at", "decided_at", "nudged_at", "finished_at", "built_at", "revealed_at",
}  # fmt: skip
NAMES = {field.attname for model in MODELS for field in model._meta.concrete_fields} | {
    field.name for model in MODELS for field in model._meta.concrete_fields
}
FORMS: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    # address: (object, what is posted, other names that the form itself has)
    "claim-verdict": (
        "claim",
        {"decision": "cannot_judge", "claim_version": "1", "base_version": "0"},
        {"note", "active_ms", "provisional", "key"},
    ),
    "claim-later": ("claim", {"until": "2999-01-01"}, {"note", "key"}),
    "claim-reveal": ("claim", {"provisional": "pass", "claim_version": "1"}, set()),
    "claim-key": ("claim", {"is_key": "1", "reason": "carries the rest"}, set()),
    "evidence-assess": (
        "evidence",
        {"support": "full"},
        {"trust", "outcome", "outcome_note", "note", "start", "end"},
    ),
    "finding-decide": ("finding", {"state": "dismissed", "reason": "rounded"}, set()),
    "claims-bulk": (
        "",
        {"action": "key", "reason": "all of them", "everything": "1", "seen": "1"},
        {"sort", "key", "until"},
    ),
    "view-save": ("", {"name": "mine"}, {"sort", "shared"}),
    "view-change": ("view", {"name": "other"}, {"shared"}),
    "members": ("", {"username": "newcomer", "role": "editor"}, set()),
    "project-edit": (
        "",
        {"title": "New title", "question": "Why?", "language": "en", "sealed_share": "20"},
        {
            "primary_subject", "time_frame_start", "time_frame_end", "topic_type", "as_of",
            "report_urls",
        },
    ),
    "report-defect": ("", {"state": "resolved", "reason": "was corrected"}, set()),
    "preferences": ("site", {"language": "en", "theme": "dark", "text_size": "110"}, set()),
    "look": ("site", {"theme": "dark"}, {"language"}),
    "pane-split": ("site", {"split": "50"}, set()),
    "job-cancel": ("job", {"next": "/"}, set()),
}  # fmt: skip


def state(before: dict[str, set[Any]]) -> dict[str, list[dict[str, Any]]]:
    """Give all rows; of new ones the number is left out: a sequence is never taken back."""
    found = {}
    for model in MODELS:
        names = [f.attname for f in model._meta.concrete_fields if f.name not in MOVING]
        rows = list(model._default_manager.order_by("pk").values(*names))
        for row in rows:
            if row[model._meta.pk.attname] not in before[model.__name__]:
                row[model._meta.pk.attname] = "new"
            if isinstance(row.get("new"), dict):
                row["new"].pop("revealed_at", None)
                row["new"].pop("pk", None)
        found[model.__name__] = rows
    return found


def after(client: Client, url: str, values: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Give the answer and all rows after a post, which is then taken back."""
    before = {m.__name__: set(m._default_manager.values_list("pk", flat=True)) for m in MODELS}
    with transaction.atomic():
        status = client.post(url, values, headers={"HX-Request": "true"}).status_code
        rows = state(before)
        transaction.set_rollback(True)
    return status, rows


@pytest.fixture
def address(project: Project, lead: User) -> Callable[[str, str], str]:
    evidence = EvidenceFactory(claim__project=project)
    DefectFactory(claim=evidence.claim, reviewer=lead)
    UserFactory(username="newcomer")
    objects = {
        "claim": evidence.claim.pk,
        "evidence": evidence.pk,
        "finding": FindingFactory(claim=evidence.claim, severity="warning").pk,
        "view": SavedView.objects.create(project=project, owner=lead, name="v").pk,
        "member": MembershipFactory(project=project).pk,
        "job": JobFactory(project=project, created_by=lead).pk,
    }

    def made(name: str, of: str) -> str:
        slug = [] if of in {"site", "job"} else [project.slug]
        return reverse(name, args=slug + ([objects[of]] if of in objects else []))

    return made


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("value", ["1", "admin"])
def test_a_form_takes_only_what_it_shows(
    name: str, value: str, address: Callable[[str, str], str], lead_client: Client
) -> None:
    Project.objects.update(sealed_share=0)
    of, given, shown = FORMS[name]
    if name == "report-defect":
        given = given | {"versions": f"{Defect.objects.get().pk}:1"}
    url = address(name, of)
    if name == "project-edit":
        seen = project_content(Project.objects.get(slug="nsclc"))
        given = given | {"seen": json.dumps(seen)}
    forged = dict.fromkeys(NAMES - set(given) - shown - {"query"}, value)

    status, honest = after(lead_client, url, given)
    same_status, with_all = after(lead_client, url, {**forged, **given})

    assert status < 400
    assert same_status == status
    assert with_all == honest
