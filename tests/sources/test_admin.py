"""The site administration: what opens, what is read-only, what is recorded."""

import pytest
from django.contrib import admin as django_admin
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from search.models import GlossaryTerm, ProviderPace, Result
from sources.models import AuditEvent, Job, Membership, Project, Subject, User
from tests.factories import (
    AssessmentFactory,
    DefectFactory,
    EvidenceFactory,
    FindingFactory,
    ImportBatchFactory,
    ImportMappingFactory,
    JobFactory,
    KeyQuestionFactory,
    MembershipFactory,
    ReceiptFactory,
    ReportFileFactory,
    SnapshotFactory,
    SourceFactory,
    UserFactory,
    VerdictFactory,
)

OURS = sorted(
    (model._meta.app_label, model._meta.model_name or "")
    for model in django_admin.site._registry
    if model._meta.app_label in {"sources", "reviews", "search"}
)
TABLES = {"journal", "publisher", "domain", "subject", "route", "profile"}
WRITABLE = {"user", "project", "importmapping"} | TABLES
DELETABLE = {"importmapping"} | TABLES


def _fill() -> None:
    from sources.recording import Entry, record

    made = KeyQuestionFactory().dimension.project
    record(made, [Entry("import.done", "import", "report.zip")], by=None)
    for each in (ImportMappingFactory, ReportFileFactory, JobFactory, FindingFactory,
                 AssessmentFactory, VerdictFactory, DefectFactory, EvidenceFactory,
                 MembershipFactory, SourceFactory, ImportBatchFactory):  # fmt: skip
        each()
    Subject.objects.create(project=made, kind="company", name="Acme")
    receipt = ReceiptFactory(project=made)
    Result.objects.create(receipt=receipt, rank=1, provider="pubmed", title="A result")
    ProviderPace.objects.get_or_create(service="pubmed", defaults={"next_at": timezone.now()})
    GlossaryTerm.objects.create(project=made, position=1, en="liver", zh="肝")


@pytest.mark.parametrize(("app", "model"), OURS)
def test_list_opens_and_its_queries_do_not_grow(
    admin_client: Client,
    django_assert_max_num_queries: DjangoAssertNumQueries,
    app: str,
    model: str,
) -> None:
    address = f"/admin/{app}/{model}/"
    _fill()
    with django_assert_max_num_queries(20) as few:
        assert admin_client.get(address).status_code == 200
    for _ in range(4):
        _fill()

    with django_assert_max_num_queries(len(few)):
        page = admin_client.get(address + "?q=d1")

    assert page.status_code == 200


@pytest.mark.parametrize(("app", "model"), OURS)
def test_one_row_opens_read_only_unless_named(admin_client: Client, app: str, model: str) -> None:
    _fill()
    kind = next(
        m
        for m in django_admin.site._registry
        if (m._meta.app_label, m._meta.model_name) == (app, model)
    )
    row = kind._default_manager.first()
    assert row is not None

    page = admin_client.get(f"/admin/{app}/{model}/{row.pk}/change/")
    added = admin_client.get(f"/admin/{app}/{model}/add/")
    deleted = admin_client.post(f"/admin/{app}/{model}/{row.pk}/delete/", {"post": "yes"})

    assert page.status_code == 200
    assert (b'name="_save"' in page.content) == (model in WRITABLE)
    assert added.status_code == (200 if model in WRITABLE else 403)
    assert deleted.status_code == (302 if model in DELETABLE else 403)


@pytest.mark.parametrize("who", ["reviewer", "lead"])
def test_members_have_no_administration(request: pytest.FixtureRequest, who: str) -> None:
    client: Client = request.getfixturevalue(f"{who}_client")

    response = client.get("/admin/sources/user/")

    assert response.status_code == 302
    assert "/sign-in/" in response.headers["Location"] or "/login/" in response.headers["Location"]


def test_verdict_cannot_be_changed_by_a_forged_post(admin_client: Client) -> None:
    verdict = VerdictFactory(decision="pass")

    response = admin_client.post(
        f"/admin/reviews/verdict/{verdict.pk}/change/", {"decision": "revise"}
    )

    verdict.refresh_from_db()
    assert response.status_code == 403
    assert verdict.decision == "pass"


def test_snapshot_shows_its_text_escaped_and_its_dead_link(admin_client: Client) -> None:
    snapshot = SnapshotFactory(
        text="<script>alert(1)</script> 21.4\u202e", normalized_url="javascript:alert(1)"
    )

    page = admin_client.get(f"/admin/sources/snapshot/{snapshot.pk}/change/").content.decode()

    assert "&lt;script&gt;alert(1)" in page
    assert "U+202E" in page
    assert 'href="javascript' not in page


def test_missing_text_is_said_and_no_fault(admin_client: Client) -> None:
    snapshot = SnapshotFactory(content_hash="0" * 64)

    page = admin_client.get(f"/admin/sources/snapshot/{snapshot.pk}/change/")

    assert page.status_code == 200


def test_new_account_is_made_with_a_password(admin_client: Client) -> None:
    given = {"username": "mia", "usable_password": "true",
             "password1": "a walk by the lake", "password2": "a walk by the lake"}  # fmt: skip

    response = admin_client.post("/admin/sources/user/add/", given)

    assert response.status_code == 302
    assert User.objects.get(username="mia").check_password("a walk by the lake")


def test_membership_set_in_the_admin_enters_the_trail(
    admin: User, admin_client: Client, project: Project
) -> None:
    mia = UserFactory(username="mia")
    given = {"title": project.title, "question": project.question, "language": "en",
             "report_urls": "[]", "sealed_share": "20", "topic_type": "",
             "primary_subject": "", "memberships-TOTAL_FORMS": "1",
             "memberships-INITIAL_FORMS": "0", "memberships-0-user": str(mia.pk),
             "memberships-0-role": "lead"}  # fmt: skip

    response = admin_client.post(f"/admin/sources/project/{project.pk}/change/", given)

    event = AuditEvent.objects.get(project=project)
    assert response.status_code == 302
    assert Membership.objects.get(project=project).user == mia
    assert (event.action, event.object_id, event.actor) == ("membership.added", "mia", "admin")


def test_nudge_reaches_unfinished_jobs_only(
    admin_client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    waiting, done = JobFactory(), JobFactory(state=Job.State.DONE)
    before = {job.pk: job.nudged_at for job in (waiting, done)}
    given = {"action": "nudge_again", "_selected_action": [waiting.pk, done.pk]}

    with django_capture_on_commit_callbacks() as messages:
        admin_client.post("/admin/sources/job/", given)

    waiting.refresh_from_db()
    done.refresh_from_db()
    assert len(messages) == 1
    assert waiting.nudged_at > before[waiting.pk]
    assert done.nudged_at == before[done.pk]
