"""The import wizard: from the file to the result, and what may go wrong on the way."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from reviews import tasks
from reviews.models import Claim
from sources.models import ImportBatch, ImportMapping, Job, Project, User
from tests.factories import VerdictFactory

from .report_files import document, report

pytestmark = pytest.mark.django_db(transaction=True)

type Upload = Callable[..., ImportBatch]

LEDGER = [
    {
        "claim_id": "a1",
        "claim_text": "The port supplied 416 MWh in 2024",
        "link": "https://a.example.org/1",
    },
    {
        "claim_id": "a2",
        "claim_text": "Ships drew power from the quay",
        "link": "https://a.example.org/2",
    },
]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    # The row is the truth: these tests do the work themselves, and no message is needed.
    monkeypatch.setattr("sources.sweeping.nudge", lambda job: True)


def work() -> None:
    """Do what waits, as a worker would."""
    done = {"import": tasks.run_import, "import_check": tasks.check_upload}
    for job in Job.objects.filter(state=Job.State.QUEUED):
        done[job.kind](job.pk)


def zipped(folder: Path) -> bytes:
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return held.getvalue()


def as_lines(*records: Any) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()


def post_file(client: Client, data: bytes, name: str = "report.zip", **more: str) -> Any:
    return client.post("/p/nsclc/import/", {"file": SimpleUploadedFile(name, data), **more})


@pytest.fixture
def report_zip(tmp_path: Path) -> bytes:
    return zipped(report(tmp_path / "report"))


@pytest.fixture
def upload(editor_client: Client) -> Upload:
    """Give a function that uploads a file and has it looked over."""

    def uploaded(data: bytes, name: str = "report.zip") -> ImportBatch:
        response = post_file(editor_client, data, name)
        assert response.status_code == 302, response.content.decode()
        work()
        return ImportBatch.objects.latest("pk")

    return uploaded


def url(batch: ImportBatch, step: str = "") -> str:
    return f"/p/nsclc/imports/{batch.key}/{step}"


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def uploads(settings: LazySettings) -> list[Path]:
    return sorted(Path(settings.UPLOAD_DIR).glob("*"))


@pytest.fixture(autouse=True)
def _own_upload_folder(settings: LazySettings, tmp_path: Path) -> None:
    settings.UPLOAD_DIR = tmp_path / "uploads"


# --- From the file to the result --------------------------------------------------------------


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


# --- Errors -----------------------------------------------------------------------------------


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


# --- Recognising ------------------------------------------------------------------------------


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
    editor_client: Client, upload: Upload
) -> None:
    ImportMapping.objects.create(name="ports", spec={"fields": {"claim.text": "x"}})
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
    batch = upload(b"@article{a, title={A}}\n", "refs.bib")

    page = text_of(editor_client.get(url(batch)))

    assert "No file here holds claims." in page
    assert "A bibliography (BibTeX), no claims." in page


def test_text_of_a_file_is_shown_escaped(editor_client: Client, upload: Upload) -> None:
    evil = {"claim_text": "<script>alert(1)</script> says it all", "link": "javascript:alert(1)"}
    batch = upload(as_lines(evil, evil), "</script><b>x.jsonl")

    page = editor_client.get(url(batch)).content.decode()

    assert "<script>alert" not in page
    assert "<b>x" not in page


# --- What is refused at the door --------------------------------------------------------------


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


# --- Who may ----------------------------------------------------------------------------------

PAGES = ("", "recognise/", "check/", "decide/", "import/", "result/", "errors.jsonl")
POSTS = ("mapping/", "choose/", "undo/")


def test_reviewers_may_not_import(
    upload: Upload, report_zip: bytes, reviewer_client: Client
) -> None:
    batch = upload(report_zip)

    seen = {reviewer_client.get(url(batch, page)).status_code for page in PAGES}
    seen |= {reviewer_client.post(url(batch, page)).status_code for page in POSTS}
    seen |= {reviewer_client.get(f"/p/nsclc/{page}/").status_code for page in ("import", "imports")}
    seen.add(post_file(reviewer_client, b"{}").status_code)

    assert seen == {403}


def test_outsiders_see_nothing(upload: Upload, report_zip: bytes, outsider_client: Client) -> None:
    batch = upload(report_zip)
    job = Job.objects.get()

    seen = {outsider_client.get(url(batch, page)).status_code for page in PAGES}
    seen |= {outsider_client.post(url(batch, page)).status_code for page in POSTS}
    seen |= {outsider_client.get(f"/p/nsclc/{page}/").status_code for page in ("import", "imports")}
    seen.add(post_file(outsider_client, b"{}").status_code)
    seen.add(outsider_client.get(f"/jobs/{job.pk}/").status_code)
    seen |= {
        outsider_client.post(f"/jobs/{job.pk}/{verb}/").status_code for verb in ("cancel", "retry")
    }

    assert seen == {404}


def test_import_of_another_project_is_not_found_under_this_one(
    lead_client: Client, upload: Upload, report_zip: bytes, outsider: User
) -> None:
    batch = upload(report_zip)
    ImportBatch.objects.update(project=Project.objects.get(slug="other"))

    assert lead_client.get(url(batch)).status_code == 404


# --- Result, list, jobs -----------------------------------------------------------------------


def test_import_is_undone_until_a_decision_rests_on_it(
    editor_client: Client, upload: Upload, report_zip: bytes, reviewer: User
) -> None:
    batch = upload(report_zip)
    editor_client.post(url(batch, "choose/"), {"what": "all"})
    work()
    verdict = VerdictFactory(claim=Claim.objects.get(external_id="d1.c2"), reviewer=reviewer)

    page = text_of(editor_client.get(url(batch)))
    refused = text_of(editor_client.post(url(batch, "undo/"), follow=True))
    assert "verdict · d1.c2 · reviewer" in page
    assert "Decisions rest on this import" in refused

    verdict.delete()
    undone = text_of(editor_client.post(url(batch, "undo/"), follow=True))

    assert "The import was undone" in undone
    assert not Claim.objects.exists()


def test_list_shows_imports_work_under_way_and_failures(
    editor_client: Client, upload: Upload, report_zip: bytes, project: Project
) -> None:
    empty = text_of(editor_client.get("/p/nsclc/imports/"))
    batch = upload(report_zip)
    Job.objects.create(project=project, kind="import", state=Job.State.RUNNING, stage="writing")
    failed = Job.objects.create(
        project=project, kind="import", state=Job.State.FAILED, error="the disk is full"
    )

    page = editor_client.get("/p/nsclc/imports/")

    assert "Nothing was imported yet" in empty
    assert url(batch) in page.content.decode()
    assert "Writing records" in text_of(page)
    assert "the disk is full" in text_of(page)
    assert f"/jobs/{failed.pk}/retry/" in page.content.decode()


def test_list_needs_no_more_queries_for_more_imports(
    editor_client: Client, project: Project, editor: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        ImportBatch.objects.create(project=project, name=f"r{number}.zip", by=editor)
        Job.objects.create(project=project, kind="import", created_by=editor, task="x")

    with django_assert_max_num_queries(14):
        editor_client.get("/p/nsclc/imports/")


@pytest.fixture
def job(project: Project, editor: User) -> Job:
    task = "reviews.tasks.run_import"
    return Job.objects.create(project=project, kind="import", task=task, created_by=editor)


def test_job_that_no_worker_takes_says_so(editor_client: Client, job: Job) -> None:
    early = text_of(editor_client.get(f"/jobs/{job.pk}/"))
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=31))
    late = text_of(editor_client.get(f"/jobs/{job.pk}/"))

    assert "No worker has taken it yet" not in early
    assert "No worker has taken it yet" in late


def test_progress_tells_speed_and_time_left(editor_client: Client, job: Job) -> None:
    Job.objects.update(
        state=Job.State.RUNNING, stage="checking", done=600, total=1000, beat_at=timezone.now()
    )
    since = int(timezone.now().timestamp()) - 10

    response = editor_client.get(
        f"/jobs/{job.pk}/?since=checking:{since}:100", headers={"HX-Request": "true"}
    )
    page = text_of(response)

    assert "60 % · 600 / 1,000" in page
    assert re.search(r"(50|45) a second", page)
    assert re.search(r"[89] s left", page)
    assert "<html" not in response.content.decode()


@pytest.mark.parametrize("since", ["", "x", "checking:9:9:9", "checking:99999999999:5", ":::"])
def test_odd_memory_of_a_poll_does_no_harm(editor_client: Client, job: Job, since: str) -> None:
    Job.objects.update(state=Job.State.RUNNING, stage="checking", done=6, total=10)

    response = editor_client.get(
        f"/jobs/{job.pk}/", {"since": since}, headers={"HX-Request": "true"}
    )

    assert response.status_code == 200


def test_polling_stops_at_the_end(editor_client: Client, job: Job) -> None:
    Job.objects.update(state=Job.State.DONE)

    response = editor_client.get(f"/jobs/{job.pk}/", headers={"HX-Request": "true"})

    assert response.status_code == 286
    assert response.headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in response.content.decode()


def test_reviewers_see_a_job_but_may_not_stop_it(reviewer_client: Client, job: Job) -> None:
    page = reviewer_client.get(f"/jobs/{job.pk}/")
    stopped = reviewer_client.post(f"/jobs/{job.pk}/cancel/")

    assert page.status_code == 200
    assert "/cancel/" not in page.content.decode()
    assert stopped.status_code == 403


def test_cancelled_check_may_be_tried_again(
    editor_client: Client, report_zip: bytes, settings: LazySettings
) -> None:
    post_file(editor_client, report_zip)
    batch, job = ImportBatch.objects.get(), Job.objects.get()

    editor_client.post(f"/jobs/{job.pk}/cancel/")
    stopped = text_of(editor_client.get(url(batch)))
    for _press in range(2):
        editor_client.post(f"/jobs/{job.pk}/retry/")
    work()

    assert "Stopped as asked" in stopped
    assert "Try again" in stopped
    assert Job.objects.count() == 2
    assert "Dry run: what an import would do" in text_of(editor_client.get(url(batch)))


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_next_leads_only_to_own_pages(editor_client: Client, job: Job, target: str) -> None:
    response = editor_client.post(f"/jobs/{job.pk}/cancel/", {"next": target})

    assert response.url == f"/jobs/{job.pk}/"
