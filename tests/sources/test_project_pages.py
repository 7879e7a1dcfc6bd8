"""Creating and editing a project, its members, its history."""

import html
import re
from collections.abc import Callable

import pytest
from django.test import Client

from sources.models import AuditEvent, Membership, Project, User
from sources.recording import Entry, broken_events, record
from tests.factories import MembershipFactory, ProjectFactory, UserFactory

NEW = {
    "slug": "als-2026",
    "title": "ALS",
    "question": "Does drug Y slow ALS?",
    "language": "en",
    "sealed_share": "20",
    "as_of": "2026-02-03",
    "report_urls": "https://report.example.org/als",
}

type SignIn = Callable[[User], Client]


def settings_of(project: Project, client: Client, **changes: str) -> dict[str, str]:
    """Give what the browser would post: the form as shown, and some changes."""
    page = client.get(f"/p/{project.slug}/edit/").content.decode()
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    shown = {
        "title": project.title,
        "question": project.question,
        "language": project.language,
        "sealed_share": str(project.sealed_share),
        "seen": html.unescape(found[1]),
    }
    return shown | changes


def test_editor_creates_a_project_and_leads_it(editor: User, editor_client: Client) -> None:
    response = editor_client.post("/projects/new/", NEW)

    made = Project.objects.get(slug="als-2026")
    assert response.headers["Location"] == "/p/als-2026/"
    assert made.created_by == editor
    assert made.report_urls == ["https://report.example.org/als"]
    assert made.memberships.get().role == Membership.Role.LEAD
    assert [e.action for e in made.events.all()] == ["project.created", "membership.added"]
    assert not list(broken_events(made))


def test_second_post_of_the_form_makes_nothing_more(editor_client: Client) -> None:
    first = editor_client.post("/projects/new/", NEW)
    second = editor_client.post("/projects/new/", NEW)

    assert first.headers["Location"] == second.headers["Location"]
    assert Project.objects.filter(slug="als-2026").count() == 1


def test_slug_of_another_project_is_refused(editor_client: Client, project: Project) -> None:
    response = editor_client.post("/projects/new/", NEW | {"slug": "nsclc"})

    assert response.status_code == 422
    assert "Another project has this slug" in response.content.decode()


def test_reviewer_may_not_create_a_project(reviewer_client: Client) -> None:
    assert reviewer_client.get("/projects/new/").status_code == 403
    assert reviewer_client.post("/projects/new/", NEW).status_code == 403
    assert not Project.objects.filter(slug="als-2026").exists()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("slug", "new", "addresses"),
        ("slug", "a b", "slug"),
        ("language", "not a tag", "language tag"),
        ("sealed_share", "101", "100"),
        ("report_urls", "javascript:alert(1)", "no http or https address"),
        ("title", "", "required"),
        ("time_frame_end", "yesterday", "date"),
    ],
)
def test_wrong_field_is_named(editor_client: Client, field: str, value: str, said: str) -> None:
    response = editor_client.post("/projects/new/", NEW | {field: value})

    assert response.status_code == 422
    assert said in html.unescape(response.content.decode())
    assert not Project.objects.filter(title="ALS").exists()


def test_time_frame_must_not_end_before_it_begins(editor_client: Client) -> None:
    frame = {"time_frame_start": "2026-01-01", "time_frame_end": "2025-01-01"}

    response = editor_client.post("/projects/new/", NEW | frame)

    assert "ends before it begins" in response.content.decode()


def test_lead_edits_the_settings_and_the_trail_says_what(
    lead_client: Client, project: Project
) -> None:
    response = lead_client.post(
        "/p/nsclc/edit/", settings_of(project, lead_client, title="NSCLC 2027")
    )

    event = AuditEvent.objects.get(project=project)
    assert response.status_code == 302
    assert Project.objects.get(pk=project.pk).title == "NSCLC 2027"
    assert (event.action, event.old, event.new) == (
        "project.edited",
        {"title": "NSCLC 2026"},
        {"title": "NSCLC 2027"},
    )


def test_loser_of_two_edits_sees_both_texts(lead_client: Client, project: Project) -> None:
    mine = settings_of(project, lead_client, title="My title")
    Project.objects.filter(pk=project.pk).update(title="Their title")

    response = lead_client.post("/p/nsclc/edit/", mine)

    page = response.content.decode()
    assert response.status_code == 409
    assert "My title" in page
    assert "Their title" in page
    assert Project.objects.get(pk=project.pk).title == "Their title"


def test_saving_the_same_twice_is_no_conflict(lead_client: Client, project: Project) -> None:
    given = settings_of(project, lead_client, title="NSCLC 2027")

    statuses = [lead_client.post("/p/nsclc/edit/", given).status_code for _ in range(2)]

    assert statuses == [302, 302]
    assert AuditEvent.objects.count() == 1


@pytest.mark.parametrize("seen", ["", "[]", "nonsense", "[" * 5000, '{"title": 1}'])
def test_forged_base_changes_nothing(lead_client: Client, project: Project, seen: str) -> None:
    given = settings_of(project, lead_client, title="X", seen=seen)

    assert lead_client.post("/p/nsclc/edit/", given).status_code == 409
    assert Project.objects.get(pk=project.pk).title == "NSCLC 2026"


def test_edit_cannot_reach_other_fields(lead_client: Client, project: Project) -> None:
    extra = {"slug": "taken", "created_by": "1", "id": "999", "title": "T"}

    lead_client.post("/p/nsclc/edit/", settings_of(project, lead_client, **extra))

    project.refresh_from_db()
    assert (project.slug, project.created_by, project.title) == ("nsclc", None, "T")


@pytest.mark.parametrize("who", ["reviewer", "editor"])
def test_only_a_lead_manages_members(
    request: pytest.FixtureRequest, lead: User, project: Project, sign_in: SignIn, who: str
) -> None:
    client = sign_in(request.getfixturevalue(who))
    UserFactory(username="mia")
    role = lead.memberships.get()

    added = client.post("/p/nsclc/members/", {"username": "mia", "role": "reviewer"})
    removed = client.post(f"/p/nsclc/members/{role.pk}/remove/")

    assert (added.status_code, removed.status_code) == (403, 403)
    assert client.get("/p/nsclc/members/").status_code == 200
    assert project.memberships.filter(user=lead).exists()
    assert not project.memberships.filter(user__username="mia").exists()


def test_lead_adds_and_removes_a_member(lead_client: Client, project: Project) -> None:
    UserFactory(username="mia")
    given = {"username": "mia", "role": "editor"}

    lead_client.post("/p/nsclc/members/", given)
    lead_client.post("/p/nsclc/members/", given)
    held = project.memberships.get(user__username="mia")
    lead_client.post(f"/p/nsclc/members/{held.pk}/remove/")
    lead_client.post(f"/p/nsclc/members/{held.pk}/remove/")

    assert not project.memberships.filter(user__username="mia").exists()
    assert [e.action for e in project.events.all()] == ["membership.added", "membership.removed"]


def test_last_lead_stays(lead: User, lead_client: Client, project: Project) -> None:
    role = lead.memberships.get()

    response = lead_client.post(f"/p/nsclc/members/{role.pk}/remove/", follow=True)

    assert "only lead" in response.content.decode()
    assert project.memberships.filter(pk=role.pk).exists()


def test_role_of_another_project_cannot_be_taken(
    lead_client: Client, outsider: User, project: Project
) -> None:
    role = outsider.memberships.get()

    lead_client.post(f"/p/nsclc/members/{role.pk}/remove/")

    assert Membership.objects.filter(pk=role.pk).exists()


def test_unknown_user_is_named_in_words(lead_client: Client, project: Project) -> None:
    response = lead_client.post("/p/nsclc/members/", {"username": "ghost", "role": "reviewer"})

    assert response.status_code == 422
    assert "There is no user of this name" in response.content.decode()


def test_history_goes_back_page_by_page(lead_client: Client, project: Project) -> None:
    record(project, [Entry("import.done", "import", f"file-{n}") for n in range(120)], by=None)
    seen: list[int] = []
    address = "/p/nsclc/history/"
    while address:
        page = lead_client.get(address)
        seen += [event.number for event in page.context["events"]]
        before = page.context["next_before"]
        address = f"/p/nsclc/history/?before={before}" if before else ""

    assert seen == list(range(120, 0, -1))


@pytest.mark.parametrize("before", ["x", "-1", "٣", "9" * 40, "1.5", "\x00"])
def test_odd_place_in_the_history_gives_a_page(lead_client: Client, before: str) -> None:
    assert lead_client.get("/p/nsclc/history/", {"before": before}).status_code == 200


def test_history_hides_what_other_reviewers_judged(
    reviewer: User,
    second_reviewer: User,
    project: Project,
    sign_in: SignIn,
    lead: User,
    editor: User,
) -> None:
    record(project, [Entry("verdict.given", "verdict", "d1.c1", new={"decision": "pass"})],
           by=reviewer)  # fmt: skip
    record(project, [Entry("import.done", "import", "report.zip")], by=None)

    def shown(user: User) -> set[str]:
        page = sign_in(user).get("/p/nsclc/history/")
        return {event.action for event in page.context["events"]}

    assert shown(reviewer) == shown(lead) == {"verdict.given", "import.done"}
    assert shown(second_reviewer) == shown(editor) == {"import.done"}


def test_hostile_title_is_shown_as_text(lead: User, sign_in: SignIn) -> None:
    hostile = ProjectFactory(title="<script>alert(1)</script>\u202egnp.exe", slug="hostile")
    MembershipFactory(project=hostile, user=lead, role="lead")

    for address in ("/", "/p/hostile/", "/p/hostile/history/", "/p/hostile/members/"):
        page = sign_in(lead).get(address).content.decode()
        assert "<script>alert" not in page
        body = page.split("<body", 1)[1]
        assert "\u202e" not in body
        assert "U+202E" in body
