"""Signing in and out, the lock, session limits, language and look."""

import json
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client

from sources.models import User
from tests.factories import PASSWORD, UserFactory

SIGN_IN = "/accounts/sign-in/"
DIALOG = "/accounts/sign-in/dialog/"
LOOK = "/accounts/look/"

type SignIn = Callable[[User], Client]


def attempt(client: Client, name: str, password: str, address: str = SIGN_IN) -> int:
    return client.post(address, {"username": name, "password": password}).status_code


def test_sign_in_leads_to_the_page_asked_for(reviewer: User) -> None:
    given = {"username": "reviewer", "password": PASSWORD, "next": "/p/nsclc/"}

    response = Client().post(SIGN_IN, given)

    assert response.status_code == 302
    assert response.headers["Location"] == "/p/nsclc/"


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "javascript:x"])
def test_sign_in_leads_to_our_own_pages_only(reviewer: User, address: str) -> None:
    given = {"username": "reviewer", "password": PASSWORD, "next": address}

    assert Client().post(SIGN_IN, given).headers["Location"] == "/"
    assert Client().post(LOOK, {"theme": "dark", "next": address}).headers["Location"] == "/"


def test_sign_out_needs_a_post(reviewer_client: Client) -> None:
    assert reviewer_client.get("/accounts/sign-out/").status_code == 405
    assert reviewer_client.post("/accounts/sign-out/").status_code == 302
    assert reviewer_client.get("/").status_code == 302


def test_dialog_signs_in_without_a_redirect(reviewer: User) -> None:
    client = Client()

    response = client.post(DIALOG, {"username": "reviewer", "password": PASSWORD})

    assert response.status_code == 204
    assert json.loads(response.headers["HX-Trigger"]) == {"signed-in": {"user": reviewer.pk}}
    assert client.get("/").status_code == 200


def test_dialog_gives_a_fragment_and_its_errors(reviewer: User) -> None:
    client = Client()

    fresh = client.get(DIALOG)
    wrong = client.post(DIALOG, {"username": "reviewer", "password": "wrong"})

    assert b"<html" not in fresh.content
    assert b"Your session ended" in fresh.content
    assert b"alert" in wrong.content
    assert client.get("/").status_code == 302


def test_ten_wrong_passwords_lock_a_name_at_an_address(reviewer: User) -> None:
    client = Client()
    statuses = [attempt(client, "reviewer", "wrong") for _ in range(10)]

    response = client.post(SIGN_IN, {"username": "reviewer", "password": PASSWORD})

    assert statuses[:9] == [200] * 9
    assert response.status_code == 429
    assert "Sign-in is locked" in response.content.decode()
    assert client.get("/").status_code == 302


def test_lock_of_one_name_leaves_the_others(reviewer: User, editor: User) -> None:
    client = Client()
    for _ in range(11):
        attempt(client, "reviewer", "wrong")

    assert attempt(client, "editor", PASSWORD) == 302


def test_lock_holds_in_the_dialog_and_comes_as_a_fragment(reviewer: User) -> None:
    client = Client(headers={"HX-Request": "true"})
    for _ in range(10):
        attempt(client, "reviewer", "wrong", DIALOG)

    response = client.post(DIALOG, {"username": "reviewer", "password": PASSWORD})

    assert response.status_code == 429
    assert b"<html" not in response.content


def test_fifty_wrong_passwords_lock_an_address_for_every_name(reviewer: User) -> None:
    client = Client()
    for number in range(50):
        attempt(client, f"guess{number}", "wrong")

    assert attempt(client, "reviewer", PASSWORD) == 429
    assert (
        Client(REMOTE_ADDR="192.0.2.7")
        .post(SIGN_IN, {"username": "reviewer", "password": PASSWORD})
        .status_code
        == 302
    )


def test_admin_has_no_sign_in_of_its_own(db: None) -> None:
    response = Client().get("/admin/login/?next=/admin/")

    assert response.headers["Location"] == f"{SIGN_IN}?next=/admin/"


@pytest.mark.parametrize(
    ("name", "age"),
    [("seen", settings.SESSION_IDLE_SECONDS), ("began", settings.SESSION_MAX_SECONDS)],
)
def test_session_ends_at_its_limit(
    reviewer_client: Client, monkeypatch: pytest.MonkeyPatch, name: str, age: int
) -> None:
    assert reviewer_client.get("/").status_code == 200
    session = reviewer_client.session
    within = session[name] - age + 60
    session[name] = within
    session.save()
    assert reviewer_client.get("/").status_code == 200

    session = reviewer_client.session
    session[name] = within - 120
    session.save()

    assert reviewer_client.get("/", headers={"HX-Request": "true"}).status_code == 401


def test_language_and_theme_of_the_signed_out_are_kept_in_cookies(db: None) -> None:
    client = Client()

    client.post(LOOK, {"language": "zh-hans", "next": SIGN_IN})
    client.post(LOOK, {"theme": "dark", "next": SIGN_IN})
    page = client.get(SIGN_IN)

    assert page.headers["Content-Language"] == "zh-hans"
    assert '<html lang="zh-Hans" data-bs-theme="dark">' in page.content.decode()


def test_language_and_theme_of_a_person_are_kept_in_the_profile(
    reviewer: User, reviewer_client: Client
) -> None:
    reviewer_client.post(LOOK, {"language": "zh-hans", "theme": "light", "next": "/"})

    reviewer.refresh_from_db()
    assert (reviewer.language, reviewer.theme) == ("zh-hans", "light")
    assert 'data-bs-theme="light"' in reviewer_client.get("/").content.decode()


def test_unknown_look_changes_nothing(reviewer: User, reviewer_client: Client) -> None:
    reviewer_client.cookies["theme"] = '"><script>'

    reviewer_client.post(LOOK, {"language": "xx", "theme": "pink", "is_superuser": "1"})

    reviewer.refresh_from_db()
    assert (reviewer.language, reviewer.theme) == ("en", "auto")
    assert "<script>" not in reviewer_client.get("/").content.decode()


def test_preferences_save_what_they_show_and_nothing_else(
    reviewer: User, reviewer_client: Client
) -> None:
    given = {"language": "en", "theme": "dark", "text_size": "125", "is_superuser": "on",
             "is_staff": "on", "username": "root", "pane_split": "90"}  # fmt: skip

    response = reviewer_client.post("/accounts/preferences/", given, follow=True)

    reviewer.refresh_from_db()
    assert (reviewer.theme, reviewer.text_size) == ("dark", 125)
    assert not reviewer.is_superuser
    assert not reviewer.is_staff
    assert (reviewer.username, reviewer.pane_split) == ("reviewer", 42)
    assert 'data-text-size="125"' in response.content.decode()


def test_wrong_preferences_are_refused(reviewer: User, reviewer_client: Client) -> None:
    given = {"language": "en", "theme": "dark", "text_size": "9000"}

    response = reviewer_client.post("/accounts/preferences/", given)

    reviewer.refresh_from_db()
    assert response.status_code == 422
    assert reviewer.text_size == 100


def test_new_password_ends_the_other_sessions(sign_in: SignIn, db: None) -> None:
    user = UserFactory(username="mia")
    here, there = sign_in(user), sign_in(user)
    new = "another walk by the lake"
    given = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}

    response = here.post("/accounts/password/", given)

    assert response.status_code == 302
    assert here.get("/").status_code == 200
    assert there.get("/").status_code == 302
