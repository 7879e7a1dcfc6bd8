"""Research from an empty project, by keyboard alone: plan, search, screen, fetch, take along."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from search.coverage_facts import coverage_of
from search.models import Receipt, Record
from sources.models import Domain, Membership, Project, Snapshot, Source, User
from tests.factories import MembershipFactory, ProjectFactory, UserFactory
from tests.search.conftest import CONTACT, KEYS
from tests.standin import StandIn, standing_in

from .steps import barriers, keys, press, walk_to_field, work

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type Enter = Callable[[User, str], Page]

FILES = {"sources": "import_sources", "search_log": "import_receipts",
         "rejected_sources": "import_rejections"}  # fmt: skip
# Round, route and language of the ready queries that are asked, and the pages that they find.
ASKED = (
    (1, "pubmed", "en", ""),
    (1, "general", "zh", "a"),
    (2, "general", "en", "b"),
    (3, "general", "en", "cde"),
    (4, "general", "en", "f"),
)


@pytest.fixture
def person() -> User:
    project = ProjectFactory(slug="imatinib", title="Imatinib", question="How safe is imatinib?")
    user = UserFactory(username="ana")
    MembershipFactory(project=project, user=user, role=Membership.Role.EDITOR)
    Domain.objects.create(
        host="127.0.0.1", publisher_class="regulator", tier=1, authority=3, source_type="regulator"
    )
    return user


@pytest.fixture
def standin(settings: Any) -> Iterator[StandIn]:
    """Providers, and the pages that they find, all on this machine."""
    with standing_in() as served:
        settings.PROVIDER_BASE_URLS = served.base_urls
        settings.PROVIDER_KEYS = dict(KEYS)
        settings.CONTACT_EMAIL = CONTACT
        settings.FETCH_HOST_DELAY = 0
        settings.FETCH_ALLOW = [served.url.removeprefix("http://")]
        search = json.loads((served.folder / "pubmed" / "esearch.json").read_text(), strict=False)
        search["esearchresult"]["querytranslation"] = '"imatinib mesylate"[MeSH Terms]'
        efetch = (served.folder / "pubmed" / "efetch.xml").read_bytes()
        served.give("pubmed", search, efetch.decode())
        found = [[result(served, name) for name in names] for *_query, names in ASKED if names]
        served.give("exa", *({"requestId": "e", "results": each} for each in found))
        for name in "abcdef":
            served.give(name, page_text(name))
        yield served


def result(served: StandIn, name: str) -> dict[str, str]:
    url = f"{served.url}/{name}/report"
    return {"id": url, "title": f"Report {name}", "url": url, "publishedDate": "2025-03-02"}


def page_text(name: str) -> str:
    body = f"<p>Imatinib was given to {ord(name)} patients; 伊马替尼耐受性良好。</p>" * 40
    return (
        f"<!doctype html><html lang=en><title>Report {name}</title><body><article>"
        f"<h1>Report {name}</h1>{body}</article></body></html>"
    )


def follow_link(page: Page, *parts: str) -> None:
    """Walk by Tab to the link whose address holds all parts, and follow it."""
    for _step in range(150):
        page.keyboard.press("Tab")
        href = page.evaluate("document.activeElement.getAttribute('href') ?? ''")
        if all(part in href for part in parts):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no Tab leads to a link with {parts}")


def plan(page: Page) -> None:
    follow_link(page, "/plan/")
    expect(page.locator("h1")).to_have_text("Plan of the research")
    walk_to_field(page, "text")
    keys(page, "Control+a")
    page.keyboard.type("d1: Safety\n  kq1: How often is it stopped?")
    press(page, "Save the plan")
    expect(page.locator("main textarea")).to_have_value(
        "d1: Safety\n  kq1: How often is it stopped?"
    )


def search(page: Page, server: str) -> None:
    for number, route, language, _names in ASKED:
        page.goto(f"{server}/p/imatinib/queries/?subject=imatinib&dimension=d1")
        follow_link(page, f"round={number}", f"route={route}", f"language={language}")
        expect(page.locator("h1")).to_have_text("New search")
        walk_to_field(page, "purpose")
        keys(page, "Tab", "Enter")
        expect(page.locator("h1")).to_have_text("Receipts of the searches")
        work()
        page.reload()
        expect(page.locator("main")).to_contain_text(f"Routes used: {route}")


def screen(page: Page, server: str) -> None:
    """Keep all but the last, which is dropped as off topic."""
    page.goto(f"{server}/p/imatinib/screening/")
    expect(page.locator("tr.record-row")).to_have_count(6)
    assert barriers(page) == []
    keys(page, "j")
    for left in range(5):
        expect(page.locator("tr.record-row.cursor")).to_have_attribute(
            "data-id", page.locator("tr.record-row").nth(left).get_attribute("data-id") or ""
        )
        keys(page, "a")
        expect(page.locator("tr.record-row.state-kept")).to_have_count(left + 1)
    keys(page, "x", "Tab", "Tab", "Enter")
    expect(page.locator("tr.record-row.state-dropped")).to_have_count(1)
    keys(page, "z")
    expect(page.locator("tr.record-row.state-dropped")).to_have_count(0)
    keys(page, "a")
    expect(page.locator("tr.record-row.state-kept")).to_have_count(6)


def test_research_by_keyboard_alone_ends_with_snapshots_and_a_complete_matrix(
    person: User, enter: Enter, standin: StandIn, live_server: Any, tmp_path: Path
) -> None:
    page = enter(person, "/p/imatinib/")
    server = live_server.url

    plan(page)
    search(page, server)
    screen(page, server)
    work()

    page.goto(f"{server}/p/imatinib/coverage/")
    expect(page.locator("main")).to_contain_text("complete")
    assert barriers(page) == []
    project = Project.objects.get(slug="imatinib")
    assert [fault.render("en") for row in coverage_of(project).rows for fault in row.faults] == []
    assert Record.objects.filter(state="dropped").get().reason_code == "retracted"
    kept = list(Source.objects.filter(project=project))
    assert len(kept) == 6
    assert all(source.score is not None and source.receipt_ids for source in kept)
    assert Snapshot.objects.filter(project=project, depth="full").count() == 6
    page.goto(f"{server}/p/imatinib/screening/?state=kept")
    expect(page.locator("tr.record-row .chip-located", has_text="snapshot")).to_have_count(6)

    taken_along(project, tmp_path)


def done(*args: str, **options: str) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command(*args, **options)
    assert ended.value.code == 0


def taken_along(project: Project, folder: Path) -> None:
    """The three files are taken to another project, and come out of it the same."""
    ProjectFactory(slug="other", title="Other", question="How safe is imatinib?")
    for name, command in FILES.items():
        first, second = folder / f"{name}.jsonl", folder / f"{name}-again.jsonl"
        done("export_jsonl", project.slug, name, output=str(first))
        done(command, str(first), project="other")
        done("export_jsonl", "other", name, output=str(second))
        assert first.read_text()
        assert second.read_text() == first.read_text()
    assert Receipt.objects.filter(project__slug="other").count() == len(ASKED)
