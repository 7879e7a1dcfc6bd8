"""Receipts are written once, numbered in order, and come back unchanged from their export."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from search.importing import receipt_lines
from search.models import Call, Receipt
from search.plans import Plan
from search.receipts import line_of, next_id
from search.searching import begin
from sources.models import Project, User
from tests.search.runs import answered
from tests.standin import StandIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def receipt(standin: StandIn, project: Project) -> Receipt:
    answered(begin(project, Plan("drug x", route="pubmed", round=1), by=None, nudge=False))
    return Receipt.objects.get()


def test_receipt_is_never_changed(receipt: Receipt) -> None:
    receipt.query_or_url = "something else"

    with pytest.raises(TypeError, match="written once"):
        receipt.save()
    with pytest.raises(TypeError, match="written once"):
        Call.objects.first().save()  # type: ignore[union-attr]


def test_numbers_go_on_after_whatever_was_imported(project: Project) -> None:
    for name in ("srch_0009", "srch_backup", "srch_0107", "web_9000"):
        Receipt.objects.create(project=project, external_id=name, content_hash=name)

    assert next_id(project) == "srch_0108"


def test_first_number_and_the_one_after_9999(project: Project) -> None:
    assert next_id(project) == "srch_0001"
    for name in ("srch_9999", "srch_10000"):
        Receipt.objects.create(project=project, external_id=name, content_hash=name)
    assert next_id(project) == "srch_10001"


def test_step_of_a_run_is_written_once(receipt: Receipt, project: Project) -> None:
    double = Receipt(project=project, external_id="srch_0002", job=receipt.job, step=receipt.step)

    with pytest.raises(IntegrityError), transaction.atomic():
        double.save()


def test_line_has_the_keys_of_the_format_and_comes_back_unchanged(
    receipt: Receipt, project: Project, tmp_path: Any
) -> None:
    line = line_of(receipt)
    assert list(line)[:10] == [
        "receipt_id", "timestamp", "tool", "mode", "query_or_url", "purpose", "result_count",
        "opened_urls", "status", "failure_reason",
    ]  # fmt: skip
    assert line["timestamp"].endswith("Z")
    log = tmp_path / "search_log.jsonl"
    with pytest.raises(SystemExit):
        call_command("export_jsonl", project.slug, "search_log", "--output", str(log))

    with pytest.raises(SystemExit) as stopped:
        call_command("import_receipts", str(log), "--project", project.slug, "--json")

    assert stopped.value.code == 0
    assert list(receipt_lines(project)) == [line]
    assert Receipt.objects.count() == 1


def test_person_who_searched_is_told(standin: StandIn, project: Project, editor: User) -> None:
    answered(begin(project, Plan("drug x", route="trials"), by=editor, nudge=False))

    receipt = Receipt.objects.get()
    assert receipt.by == editor
    assert (receipt.tool, receipt.mode) == ("project-search", "academic")


def test_receipts_are_seen_by_members_alone(
    receipt: Receipt, reviewer: User, outsider: User, admin: User
) -> None:
    assert list(Receipt.objects.visible_to(reviewer)) == [receipt]
    assert list(Receipt.objects.visible_to(outsider)) == []
    assert list(Receipt.objects.visible_to(admin)) == [receipt]
