"""Uploads that are refused at the door, or sent twice."""

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sources.models import ImportBatch, Job, Project, User

from .uploading import Upload, post_file, text_of, uploads, url

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_broker", "own_upload_folder"),
]


def test_empty_and_missing_files_are_refused(editor_client: Client, project: Project) -> None:
    empty = post_file(editor_client, b"", "claims.jsonl")
    missing = editor_client.post("/p/nsclc/import/", {})

    assert (empty.status_code, missing.status_code) == (422, 422)
    assert "The file is empty" in text_of(empty)
    assert "Choose a file" in text_of(missing)
    assert not ImportBatch.objects.exists()


@pytest.mark.parametrize("size", [2_000, 3 * 2**20])
def test_file_above_the_cap_is_refused_and_leaves_nothing(
    editor_client: Client, settings: LazySettings, size: int
) -> None:
    settings.UPLOAD_MAX_BYTES = 1_000

    response = post_file(editor_client, b"x" * size, "claims.jsonl")

    assert response.status_code == 422
    assert "The file is larger than" in text_of(response)
    assert uploads(settings) == []
    assert not ImportBatch.objects.exists()


def test_upload_needs_the_token(project: Project, editor: User, settings: LazySettings) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(editor, backend="django.contrib.auth.backends.ModelBackend")

    response = post_file(client, b"{}", "claims.json")

    assert response.status_code == 403
    assert not ImportBatch.objects.exists()


def test_same_form_posted_twice_gives_one_import(
    editor_client: Client, report_zip: bytes, settings: LazySettings
) -> None:
    first = post_file(editor_client, report_zip, key="one")
    second = post_file(editor_client, report_zip, key="one")

    assert first.url == second.url
    assert ImportBatch.objects.count() == 1
    assert len(uploads(settings)) == 1


def test_htmx_is_led_on_and_gets_errors_in_the_form(
    editor_client: Client, report_zip: bytes
) -> None:
    htmx = {"HX-Request": "true"}
    good = editor_client.post(
        "/p/nsclc/import/", {"file": SimpleUploadedFile("r.zip", report_zip)}, headers=htmx
    )
    bad = editor_client.post("/p/nsclc/import/", {}, headers=htmx)

    assert good.headers["HX-Redirect"] == url(ImportBatch.objects.get())
    assert bad.status_code == 422
    assert "<html" not in bad.content.decode()


def test_second_press_of_import_starts_it_once(
    editor_client: Client, upload: Upload, report_zip: bytes
) -> None:
    batch = upload(report_zip)

    for _press in range(2):
        editor_client.post(url(batch, "choose/"), {"what": "all", "key": "same"})

    assert Job.objects.filter(kind="import").count() == 1
