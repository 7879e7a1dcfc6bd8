"""``manage.py search`` and ``ground``: output, exit codes, receipts; through the stand-in."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from search.exchange import ORDER
from search.models import Call, Receipt, Result, Route
from sources.models import AuditEvent, Job, Project
from sources.recording import broken_events
from tests.standin import Given, StandIn

pytestmark = pytest.mark.django_db


def search(*args: str, command: str = "search") -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command(command, *args, stdout=out, stderr=err)
    code = stopped.value.code
    assert isinstance(code, int)
    return code, out.getvalue(), err.getvalue()


def search_json(*args: str, command: str = "search") -> tuple[int, dict[str, Any]]:
    code, out, _err = search(*args, "--json", command=command)
    return code, json.loads(out)


def test_search_prints_one_object_and_writes_a_receipt(standin: StandIn, project: Project) -> None:
    code, found = search_json(
        "drug x", "--route", "scholar", "--project", "nsclc", "--round", "2",
        "--purpose", "reviews", "--language", "en", "--year-low", "2019",
    )  # fmt: skip

    assert code == 0
    assert list(found) == [
        "ok", "routes_used", "receipts", "results", "fallbacks", "warnings",
    ]  # fmt: skip
    assert found["ok"]
    assert found["routes_used"] == ["scholar"]
    (line,) = found["receipts"]
    assert list(line) == [name for name in ORDER if name in line]
    assert line | {"timestamp": ""} == {
        "receipt_id": "srch_0001", "timestamp": "", "tool": "search-cli", "mode": "scholar",
        "query_or_url": "drug x", "purpose": "reviews", "result_count": 3, "opened_urls": [],
        "status": "ok", "failure_reason": "", "route": "scholar", "provider": "serper-scholar",
        "round": 2, "language": "en",
    }  # fmt: skip
    assert [each["rank"] for each in found["results"]] == [1, 2, 3]
    assert found["results"][0]["published"] == {"date": "2019", "precision": "year"}
    assert standin.of("serper")[0].json["as_ylo"] == 2019
    assert Receipt.objects.get().project == project


def test_receipt_has_its_calls_results_and_event(standin: StandIn, project: Project) -> None:
    search("drug x", "--route", "pubmed", "--project", "nsclc")

    receipt = Receipt.objects.get()
    first, second = receipt.calls.all()
    assert (first.number, first.status, first.outcome) == (1, 200, "ok")
    assert "esearch.fcgi?db=pubmed" in first.url
    assert "efetch.fcgi" in second.url
    assert len(second.response_hash) == 64
    assert receipt.said["translated"]
    assert len(receipt.result_hash) == 64
    assert receipt.routes_version == Route.objects.get(slug="pubmed").version
    result = receipt.results.get()
    assert (result.standing, result.doi) == ("retracted", "10.5555/trial.1998.1")
    assert result.canonical_url
    event = AuditEvent.objects.get(action="receipt.written")
    assert event.object_id == "srch_0001"
    assert list(broken_events(project)) == []


def test_search_without_project_goes_to_scratch(standin: StandIn) -> None:
    code, found = search_json("drug x", "--profile", "biomed_literature")

    assert code == 0
    assert found["routes_used"] == ["scholar", "pubmed", "trials"]
    project = Project.objects.get(slug="scratch")
    assert not project.memberships.exists()
    assert [r.external_id for r in project.receipts.all()] == [
        "srch_0001", "srch_0002", "srch_0003",
    ]  # fmt: skip
    assert {r.profile for r in project.receipts.all()} == {"biomed_literature"}
    assert [line["mode"] for line in found["receipts"]] == ["scholar", "academic", "academic"]


def test_profile_brings_its_language(standin: StandIn) -> None:
    _code, found = search_json("药物X", "--profile", "china_market")

    assert {line["language"] for line in found["receipts"]} == {"zh"}
    assert standin.of("serper")[0].json["hl"] == "zh-cn"


def test_text_ends_with_the_routes_and_the_trace_is_told(standin: StandIn) -> None:
    code, out, _err = search("drug x", "--route", "patents", "--trace")

    assert code == 0
    assert out.splitlines()[-1] == "Routes used: patents"
    assert "Salts of Drug X" in out
    assert "patents serper-patents try 1: ok 200" in out


def test_strict_route_fails_loudly(standin: StandIn) -> None:
    standin.give_file("serper", "serper/err_403.json", 403)

    code, out, err = search("drug x", "--route", "patents")

    assert code == 1
    assert "Serper unavailable: the key is refused (HTTP 403: Unauthorized.)" in err
    assert "--no-strict-specialized" in err
    assert out.splitlines()[-1] == "Routes used: none"
    assert standin.of("exa") == []
    assert Receipt.objects.get().status == "failed"


def test_fallback_is_named_and_its_results_are_leads(standin: StandIn) -> None:
    standin.give_file("serper", "serper/err_403.json", 403)

    code, found = search_json("drug x", "--route", "patents", "--no-strict-specialized", "--trace")

    assert code == 0
    reason = "the key is refused (HTTP 403: Unauthorized.)"
    assert found["fallbacks"] == [
        {"from": "Serper", "to": "general site:patents.google.com", "reason": reason}
    ]
    assert found["warnings"][0] == (
        f"Serper unavailable: {reason}; fallback used: general site:patents.google.com"
    )
    failed, used = found["receipts"]
    assert failed["failure_reason"] == reason
    assert (used["fallback_of"], used["route"], used["provider"]) == ("srch_0001", "general", "exa")
    assert used["query_or_url"] == "drug x site:patents.google.com"
    assert standin.of("exa")[0].json["includeDomains"] == ["patents.google.com"]
    assert all(result["fallback_result"] for result in found["results"])
    assert [(t["provider"], t["attempt"], t["status"], t["outcome"]) for t in found["trace"]] == [
        ("serper-patents", 1, 403, "bad-key"),
        ("exa", 1, 200, "ok"),
    ]
    assert found["routes_used"] == ["general"]


def test_route_that_may_fall_back_does(standin: StandIn) -> None:
    standin.give("pubmed", Given(b"<html>", 502))

    code, found = search_json("drug x", "--route", "pubmed", "--trace")

    assert code == 0
    assert found["fallbacks"][0]["to"] == "Europe PMC"
    assert [t["attempt"] for t in found["trace"]] == [1, 2, 3, 1]


def test_nothing_found_is_an_answer(standin: StandIn) -> None:
    standin.give_file("brave", "brave/nothing.json")
    standin.give_file("exa", "exa/err_402.json", 402)
    standin.give_file("tavily", "tavily/err_432.json", 432)

    code, found = search_json("zzzz", "--route", "general")

    assert code == 0
    assert found["ok"]
    assert found["results"] == []
    assert [each["to"] for each in found["fallbacks"]] == ["Brave"]


def test_regulators_are_asked_together(standin: StandIn) -> None:
    code, found = search_json("drug x", "--route", "regulatory")

    assert code == 0
    assert [line["provider"] for line in found["receipts"]] == ["openfda", "exa"]
    assert {line["route"] for line in found["receipts"]} == {"regulatory"}
    assert standin.of("exa")[0].json["includeDomains"] == ["fda.gov"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["x", "--route", "nowhere"], "Known: company, general"),
        (["x", "--profile", "nowhere"], "biomed_literature"),
        (["x", "--route", "news", "--project", "nobody"], "no project"),
        (["x", "--route", "news", "--num-results", "0"], "1 to 1,000"),
        (["x", "--route", "news", "--year-low", "2020", "--year-high", "2010"], "lower one first"),
        (["x", "--route", "news", "--round", "5"], "1 to 4"),
        ([" ", "--route", "news"], "1 to 2,000 characters"),
    ],
)
def test_wrong_arguments_are_refused_with_what_to_do(
    standin: StandIn, args: list[str], said: str
) -> None:
    code, out, err = search(*args, "--json")

    assert code == 2
    assert said in err
    assert json.loads(out)["ok"] is False
    assert standin.asked == []
    assert not Job.objects.exists()


def test_key_that_is_not_set_is_said_before_anything_is_sent(
    standin: StandIn, settings: Any
) -> None:
    settings.PROVIDER_HOMES = settings.PROVIDER_BASE_URLS
    settings.PROVIDER_KEYS = {}

    code, _out, err = search("drug x", "--route", "patents")

    assert code == 1
    assert "SERPER_API_KEY is not set" in err
    assert standin.asked == []
    assert not Call.objects.exists()


def test_proxy_may_add_the_key_itself(standin: StandIn, settings: Any) -> None:
    settings.PROVIDER_KEYS = {}

    code, _found = search_json("drug x", "--route", "patents")

    assert code == 0
    assert "x-api-key" not in standin.asked[0].headers


def test_ground_keeps_cited_pages_as_leads(standin: StandIn) -> None:
    code, found = search_json("When was Drug X approved?", "--model", "a/b", command="ground")

    assert code == 0
    assert found["grounded"] is True
    assert [result["url"] for result in found["results"]] == ["https://regulator.example/x"]
    (line,) = found["receipts"]
    assert (line["mode"], line["provider"]) == ("deep", "openrouter")
    assert standin.asked[0].json["model"] == "a/b"
    assert Result.objects.get().is_lead
    stored = json.dumps([*Receipt.objects.values(), *Result.objects.values()], default=str)
    assert "says the model" not in stored


def test_ground_says_when_it_is_ungrounded(standin: StandIn) -> None:
    standin.give_file("openrouter", "openrouter/ungrounded.json")

    code, found = search_json("Drug X?", command="ground")
    _code, out, _err = search("Drug X?", command="ground")

    assert code == 0
    assert (found["ok"], found["grounded"], found["results"]) == (True, False, [])
    assert "Ungrounded" in out


def test_ground_that_fails_says_so(standin: StandIn) -> None:
    standin.give("openrouter", Given(b'{"error":{"code":402,"message":"No credits"}}'))

    code, found = search_json("Drug X?", command="ground")

    assert code == 1
    assert found["grounded"] is False
    assert "OpenRouter unavailable: the allowance is spent" in found["warnings"][0]
