"""A rule is a draft, is measured, waits for a second administrator where it must, then holds."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sources.actions import ActionRefused
from sources.actions.blacklist import (
    RuleRefused,
    activate_rules,
    draft_rule,
    edit_rule,
    is_measured,
    second_rule,
    switch_off,
)
from sources.models import BlacklistRule, Job, TableChange, User
from sources.rule_history import history_of
from tests.factories import UserFactory
from tests.sources.blacklist_rules import active_rule, measured, no_rules, said

EVERYWHERE = "sources.tasks.apply_blacklist"


@pytest.fixture(autouse=True)
def _no_starter_rules(db: None) -> None:
    no_rules()


@pytest.fixture
def second_admin(db: None) -> User:
    return UserFactory(username="second_admin", is_staff=True, is_superuser=True)


def draft(admin: User, **more: Any) -> BlacklistRule:
    return draft_rule(given=said(admin, **more), by=admin)


def refusal(call: Any) -> str:
    with pytest.raises(ActionRefused) as refused:
        call()
    assert refused.value.message
    return refused.value.code


# --- Writing --------------------------------------------------------------------------------------


def test_a_rule_begins_as_a_draft_with_its_history(admin: User) -> None:
    rule = draft(admin, pattern="https://WWW.Farm.example/")

    assert (rule.state, rule.pattern_key) == ("draft", "farm.example")
    assert rule.created_by == admin
    change = TableChange.objects.get(row_key__startswith=f"{rule.pk} ")
    assert change.table == "blacklistrule"
    assert change.old is None
    assert change.new["pattern"] == "https://WWW.Farm.example/"
    assert change.new["owner"] == "admin"
    assert change.by == admin
    assert not Job.objects.exists()


@pytest.mark.parametrize("who", ["reviewer", "editor", "lead", "outsider"])
def test_only_an_administrator_may(who: str, admin: User, request: pytest.FixtureRequest) -> None:
    person = request.getfixturevalue(who)
    rule = measured(draft(admin))

    assert refusal(lambda: draft_rule(given=said(person), by=person)) == "not-allowed"
    assert refusal(lambda: activate_rules(rules=[rule], by=person)) == "not-allowed"
    edited = {"rule": rule, "given": said(person), "base_version": 1, "by": person}
    assert refusal(lambda: edit_rule(**edited)) == "not-allowed"
    off = {"rule": rule, "reason": "no good", "base_version": 1, "by": person}
    assert refusal(lambda: switch_off(**off)) == "not-allowed"


YESTERDAY = timezone.localdate() - timedelta(days=1)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("pattern", {"pattern": ""}),
        ("pattern", {"pattern": "*.farm.example"}),
        ("pattern", {"scope": "judged", "pattern": "stale", "kind": "press_copy"}),
        ("scope", {"scope": "planet"}),
        ("kind", {"kind": "retracted"}),
        ("effect", {"effect": "burn"}),
        ("unless", {"unless": "raining"}),
        ("unless", {"unless": "signed", "effect": "allow"}),
        ("level", {"effect": "downrank"}),
        ("level", {"effect": "downrank", "level": "D4"}),
        ("reason", {"reason": " "}),
        ("evidence_link", {"evidence_link": ""}),
        ("evidence_link", {"evidence_link": "javascript:alert(1)"}),
        ("owner", {"owner": None}),
        ("review_on", {"review_on": None}),
        ("review_on", {"review_on": timezone.localdate()}),
        ("ends_on", {"ends_on": YESTERDAY}),
    ],
)
def test_a_field_that_cannot_be_is_named(admin: User, field: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(RuleRefused) as refused:
        draft_rule(given=said(admin, **wrong), by=admin)

    assert refused.value.field == field
    assert not BlacklistRule.objects.exists()


def test_a_level_is_kept_for_a_downrank_alone(admin: User) -> None:
    assert draft(admin, effect="downrank", level="D2").level == "D2"
    assert draft(admin, pattern="b.example", effect="warn", level="D2").level == ""


# --- Changing -------------------------------------------------------------------------------------


def test_a_changed_reach_has_to_be_measured_again(admin: User) -> None:
    rule = measured(draft(admin))

    same = edit_rule(rule=rule, given=said(admin), base_version=1, by=admin)
    assert (same.version, is_measured(same)) == (1, True)
    words = edit_rule(rule=rule, given=said(admin, reason="Another."), base_version=1, by=admin)
    assert words.version == 2
    wider = edit_rule(rule=rule, given=said(admin, pattern="example"), base_version=2, by=admin)

    assert (wider.version, is_measured(wider), wider.impact) == (3, False, {})


def test_of_a_rule_that_holds_only_words_and_days_change(admin: User) -> None:
    rule = active_rule("host_and_subdomains", "farm.example")
    until = timezone.localdate() + timedelta(days=30)

    given = said(admin, reason="Still a farm.", ends_on=until)
    changed = edit_rule(rule=rule, given=given, base_version=1, by=admin)
    wider = said(admin, pattern="example")

    assert (changed.state, changed.reason, changed.ends_on) == ("active", "Still a farm.", until)
    edited = {"rule": changed, "given": wider, "base_version": 2, "by": admin}
    assert refusal(lambda: edit_rule(**edited)) == "holds"


def test_who_saw_an_older_version_changes_nothing(admin: User) -> None:
    rule = draft(admin)
    edit_rule(rule=rule, given=said(admin, reason="Another."), base_version=1, by=admin)

    late = {"rule": rule, "given": said(admin, reason="Third."), "base_version": 1, "by": admin}
    assert refusal(lambda: edit_rule(**late)) == "conflict"
    off = {"rule": rule, "reason": "no good", "base_version": 1, "by": admin}
    assert refusal(lambda: switch_off(**off)) == "conflict"


# --- Beginning to hold ----------------------------------------------------------------------------


def test_a_draft_that_was_not_measured_does_not_hold(admin: User) -> None:
    rule = draft(admin)
    assert refusal(lambda: activate_rules(rules=[rule], by=admin)) == "not-measured"

    measured(rule)
    BlacklistRule.objects.update(impact_at=timezone.now() - timedelta(days=8))
    assert refusal(lambda: activate_rules(rules=[rule], by=admin)) == "not-measured"


def test_a_measured_draft_holds_and_all_sources_are_looked_at(admin: User) -> None:
    rule = measured(draft(admin))

    holding, waiting = activate_rules(rules=[rule], by=admin)

    assert ([each.pk for each in holding], waiting) == ([rule.pk], [])
    rule.refresh_from_db()
    assert (rule.state, rule.activated_by) == ("active", admin)
    assert Job.objects.get().task == EVERYWHERE
    assert history_of(rule)[0].new == {"state": "active"}


@pytest.mark.parametrize(("claims", "state"), [(19, "active"), (20, "waiting")])
def test_a_block_of_many_claims_waits_for_a_second_administrator(
    admin: User, claims: int, state: str
) -> None:
    rule = measured(draft(admin), claims=claims)

    activate_rules(rules=[rule], by=admin)

    rule.refresh_from_db()
    assert rule.state == state
    assert Job.objects.filter(task=EVERYWHERE).exists() is (state == "active")


@pytest.mark.parametrize("effect", ["warn", "downrank", "allow"])
def test_what_does_not_block_needs_no_second_person(admin: User, effect: str) -> None:
    rule = measured(draft(admin, effect=effect, level="D1"), claims=500)

    activate_rules(rules=[rule], by=admin)

    rule.refresh_from_db()
    assert rule.state == "active"


def waiting_rule(admin: User) -> BlacklistRule:
    rule = measured(draft(admin), claims=50)
    activate_rules(rules=[rule], by=admin)
    rule.refresh_from_db()
    return rule


def test_the_second_administrator_lets_it_hold(admin: User, second_admin: User) -> None:
    rule = waiting_rule(admin)

    second_rule(rule=rule, agree=True, reason="", base_version=rule.version, by=second_admin)

    rule.refresh_from_db()
    assert (rule.state, rule.asked_by, rule.activated_by) == ("active", admin, second_admin)
    assert Job.objects.get().task == EVERYWHERE


def test_who_asked_is_not_the_second(admin: User) -> None:
    rule = waiting_rule(admin)

    own = {"rule": rule, "agree": True, "reason": "", "base_version": rule.version, "by": admin}
    assert refusal(lambda: second_rule(**own)) == "same-person"


def test_the_second_turns_it_down_with_a_reason(admin: User, second_admin: User) -> None:
    rule = waiting_rule(admin)
    against = {"rule": rule, "agree": False, "base_version": rule.version, "by": second_admin}

    assert refusal(lambda: second_rule(**against, reason=" ")) == "reason-missing"
    second_rule(**against, reason="It hits the official copy.")

    rule.refresh_from_db()
    assert (rule.state, rule.asked_by) == ("draft", None)
    assert history_of(rule)[0].reason == "It hits the official copy."
    assert is_measured(rule)


def test_a_waiting_rule_that_is_changed_is_a_draft_again(admin: User) -> None:
    rule = waiting_rule(admin)

    given = said(admin, pattern="farm.example.org")
    edit_rule(rule=rule, given=given, base_version=rule.version, by=admin)

    rule.refresh_from_db()
    assert (rule.state, rule.asked_by, is_measured(rule)) == ("draft", None, False)


def test_a_rule_takes_the_place_of_the_one_with_its_pattern(admin: User) -> None:
    old = active_rule("host_and_subdomains", "farm.example", "warn")
    new = measured(draft(admin))

    activate_rules(rules=[new], by=admin)

    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.state, new.state) == ("off", "active")
    assert history_of(old)[0].reason == f"replaced by rule {new.pk}"


def test_several_hold_at_once_or_none(admin: User) -> None:
    first, second = measured(draft(admin)), draft(admin, pattern="b.example")

    assert refusal(lambda: activate_rules(rules=[first, second], by=admin)) == "not-measured"
    first.refresh_from_db()
    assert first.state == "draft"

    activate_rules(rules=[first, measured(second)], by=admin)
    assert BlacklistRule.objects.filter(state="active").count() == 2
    assert Job.objects.count() == 1


def test_what_is_no_draft_or_is_gone_does_not_begin(admin: User) -> None:
    rule = active_rule("host", "farm.example")

    assert refusal(lambda: activate_rules(rules=[rule], by=admin)) == "no-draft"
    assert refusal(lambda: activate_rules(rules=[], by=admin)) == "gone"
    late = {"rules": [measured(draft(admin))], "by": admin, "versions": {}}
    assert refusal(lambda: activate_rules(**late)) == "conflict"


def test_a_draft_whose_days_have_passed_does_not_begin(admin: User) -> None:
    rule = measured(draft(admin))

    BlacklistRule.objects.update(ends_on=YESTERDAY)
    assert refusal(lambda: activate_rules(rules=[rule], by=admin)) == "ended"
    BlacklistRule.objects.update(ends_on=None, review_on=YESTERDAY)
    assert refusal(lambda: activate_rules(rules=[rule], by=admin)) == "no-review"


# --- Off ------------------------------------------------------------------------------------------


def test_a_rule_is_switched_off_with_a_reason_and_stays_off(admin: User) -> None:
    rule = active_rule("host", "farm.example")
    off = {"rule": rule, "base_version": 1, "by": admin}

    assert refusal(lambda: switch_off(**off, reason="")) == "reason-missing"
    switch_off(**off, reason="The site was sold.")

    rule.refresh_from_db()
    assert rule.state == "off"
    assert Job.objects.get().task == EVERYWHERE
    assert history_of(rule)[0].reason == "The site was sold."
    again = {"rule": rule, "base_version": 2, "by": admin}
    assert refusal(lambda: switch_off(**again, reason="The site was sold.")) == "off"
    assert refusal(lambda: edit_rule(given=said(admin), **again)) == "off"


def test_a_draft_is_put_away_without_looking_at_sources(admin: User) -> None:
    rule = draft(admin)

    switch_off(rule=rule, reason="Not needed.", base_version=1, by=admin)

    assert not Job.objects.exists()


def test_the_same_rule_may_be_written_again_after_it_was_switched_off(admin: User) -> None:
    active_rule("host_and_subdomains", "farm.example", state="off")

    activate_rules(rules=[measured(draft(admin))], by=admin)

    assert BlacklistRule.objects.filter(state="active").count() == 1
