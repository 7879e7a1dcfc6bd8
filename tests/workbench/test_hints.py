"""Hints go away for good, each for the person who put it away."""

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from sources.models import User

DONE = "/hints/audit/done/"


def test_hint_that_was_put_away_stays_away(reviewer_client: Client, reviewer: User) -> None:
    first = reviewer_client.post(DONE, headers={"HX-Request": "true"})
    again = reviewer_client.post(DONE, headers={"HX-Request": "true"})

    reviewer.refresh_from_db()
    assert (first.status_code, first.content, again.status_code) == (200, b"", 200)
    assert reviewer.hints_done == ["audit"]


def test_without_scripts_the_page_comes_back(reviewer_client: Client) -> None:
    response = reviewer_client.post(DONE, {"next": "/p/nsclc/?at=d1.c1"})

    assert (response.status_code, response["Location"]) == (302, "/p/nsclc/?at=d1.c1")


def test_address_of_another_site_is_not_followed(reviewer_client: Client) -> None:
    response = reviewer_client.post(DONE, {"next": "//elsewhere.example.org/"})

    assert response["Location"] == reverse("home")


def test_unknown_hint_is_not_found(reviewer_client: Client, reviewer: User) -> None:
    response = reviewer_client.post("/hints/other/done/")

    reviewer.refresh_from_db()
    assert (response.status_code, reviewer.hints_done) == (404, [])


@pytest.mark.django_db
def test_stranger_is_sent_to_the_sign_in() -> None:
    response = Client().post(DONE)

    assert response.status_code in {302, 401, 403}


def test_looking_at_the_address_puts_nothing_away(reviewer_client: Client) -> None:
    assert reviewer_client.get(DONE).status_code == 405


@pytest.mark.parametrize(("done", "shown"), [([], True), (["audit"], False)])
def test_hint_is_shown_until_it_is_put_away(done: list[str], shown: bool) -> None:
    page = render_to_string("reviews/_hint.html", {"user": User(hints_done=done)})

    assert ("hint-audit" in page) is shown
