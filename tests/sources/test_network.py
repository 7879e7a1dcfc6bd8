"""The door as the settings make it."""

import pytest
from pytest_django.fixtures import Settings

from sources.network import open_door, user_agent
from tests.workbench.servers import ok, saying, serving
from workbench.lib.http import PermanentHttpError, Request


def test_named_host_is_fetched_from_and_told_who_asks(settings: Settings) -> None:
    with serving(saying(ok(b"inside"))) as served:
        settings.FETCH_ALLOW = [served.place]
        settings.CONTACT_EMAIL = "audit@example.org"
        with open_door() as door:
            answer = door.fetch(Request(served.url))

    assert answer.body == b"inside"
    assert "(mailto:audit@example.org)" in served.heads[0]


def test_base_url_of_a_provider_is_fetched_from(settings: Settings) -> None:
    settings.FETCH_ALLOW = []
    with serving(saying(ok(b"{}"))) as served, open_door([served.url]) as door:
        assert door.fetch(Request(served.url + "works")).body == b"{}"


def test_nothing_else_inside_is_fetched_from(settings: Settings) -> None:
    settings.FETCH_ALLOW = []
    with (
        serving(saying(ok(b"never"))) as served,
        open_door() as door,
        pytest.raises(PermanentHttpError),
    ):
        door.fetch(Request(served.url))

    assert served.connections == 0
    assert user_agent().startswith("EvidenceWorkbench/")
