"""No key and no address of ours reaches a row, a log, a receipt, an export or an output."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from search.importing import receipt_lines
from search.models import Call, Receipt
from search.routes import service_label
from sources.models import Project
from tests.search.conftest import CONTACT, KEYS
from tests.standin import Given, StandIn
from workbench.logs import LineFormatter

pytestmark = pytest.mark.django_db
SECRETS = (*KEYS.values(), CONTACT)


def stored() -> Iterator[str]:
    """Every value of every row of ours."""
    for app in ("sources", "search", "reviews"):
        for model in apps.get_app_config(app).get_models():
            for row in model._default_manager.values():
                yield json.dumps(row, default=str, ensure_ascii=False)


def told(
    standin: StandIn, caplog: pytest.LogCaptureFixture, *args: str, ground: bool = False
) -> str:
    """Everything that a search leaves: outputs, rows, export, log."""
    out, err = StringIO(), StringIO()
    with caplog.at_level(logging.DEBUG), pytest.raises(SystemExit):
        call_command(
            "ground" if ground else "search", *args, "--json", "--trace", stdout=out, stderr=err
        )
    lines = [LineFormatter().format(each) for each in caplog.records]
    project = Project.objects.get(slug="scratch")
    exported = [json.dumps(line, ensure_ascii=False) for line in receipt_lines(project)]
    return "\n".join([out.getvalue(), err.getvalue(), *lines, *stored(), *exported])


def assert_silent(everything: str) -> None:
    for secret in SECRETS:
        for form in (secret, json.dumps(secret)[1:-1], secret.replace("/", "%2F")):
            assert form not in everything


ROUTES = ("scholar", "patents", "news", "pubmed", "trials", "regulatory", "company", "general")


@pytest.mark.parametrize("route", ROUTES)
def test_answered_search_tells_no_secret(
    route: str, standin: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    everything = told(standin, caplog, "drug x", "--route", route)

    assert_silent(everything)
    assert Call.objects.exists()


@pytest.mark.parametrize("route", ROUTES)
def test_services_that_echo_whatever_was_sent_tell_no_secret(
    route: str, standin: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    """Errors and results alike, as the worst of proxies would do it."""
    everywhere = " ".join(SECRETS)
    echo = {
        "error": {"message": everywhere, "code": 403},
        "detail": everywhere,
        "searchParameters": {"q": everywhere},
        "results": [{"title": everywhere, "url": f"https://a.example/?k={KEYS['exa']}"}],
        "organic": [{"title": everywhere, "link": f"https://a.example/?k={KEYS['serper']}"}],
        "news": [{"title": everywhere}],
    }
    body = json.dumps(echo).encode()
    for service in standin.base_urls:
        own = KEYS.get(service, CONTACT)
        only = body if service in KEYS else json.dumps({"error": own}).encode()
        only = only.replace(everywhere.encode(), own.encode())
        standin.give(service, Given(only, 403, {"X-Echo": own}), Given(only))

    everything = told(standin, caplog, "drug x", "--route", route, "--no-strict-specialized")

    assert_silent(everything)


def test_model_that_echoes_its_key_tells_no_secret(
    standin: StandIn, caplog: pytest.LogCaptureFixture
) -> None:
    standin.give("openrouter", {"error": {"code": 401, "message": f"bad {KEYS['openrouter']}"}})

    assert_silent(told(standin, caplog, "drug x", ground=True))


def test_server_that_cannot_be_reached_tells_no_secret(
    standin: StandIn, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.PROVIDER_BASE_URLS = dict.fromkeys(standin.base_urls, "http://127.0.0.1:1")

    everything = told(standin, caplog, "drug x", "--route", "pubmed")

    assert_silent(everything)
    assert "no-connection" in everything


def test_keys_were_sent_all_the_same(standin: StandIn, caplog: pytest.LogCaptureFixture) -> None:
    told(standin, caplog, "drug x", "--profile", "biomed_literature")
    told(standin, caplog, "drug x", "--route", "company")

    assert standin.of("serper")[0].headers["x-api-key"] == KEYS["serper"]
    assert standin.of("pubmed")[0].query["api_key"] == KEYS["pubmed"]
    assert standin.of("pubmed")[0].query["email"] == CONTACT
    assert standin.of("exa")[0].headers["x-api-key"] == KEYS["exa"]
    assert standin.of("clinicaltrials")[0].headers["user-agent"].endswith(f"(mailto:{CONTACT})")


def test_key_goes_to_its_own_host_alone(standin: StandIn, caplog: pytest.LogCaptureFixture) -> None:
    elsewhere = standin.url.replace("127.0.0.1", "localhost")
    standin.give("serper", Given(b"", 302, {"Location": f"{elsewhere}/exa/search"}))

    told(standin, caplog, "drug x", "--route", "scholar")

    assert standin.of("exa") == []
    assert Receipt.objects.get().status == "failed"
    assert service_label("serper-scholar") == "Serper"
