"""Rules of the blacklist as files: what goes out comes in unchanged; bad lines are named."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sources.actions import ActionRefused
from sources.actions.blacklist_files import (
    drop_file,
    import_rules,
    keep_file,
    kept_file,
)
from sources.exchange.rule_files import COLUMNS, Defaults, RulePlan, read_rules, write_rules
from sources.models import BlacklistRule, TableChange, User
from sources.table_formats import UnreadableTable
from tests.factories import UserFactory
from tests.sources.blacklist_rules import active_rule, measured, no_rules

LATER = timezone.localdate() + timedelta(days=100)


def line(**more: Any) -> dict[str, Any]:
    return {
        "scope": "host_and_subdomains",
        "pattern": "farm.example",
        "reason": "A content farm.",
        "evidence_link": "https://list.example.org/farms",
        "review_on": LATER.isoformat(),
    } | more


def jsonl(*lines: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines).encode()


def read(admin: User, *lines: dict[str, Any], **defaults: Any) -> RulePlan:
    return read_rules(jsonl(*lines), "jsonl", Defaults(admin, **defaults))


def outcomes(plan: RulePlan) -> list[str]:
    return [each.outcome for each in plan.lines]


def bring(admin: User, plan: RulePlan, *, only_valid: bool = False) -> Any:
    return import_rules(plan=plan, name="farms.jsonl", only_valid=only_valid, by=admin)


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_what_goes_out_comes_in_and_changes_nothing(admin: User, kind: str) -> None:
    active_rule("host", "例子.测试", reason="=HYPERLINK(1)", owner=admin, evidence_link="")
    active_rule(
        "prefix", "b.example/ad", "downrank", level="D2", unless="signed", reason='x,"y"\nz'
    )
    active_rule("title_words", "重磅 + AI", "warn", state="draft", owner=admin,
                ends_on=timezone.localdate() - timedelta(days=9))  # fmt: skip
    everything = BlacklistRule.objects.all()
    data = write_rules(everything, kind)

    plan = read_rules(data, kind, Defaults(admin))

    assert set(outcomes(plan)) == {"same"}
    assert len(plan.lines) == everything.count()
    before = list(BlacklistRule.objects.order_by("pk").values())
    bring(admin, plan)
    assert list(BlacklistRule.objects.order_by("pk").values()) == before
    assert write_rules(everything, kind) == data


def test_a_line_has_its_keys_in_order(admin: User) -> None:
    no_rules()
    active_rule("host", "farm.example", owner=admin, review_on=LATER, hits=7)

    (written,) = write_rules(BlacklistRule.objects.all(), "jsonl").decode().splitlines()

    found = json.loads(written)
    assert tuple(found) == COLUMNS
    assert found["pattern"] == "farm.example"
    assert found["review_on"] == LATER.isoformat()
    assert (found["owner"], found["hits"], found["state"]) == ("admin", 7, "active")


def test_no_cell_of_a_csv_file_is_a_formula(admin: User) -> None:
    no_rules()
    active_rule("host", "farm.example", reason="=HYPERLINK(1)")

    assert b"'=HYPERLINK(1)" in write_rules(BlacklistRule.objects.all(), "csv")


def test_lines_become_drafts_with_their_history(admin: User) -> None:
    plan = read(admin, line(), line(pattern="b.example", effect="warn", kind="press_copy"))

    done = bring(admin, plan)

    assert [(rule.pattern, rule.state, rule.effect, rule.kind) for rule in done.drafts] == [
        ("farm.example", "draft", "block", "blacklist_domain"),
        ("b.example", "draft", "warn", "press_copy"),
    ]
    assert all(rule.owner == admin and rule.created_by == admin for rule in done.drafts)
    changes = TableChange.objects.filter(reason="farms.jsonl")
    assert changes.count() == 2
    assert len({change.batch_id for change in changes}) == 1


def test_the_same_file_again_changes_nothing(admin: User) -> None:
    bring(admin, read(admin, line()))

    assert outcomes(read(admin, line())) == ["same"]


def test_another_reach_of_a_rule_that_holds_becomes_a_draft_beside_it(admin: User) -> None:
    held = active_rule("host_and_subdomains", "farm.example", "warn")

    plan = read(admin, line())
    done = bring(admin, plan)

    assert outcomes(plan) == ["replaces"]
    assert plan.lines[0].rule == held.pk
    assert [rule.state for rule in done.drafts] == ["draft"]
    held.refresh_from_db()
    assert (held.state, held.effect) == ("active", "warn")


def test_other_words_of_a_rule_that_holds_are_taken_over(admin: User) -> None:
    held = active_rule("host_and_subdomains", "farm.example")

    plan = read(admin, line(reason="Still a farm."))
    done = bring(admin, plan)

    assert (outcomes(plan), done.changed) == (["changed"], 1)
    held.refresh_from_db()
    assert (held.state, held.reason, held.version) == ("active", "Still a farm.", 2)
    assert TableChange.objects.filter(new__reason="Still a farm.").exists()


def test_a_changed_draft_has_to_be_measured_again(admin: User) -> None:
    draft = measured(active_rule("host_and_subdomains", "farm.example", "warn", state="draft"))

    bring(admin, read(admin, line()))

    draft.refresh_from_db()
    assert (draft.effect, draft.impact, draft.state) == ("block", {}, "draft")


def test_rules_that_are_off_are_passed_over(admin: User) -> None:
    assert outcomes(read(admin, line(state="off"))) == ["off"]


def test_what_a_line_does_not_say_comes_from_the_form(admin: User) -> None:
    bare = {"scope": "host", "pattern": "farm.example"}

    assert outcomes(read(admin, bare)) == ["error"]
    plan = read(
        admin, bare, reason="List B", evidence_link="https://list.example.org/", review_on=LATER
    )

    assert outcomes(plan) == ["new"]
    assert plan.lines[0].fields["reason"] == "List B"


def test_an_owner_is_known_by_name_and_an_unknown_one_is_who_imports(admin: User) -> None:
    other = UserFactory(username="ana", is_superuser=True)

    plan = read(admin, line(owner="ana"), line(pattern="b.example", owner="nobody"))

    assert [each.fields["owner"] for each in plan.lines] == [other, admin]


@pytest.mark.parametrize(
    ("wrong", "column"),
    [
        ({"pattern": "*.farm.example"}, "pattern"),
        ({"scope": "planet"}, "scope"),
        ({"effect": "burn"}, "effect"),
        ({"kind": "retracted"}, "kind"),
        ({"review_on": "soon"}, "review_on"),
        ({"review_on": "2020-01-01"}, "review_on"),
        ({"evidence_link": ""}, "evidence_link"),
        ({"reason": None}, "reason"),
        ({"pattern": ["a.example"]}, "pattern"),
        ({"effect": "downrank"}, "level"),
    ],
)
def test_a_bad_line_is_named_with_its_column(
    admin: User, wrong: dict[str, Any], column: str
) -> None:
    plan = read(admin, line(pattern="ok.example"), line(**wrong))

    assert outcomes(plan) == ["new", "error"]
    bad = plan.lines[1]
    assert (bad.number, bad.column) == (2, column)
    assert bad.message


def test_two_lines_about_one_pattern_are_told(admin: User) -> None:
    plan = read(admin, line(), line(pattern="https://www.farm.example/"))

    assert outcomes(plan) == ["new", "error"]
    assert "Line 1" in plan.lines[1].message


def test_nothing_is_imported_beside_a_bad_line_unless_so_chosen(admin: User) -> None:
    no_rules()
    plan = read(admin, line(), line(pattern=""))

    with pytest.raises(ActionRefused) as refused:
        bring(admin, plan)
    assert refused.value.code == "bad-lines"
    assert not BlacklistRule.objects.exists()

    assert bring(admin, plan, only_valid=True).skipped == 1
    assert BlacklistRule.objects.count() == 1


def test_only_an_administrator_imports(lead: User, admin: User) -> None:
    plan = read(admin, line())

    with pytest.raises(ActionRefused, match="administrator"):
        bring(lead, plan)


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        (b"", "jsonl", "no rows"),
        (b"not json\n", "jsonl", "Line 1"),
        (b"[1]\n", "jsonl", "Line 1"),
        (b'{"reason": "x"}\n', "jsonl", "“scope” and “pattern”"),
        (b'{"scope": "host", "pattern": "x", "colour": "red"}\n', "jsonl", "colour"),
        (b"scope,pattern\nhost,farm.example,more\n", "csv", "more cells"),
        (b"\xff\xfe\x00", "csv", ""),
        (b"x" * (5 * 2**20 + 1), "csv", "larger than 5 MB"),
        (b"scope,pattern\n" + b"host,x\n" * 5001, "csv", "5000 rows"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    admin: User, data: bytes, kind: str, says: str
) -> None:
    with pytest.raises(UnreadableTable, match=says or None) as refused:
        read_rules(data, kind, Defaults(admin))

    assert str(refused.value)


def test_the_queries_do_not_grow_with_the_lines(admin: User) -> None:
    def asked(number: int) -> int:
        lines = [line(pattern=f"{number}-{at}.example") for at in range(number)]
        with CaptureQueriesContext(connection) as found:
            bring(admin, read(admin, *lines))
        return len(found)

    few, many = asked(2), asked(200)

    assert many <= few


def test_a_file_waits_for_its_admin_under_a_token() -> None:
    token = keep_file(b"data")

    assert kept_file(token) == b"data"
    drop_file(token)
    for wrong in (token, "", "../../etc/passwd", "a" * 32):
        with pytest.raises(ActionRefused, match="Upload it again"):
            kept_file(wrong)
