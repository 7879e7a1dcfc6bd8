"""The review report: versions that are frozen, defects that are settled, signatures."""

import hashlib
import json

import pytest
from django.test import Client
from django.urls import reverse

from reviews.actions import ActionRefused, Conflict, NotAllowed, undo
from reviews.actions.defects import settle_defects
from reviews.actions.reports import build_report, sign_off
from reviews.models import Claim, Defect
from reviews.report.building import compact, json_lines, pages_of
from reviews.views.report_downloads import load
from sources.models import AuditEvent, Project, User
from tests.factories import ClaimFactory, DefectFactory
from workbench.lib.context import request_id


def test_report_is_frozen_and_its_hash_is_that_of_its_bytes(
    project: Project, audited: Claim, editor: User
) -> None:
    report = build_report(project=project, by=editor)
    Defect.objects.update(state="rejected")

    content, data = load(report, "full")

    assert report.verdict == "revise"
    assert hashlib.sha256(data).hexdigest() == report.sha256
    assert content["defects"][0]["state"] == "open"
    assert content["claims"][0]["evidence"][0]["assessments"][0]["trust"] == "trusted_primary"


def test_next_version_says_what_was_closed(
    project: Project, audited: Claim, reviewer: User, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)
    settle(project, reviewer, "resolved")
    DefectFactory(claim=audited, reviewer=editor, code="S1", severity="suggestion")

    second = build_report(project=project, by=editor)
    page = editor_client.get(reverse("report", args=[project.slug])).content.decode()

    assert second.number == 2
    assert second.verdict == "pass"
    assert "1 defect closed, 1 new" in " ".join(page.split())


def settle(
    project: Project, by: User, state: str, reason: str = "Corrected in v2."
) -> list[Defect]:
    versions = dict(Defect.objects.filter(project=project).values_list("pk", "version"))
    return settle_defects(project=project, versions=versions, state=state, reason=reason, by=by)


def test_settling_needs_a_reason_and_is_recorded(
    project: Project, audited: Claim, reviewer: User
) -> None:
    with pytest.raises(ActionRefused):
        settle(project, reviewer, "rejected", " ")

    settle(project, reviewer, "rejected", "The source says so.")

    event = AuditEvent.objects.get(action="defect.rejected")
    assert event.reason == "The source says so."
    audited.refresh_from_db()
    assert audited.hard_defects == 0


def test_settling_can_be_undone(project: Project, audited: Claim, reviewer: User) -> None:
    token = request_id.set("request-1")
    settle(project, reviewer, "resolved")
    request_id.reset(token)

    undo(project=project, request_id="request-1", by=reviewer)

    assert Defect.objects.get().state == "open"


def test_only_a_lead_rejects_what_another_found(
    project: Project, audited: Claim, second_reviewer: User, editor: User, lead: User
) -> None:
    for person in (second_reviewer, editor):
        with pytest.raises(NotAllowed):
            settle(project, person, "rejected")
    with pytest.raises(NotAllowed):
        settle(project, second_reviewer, "resolved")

    settle(project, editor, "resolved")
    settle(project, lead, "rejected")

    assert Defect.objects.get().state == "rejected"


def test_defect_changed_meanwhile_is_a_conflict(
    project: Project, audited: Claim, reviewer: User
) -> None:
    found = Defect.objects.get()

    with pytest.raises(Conflict):
        settle_defects(
            project=project, versions={found.pk: 7}, state="resolved", reason="Done.", by=reviewer
        )

    found.refresh_from_db()
    assert found.state == "open"


def test_signature_waits_for_every_claim(
    project: Project, audited: Claim, lead: User, editor: User
) -> None:
    ClaimFactory(project=project, external_id="d1.c2")
    report = build_report(project=project, by=editor)

    with pytest.raises(ActionRefused) as refused:
        sign_off(report=report, role="lead", by=lead)

    assert [each.code for each in refused.value.details["lacks"]] == ["not-audited"]


def test_two_people_sign_what_nobody_changed_since(
    project: Project, audited: Claim, lead: User, editor: User
) -> None:
    report = build_report(project=project, by=editor)

    sign_off(report=report, role="lead", by=lead)
    sign_off(report=report, role="editor", by=editor)

    assert set(report.sign_offs.values_list("role", flat=True)) == {"lead", "editor"}
    assert AuditEvent.objects.filter(action="report.signed").count() == 2
    settle(project, lead, "resolved")
    with pytest.raises(ActionRefused):
        sign_off(report=report, role="lead", by=lead)


def test_nobody_signs_twice(project: Project, audited: Claim, admin: User) -> None:
    report = build_report(project=project, by=admin)
    sign_off(report=report, role="lead", by=admin)

    with pytest.raises(ActionRefused):
        sign_off(report=report, role="editor", by=admin)


@pytest.mark.parametrize("count", [0, 1, 2, 4, 5])
def test_pages_of_a_stored_report_hold_each_claim_once(count: int) -> None:
    rows = [compact({"id": f"d1.c{n}", "text": '\n"claims": [\u2028'}) for n in range(count)]
    data = "".join(json_lines({"a": [1], "b": '"claims": ['}, iter(rows))).encode()

    pages = pages_of(data, 2)

    assert json.loads(data)["claims"] == [json.loads(row) for row in rows]
    read = [json.loads(b"[" + data[at : at + size] + b"]") for at, size in pages]
    assert [len(page) for page in read] == [2] * (count // 2) + [1] * (count % 2)
    assert [row for page in read for row in page] == [json.loads(row) for row in rows]


def test_nothing_changed_builds_no_further_version(
    project: Project, audited: Claim, editor: User
) -> None:
    first = build_report(project=project, by=editor)

    assert build_report(project=project, by=editor) == first


def test_chinese_names_have_their_order(project: Project, audited: Claim, editor: User) -> None:
    User.objects.filter(username="reviewer").update(last_name="王", first_name="芳")

    report = build_report(project=project, by=editor)

    assert report.head["defects"][0]["reviewers"] == ["王芳"]
