"""The history of a project as people read it."""

import html
import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from sources.models import Project, User
from sources.recording import Entry, record

pytestmark = pytest.mark.django_db
ADDRESS = "/p/nsclc/history/"


def text_of(page: str) -> str:
    """Give what a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


@pytest.fixture
def verdict(project: Project, lead: User) -> None:
    old = {"decision": "pass", "note": "", "aspects": []}
    new = {"decision": "revise", "note": "P=0.07", "aspects": ["number", "scope"], "pk": 7}
    record(project, [Entry("verdict.changed", "verdict", "d1.c5", old=old, new=new)], by=lead)


@pytest.mark.parametrize(
    ("language", "sentence", "change"),
    [
        ("en", "lead changed the verdict on d1.c5: Revise", "decisionPass → Revise"),
        ("zh-hans", "lead 更改了对 d1.c5 的结论：需修改", "结论通过 → 需修改"),
    ],
)
def test_an_event_is_a_sentence_with_what_it_changed(
    verdict: None, lead: User, lead_client: Client, language: str, sentence: str, change: str
) -> None:
    lead.language = language
    lead.save()

    page = text_of(lead_client.get(ADDRESS).content.decode())

    assert sentence in page
    assert change in page


def test_what_the_sentence_says_is_not_said_again(
    project: Project, lead: User, lead_client: Client
) -> None:
    new = {"decision": "pass", "note": "fits", "stale": False, "stale_reason": ""}
    record(project, [Entry("verdict.given", "verdict", "d1.c5", new=new)], by=lead)

    (told,) = lead_client.get(ADDRESS).context["told"]

    assert [(change.field, change.new) for change in told.changes] == [("note", "fits")]


def test_data_are_folded_and_whole(verdict: None, lead_client: Client) -> None:
    page = lead_client.get(ADDRESS).content.decode()

    folded = re.findall(r"<details class=\"change\">.*?</details>", page, re.S)
    shown = re.sub(r"<details class=\"change\">.*?</details>", "", page, flags=re.S)
    assert len(folded) == 1
    assert "verdict.changed" in folded[0]
    assert "&quot;pk&quot;: 7" in folded[0]
    assert "verdict.changed" not in shown
    assert "&quot;" not in shown.partition("<table")[2]


def test_counts_of_an_import_are_told_one_by_one(
    project: Project, editor: User, lead_client: Client
) -> None:
    new = {"name": "r.zip", "created": {"claims": 40, "key_questions": 3}, "changed": {}}
    record(project, [Entry("import.done", "import", "3", new=new)], by=editor)

    page = text_of(lead_client.get(ADDRESS).content.decode())

    assert "Import 3 of editor was written: r.zip" in page
    assert "new · claims40" in page
    assert "new · key questions3" in page


def test_what_no_person_did_is_the_workbenchs(project: Project, lead_client: Client) -> None:
    record(project, [Entry("project.created", "project", "nsclc", new={"title": "T"})], by=None)
    record(project, [Entry("claim.dropped", "claim", "d1.c1")], by=None)

    page = text_of(lead_client.get(ADDRESS).content.decode())

    assert "The workbench created project nsclc: T" in page
    assert "An import of the workbench no longer holds claim d1.c1" in page


def test_hostile_names_and_values_are_text(
    project: Project, lead: User, lead_client: Client
) -> None:
    hostile = "<img src=x>%(who)s\u202e"
    record(project, [Entry("claim.snoozed", "snooze", hostile, new={"until": hostile})], by=lead)

    page = lead_client.get(ADDRESS).content.decode()

    assert "<img" not in page
    assert "\u202e" not in page
    assert "%(who)s" in page


def test_a_day_is_written_as_the_reader_writes_it(
    project: Project, lead: User, lead_client: Client
) -> None:
    new = {"until": date(2026, 12, 24).isoformat(), "note": ""}
    record(project, [Entry("claim.snoozed", "snooze", "d1.c1", new=new)], by=lead)

    page = text_of(lead_client.get(ADDRESS).content.decode())

    assert "lead put claim d1.c1 off: 24 Dec 2026" in page


def test_more_events_need_no_more_queries(
    project: Project, lead: User, lead_client: Client
) -> None:
    entry = Entry("verdict.given", "verdict", "d1.c1", new={"decision": "pass"})
    record(project, [entry], by=lead)
    lead_client.get(ADDRESS)
    with CaptureQueriesContext(
        connection,
    ) as one:
        lead_client.get(ADDRESS)
    record(project, [entry] * 45, by=lead)
    with CaptureQueriesContext(connection) as many:
        lead_client.get(ADDRESS)

    assert len(many) == len(one)


def test_an_action_that_no_choice_names_stays_chosen(verdict: None, lead_client: Client) -> None:
    page = lead_client.get(ADDRESS, {"action": "verdict.changed"}).content.decode()

    assert '<option value="verdict.changed" selected>' in page


@pytest.mark.parametrize("who", ["lead", "王芳"])
def test_a_person_is_told_and_found_by_name(
    verdict: None, project: Project, lead: User, lead_client: Client, who: str
) -> None:
    lead.first_name, lead.last_name = "芳", "王"
    lead.save()
    record(project, [Entry("claim.dropped", "claim", "d1.c1")], by=None)

    page = lead_client.get(ADDRESS, {"who": who})

    assert [event.action for event in page.context["events"]] == ["verdict.changed"]
    assert "王芳 changed the verdict on d1.c5" in text_of(page.content.decode())
