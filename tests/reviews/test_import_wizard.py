"""The import wizard from the file to the result, and the errors that it lists."""

import json
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from reviews.models import Claim
from sources.models import ImportBatch, ImportMapping
from tests.factories import VerdictFactory

from .report_files import document, report
from .uploading import LEDGER, Upload, as_lines, text_of, uploads, url, work, zipped

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_broker", "own_upload_folder"),
]


def test_report_is_checked_decided_about_and_imported(
    editor_client: Client, upload: Upload, report_zip: bytes, settings: LazySettings
) -> None:
    batch = upload(report_zip)

    check = editor_client.get(url(batch))
    assert "Dry run: what an import would do" in text_of(check)
    assert not Claim.objects.exists()

    decided = editor_client.post(url(batch, "choose/"), {"what": "all", "key": "k"})
    assert decided.url == url(batch, "import/")
    assert "It starts as soon as a worker is free" in text_of(editor_client.get(decided.url))

    work()
    result = text_of(editor_client.get(url(batch)))
    assert "The import is done" in result
    assert "Start the review" in result
    assert Claim.objects.count() == 3
    assert uploads(settings) == []


def test_upload_keeps_name_size_hash_and_encoding(
    editor_client: Client, upload: Upload, report_zip: bytes
) -> None:
    batch = upload(report_zip, "C:\\reports\\中文 报告.zip")

    assert batch.name == "中文 报告.zip"
    assert batch.size == len(report_zip)
    page = text_of(editor_client.get(url(batch)))
    assert batch.sha256[:12] in page
    assert "zip archive" in page


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"claim": "x"}\n', "UTF-8"),
        (b'\xef\xbb\xbf{"claim": "x"}\n', "UTF-8 with a byte order mark"),
        ('{"claim": "价格"}\n'.encode("gb18030"), "not UTF-8"),
        ('{"claim": "x"}\n'.encode("utf-16"), "UTF-16"),
    ],
)
def test_encoding_of_a_file_is_told(
    editor_client: Client, upload: Upload, data: bytes, said: str
) -> None:
    batch = upload(data, "claims.jsonl")

    assert f" {said} " in text_of(editor_client.get(url(batch)))


def test_each_step_leads_to_the_one_that_is_open(
    editor_client: Client, upload: Upload, report_zip: bytes
) -> None:
    batch = upload(report_zip)

    assert editor_client.get(url(batch, "recognise/")).status_code == 200
    assert editor_client.get(url(batch, "decide/")).status_code == 200
    for step in ("import/", "result/"):
        assert editor_client.get(url(batch, step)).url == url(batch)


def test_same_file_again_is_pointed_out_and_changes_nothing(
    editor_client: Client, upload: Upload, report_zip: bytes
) -> None:
    first = upload(report_zip)
    editor_client.post(url(first, "choose/"), {"what": "all"})
    work()

    second = upload(report_zip)
    notice = editor_client.get(url(second)).content.decode()
    editor_client.post(url(second, "choose/"), {"what": "all"})
    work()
    result = editor_client.get(url(second))

    assert "This very file was imported before" in notice
    assert url(first) in notice
    assert "Nothing changed" in text_of(result)
    assert url(first) in result.content.decode()
    assert Claim.objects.count() == 3


def test_import_nothing_removes_the_upload(
    editor_client: Client, upload: Upload, report_zip: bytes, settings: LazySettings
) -> None:
    batch = upload(report_zip)

    response = editor_client.post(url(batch, "choose/"), {"what": "nothing"}, follow=True)

    assert "Nothing of “report.zip” was imported" in text_of(response)
    assert uploads(settings) == []
    assert "editor chose to import nothing" in text_of(editor_client.get(url(batch)))


def test_changed_claims_ask_for_new_version_or_old_one(
    editor_client: Client, upload: Upload, report_zip: bytes, tmp_path: Path
) -> None:
    first = upload(report_zip)
    editor_client.post(url(first, "choose/"), {"what": "all"})
    work()
    VerdictFactory(claim=Claim.objects.get(external_id="d1.c2"))
    changed = document()
    changed["claims"][1]["text"] = "The connection rate was 73.5 %"
    batch = upload(zipped(report(tmp_path / "changed", changed)))

    asked = text_of(editor_client.get(url(batch, "decide/")))
    editor_client.post(url(batch, "choose/"), {"what": "all", "changed": "keep"})
    work()

    assert "New version; 1 verdict becomes stale" in asked
    assert Claim.objects.get(external_id="d1.c2").text == "The connection rate was 63.5 %"


@pytest.fixture
def with_errors(editor_client: Client, upload: Upload) -> ImportBatch:
    """An upload of two good lines and two bad ones, looked over by a saved mapping."""
    spec = {"name": "ports", "records": "", "fields": {"claim.text": "claim_text"}}
    mapping = ImportMapping.objects.create(name="ports", spec=spec)
    batch = upload(as_lines(*LEDGER, {"claim_id": "a3"}) + b"{broken\n", "claims.jsonl")
    posted = {"use": "saved", "saved-mapping": str(mapping.pk)}
    editor_client.post(url(batch, "mapping/"), posted)
    work()
    return batch


def test_errors_are_counted_by_kind_and_listed_with_line_and_cure(
    editor_client: Client, with_errors: ImportBatch
) -> None:
    page = text_of(editor_client.get(url(with_errors, "check/")))
    of_a_kind = text_of(editor_client.get(url(with_errors, "check/?rule=CLAIM_WITHOUT_TEXT")))

    assert "CLAIM_WITHOUT_TEXT 1" in page
    assert "JSON 1" in page
    assert "This claim has no text." in of_a_kind
    assert "Mend the file" in of_a_kind
    assert "{broken" not in of_a_kind


def test_valid_lines_alone_must_be_chosen(editor_client: Client, with_errors: ImportBatch) -> None:
    unchosen = editor_client.post(url(with_errors, "choose/"), {})
    everything = editor_client.post(url(with_errors, "choose/"), {"what": "all"})
    assert (unchosen.status_code, everything.status_code) == (422, 422)
    assert not Claim.objects.exists()

    editor_client.post(url(with_errors, "choose/"), {"what": "valid"})
    work()

    assert Claim.objects.count() == 2


def test_errors_file_has_every_error_in_both_languages(
    editor_client: Client, with_errors: ImportBatch
) -> None:
    response = editor_client.get(url(with_errors, "errors.jsonl"))

    lines = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    assert [line["line"] for line in lines] == [3, 4]
    assert lines[0]["message"] == "This claim has no text."
    assert lines[0]["message_zh"] == "此论断没有文本。"
    assert {"file", "line", "path", "rule", "hint", "hint_zh"} <= lines[0].keys()


def test_more_errors_than_the_page_shows_are_in_the_file(
    editor_client: Client, upload: Upload
) -> None:
    spec = {"name": "ports", "records": "", "fields": {"claim.text": "claim_text"}}
    mapping = ImportMapping.objects.create(name="ports", spec=spec)
    batch = upload(as_lines(LEDGER[0], *({"claim_id": n} for n in range(520))), "claims.jsonl")
    editor_client.post(url(batch, "mapping/"), {"use": "saved", "saved-mapping": mapping.pk})
    work()

    page = text_of(editor_client.get(url(batch, "check/")))
    response = editor_client.get(url(batch, "errors.jsonl"))

    assert "520 errors" in page
    assert "The first 500 are shown" in page
    assert len(b"".join(response.streaming_content).splitlines()) == 520
