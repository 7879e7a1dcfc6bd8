"""The tables in the administration: forms, history, a file looked over and then imported."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from sources.models import Domain, Job, Journal, Project, Publisher, Subject, TableChange, User

pytestmark = pytest.mark.django_db

CSV, XLSX, JSONL = "0", "1", "2"


def upload(client: Client, data: bytes, number: str = JSONL, table: str = "journal") -> Any:
    return client.post(
        reverse(f"admin:sources_{table}_import"),
        {
            "import_file": SimpleUploadedFile("journals.jsonl", data),
            "format": number,
            "resource": "0",
        },
    )


def confirm(client: Client, page: HttpResponse, table: str = "journal", **other: str) -> Any:
    fields = dict(
        re.findall(r'name="(import_file_name|original_file_name|format)" value="([^"]*)"',
                   page.content.decode())
    )  # fmt: skip
    return client.post(
        reverse(f"admin:sources_{table}_process_import"), fields | other, follow=True
    )


def line(**record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"


def kept_files() -> list[Path]:
    return list(Path(settings.UPLOAD_DIR).glob("*.part"))


def test_saving_a_form_is_kept_and_queues_scoring(admin_client: Client, admin: User) -> None:
    row = Journal.objects.get(title="BMJ")
    fields = {
        "title": "BMJ", "issns": "0959-8138\n1756-1833", "aliases": "British Medical Journal\n",
        "impact_factor": "105.7", "impact_year": "2024", "impact_source": "JCR",
        "authority_band": "2.5", "tier": "1", "note": "",
    }  # fmt: skip

    page = admin_client.post(reverse("admin:sources_journal_change", args=[row.pk]), fields)

    assert page.status_code == 302
    row.refresh_from_db()
    assert (row.impact_factor, row.aliases, row.changed_by) == (
        Decimal("105.7"), ["British Medical Journal"], admin,
    )  # fmt: skip
    assert TableChange.objects.latest("pk").new["impact_factor"] == "105.7"
    assert Job.objects.filter(task="sources.tasks.score_after_tables").exists()


def test_form_says_what_is_wrong(admin_client: Client) -> None:
    page = admin_client.post(
        reverse("admin:sources_journal_add"), {"title": "the lancet", "issns": "12"}
    )

    text = page.content.decode()
    assert "is no ISSN" in text
    assert page.status_code == 200


def test_second_row_of_one_name_is_refused(admin_client: Client) -> None:
    page = admin_client.post(reverse("admin:sources_journal_add"), {"title": "the lancet"})

    assert "is in the table already" in page.content.decode()


def test_host_is_folded_and_checked_in_its_form(admin_client: Client) -> None:
    add = reverse("admin:sources_domain_add")
    fields = {"publisher_class": "other", "path_prefix": "", "note": "", "source_type": ""}

    bad = admin_client.post(add, {**fields, "host": "https://x.example/a"})
    admin_client.post(add, {**fields, "host": "WWW.X.Example"})
    again = admin_client.post(add, {**fields, "host": "x.example"})

    assert "is no host" in bad.content.decode()
    assert Domain.objects.filter(host="x.example").count() == 1
    assert again.status_code == 200


def test_evaluated_company_is_entered_by_its_project(
    admin_client: Client, project: Project
) -> None:
    admin_client.post(
        reverse("admin:sources_subject_add"),
        {"project": project.pk, "kind": "company", "name": "Acme", "aliases": "艾克美\nAcme Inc",
         "domains": "acme.example", "note": ""},
    )  # fmt: skip

    row = Subject.objects.get()
    assert (row.aliases, row.domains) == (["艾克美", "Acme Inc"], ["acme.example"])


def test_deleted_rows_stay_in_the_history(admin_client: Client) -> None:
    row = Publisher.objects.get(name="FDA")

    admin_client.post(reverse("admin:sources_publisher_delete", args=[row.pk]), {"post": "yes"})
    admin_client.post(
        reverse("admin:sources_journal_changelist"),
        {"action": "delete_selected", "_selected_action": [Journal.objects.get(title="BMJ").pk],
         "post": "yes"},
    )  # fmt: skip

    gone = TableChange.objects.filter(new__isnull=True).values_list("table", "row_key")
    assert {("publisher", "FDA"), ("journal", "BMJ")} <= set(gone)


def test_history_of_a_row_is_one_press_away(admin_client: Client) -> None:
    row = Journal.objects.get(title="BMJ")

    page = admin_client.get(reverse("admin:sources_journal_history", args=[row.pk]), follow=True)

    assert page.status_code == 200
    assert "table=journal&row_key=BMJ" in page.redirect_chain[-1][0]


def test_file_is_looked_over_and_then_imported(admin_client: Client, admin: User) -> None:
    preview = upload(admin_client, line(title="Cell", impact_factor=45.5))
    before = Journal.objects.get(title="Cell").impact_factor

    done = confirm(admin_client, preview)

    assert "Confirm import" in preview.content.decode()
    assert before is None
    assert Journal.objects.get(title="Cell").impact_factor == Decimal("45.5")
    assert "Import finished" in done.content.decode()
    change = TableChange.objects.latest("pk")
    assert (change.row_key, change.by, change.reason) == ("Cell", admin, "journals.jsonl")
    assert change.batch_id
    assert Job.objects.filter(task="sources.tasks.score_after_tables").count() == 1
    assert kept_files() == []


def test_bad_rows_are_shown_and_nothing_can_be_confirmed(admin_client: Client) -> None:
    page = upload(admin_client, line(title="Good") + line(title="Bad", tier=9))

    text = page.content.decode()
    assert "Confirm import" not in text
    assert "less than or equal to 4" in text
    assert not Journal.objects.filter(title="Good").exists()


def test_file_that_is_no_table_is_refused_in_words(admin_client: Client) -> None:
    page = upload(admin_client, b"{broken\n")

    assert page.status_code == 200
    assert "1" in page.content.decode()
    assert "Confirm import" not in page.content.decode()


def test_file_that_is_too_large_is_refused(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sources.table_admin.MAX_FILE", 10)

    page = upload(admin_client, line(title="A long title"))

    assert "Nothing was imported" in page.content.decode()


@pytest.mark.parametrize(
    "other",
    [
        {"format": "9"},
        {"format": "x"},
        {"import_file_name": "../../etc/passwd"},
        {"import_file_name": "0" * 32},
        {"import_file_name": "\x00"},
    ],
)
def test_damaged_confirmation_imports_nothing(admin_client: Client, other: dict[str, str]) -> None:
    preview = upload(admin_client, line(title="Cell", tier=2))

    page = confirm(admin_client, preview, **other)

    assert page.status_code == 200
    assert Journal.objects.get(title="Cell").tier == 1


def test_table_that_changed_since_the_preview_is_not_half_written(admin_client: Client) -> None:
    data = line(host="a.example", publisher_class="other", publisher="FDA")
    preview = upload(admin_client, data, table="domain")
    Publisher.objects.get(name="FDA").delete()

    page = confirm(admin_client, preview, table="domain")

    assert "Nothing was imported" in page.content.decode()
    assert not Domain.objects.filter(host="a.example").exists()


@pytest.mark.parametrize("number", [CSV, XLSX, JSONL])
@pytest.mark.parametrize("table", ["journal", "publisher", "domain", "subject"])
def test_table_is_given_as_a_file(
    admin_client: Client, table: str, number: str, project: Project
) -> None:
    Subject.objects.create(project=project, kind="company", name="Acme")

    page = admin_client.post(
        reverse(f"admin:sources_{table}_export"), {"format": number, "resource": "0"}
    )

    assert page.status_code == 200
    assert page["Content-Disposition"].startswith("attachment")
    if number == JSONL:
        records = [json.loads(row) for row in page.content.decode().splitlines()]
        assert isinstance(records[0].get("aliases", []), list)
        assert len(records) >= 1


@pytest.mark.parametrize("table", ["journal", "publisher", "domain", "subject", "tablechange"])
def test_pages_open_and_the_number_of_queries_does_not_grow(
    admin_client: Client, table: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(25):
        page = admin_client.get(reverse(f"admin:sources_{table}_changelist"))

    assert page.status_code == 200


@pytest.mark.parametrize("what", ["import", "export"])
def test_staff_without_the_site_role_sees_no_files(
    admin: User, admin_client: Client, what: str
) -> None:
    admin.is_superuser = False
    admin.save()

    page = admin_client.get(reverse(f"admin:sources_journal_{what}"))

    assert page.status_code in {302, 403, 404}


def test_changes_cannot_be_changed(admin_client: Client) -> None:
    row = TableChange.objects.latest("pk")

    page = admin_client.post(
        reverse("admin:sources_tablechange_change", args=[row.pk]), {"row_key": "other"}
    )

    assert page.status_code == 403
