"""``manage.py import_report --create``: who leads the new project, and who sees it."""

from pathlib import Path

import pytest

from sources.models import AuditEvent, Project, User
from tests.factories import MembershipFactory, UserFactory

from .report_files import report
from .test_import_report_command import run_apart, run_json

NEW = ("--project", "ports", "--create", "--language", "en")


def test_named_person_leads_the_new_project(db: None, tmp_path: Path) -> None:
    ana = UserFactory(username="ana")

    code, printed, refused = run_apart(report(tmp_path), *NEW, "--lead", "ana")

    project = Project.objects.visible_to(ana).get()
    assert (code, refused) == (0, "")
    assert "Import" in printed
    assert list(project.memberships.values_list("user__username", "role")) == [("ana", "lead")]
    events = AuditEvent.objects.filter(project=project).order_by("number")
    assert [e.action for e in events][:2] == ["project.created", "membership.added"]


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_without_a_lead_it_is_said_who_sees_the_project(
    db: None, admin: User, tmp_path: Path, more: tuple[str, ...]
) -> None:
    code, _printed, said = run_apart(report(tmp_path), *NEW, *more)

    assert code == 0
    assert "only admins see it" in said
    assert "/p/ports/members/" in said
    assert "--lead" in said
    assert Project.objects.visible_to(admin).get().memberships.count() == 0


def test_second_import_says_nothing_of_members(db: None, tmp_path: Path) -> None:
    run_apart(report(tmp_path), *NEW)

    assert run_apart(report(tmp_path), *NEW)[2] == ""


@pytest.mark.parametrize("active", [None, False])
def test_unknown_or_locked_person_is_refused_before_anything_is_made(
    db: None, tmp_path: Path, active: bool | None
) -> None:
    if active is not None:
        UserFactory(username="nobody", is_active=active)

    code, said = run_json(report(tmp_path), *NEW, "--lead", "nobody")

    assert (code, said["ok"], said["errors"][0]["rule"]) == (2, False, "ARGUMENTS")
    assert "no active user “nobody”" in said["errors"][0]["message"]
    assert not Project.objects.exists()


def test_lead_goes_with_create(project: Project, editor: User, tmp_path: Path) -> None:
    code, printed, refused = run_apart(
        report(tmp_path), "--project", project.slug, "--lead", "editor"
    )

    assert (code, printed) == (2, "")
    assert "--create" in refused


def test_lead_of_a_project_that_is_there_is_not_given_in_passing(
    project: Project, editor: User, lead: User, tmp_path: Path
) -> None:
    given = ("--project", project.slug, "--create", "--language", "en", "--lead")

    refused = run_apart(report(tmp_path), *given, "editor")
    accepted = run_apart(report(tmp_path), *given, "lead")

    assert refused[0] == 2
    assert "is there already" in refused[2]
    assert accepted[0] == 0
    assert not project.memberships.filter(user=editor, role="lead").exists()


def test_a_dry_run_makes_neither_project_nor_lead(db: None, tmp_path: Path) -> None:
    UserFactory(username="ana")

    code, _printed, said = run_apart(report(tmp_path), *NEW, "--lead", "ana", "--dry-run")

    assert (code, said) == (0, "")
    assert not Project.objects.exists()


def test_a_lead_elsewhere_leads_only_what_is_named(db: None, tmp_path: Path) -> None:
    ana = MembershipFactory(user__username="ana", role="lead").user

    run_apart(report(tmp_path), *NEW)

    assert "ports" not in Project.objects.visible_to(ana).values_list("slug", flat=True)
