"""`manage.py check_blacklist URL…` tells what the rules say, and by its exit status."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.sources.blacklist_rules import active_rule, no_rules


@pytest.fixture(autouse=True)
def _rules(db: None) -> None:
    no_rules()
    active_rule("host_and_subdomains", "farm.example", reason="content farm")
    active_rule("exact", "https://farm.example/report", "allow", reason="official copy")
    active_rule("host", "slow.example", "downrank", level="D2")
    active_rule("host", "blog.example", unless="signed")
    active_rule("title_words", "sponsored", "warn")


def asked(*urls: str, **options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("check_blacklist", *urls, stdout=out, **options)
    except SystemExit as stopped:
        return int(stopped.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_a_blocked_address_is_told_with_its_rule_and_exit_status_one() -> None:
    status, said = asked("https://m.farm.example:443/a?utm_source=x#y")

    assert status == 1
    assert "block by rule" in said
    assert "host_and_subdomains farm.example: content farm" in said
    assert "compared as https://farm.example/a" in said
    assert "1 exact: no" in said


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://good.example/", "no rule"),
        ("https://farm.example/report", "allow by rule"),
        ("https://slow.example/", "downrank D2 by rule"),
    ],
)
def test_what_is_not_blocked_has_exit_status_zero(url: str, says: str) -> None:
    status, said = asked(url)

    assert status == 0
    assert says in said


def test_a_pass_shows_the_block_that_was_not_reached() -> None:
    assert "block farm.example – not reached" in asked("https://farm.example/report")[1]


def test_one_blocked_address_among_others_counts() -> None:
    assert asked("https://good.example/", "https://farm.example/", "no address")[0] == 1
    assert asked("https://good.example/", "no address")[0] == 2


def test_json_holds_one_object_an_address_with_every_step() -> None:
    status, said = asked("farm.example/x", "https://xn--fsqu00a.xn--0zwm56d/", json=True)

    first, second = (json.loads(line) for line in said.splitlines())
    assert status == 1
    assert (first["blocked"], first["effect"], first["rule"]["key"]) == (
        True,
        "block",
        "farm.example",
    )
    assert first["canonical"] == "https://farm.example/x"
    assert [step["scope"] for step in first["steps"]] == [
        "exact", "prefix", "host", "host_and_subdomains",
    ]  # fmt: skip
    assert first["steps"][3]["matches"][0]["outcome"] == "wins"
    assert (second["blocked"], second["rule"]) == (False, None)
    assert second["host_readable"] == "例子.测试"


def test_an_exception_that_the_address_cannot_tell_is_not_met() -> None:
    assert asked("https://blog.example/post")[0] == 1


def test_what_else_is_known_can_be_told() -> None:
    status, said = asked("https://good.example/", title="Sponsored content")

    assert status == 0
    assert "warn by rule" in said


def test_addresses_come_from_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("https://good.example/\n\nhttps://farm.example/\n")
    )

    status, said = asked("-")

    assert status == 1
    assert said.count("compared as") == 2


def test_an_argument_that_is_no_text_is_refused() -> None:
    with pytest.raises(CommandError):
        call_command("check_blacklist", "a\0b")
    with pytest.raises(CommandError):
        call_command("check_blacklist")
