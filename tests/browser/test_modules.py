"""Scripts that import one another, as a browser fetches them."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Response, expect

from sources.models import Project, User
from tests.factories import ClaimFactory

from .conftest import Enter

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_every_script_comes_from_a_versioned_address(
    project: Project, reviewer: User, enter: Enter
) -> None:
    ClaimFactory(project=project, external_id="d1.c1")
    page = enter(reviewer, "/")
    fetched: list[Response] = []
    page.on("response", lambda answer: fetched.append(answer))

    page.goto(page.url + "p/nsclc/review/?at=d1.c1")
    expect(page.locator("#claim-heading")).to_be_focused()  # the scripts are at work

    scripts = [answer for answer in fetched if "/static/js/" in answer.url]
    names = {urlsplit(answer.url).path.rpartition("/")[2] for answer in scripts}
    assert {"audit.js", "keys.js", "send.js", "walk.js"} <= names
    for answer in scripts:
        assert parse_qs(urlsplit(answer.url).query).get("v"), answer.url
