"""Mappings belong to the project in which they were saved; a few to the site, kept by admins."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from reviews.actions import NotAllowed, imports
from sources.models import AuditEvent, ImportMapping, Membership, Project, User
from tests.factories import ImportMappingFactory, MembershipFactory, ProjectFactory

from .uploading import LEDGER, Upload, as_lines, text_of, url, work

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_broker", "own_upload_folder"),
]

SPEC = {"records": "", "fields": {"claim.text": "claim_text"}}
OTHER = {"records": "", "fields": {"claim.text": "claim_id"}}


@pytest.fixture
def elsewhere(db: None) -> Project:
    """A project that the editor is no member of."""
    return ProjectFactory(slug="elsewhere")


def test_a_mapping_is_saved_in_the_project_of_its_import(
    editor_client: Client, upload: Upload, project: Project
) -> None:
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")
    posted = {"records": "", "claim.text": "claim_text", "save_as": "ports"}

    editor_client.post(url(batch, "mapping/"), posted)

    assert ImportMapping.objects.get().project == project
    event = AuditEvent.objects.get(action="mapping.saved")
    assert (event.project, event.object_id, event.actor) == (project, "ports", "editor")


def test_each_project_has_names_of_its_own(project: Project, elsewhere: Project) -> None:
    for owner in (project, elsewhere, None):
        ImportMappingFactory(name="ports", project=owner)

    for owner in (project, None):
        with pytest.raises(IntegrityError), transaction.atomic():
            ImportMappingFactory(name="ports", project=owner)


def test_a_mapping_of_another_project_is_neither_shown_nor_taken(
    editor_client: Client, upload: Upload, project: Project, elsewhere: Project
) -> None:
    mine = ImportMappingFactory(name="mine", project=project, spec=SPEC)
    site = ImportMappingFactory(name="of-the-site", project=None, spec=SPEC)
    foreign = ImportMappingFactory(name="foreign", project=elsewhere, spec=SPEC)
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")

    page = text_of(editor_client.get(url(batch, "recognise/")))
    codes = {
        mapping: editor_client.post(
            url(batch, "mapping/"), {"use": "saved", "saved-mapping": str(mapping.pk)}
        ).status_code
        for mapping in (foreign, mine, site)
    }

    assert "mine" in page
    assert "of-the-site (whole site)" in page
    assert "foreign" not in page
    assert codes == {foreign: 422, mine: 302, site: 302}


def test_no_form_is_offered_where_only_others_have_mappings(
    editor_client: Client, upload: Upload, elsewhere: Project
) -> None:
    ImportMappingFactory(project=elsewhere)
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")

    assert "Saved mapping" not in text_of(editor_client.get(url(batch, "recognise/")))


def test_the_name_of_a_mapping_elsewhere_is_free(
    editor_client: Client, upload: Upload, project: Project, elsewhere: Project
) -> None:
    for owner in (elsewhere, None):
        ImportMappingFactory(name="ports", project=owner, spec=OTHER)
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")
    posted = {"records": "", "claim.text": "claim_text", "save_as": "ports"}

    response = editor_client.post(url(batch, "mapping/"), posted)
    work()

    assert response.status_code == 302
    saved = ImportMapping.objects.get(name="ports", project=project)
    assert saved.spec["fields"] == SPEC["fields"]
    assert ImportMapping.objects.filter(name="ports").count() == 3


def test_only_who_may_import_into_the_project_saves_there(
    project: Project, reviewer: User, editor: User, outsider: User, elsewhere: Project
) -> None:
    MembershipFactory(project=elsewhere, user=outsider, role=Membership.Role.EDITOR)

    for person in (reviewer, outsider):
        with pytest.raises(NotAllowed):
            imports.save_mapping(project=project, name="ports", spec=SPEC, by=person)
    assert imports.save_mapping(project=project, name="ports", spec=SPEC, by=editor).pk


def test_only_an_admin_saves_for_the_whole_site(lead: User, admin: User) -> None:
    with pytest.raises(NotAllowed):
        imports.save_mapping(project=None, name="ports", spec=SPEC, by=lead)

    saved = imports.save_mapping(project=None, name="ports", spec=SPEC, by=admin)
    again = imports.save_mapping(project=None, name="ports", spec=OTHER, by=admin)

    assert (saved.pk, again.spec) == (again.pk, OTHER)


def test_members_see_the_mappings_of_their_projects_and_of_the_site(
    project: Project, elsewhere: Project, reviewer: User, admin: User
) -> None:
    for owner in (project, elsewhere, None):
        ImportMappingFactory(name=owner.slug if owner else "site", project=owner)

    def seen(user: User) -> list[str]:
        return list(ImportMapping.objects.visible_to(user).values_list("name", flat=True))

    assert seen(reviewer) == ["nsclc", "site"]
    assert seen(admin) == ["elsewhere", "nsclc", "site"]


def brought(path: Path, slug: str, name: str) -> tuple[int, str]:
    said, refused = StringIO(), StringIO()
    with pytest.raises(SystemExit) as left:
        call_command(
            "import_report",
            str(path),
            "--project",
            slug,
            "--mapping",
            name,
            stdout=said,
            stderr=refused,
        )
    return int(left.value.code or 0), said.getvalue() + refused.getvalue()


def test_the_command_looks_in_the_project_first(
    project: Project, elsewhere: Project, tmp_path: Path
) -> None:
    ImportMappingFactory(name="ports", project=project, spec=SPEC)
    ImportMappingFactory(name="ports", project=None, spec=OTHER)
    ImportMappingFactory(name="hidden", project=elsewhere, spec=SPEC)
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(as_lines(*LEDGER))

    own = brought(path, "nsclc", "ports")
    of_the_site = brought(path, "elsewhere", "ports")
    foreign = brought(path, "nsclc", "hidden")

    texts = {
        slug: set(Project.objects.get(slug=slug).claims.values_list("text", flat=True))
        for slug in ("nsclc", "elsewhere")
    }
    assert (own[0], of_the_site[0]) == (0, 0)
    assert texts["nsclc"] == {record["claim_text"] for record in LEDGER}
    assert texts["elsewhere"] == {"a1", "a2"}
    assert foreign[0] == 2
    assert "There is no mapping" in foreign[1]


def test_a_new_project_may_be_read_by_a_mapping_of_the_site(db: None, tmp_path: Path) -> None:
    ImportMappingFactory(name="ports", project=None, spec=SPEC)
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(as_lines(*LEDGER))
    more: tuple[Any, ...] = ("--create", "--language", "en", "--question", "How much?")

    with pytest.raises(SystemExit) as left:
        call_command(
            "import_report", str(path), "--project", "new", "--mapping", "ports", *more,
            stdout=StringIO(), stderr=StringIO(),
        )  # fmt: skip

    assert left.value.code == 0
    assert Project.objects.get(slug="new").claims.count() == 2


def test_mappings_from_before_belong_to_the_site(db: None) -> None:
    assert ImportMapping.objects.create(name="older", spec=SPEC).project is None
