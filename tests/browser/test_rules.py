"""The blacklist by keyboard, in a browser: from an address that is tested to a rule that holds."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from reviews import impact
from sources.models import BlacklistRule, Job, Project, User
from sources.running import perform
from tests.browser.steps import barriers
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory, UserFactory
from tests.sources.blacklist_rules import active_rule, no_rules

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type Enter = Callable[[User, str], Page]


@pytest.fixture
def person(project: Project) -> User:
    """An administrator of a site with three rules, and a project with a source of a farm."""
    no_rules()
    active_rule("host_and_subdomains", "contentfarm.example", reason="farm, list B")
    active_rule("host", "a.example", "warn", state="draft")
    active_rule("host", "b.example", "allow", state="draft")
    source = SourceFactory(project=project, url="https://news.example/ad/1", title="Ten facts")
    EvidenceFactory(claim=ClaimFactory(project=project, external_id="d1.c7"), source=source)
    return UserFactory(username="keeper", is_superuser=True, is_staff=True)


def test_the_list_goes_by_keys_and_tests_an_address(person: User, enter: Enter) -> None:
    page = enter(person, "/blacklist/")

    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[name=rule]:checked")).to_have_count(1)
    expect(page.locator(".rule-bulk")).to_be_visible()
    page.keyboard.press("x")
    expect(page.locator(".rule-bulk")).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("effect:block")
    page.keyboard.press("Enter")
    expect(page.locator("tr.claim-row")).to_have_count(1)
    assert page.url.endswith("/blacklist/?q=effect%3Ablock&sort=pattern")
    page.fill("#url", "https://m.contentfarm.example:443/a?utm_source=x#y")
    page.keyboard.press("Enter")
    expect(page.locator("#trace")).to_contain_text("https://contentfarm.example/a")
    expect(page.locator("#trace")).to_contain_text("← wins")
    assert barriers(page) == []
    page.locator(".claim-link").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("contentfarm.example")


def test_a_rule_is_written_measured_and_let_hold(person: User, enter: Enter) -> None:
    page = enter(person, "/blacklist/new/")
    assert barriers(page) == []

    page.get_by_label("Path begins with").check()
    page.fill("[name=pattern]", "*.news.example")
    page.fill("[name=reason]", "advertorial")
    page.fill("[name=evidence_link]", "https://list.example.org/ads")
    page.keyboard.press("Enter")
    expect(page.locator(".invalid-feedback")).to_contain_text("stands for nothing here")
    page.fill("[name=pattern]", "news.example/ad/")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("news.example/ad/")
    page.get_by_role("button", name="Measure impact").click()
    expect(page.locator(".job")).to_be_visible()
    perform(Job.objects.get(kind="rule_impact").pk, impact.run)
    expect(page.get_by_text("lose all support")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("button", name="Let it hold").click()
    expect(page.locator(".notice-success")).to_contain_text("1 rule holds now")

    assert BlacklistRule.objects.get(pattern_key="news.example/ad").state == "active"
