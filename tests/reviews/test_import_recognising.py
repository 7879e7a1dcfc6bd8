"""The wizard's step that recognises a file: proposals, mappings, what holds no claims."""

import pytest
from django.test import Client

from sources.models import ImportMapping, Project

from .uploading import LEDGER, Upload, as_lines, text_of, url, work

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_broker", "own_upload_folder"),
]


def test_unknown_ledger_gets_a_proposal_with_values_of_the_file(
    editor_client: Client, upload: Upload
) -> None:
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")

    response = editor_client.get(url(batch))

    assert 'value="claim_text"' in response.content.decode()
    assert "Ships drew power from the quay" in text_of(response)
    assert "Nothing was imported" in text_of(response)


def test_mapping_is_used_and_saved_under_a_name(editor_client: Client, upload: Upload) -> None:
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")
    fields = {"records": "", "claim.text": "claim_text", "source.url": "url | link"}

    response = editor_client.post(url(batch, "mapping/"), {**fields, "save_as": "ports"})
    work()

    assert response.url == url(batch, "check/")
    saved = ImportMapping.objects.get(name="ports").spec
    assert saved["fields"] == {"claim.text": "claim_text", "source.url": ["url", "link"]}
    batch.refresh_from_db()
    assert batch.report["created"]["claims"] == 2
    assert batch.report["created"]["sources"] == 2


def test_name_of_another_mapping_is_replaced_only_when_asked(
    editor_client: Client, upload: Upload, project: Project
) -> None:
    ImportMapping.objects.create(
        project=project, name="ports", spec={"fields": {"claim.text": "x"}}
    )
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")
    posted = {"records": "", "claim.text": "claim_text", "save_as": "ports"}

    refused = editor_client.post(url(batch, "mapping/"), posted)
    accepted = editor_client.post(url(batch, "mapping/"), {**posted, "replace": "on"})

    assert refused.status_code == 422
    assert "Another mapping has this name" in text_of(refused)
    assert accepted.status_code == 302
    saved = ImportMapping.objects.get(name="ports").spec
    assert saved["fields"] == {"claim.text": "claim_text"}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("claim.text", "", "A mapping needs the text of the claim."),
        ("claim.text", "a..b", "The mapping cannot be used"),
        ("where", "[1]", "Write an object in braces"),
        ("where", "[" * 2_000, "Write an object in braces"),
        ("save_as", "断言", "valid"),
    ],
)
def test_mapping_that_cannot_be_used_is_refused_with_its_reason(
    editor_client: Client, upload: Upload, field: str, value: str, said: str
) -> None:
    batch = upload(as_lines(*LEDGER), "ledger.jsonl")

    response = editor_client.post(
        url(batch, "mapping/"), {"claim.text": "claim_text", field: value}
    )

    assert response.status_code == 422
    assert said in text_of(response)


def test_file_without_claims_is_named_as_what_it_is(editor_client: Client, upload: Upload) -> None:
    schema = b'{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {}}'
    batch = upload(schema, "schema.json")

    page = text_of(editor_client.get(url(batch)))

    assert "No file here holds claims." in page
    assert "A JSON schema, no claims." in page


def test_text_of_a_file_is_shown_escaped(editor_client: Client, upload: Upload) -> None:
    evil = {"claim_text": "<script>alert(1)</script> says it all", "link": "javascript:alert(1)"}
    batch = upload(as_lines(evil, evil), "</script><b>x.jsonl")

    page = editor_client.get(url(batch)).content.decode()

    assert "<script>alert" not in page
    assert "<b>x" not in page
