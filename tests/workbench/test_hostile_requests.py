"""Parameters that no page of ours sends: an answer in words, never a fault."""

import base64
import json
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse

from reviews.models import Claim, Draft, Verdict
from sources.models import Job, Project, User
from tests.factories import ClaimFactory, EvidenceFactory, JobFactory

HTMX = {"HX-Request": "true"}
NUL = "a\x00b"
ODD = [NUL, "%", "*" * 40, '"', "is:", "x" * 3000, "9" * 40, "-5", "\u202e", "..%2f..%2f", "1e999"]
READS = {
    "claims": ("q", "sort", "after", "before", "peek", "exact", "last"),
    "review": ("q", "sort", "at", "cur", "e", "v", "on"),
    "claim-peek": ("q", "sort", "at"),
    "views": ("q", "sort"),
    "history": ("before", "object", "who", "action"),
    "report": ("v", "from", "undo"),
    "imports": ("before",),
}


@pytest.fixture
def claim(project: Project) -> Claim:
    project.sealed_share = 0
    project.save()
    return EvidenceFactory(claim__project=project, claim__external_id="d1.c1").claim


@pytest.mark.parametrize("name", READS)
def test_no_parameter_breaks_a_page(claim: Claim, lead_client: Client, name: str) -> None:
    url = reverse(name, args=["nsclc"])

    for parameter in READS[name]:
        for value in ODD:
            response = lead_client.get(url, {parameter: value}, headers=HTMX)

            assert response.status_code in {200, 204, 302, 404, 422}, (parameter, value)


@pytest.mark.parametrize(
    "prefix", ["%00" * 12, "..%2f..%2f..%2fetc", "²" * 12, "_" * 12, "a" * 900]
)
def test_no_hash_leads_out_of_the_store(claim: Claim, lead_client: Client, prefix: str) -> None:
    for end in ("", "/bytes", "/text", "/find"):
        assert lead_client.get(f"/p/nsclc/snap/{prefix}{end}").status_code == 404


def test_half_a_surrogate_pair_in_a_place_is_no_place(claim: Claim, lead_client: Client) -> None:
    said = json.dumps(["\ud800", 1]).encode()
    mark = base64.urlsafe_b64encode(said).decode().rstrip("=")

    page = lead_client.get(reverse("claims", args=["nsclc"]), {"sort": "id", "after": mark})

    assert b'data-id="d1.c1"' in page.content


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("report-undo", {"request": NUL}),
        ("report-defect", {"reason": NUL, "state": NUL, "versions": f"1:1,{NUL}"}),
        ("project-new", {"slug": NUL, "title": NUL}),
        ("view-save", {"name": NUL, "q": NUL}),
        ("claims-bulk", {"action": "key", "reason": NUL, "claim": NUL, "key": NUL}),
        ("members", {"username": NUL, "role": NUL}),
    ],
)
def test_a_nul_is_refused_or_left_out(
    claim: Claim, lead_client: Client, name: str, values: dict[str, Any]
) -> None:
    url = reverse(name, args=[] if name == "project-new" else ["nsclc"])

    assert lead_client.post(url, values).status_code in {302, 422}


def test_a_draft_is_kept_without_its_nul(claim: Claim, lead_client: Client) -> None:
    url = reverse("claim-draft", args=["nsclc", claim.pk])

    response = lead_client.post(url, {"slot": "verdict", "note": NUL, NUL: "x"}, headers=HTMX)

    assert response.status_code == 204
    assert Draft.objects.get().body == {"note": "ab", "ab": "x"}


def test_a_note_of_two_megabytes_is_refused_in_words(claim: Claim, lead_client: Client) -> None:
    url = reverse("claim-verdict", args=["nsclc", claim.pk])
    given = {"decision": "pass", "claim_version": 1}

    for note, status in (("x" * 2 * 2**20, 400), ("x" * 2**20, 422)):
        body = "&".join(f"{k}={v}" for k, v in (given | {"note": note}).items())
        response = lead_client.post(
            url, body, content_type="application/x-www-form-urlencoded", headers=HTMX
        )
        assert response.status_code == status
    assert not Verdict.objects.exists()


def test_headers_hold_names_of_any_script(project: Project, lead_client: Client) -> None:
    project.sealed_share = 0
    project.save()
    name = "第一章/c1 😀\r\nX-Evil: 1"
    claim = ClaimFactory(project=project, external_id=name)
    url = reverse("claim-verdict", args=["nsclc", claim.pk])

    response = lead_client.post(
        url, {"decision": "pass", "claim_version": 1, "next": name}, headers=HTMX
    )

    assert json.loads(response.headers["HX-Trigger"])["verdict-saved"]["claim"] == name
    assert response.headers["HX-Trigger"].isascii()
    assert "X-Evil" not in response.headers


def test_a_name_longer_than_any_account_is_tried_nowhere(db: None) -> None:
    values = {"username": "x" * 3000, "password": "y"}

    for name in ("sign-in", "sign-in-dialog"):
        assert Client().post(reverse(name), values).status_code == 200
    assert not AccessAttempt.objects.exists()


def test_who_left_a_project_sees_its_jobs_no_more(
    project: Project, editor: User, editor_client: Client
) -> None:
    job = JobFactory(project=project, created_by=editor)
    editor.memberships.all().delete()

    shown = editor_client.get(reverse("job", args=[job.pk]))
    stopped = editor_client.post(reverse("job-cancel", args=[job.pk]))

    assert (shown.status_code, stopped.status_code) == (404, 404)
    assert Job.objects.get(pk=job.pk).state == Job.State.QUEUED


def test_members_are_not_sent_round_in_circles_to_the_administration(
    lead_client: Client,
) -> None:
    response = lead_client.get("/admin/", follow=True)

    assert response.status_code == 403
