"""The form of a search, the list of receipts, and one receipt."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from search.actions.starting import start_search
from search.models import Receipt
from search.plans import Plan
from sources.models import Dimension, Job, Project, User
from tests.conftest import SignIn
from tests.search.conftest import KEYS
from tests.search.found import hit, searched
from tests.search.runs import answered
from tests.standin import Given, StandIn

pytestmark = pytest.mark.django_db


def receipts(project: Project, **asked: str) -> str:
    return reverse("receipts", args=[project.slug], query=asked or None)


def form(project: Project, **asked: str) -> str:
    return reverse("search-new", args=[project.slug], query=asked or None)


def given(**values: str) -> dict[str, str]:
    usual = {"q": "drug x AND overall survival", "way": "route:pubmed", "limit": "10"}
    return {**usual, **values}


# --- The form ---------------------------------------------------------------------------------


def test_form_queues_a_search_and_leads_to_its_receipts(
    project: Project, editor: User, editor_client: Client
) -> None:
    Dimension.objects.create(project=project, external_id="d1", name="Efficacy")
    said = given(
        year_low="2023", year_high="2026", language="en", round="3", dimension="d1",
        purpose="counter-evidence", strict="no",
    )  # fmt: skip

    answer = editor_client.post(form(project), said)

    job = Job.objects.get()
    assert answer["Location"] == receipts(project, job=str(job.pk))
    plan = Plan.read(job.args)
    assert (plan.text, plan.route, plan.profile) == ("drug x AND overall survival", "pubmed", "")
    assert (plan.year_low, plan.year_high, plan.round, plan.strict) == (2023, 2026, 3, False)
    assert plan.dimension == Dimension.objects.get().pk
    assert job.created_by == editor


def test_form_takes_a_profile(project: Project, editor_client: Client) -> None:
    editor_client.post(form(project), given(way="profile:biomed_literature"))

    assert Plan.read(Job.objects.get().args).profile == "biomed_literature"


def test_two_presses_are_one_search(project: Project, editor_client: Client) -> None:
    editor_client.post(form(project), given())
    editor_client.post(form(project), given())

    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("q", ""),
        ("q", "x" * 2_001),
        ("q", "a\x00b"),
        ("way", "route:nowhere"),
        ("way", "text:pubmed"),
        ("limit", "0"),
        ("limit", "9" * 40),
        ("year_low", "12"),
        ("year_low", "2999"),
        ("time_range", "decade"),
        ("round", "5"),
        ("dimension", "d9"),
        ("language", "not a tag"),
        ("strict", "perhaps"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field_and_nothing_is_queued(
    project: Project, editor_client: Client, field: str, value: str
) -> None:
    answer = editor_client.post(form(project), given(year_high="2020", **{field: value}) | {})

    assert answer.status_code == 422
    assert "invalid-feedback" in answer.content.decode()
    assert Job.objects.count() == 0


def test_link_fills_the_form_in(project: Project, editor_client: Client) -> None:
    asked = {"q": "药物 副作用", "route": "general", "round": "3", "year_low": "2016"}

    page = editor_client.get(form(project, **asked)).content.decode()

    assert "药物 副作用</textarea>" in page
    assert '<option value="route:general" selected>' in page
    assert '<option value="3" selected>' in page
    assert 'value="2016"' in page


def test_form_has_a_window_of_time_unless_a_link_says_otherwise(
    project: Project, editor_client: Client
) -> None:
    assert editor_client.get(form(project)).context["form"]["year_low"].value()
    assert not editor_client.get(form(project, year_low="")).context["form"]["year_low"].value()


def test_reviewer_may_not_search(project: Project, reviewer_client: Client) -> None:
    assert reviewer_client.get(form(project)).status_code == 403
    assert reviewer_client.post(form(project), given()).status_code == 403
    assert "New search" not in reviewer_client.get(receipts(project)).content.decode()


def test_outsider_finds_nothing(project: Project, outsider_client: Client) -> None:
    row = searched(project)
    for address in (
        form(project),
        receipts(project),
        reverse("receipt", args=[project.slug, row.pk]),
    ):
        assert outsider_client.get(address).status_code == 404


# --- The list ---------------------------------------------------------------------------------


def test_run_under_way_shows_its_progress_and_a_way_to_stop_it(
    project: Project, editor: User, editor_client: Client
) -> None:
    job = start_search(project=project, plan=Plan(text="drug x", route="general"), by=editor)

    page = editor_client.get(receipts(project, job=str(job.pk))).content.decode()

    assert f'hx-get="{reverse("job", args=[job.pk])}"' in page
    assert reverse("job-cancel", args=[job.pk]) in page


def test_finished_run_tells_its_routes_and_what_failed(
    project: Project, editor: User, editor_client: Client, standin: StandIn
) -> None:
    standin.give("exa", Given(b"{}", 401))
    job = start_search(project=project, plan=Plan(text="drug x", route="general"), by=editor)
    answered(job)

    page = editor_client.get(receipts(project, job=str(job.pk))).content.decode()

    assert "Routes used: general" in page
    assert "Exa unavailable" in page
    assert "fallback used: Tavily" in page
    assert "srch_0001" in page
    assert "fallback of srch_0001" in page


def test_failed_run_says_why(project: Project, editor: User, editor_client: Client) -> None:
    job = start_search(project=project, plan=Plan(text="drug x", route="general"), by=editor)
    Job.objects.update(state="failed", error="The project of this search is gone.")

    page = editor_client.get(receipts(project, job=str(job.pk))).content.decode()

    assert "The project of this search is gone." in page


def test_filters_keep_what_fits(project: Project, editor_client: Client) -> None:
    part = Dimension.objects.create(project=project, external_id="d1", name="Efficacy")
    searched(project, number=1, query="first", links={"dimension_id": part.pk})
    searched(project, number=3, query="second", route="scholar")
    searched(project, number=None, query="third")

    def found(**asked: str) -> list[str]:
        page = editor_client.get(receipts(project, **asked))
        return [item.row.query_or_url for item in page.context["found"].rows]

    assert found() == ["third", "second", "first"]
    assert found(round="3") == ["second"]
    assert found(round="none") == ["third"]
    assert found(dimension="d1") == ["first"]
    assert found(route="scholar") == ["second"]
    assert found(status="failed") == []
    assert found(q="SECOND") == ["second"]
    assert found(q="srch_0001") == ["first"]
    assert found(round="9", status="?", job="x" * 50, q="\x00") == ["third", "second", "first"]


def test_pages_of_receipts_go_on_and_back(project: Project, editor_client: Client) -> None:
    for number in range(60):
        searched(project, query=f"query {number}")

    first = editor_client.get(receipts(project))
    second = editor_client.get(receipts(project, after=first.context["found"].page.next))

    assert len(first.context["found"].rows) == 50
    assert [item.row.query_or_url for item in second.context["found"].rows][-1] == "query 0"
    assert second.context["found"].page.previous


def test_queries_do_not_grow_with_receipts(project: Project, editor_client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as held:
            editor_client.get(receipts(project))
        return len(held)

    searched(project, hit("a"))
    queries()  # what is kept from then on
    few = queries()
    for number in range(20):
        searched(project, hit(str(number)))

    assert queries() == few


# --- One receipt ------------------------------------------------------------------------------


@pytest.fixture
def answered_receipt(project: Project, editor: User, standin: StandIn) -> Receipt:
    plan = Plan(
        text="imatinib AND zzqqx", route="pubmed", year_low=2020, round=1, purpose="direct hits"
    )
    answered(start_search(project=project, plan=plan, by=editor))
    return Receipt.objects.get()


def page_of(client: Client, row: Receipt) -> str:
    return client.get(reverse("receipt", args=[row.project.slug, row.pk])).content.decode()


def test_receipt_shows_what_was_asked_said_called_and_found(
    answered_receipt: Receipt, reviewer_client: Client
) -> None:
    page = page_of(reviewer_client, answered_receipt)

    first = answered_receipt.results.first()
    assert first is not None
    for said in (
        "imatinib AND zzqqx", "PubMed", "2020", "direct hits", "editor", "esearch.fcgi",
        "efetch.fcgi", "HTTP 200", first.title, answered_receipt.result_hash,
        "Query as it was run", "Answered",
    ):  # fmt: skip
        assert said in page
    assert "Search once more" not in page  # a reviewer may read


def test_no_secret_stands_on_a_receipt(answered_receipt: Receipt, editor_client: Client) -> None:
    page = page_of(editor_client, answered_receipt)

    for secret in KEYS.values():
        assert secret not in page


def test_failed_call_shows_its_redacted_error(
    project: Project, editor: User, editor_client: Client, standin: StandIn
) -> None:
    standin.give("serper", Given(f'{{"message":"Bad {KEYS["serper"]}"}}'.encode(), 403))
    plan = Plan(text="drug x", route="news")
    answered(start_search(project=project, plan=plan, by=editor))

    page = page_of(editor_client, Receipt.objects.get())

    assert "the key is refused" in page
    assert "HTTP 403" in page
    assert KEYS["serper"] not in page


def test_fallback_offers_to_ask_the_first_provider_again(
    project: Project, editor: User, editor_client: Client, standin: StandIn
) -> None:
    standin.give("exa", Given(b"{}", 401))
    plan = Plan(text="drug x", route="general")
    answered(start_search(project=project, plan=plan, by=editor))
    failed, fallback = Receipt.objects.order_by("pk")

    page = page_of(editor_client, fallback)

    assert "Ask the first provider again" in page
    assert reverse("receipt-replay", args=[project.slug, failed.pk]) in page
    assert "only a lead" in page
    assert "What stood in for it" in page_of(editor_client, failed)


def test_markup_from_outside_is_shown_as_text(project: Project, editor_client: Client) -> None:
    row = searched(
        project, hit("a", title="<script>alert(1)</script>", url="javascript:alert(1)"),
        query="<img src=x>",
    )  # fmt: skip

    page = page_of(editor_client, row)

    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'href="javascript' not in page


def test_many_results_come_page_by_page(project: Project, editor_client: Client) -> None:
    row = searched(project, *(hit(str(number)) for number in range(150)))
    address = reverse("receipt", args=[project.slug, row.pk])

    first = editor_client.get(address).context["shown"]
    second = editor_client.get(address, {"after": first.page.next}).context["shown"]

    assert (len(first.results), len(second.results)) == (100, 50)


def test_receipt_of_another_project_is_not_found(
    project: Project, editor_client: Client, answered_receipt: Receipt
) -> None:
    other = Project.objects.create(slug="other", title="Other", question="?", language="en")
    address = reverse("receipt", args=[other.slug, answered_receipt.pk])

    assert editor_client.get(address).status_code == 404


def test_pages_speak_chinese(
    project: Project, editor: User, answered_receipt: Receipt, sign_in: SignIn
) -> None:
    editor.language = "zh-hans"
    editor.save()
    client = sign_in(editor)

    assert "检索回执" in client.get(receipts(project)).content.decode()
    assert "检索接口的说明" in page_of(client, answered_receipt)
    assert "新检索" in client.get(form(project)).content.decode()
