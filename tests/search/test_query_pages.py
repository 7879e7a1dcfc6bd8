"""The page of ready queries, the glossary, and how PubMed reads a query."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from search import looking_up
from search.actions.wording import read_query, save_glossary
from search.glossary import Term
from search.models import GlossaryTerm, Receipt, terms_of
from sources.actions.errors import ActionRefused
from sources.models import AuditEvent, Dimension, Job, Project, User
from sources.recording import broken_events
from sources.running import perform
from tests.search.found import hit, searched
from tests.standin import Given, StandIn

pytestmark = pytest.mark.django_db
PAIR = Term("semaglutide", "司美格鲁肽", "Semaglutide", ("Ozempic",))
MESH = '"semaglutide"[MeSH Terms] OR "semaglutide"[All Fields]'


def page(client: Client, project: Project, **asked: str) -> str:
    answer = client.get(reverse("queries", args=[project.slug], query=asked or None))
    assert answer.status_code == 200
    return answer.content.decode()


def run(*args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command(*args, stdout=out, stderr=err)
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, out.getvalue(), err.getvalue()


def test_page_words_the_subject_in_both_languages(
    project: Project, editor: User, editor_client: Client
) -> None:
    save_glossary(project=project, terms=[PAIR], by=editor)

    found = page(editor_client, project, subject="Ozempic 肥胖")

    assert "司美格鲁肽 肥胖 不良事件" not in found
    assert "司美格鲁肽 肥胖 局限性 不良事件 副作用 停药" in found
    assert "&quot;Semaglutide&quot;[MeSH Terms]" in found
    assert "not in the glossary" in found  # 肥胖, in English


def test_dimension_gives_the_subject_and_marks_what_fills_its_gaps(
    project: Project, editor_client: Client
) -> None:
    Dimension.objects.create(project=project, external_id="d1", name="Shore power")

    found = page(editor_client, project, dimension="d1")

    assert 'value="Shore power"' in found
    assert "Round 3 has not been searched." in found
    assert "fills a gap" in found


def test_number_of_queries_does_not_grow(project: Project, editor_client: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as seen:
            page(editor_client, project, subject="x")
        return len(seen)

    searched(project, hit("a"))
    count()  # what is read once in a process
    few = count()
    for number in range(12):
        searched(project, hit(str(number)))
        Dimension.objects.create(project=project, external_id=f"d{number}")
        GlossaryTerm.objects.create(project=project, position=number, en=f"t{number}")
    assert count() == few


def test_editor_saves_the_glossary_and_it_is_on_record(
    project: Project, editor_client: Client
) -> None:
    url = reverse("glossary", args=[project.slug])

    editor_client.post(url, {"terms": "semaglutide | 司美格鲁肽 | Semaglutide | Ozempic"})
    editor_client.post(url, {"terms": "semaglutide | 司美格鲁肽 | Semaglutide | Ozempic"})

    assert terms_of(project) == [PAIR]
    event = AuditEvent.objects.get(action="glossary.saved")
    assert event.new == {"terms": ["semaglutide | 司美格鲁肽 | Semaglutide | Ozempic"]}
    assert list(broken_events(project)) == []
    assert "司美格鲁肽" in page(editor_client, project)


def test_glossary_with_a_bad_line_is_refused_whole(project: Project, editor_client: Client) -> None:
    url = reverse("glossary", args=[project.slug])

    answer = editor_client.post(url, {"terms": "a | 甲\n | | x"}, follow=True)

    assert "Line 2" in answer.content.decode()
    assert terms_of(project) == []


def test_reviewer_reads_and_changes_nothing(
    project: Project, reviewer: User, reviewer_client: Client
) -> None:
    assert "Save the glossary" not in page(reviewer_client, project)
    with pytest.raises(ActionRefused):
        save_glossary(project=project, terms=[PAIR], by=reviewer)
    with pytest.raises(ActionRefused):
        read_query(project=project, text="x", by=reviewer)


def test_hostile_terms_are_shown_as_text(
    project: Project, editor: User, editor_client: Client
) -> None:
    save_glossary(project=project, terms=[Term("<script>x</script>", "甲\u202e乙")], by=editor)

    found = page(editor_client, project, subject="<script>x</script>", dimension="<b>")

    assert "<script>x" not in found


def test_pubmed_is_asked_how_it_reads_a_query_and_the_page_shows_it(
    standin: StandIn, project: Project, editor: User, editor_client: Client
) -> None:
    said = {"esearchresult": {"count": "7", "idlist": [], "querytranslation": MESH,
                              "errorlist": {"phrasesnotfound": ["xqz"]}}}  # fmt: skip
    standin.give("pubmed", said)
    url = reverse("queries-read", args=[project.slug])

    editor_client.post(url, {"text": "semaglutide xqz"})
    editor_client.post(url, {"text": "semaglutide xqz"})
    job = Job.objects.get(kind=looking_up.KIND)
    assert "PubMed is being asked." in page(editor_client, project)
    assert perform(job.pk, looking_up.run)

    job.refresh_from_db()
    assert job.result["translated"] == MESH
    found = page(editor_client, project)
    assert "<b>semaglutide</b>" in found
    assert "<code>xqz</code>" in found
    (asked,) = standin.of("pubmed")
    assert (asked.query["retmax"], asked.query["term"]) == ("0", "semaglutide xqz")
    assert not Receipt.objects.exists()


def test_pubmed_that_does_not_answer_is_said_in_both_languages(
    standin: StandIn, project: Project, editor: User
) -> None:
    standin.give("pubmed", Given(b"<html>", 502))
    job = read_query(project=project, text="x", by=editor)

    perform(job.pk, looking_up.run)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.error.startswith("PubMed cannot be asked")
    assert job.error_zh.startswith("无法查询 PubMed")
    assert len(standin.of("pubmed")) == 3


def test_translation_of_an_earlier_search_is_shown(project: Project, editor_client: Client) -> None:
    receipt = searched(project, hit("a"))
    Receipt.objects.filter(pk=receipt.pk).update(said={"translated": MESH})

    assert "<b>semaglutide</b>" in page(editor_client, project)


def test_command_brings_the_glossary_in_and_out(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "terms.csv"
    file.write_text("en,zh,mesh,also\nsemaglutide,司美格鲁肽,Semaglutide,Ozempic\n", "utf-8")

    assert run("glossary", "nsclc", str(file))[:2] == (0, "1 terms were saved.\n")
    code, out, _err = run("glossary", "nsclc")
    assert (code, json.loads(out)) == (0, PAIR.as_dict())
    assert run("glossary", "nsclc", "--csv")[1] == file.read_text("utf-8")
    file.with_suffix(".jsonl").write_text(out, "utf-8")
    assert "already" in run("glossary", "nsclc", str(file.with_suffix(".jsonl")))[1]


@pytest.mark.parametrize(("body", "code"), [(b"en,zh\n,\n", 1), (b"\xff\xfe", 2), (None, 2)])
def test_file_that_is_no_glossary_changes_nothing(
    project: Project, tmp_path: Path, body: bytes | None, code: int
) -> None:
    file = tmp_path / "terms.csv"
    if body is not None:
        file.write_bytes(body)

    done, out, err = run("glossary", "nsclc", str(file), "--json")

    assert done == code
    assert json.loads(out)["ok"] is False
    assert err
    assert run("glossary", "nobody", str(file))[0] == 2


def test_command_words_queries_and_asks_pubmed(standin: StandIn, project: Project) -> None:
    save_glossary(project=project, terms=[PAIR], by=None)

    code, out, _err = run("query_help", "semaglutide", "--project", "nsclc", "--look-up", "--json")

    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert {each["round"] for each in found["queries"]} == {1, 2, 3, 4}
    assert found["not_in_glossary"] == []
    assert found["pubmed"]["translated"]
    assert "R3 zh --route news" in run("query_help", "semaglutide", "--project", "nsclc")[1]
    assert run("query_help", " ")[0] == 2
    assert run("query_help", "x", "--project", "nobody")[0] == 2
    standin.give("pubmed", Given(b"<html>", 502))
    assert run("query_help", "x", "--look-up")[0] == 1
