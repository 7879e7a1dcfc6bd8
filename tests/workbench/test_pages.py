"""Frame, headers, errors and home."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from reviews.models import Claim
from sources.models import Project, User
from tests.factories import (
    ClaimFactory,
    ImportBatchFactory,
    JobFactory,
    MembershipFactory,
    ProjectFactory,
    SnoozeFactory,
    VerdictFactory,
)

PAGES = [
    "/",
    "/accounts/preferences/",
    "/accounts/password/",
    "/p/nsclc/",
    "/p/nsclc/history/",
    "/p/nsclc/members/",
    "/p/nsclc/edit/",
    "/projects/new/",
]
HTMX = {"HX-Request": "true"}

type SignIn = Callable[[User], Client]


@pytest.mark.parametrize("address", [*PAGES, "/p/nowhere/"])
def test_every_page_has_its_headers(lead_client: Client, address: str) -> None:
    response = lead_client.get(address)

    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert response.headers["X-Request-Id"]


@pytest.mark.parametrize("address", PAGES)
def test_page_opens_without_inline_script_or_style(lead_client: Client, address: str) -> None:
    response = lead_client.get(address)
    page = response.content.decode()

    assert response.status_code == 200
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert "<style" not in page
    assert not re.search(r"\s(style|on\w+|hx-on\S*)=", page)
    assert page.count("<h1") == 1
    assert 'href="#main"' in page


@pytest.mark.parametrize("address", PAGES)
def test_signed_out_are_sent_to_sign_in(project: Project, address: str) -> None:
    response = Client().get(address)

    assert response.status_code == 302
    assert response.headers["Location"] == f"/accounts/sign-in/?next={address}"


@pytest.mark.parametrize("address", PAGES)
def test_signed_out_htmx_is_told_so(project: Project, address: str) -> None:
    response = Client().get(address, headers=HTMX)

    assert response.status_code == 401
    assert response.headers["HX-Trigger"] == "session-ended"
    assert response.content == b""


@pytest.mark.parametrize("address", [page for page in PAGES if page.startswith("/p/")])
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_outsider_sees_404(
    outsider_client: Client, project: Project, address: str, method: str
) -> None:
    response = getattr(outsider_client, method)(address)

    # 405 is the address's own answer, the same for a project that is not there.
    assert response.status_code in ({404} if method == "get" else {404, 405})
    absent = getattr(outsider_client, method)(address.replace("nsclc", "nowhere"))
    assert response.status_code == absent.status_code
    assert "NSCLC" not in response.content.decode()


def test_home_of_an_outsider_does_not_name_the_project(
    outsider_client: Client, project: Project
) -> None:
    page = outsider_client.get("/").content.decode()

    assert "Another project" in page
    assert "NSCLC" not in page


def test_missing_page_is_a_whole_page_or_a_fragment(reviewer_client: Client) -> None:
    whole = reviewer_client.get("/p/nowhere/")
    fragment = reviewer_client.get("/p/nowhere/", headers=HTMX)

    assert whole.status_code == fragment.status_code == 404
    assert b"<html" in whole.content
    assert b"<html" not in fragment.content
    assert b"There is no such page here" in fragment.content
    assert "HX-Request" in whole.headers["Vary"]


def test_wrong_role_gets_403_in_words(reviewer_client: Client) -> None:
    response = reviewer_client.get("/p/nsclc/edit/")

    assert response.status_code == 403
    assert "Your role does not allow this" in response.content.decode()


def test_bad_token_gets_a_page_that_says_what_to_do(reviewer: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")

    response = client.post("/accounts/preferences/", {"theme": "dark"})

    assert response.status_code == 403
    assert "The form is too old" in response.content.decode()


def test_fault_shows_an_id_and_no_traceback(
    reviewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("secret detail")

    monkeypatch.setattr("workbench.home.render", broken)
    reviewer_client.raise_request_exception = False

    response = reviewer_client.get("/", headers={"X-Request-Id": "abcdef123456"})

    page = response.content.decode()
    assert response.status_code == 500
    assert "secret detail" not in page
    assert "Traceback" not in page
    assert "abcdef123456" in page


def test_home_counts_what_is_left(reviewer: User, project: Project, sign_in: SignIn) -> None:
    for state in ("open", "open", "done", "stale", "conflict"):
        ClaimFactory(project=project, state=state)
    ClaimFactory(project=project, state="open", current=False)
    VerdictFactory(claim=Claim.objects.get(state="done"), reviewer=reviewer)
    SnoozeFactory(claim=Claim.objects.get(state="stale"), reviewer=reviewer)

    counts = sign_in(reviewer).get("/").context["cards"][0].counts

    assert (counts.total, counts.done, counts.left) == (5, 1, 4)
    assert (counts.open, counts.stale, counts.conflict) == (2, 1, 1)
    assert (counts.mine, counts.later) == (1, 1)


def test_home_shows_imports_to_editors_only(
    editor_client: Client, reviewer_client: Client, project: Project
) -> None:
    ImportBatchFactory(project=project, name="ledger-7.zip")

    assert "ledger-7.zip" in editor_client.get("/").content.decode()
    assert "ledger-7.zip" not in reviewer_client.get("/").content.decode()


@pytest.mark.parametrize(("who", "hint"), [("admin", "Create a project"), ("nobody", "Ask a lead")])
def test_empty_home_says_the_next_step(admin: User, sign_in: SignIn, who: str, hint: str) -> None:
    user = admin if who == "admin" else User.objects.create_user("nobody")

    assert hint in sign_in(user).get("/").content.decode()


@pytest.mark.parametrize("address", ["/", "/p/nsclc/"])
def test_queries_do_not_grow_with_rows(
    lead: User,
    project: Project,
    sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
    address: str,
) -> None:
    client = sign_in(lead)
    for _ in range(2):
        _grow(lead, project)
    with django_assert_max_num_queries(25) as few:
        client.get(address)
    for _ in range(8):
        _grow(lead, project)

    with django_assert_max_num_queries(len(few)):
        client.get(address)


def _grow(lead: User, project: Project) -> None:
    MembershipFactory(project=ProjectFactory(), user=lead, role="lead")
    MembershipFactory(project=project)
    dimension = ClaimFactory(project=project).project.dimensions.create(external_id="")
    dimension.external_id = f"d{dimension.pk}"
    dimension.save()
    dimension.key_questions.create(external_id="kq1")
    ClaimFactory(project=project, dimension=dimension)
    ImportBatchFactory(project=project, by=lead)


def test_admin_home_counts_jobs(admin_client: Client, project: Project) -> None:
    JobFactory(project=project)
    JobFactory(project=project, state="failed")

    site = admin_client.get("/").context["site"]

    assert site == {"users": 1, "jobs": 1, "failed": 1, "rules": 13, "waiting": 0}
