"""From a line of sources.jsonl to a rejection: a paper with two notices, as providers tell them."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from celery import current_app
from django.core.management import call_command
from django.test import Client

from sources.models import AuditEvent, Job, NoticeAcknowledgement, Project, Rejection, Source, User
from tests.sources.noticing.providers import World, ask, recorded
from tests.sources.noticing.works import brought
from tests.sources.retractions.recorded import FOLDER

from .record_lines import receipt, source, write

pytestmark = pytest.mark.django_db

DOI = "10.1016/S0140-6736(97)11096-0"
EARLIER, LATER = "10.1016/s0140-6736(04)15715-2", "10.1016/s0140-6736(10)60175-4"
TABLE = FOLDER / "retraction_watch" / "wakefield.csv"
LINE = source(
    1, type="journal", url=f"https://doi.org/{DOI}", doi=DOI, year=1998, venue="The Lancet",
    title="Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental "
    "disorder in children", accessed_at="2026-04-20", key_data={},
)  # fmt: skip


def work_queue() -> None:
    """Do the queued jobs, and those they queue, as a worker would."""
    current_app.loader.import_default_modules()
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first():
        if job.task == "sources.tasks.check_retractions":  # would ask the network
            job.delete()
            continue
        current_app.tasks[job.task](job.pk)


def bring_in(folder: Path) -> Source:
    for command, name, line in (
        ("import_receipts", "search_log.jsonl", receipt(1)),
        ("import_sources", "sources.jsonl", LINE),
    ):
        out = StringIO()
        path = write(folder / name, [line])
        with pytest.raises(SystemExit) as ended:
            call_command(command, str(path), "--project", "nsclc", "--json", stdout=out)
        assert not ended.value.code, out.getvalue()
        assert json.loads(out.getvalue())["ok"]
    work_queue()
    return Source.objects.get()


@pytest.fixture
def world() -> World:
    """Crossref calls the notice of 2004 a correction, PubMed calls it a retraction."""
    made = World()
    made.silence("europepmc", "openalex")
    made.handlers["crossref"] = lambda request: recorded("crossref", "work_wakefield.json")
    made.handlers["pubmed"] = _pubmed
    return made


def _pubmed(request: httpx.Request) -> httpx.Response:
    kind = "esearch_wakefield.json" if "esearch" in request.url.path else "efetch_wakefield.xml"
    return recorded("pubmed", kind)


def in_both_languages(client: Client, user: User, address: str) -> list[str]:
    pages = []
    for user.language in ("zh-hans", "en"):
        user.save()
        pages.append(client.get(address).content.decode())
    return pages[::-1]


def test_wakefields_paper_of_1998_is_rejected_as_retracted_with_both_notices_shown(
    project: Project, tmp_path: Path, world: World, editor: User, editor_client: Client
) -> None:
    paper = bring_in(tmp_path)
    assert paper.status != "rejected"

    brought(TABLE)
    ask(project, world)
    work_queue()

    paper.refresh_from_db()
    held = Rejection.objects.get(state="standing")
    assert (paper.retraction, paper.status) == ("retracted", "rejected")
    assert (held.rule, held.source, held.receipt_ids) == ("retracted", paper, ["srch_0001"])
    assert [each["notice"] for each in held.facts["notices"]] == [EARLIER, LATER]
    assert [each["date"] for each in held.facts["notices"]] == ["2004-03-06", "2010-02-06"]
    said = ["Crossref", "PubMed", "Retraction Watch"]
    assert all(set(each["says"].split(", ")) == set(said) for each in held.facts["notices"])
    english, chinese = in_both_languages(editor_client, editor, f"/p/nsclc/sources/{paper.pk}/")
    for page, stands in ((english, "stands"), (chinese, "有效")):
        assert page.count(f'<code dir="ltr">{EARLIER}</code>') == 1
        assert page.count(f'<code dir="ltr">{LATER}</code>') == 1
        assert "It is retracted:" in page  # in the language of the project
        assert stands in page
    assert "PubMed: retraction" in english
    assert "Crossref: correction" in english
    assert "PubMed: 撤稿" in chinese
    for page in in_both_languages(editor_client, editor, "/p/nsclc/rejections/"):
        assert EARLIER in page
        assert LATER in page
    log = Job.objects.filter(task="search.tasks.admit_sources").order_by("-pk")
    assert any(f"RETRACTED: {DOI.casefold()}" in (job.result or {}).get("log", []) for job in log)


def test_rejection_as_retracted_goes_out_as_a_line_with_both_notices(
    project: Project, tmp_path: Path, world: World
) -> None:
    bring_in(tmp_path)
    ask(project, world)
    work_queue()
    out = tmp_path / "out.jsonl"

    with pytest.raises(SystemExit):
        call_command("export_jsonl", "nsclc", "rejected_sources", "--output", str(out))

    line: dict[str, Any] = json.loads(out.read_text())
    assert (line["id"], line["rejection_rule"]) == ("src_001", "retracted")
    assert EARLIER in line["rejection_reason"]
    assert LATER in line["rejection_reason"]
    assert line["search_receipt_ids"] == ["srch_0001"]


def test_source_comes_back_once_each_notice_is_acknowledged_and_goes_when_one_is_taken_back(
    project: Project, tmp_path: Path, world: World, editor_client: Client
) -> None:
    paper = bring_in(tmp_path)
    ask(project, world)
    work_queue()
    address = f"/p/nsclc/sources/{paper.pk}/"
    rows = editor_client.get(address).context["desk"].notices.rows
    assert [row.is_open for row in rows] == [True, True]

    def acknowledge(row: Any) -> Source:
        to, form = f"{address}notices/{row.record}/", {"reason": "the case itself", "key": "k"}
        for _again in range(2):
            answer = editor_client.post(to, form, follow=True)
            assert "The notice was acknowledged" in answer.content.decode()
        work_queue()
        return Source.objects.get()

    assert acknowledge(rows[0]).status == "rejected"
    assert acknowledge(rows[1]).status == "admitted"
    assert NoticeAcknowledgement.objects.count() == 2
    held = NoticeAcknowledgement.objects.order_by("pk")[0]

    back = f"/p/nsclc/acknowledgements/{held.pk}/end/"
    for _again in range(2):
        editor_client.post(back, {"reason": "no use after all", "key": "k"})
    work_queue()

    assert Source.objects.get().status == "rejected"
    assert AuditEvent.objects.filter(action="notice.acknowledgement_ended").count() == 1


@pytest.mark.shared
def test_real_answers_about_the_paper_reject_it_with_both_notices(
    project: Project, tmp_path: Path, world: World, shared: Path
) -> None:
    """With the row of Crossref and the table as they were recorded."""
    real = shared / "real" / "apis"
    work = (real / "crossref" / "work_retracted_wakefield_lancet_1998.json").read_bytes()
    wrapped = work if b'"message"' in work[:200] else b'{"message": ' + work + b"}"
    world.silence("pubmed")
    world.handlers["crossref"] = lambda request: httpx.Response(200, content=wrapped)
    bring_in(tmp_path)

    brought(real / "retractionwatch" / "sample_2026_with_trailing_comma.csv")
    ask(project, world)
    work_queue()

    held = Rejection.objects.get(state="standing")
    assert held.rule == "retracted"
    assert [(each["notice"], each["nature"]) for each in held.facts["notices"]] == [
        (LATER, "retraction"), (EARLIER, "correction"),
    ]  # fmt: skip
