"""The page of the review report, its files, and who may see and do what there."""

import hashlib
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from reviews.actions.reports import build_report, sign_off
from reviews.models import Claim, Defect, ReviewReport
from sources.models import Project, User
from tests.factories import ClaimFactory, DefectFactory


def test_page_shows_verdict_defects_and_limits(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)

    answer = editor_client.get(reverse("report", args=[project.slug]))

    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "VERDICT: revise" in page
    assert "The number differs from the source." in page
    assert "9 Limits" in page
    assert "Not recorded yet in this project" in page


def test_page_without_a_report_offers_to_build_one(
    project: Project, editor_client: Client, reviewer_client: Client
) -> None:
    url = reverse("report", args=[project.slug])

    assert "Build version 1" in editor_client.get(url).content.decode()
    assert "Build version 1" not in reviewer_client.get(url).content.decode()


def test_reviewer_sees_no_judgement_of_others_before_it_is_signed(
    project: Project, audited: Claim, lead: User, editor: User, reviewer_client: Client
) -> None:
    report = build_report(project=project, by=editor)
    url = reverse("report", args=[project.slug])
    file = reverse("report-download", args=[project.slug, 1, "json"])

    before = reviewer_client.get(url).content.decode()
    refused = reviewer_client.get(file).status_code
    sign_off(report=report, role="lead", by=lead)
    after = reviewer_client.get(url).content.decode()

    assert "The number differs" not in before
    assert refused == 404
    assert "The number differs" in after


def test_build_is_posted_twice_and_built_once(
    project: Project, audited: Claim, editor_client: Client
) -> None:
    url = reverse("report-build", args=[project.slug])

    for _again in range(2):
        editor_client.post(url)

    assert ReviewReport.objects.count() == 1


@pytest.mark.parametrize("kind", ["json", "jsonl", "md", "html"])
def test_files_carry_pseudonyms_instead_of_names(
    project: Project, audited: Claim, editor: User, editor_client: Client, kind: str
) -> None:
    build_report(project=project, by=editor)
    url = reverse("report-download", args=[project.slug, 1, kind])

    full = _body(editor_client.get(url))
    hidden = _body(editor_client.get(f"{url}?names=pseudonyms"))

    assert "reviewer</" in full or '"reviewer"' in full or "reviewer" in full
    assert "Reviewer A" in hidden
    assert not re.search(r'[>" ]editor[<",]', hidden)


def _body(answer: Any) -> str:
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def test_json_file_is_what_was_frozen(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    report = build_report(project=project, by=editor)

    body = _body(editor_client.get(reverse("report-download", args=[project.slug, 1, "json"])))

    assert hashlib.sha256(body.encode()).hexdigest() == report.sha256
    assert json.loads(body)["claims"][0]["id"] == "d1.c1"


def test_html_file_needs_nothing_and_runs_nothing(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    Claim.objects.update(text="<script>alert(1)</script><img src=x onerror=alert(1)>")
    report = build_report(project=project, by=editor)

    page = _body(editor_client.get(reverse("report-download", args=[project.slug, 1, "html"])))

    assert report.sha256 in page
    assert "<script" not in page
    assert "<img" not in page
    assert not re.search(r'(?:src|href)="(?!https?://)', page)
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_outsider_sees_nothing(
    project: Project, audited: Claim, editor: User, outsider_client: Client
) -> None:
    build_report(project=project, by=editor)
    pages = [
        reverse("report", args=[project.slug]),
        reverse("report-download", args=[project.slug, 1, "json"]),
        reverse("export-list", args=[project.slug]),
    ]
    posts = [
        reverse("report-build", args=[project.slug]),
        reverse("report-sign", args=[project.slug, 1]),
        reverse("report-defect", args=[project.slug]),
        reverse("report-undo", args=[project.slug]),
        reverse("export-start", args=[project.slug]),
    ]

    assert {outsider_client.get(url).status_code for url in pages} == {404}
    assert {outsider_client.post(url).status_code for url in posts} == {404}


def test_reviewer_neither_builds_nor_signs_nor_exports(
    project: Project, audited: Claim, editor: User, reviewer_client: Client
) -> None:
    build_report(project=project, by=editor)
    urls = [
        reverse("report-build", args=[project.slug]),
        reverse("report-sign", args=[project.slug, 1]),
        reverse("export-start", args=[project.slug]),
    ]

    assert {reviewer_client.post(url).status_code for url in urls} == {403}


def test_queries_of_the_page_do_not_grow_with_defects(
    project: Project,
    audited: Claim,
    editor: User,
    editor_client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    for number in range(2, 30):
        DefectFactory(claim=audited, reviewer=editor, code=f"P{number}")
    build_report(project=project, by=editor)

    with django_assert_max_num_queries(30):
        editor_client.get(reverse("report", args=[project.slug]))


def test_damaged_content_is_said_and_the_rest_is_shown(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    report = build_report(project=project, by=editor)
    ReviewReport.objects.filter(pk=report.pk).update(sha256="0" * 64)

    page = editor_client.get(reverse("report", args=[project.slug]))

    assert page.status_code == 200
    assert "cannot be read" in page.content.decode()


def test_defect_is_resolved_and_reopened_by_undo_on_the_page(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    found = Defect.objects.get()
    url = reverse("report-defect", args=[project.slug])
    given = {"versions": f"{found.pk}:{found.version}", "state": "rejected", "reason": "Wrong."}

    answer = lead_client.post(url, given | {"v": "1"})
    page = lead_client.get(answer.url.partition("#")[0]).content.decode()
    found.refresh_from_db()
    settled = found.state
    token = re.search(r'name="request" value="([^"]+)"', page)
    assert token is not None
    lead_client.post(reverse("report-undo", args=[project.slug]), {"request": token[1]})

    found.refresh_from_db()
    assert settled == "rejected"
    assert "rejected since" in page
    assert "1 change was made after this version was built" in " ".join(page.split())
    assert found.state == "open"


def test_form_with_nonsense_changes_nothing_and_says_so(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    url = reverse("report-defect", args=[project.slug])

    for versions in ("", "x:y", "9" * 30 + ":1", "1", "²:1"):
        given = {"versions": versions, "state": "resolved", "reason": "Done."}
        assert lead_client.post(url, given, follow=True).status_code == 200

    assert Defect.objects.get().state == "open"


def test_lead_signs_on_the_page(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    page = lead_client.get(reverse("report", args=[project.slug])).content.decode()

    answer = lead_client.post(
        reverse("report-sign", args=[project.slug, 1]),
        {"role": "lead", "note": "Read."},
        follow=True,
    )

    assert "Sign off" in page
    assert "Version 1 was signed." in answer.content.decode()
    assert ReviewReport.objects.get().sign_offs.get().note == "Read."


def test_unknown_version_format_or_naming_is_not_found(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)
    page = reverse("report", args=[project.slug])

    assert editor_client.get(f"{page}?v=9").status_code == 404
    assert editor_client.get(f"{page}?v=x&from=-1").status_code == 200
    for number, kind, names in ((1, "exe", "full"), (2, "json", "full"), (1, "json", "none")):
        url = reverse("report-download", args=[project.slug, number, kind])
        assert editor_client.get(f"{url}?names={names}").status_code == 404


def test_claims_are_read_a_page_at_a_time(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    for number in range(2, 103):
        ClaimFactory(project=project, external_id=f"d1.c{number}", position=10**6 + number)
    build_report(project=project, by=editor)
    url = reverse("report", args=[project.slug])

    first = editor_client.get(url).content.decode()
    second = editor_client.get(f"{url}?from=101").content.decode()

    assert "d1.c100<" in first
    assert "d1.c101<" not in first
    assert "d1.c101<" in second
    assert "Claims 101–102 of 102" in second
