"""The pages of screening and of the matrix of searches."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from search.actions.screening import screen
from search.models import Gap, Record
from search.screening import Choice
from sources.models import Capture, Dimension, Job, Project, Source, User
from sources.source_cache import url_hash
from tests.conftest import SignIn
from tests.factories import SnapshotFactory
from tests.search.found import hit, records, searched

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(project: Project) -> Record:
    searched(project, hit("a", snippet="Median survival was 21.4 months."))
    return records(project)[0]


def screening(project: Project, **asked: str) -> str:
    return reverse("screening", args=[project.slug], query=asked or None)


def decide(client: Client, row: Record, *, htmx: bool = True, **given: str) -> object:
    row.refresh_from_db()
    values = {"base_version": str(row.version), **given}
    headers = {"hx-request": "true"} if htmx else {}
    return client.post(
        reverse("record-screen", args=[row.project.slug, row.pk]), values, headers=headers
    )


def test_record_stands_with_where_it_was_found(
    project: Project, waiting: Record, editor_client: Client
) -> None:
    searched(project, hit("a"), number=3, route="scholar")

    page = editor_client.get(screening(project)).content.decode()

    for said in ("Study a", "Median survival", "srch_0001", "srch_0002", "scholar", "Keep"):
        assert said in page


def test_reviewer_sees_no_buttons(
    project: Project, waiting: Record, reviewer_client: Client
) -> None:
    assert "data-ask" not in reviewer_client.get(screening(project)).content.decode()
    assert decide(reviewer_client, waiting, state="kept").status_code == 403  # type: ignore[attr-defined]


def test_keep_gives_the_row_anew_with_its_source_and_undo(
    waiting: Record, editor_client: Client
) -> None:
    answer = decide(editor_client, waiting, state="kept")

    page = answer.content.decode()  # type: ignore[attr-defined]
    assert page.strip().startswith("<tr")
    assert "src_001" in page
    assert "Undo" in page
    assert Source.objects.count() == 1


def test_kept_row_tells_what_became_of_its_page(
    project: Project, editor: User, editor_client: Client
) -> None:
    searched(project, *(hit(name) for name in "abcd"))
    for row in records(project):
        screen(row=row, choice=Choice("kept"), by=editor)
    of = {row.title: row.source.normalized_url for row in records(project) if row.source}
    Job.objects.filter(kind="fetch").exclude(args__url=of["Study a"]).update(state="done")
    url = of["Study b"]
    Capture.objects.create(
        project=project, normalized_url=url, url_hash=url_hash(url), outcome="blocked",
        code="status", status=403, fetched_at=timezone.now(),
    )  # fmt: skip
    SnapshotFactory(
        project=project, text="Abstract.", normalized_url=of["Study c"], depth="abstract_only"
    )

    answer = editor_client.get(screening(project, state="kept"))

    said = [each.fetched for each in answer.context["found"].rows]
    assert [each and each.word for each in said] == ["being fetched", "Blocked", "snapshot", None]
    assert said[1].why.startswith("The server lets us not read it: 403")
    assert said[2].why == "Abstract only"
    assert "Abstract only" in answer.content.decode()


def test_what_lacks_its_reason_is_told_in_the_row_and_nothing_changes(
    waiting: Record, editor_client: Client
) -> None:
    answer = decide(editor_client, waiting, state="dropped", code="other", reason="")

    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert "Say why." in answer.content.decode()  # type: ignore[attr-defined]
    waiting.refresh_from_db()
    assert waiting.state == "open"


def test_stale_row_is_told_and_shown_as_it_is_now(
    project: Project, waiting: Record, editor_client: Client, lead: User
) -> None:
    Record.objects.update(version=7)

    answer = editor_client.post(
        reverse("record-screen", args=[project.slug, waiting.pk]),
        {"base_version": "1", "state": "kept"},
        headers={"hx-request": "true"},
    )

    assert answer.status_code == 409
    assert "changed in the meantime" in answer.content.decode()


def test_undo_by_its_form(project: Project, waiting: Record, editor_client: Client) -> None:
    page = decide(editor_client, waiting, state="dropped", code="off_topic").content.decode()  # type: ignore[attr-defined]
    number = page.split('name="event" value="')[1].split('"')[0]

    answer = editor_client.post(
        reverse("record-undo", args=[project.slug, waiting.pk]), {"event": number}
    )

    assert answer.status_code == 302
    waiting.refresh_from_db()
    assert waiting.state == "open"


@pytest.mark.parametrize("event", ["", "x", "-1", "9" * 40, "٣"])
def test_odd_numbers_are_no_fault_of_the_server(
    project: Project, waiting: Record, editor_client: Client, event: str
) -> None:
    url = reverse("record-undo", args=[project.slug, waiting.pk])

    assert editor_client.post(url, {"event": event}).status_code == 302


def test_filters_are_the_address(project: Project, editor_client: Client) -> None:
    dimension = Dimension.objects.create(project=project, external_id="d1", name="Efficacy")
    searched(project, hit("a"), links={"dimension_id": dimension.pk})
    searched(project, hit("b"), number=3)
    searched(project, hit("c", standing="retracted"))

    def found(**asked: str) -> list[str]:
        page = editor_client.get(screening(project, **asked)).content.decode()
        return [name for name in "abc" if f"Study {name}" in page]

    assert found() == ["a", "b"]
    assert found(state="all") == ["a", "b", "c"]
    assert found(round="3") == ["b"]
    assert found(dimension="d1") == ["a"]
    assert found(state="all", by="machine") == ["c"]
    assert found(q="study b") == ["b"]
    assert found(receipt="srch_0002") == ["b"]
    assert found(state="nonsense", round="9", q="\x00") == ["a", "b"]


def test_no_query_more_for_more_records(project: Project, editor_client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert editor_client.get(screening(project)).status_code == 200
        return len(seen)

    searched(project, hit("a"))
    queries()
    few = queries()
    searched(project, *(hit(f"b{number}") for number in range(60)))

    assert queries() == few


def test_page_of_a_project_without_searches_says_so(
    project: Project, editor_client: Client
) -> None:
    assert "No search has found" in editor_client.get(screening(project)).content.decode()
    assert editor_client.get(reverse("coverage", args=[project.slug])).status_code == 200


def test_outsider_sees_neither(project: Project, outsider_client: Client) -> None:
    assert outsider_client.get(screening(project)).status_code == 404
    assert outsider_client.get(reverse("coverage", args=[project.slug])).status_code == 404


def test_matrix_counts_results_and_kept_records(
    project: Project, waiting: Record, editor_client: Client
) -> None:
    decide(editor_client, waiting, state="kept")
    searched(project, hit("a"), hit("b"))

    page = editor_client.get(reverse("coverage", args=[project.slug]))
    said = json.loads(
        editor_client.get(reverse("coverage", args=[project.slug]), {"format": "json"}).content
    )

    assert "<b>3/1</b>" in page.content.decode().replace("\n", "")
    (row,) = said["dimensions"]
    assert (row["rounds"][0]["results"], row["rounds"][0]["kept"]) == (3, 1)
    assert row["rounds"][0]["state"] == "unscreened"
    assert not said["complete"]
    assert said["prisma"]["duplicates"] == 1


def test_reason_of_an_empty_round_is_kept_and_can_be_taken_back(
    project: Project, editor_client: Client
) -> None:
    Dimension.objects.create(project=project, external_id="d1", name="Efficacy")
    url = reverse("coverage-gap", args=[project.slug])

    editor_client.post(url, {"dimension": "d1", "round": "4", "code": "none_newer"})
    page = editor_client.get(reverse("coverage", args=[project.slug])).content.decode()
    assert "Nothing newer than what is kept" in page

    editor_client.post(url, {"dimension": "d1", "round": "4", "end": "1"})
    assert Gap.objects.get().ended_at is not None


@pytest.mark.parametrize(
    "given",
    [
        {"round": "5", "code": "none_newer"},
        {"round": "1", "code": "nonsense"},
        {"round": "1", "code": "other", "reason": " "},
        {"round": "", "end": "1"},
        {},
    ],
)
def test_reason_that_lacks_something_is_refused(
    project: Project, editor_client: Client, given: dict[str, str]
) -> None:
    url = reverse("coverage-gap", args=[project.slug])

    assert editor_client.post(url, given).status_code == 302
    assert not Gap.objects.exists()


def test_reason_for_an_unknown_dimension_is_not_found(
    project: Project, editor_client: Client
) -> None:
    url = reverse("coverage-gap", args=[project.slug])
    values = {"dimension": "d9", "round": "1", "code": "none_newer"}

    assert editor_client.post(url, values).status_code == 404


def test_pages_are_said_in_chinese(
    project: Project, waiting: Record, editor: User, sign_in: SignIn
) -> None:
    editor.language = "zh-hans"
    editor.save()
    client = sign_in(editor)

    assert "待筛选" in client.get(screening(project)).content.decode()
    assert "检索覆盖" in client.get(reverse("coverage", args=[project.slug])).content.decode()
