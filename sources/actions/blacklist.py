"""Write a rule of the blacklist, make it hold, switch it off. For administrators alone.

A rule is a draft, is measured (``BlacklistRule.impact``), waits for a second administrator where
it blocks what many claims rest on, and then holds. What it hits is not changed while it holds:
a changed copy replaces it when that one begins to hold.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources.blacklist_ending import EVERYWHERE
from sources.following import queue
from sources.models import BlacklistRule, User
from sources.rule_history import content, tell, tell_all
from sources.rule_input import MIN_REASON, RuleError, RuleInput, checked

from .errors import ActionRefused

MEASURED_FOR = timedelta(days=7)  # how long an impact is worth something
# What decides which sources a rule hits, and what becomes of them.
REACH = ("kind", "scope", "pattern", "effect", "level", "unless", "ends_on")
_DRAFT, _WAITING = BlacklistRule.State.DRAFT, BlacklistRule.State.WAITING
_ACTIVE, _OFF = BlacklistRule.State.ACTIVE, BlacklistRule.State.OFF
_BLOCK = BlacklistRule.Effect.BLOCK


class RuleRefused(ActionRefused):
    """A field of a rule cannot be what was asked for; ``field`` names it for the form."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(code, message)
        self.field = field


def require_admin(by: User) -> None:
    """Raise ActionRefused for anybody who is no administrator."""
    if not by.is_active or not by.is_admin:
        raise ActionRefused("not-allowed", _("Only an administrator may change the blacklist."))


def _checked(given: RuleInput) -> dict[str, Any]:
    try:
        return checked(given)
    except RuleError as error:
        raise RuleRefused(error.field, error.code, error.message) from None


# --- Drafts ---------------------------------------------------------------------------------------


@transaction.atomic
def draft_rule(*, given: RuleInput, by: User) -> BlacklistRule:
    """Write a rule that does not hold yet."""
    require_admin(by)
    rule = BlacklistRule.objects.create(**_checked(given), created_by=by)
    tell(rule, old=None, new=content(rule), by=by)
    return rule


@transaction.atomic
def edit_rule(
    *, rule: BlacklistRule, given: RuleInput, base_version: int, by: User
) -> BlacklistRule:
    """Change a rule. Of one that holds, only who answers for it, why, and until when.

    A draft that now reaches other sources has to be measured again.
    """
    require_admin(by)
    rule = _locked(rule, base_version)
    if rule.state == _OFF:
        raise ActionRefused("off", _("This rule is switched off. Make a changed copy of it."))
    fields, old = _checked(given), content(rule)
    moved = [name for name in REACH if name in fields and fields[name] != getattr(rule, name)]
    if rule.state == _ACTIVE and moved != [] and moved != ["ends_on"]:
        raise ActionRefused(
            "holds", _("What a rule hits is not changed while it holds. Make a changed copy of it.")
        )
    for name, value in fields.items():
        setattr(rule, name, value)
    if moved and rule.state != _ACTIVE:
        rule.state, rule.impact, rule.impact_at = _DRAFT, {}, None
        rule.asked_by, rule.asked_at = None, None
    if content(rule) == old:
        return rule
    rule.version += 1
    rule.save()
    tell(rule, old=old, new=content(rule), by=by)
    return rule


def _locked(rule: BlacklistRule, base_version: int | None) -> BlacklistRule:
    found = BlacklistRule.objects.select_for_update().get(pk=rule.pk)
    if base_version is not None and found.version != base_version:
        raise ActionRefused("conflict", _("This rule was changed in the meantime. Look again."))
    return found


# --- Making it hold -------------------------------------------------------------------------------


def is_measured(rule: BlacklistRule) -> bool:
    """Tell whether it is known what the rule, as it stands, would hit."""
    fresh = rule.impact_at is not None and timezone.now() - rule.impact_at < MEASURED_FOR
    return fresh and rule.impact.get("rule_version") == rule.version


def needs_second(rule: BlacklistRule) -> bool:
    """Tell whether a second administrator must agree: a block that many claims rest on."""
    claims = int(rule.impact.get("claims", 0))
    return rule.effect == _BLOCK and claims >= settings.BLACKLIST_SECOND_ADMIN_CLAIMS


@transaction.atomic
def activate_rules(
    *, rules: Iterable[BlacklistRule], by: User, versions: dict[int, int] | None = None
) -> tuple[list[BlacklistRule], list[BlacklistRule]]:
    """Let measured drafts hold; give those that hold now, and those that wait for a second person.

    All or none: one that was not measured, or has changed since, refuses all.
    """
    require_admin(by)
    keys = [rule.pk for rule in rules]
    found = list(BlacklistRule.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    if len(found) != len(set(keys)) or not found:
        raise ActionRefused("gone", _("Choose at least one draft."))
    for rule in found:
        if versions is not None and versions.get(rule.pk) != rule.version:
            raise ActionRefused("conflict", _("This rule was changed in the meantime. Look again."))
        if rule.state != _DRAFT:
            raise ActionRefused("no-draft", _("“%s” is no draft.") % rule.pattern)
        _require_measured(rule)
        _require_days(rule)
    waiting = [rule for rule in found if needs_second(rule)]
    for rule in waiting:
        _set(rule, state=_WAITING, asked_by=by, asked_at=timezone.now())
    tell_all(((rule, {"state": _DRAFT}, {"state": _WAITING}) for rule in waiting), by=by)
    holding = [rule for rule in found if rule not in waiting]
    _begin(holding, by, _DRAFT)
    return holding, waiting


def _require_measured(rule: BlacklistRule) -> None:
    if not is_measured(rule):
        message = _("It is not known what “%s” would hit. Measure its impact first.")
        raise ActionRefused("not-measured", message % rule.pattern)


def _require_days(rule: BlacklistRule) -> None:
    """Refuse a rule whose days have passed while it was a draft."""
    today = timezone.localdate()
    if rule.owner_id is None or rule.review_on is None or rule.review_on <= today:
        message = _("“%s” needs an owner and a day to come on which it is looked at again.")
        raise ActionRefused("no-review", message % rule.pattern)
    if rule.ends_on is not None and rule.ends_on < today:
        raise ActionRefused("ended", _("The last day of “%s” is past already.") % rule.pattern)


@transaction.atomic
def second_rule(
    *, rule: BlacklistRule, agree: bool, reason: str, base_version: int, by: User
) -> BlacklistRule:
    """Agree to a rule that waits, or turn it down with a reason, as the second administrator."""
    require_admin(by)
    rule = _locked(rule, base_version)
    if rule.state != _WAITING:
        raise ActionRefused("no-waiting", _("This rule waits for nobody."))
    if rule.asked_by_id == by.pk:
        raise ActionRefused("same-person", _("The second administrator must be another person."))
    reason = reason.replace("\x00", "").strip()
    if agree:
        _require_days(rule)
        _begin([rule], by, _WAITING, reason)
        return rule
    if len(reason) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    _set(rule, state=_DRAFT, asked_by=None, asked_at=None)
    tell(rule, old={"state": _WAITING}, new={"state": _DRAFT}, by=by, reason=reason)
    return rule


def _begin(rules: Sequence[BlacklistRule], by: User, before: str, reason: str = "") -> None:
    """Let rules hold, in the place of those with the same pattern that did."""
    if not rules:
        return
    for rule in rules:
        _replace(rule, by)
        _set(rule, state=_ACTIVE, activated_by=by, activated_at=timezone.now())
    told = ((rule, {"state": before}, {"state": _ACTIVE}) for rule in rules)
    tell_all(told, by=by, reason=reason)
    queue(None, EVERYWHERE, by=by)


def replaced_by(rule: BlacklistRule) -> BlacklistRule | None:
    """Give the rule that stops to hold when this one begins to. One query."""
    same = BlacklistRule.objects.filter(
        kind=rule.kind, scope=rule.scope, pattern_key=rule.pattern_key, state=_ACTIVE
    )
    return same.exclude(pk=rule.pk).first()


def _replace(rule: BlacklistRule, by: User) -> None:
    old = replaced_by(rule)
    if old is not None:
        _set(old, state=_OFF)
        reason = f"replaced by rule {rule.pk}"
        tell(old, old={"state": _ACTIVE}, new={"state": _OFF}, by=by, reason=reason)


@transaction.atomic
def switch_off(*, rule: BlacklistRule, reason: str, base_version: int, by: User) -> BlacklistRule:
    """Let a rule hold no longer, or put a draft away. Its hits stay as a log."""
    require_admin(by)
    reason = reason.replace("\x00", "").strip()
    if len(reason) < MIN_REASON:
        raise ActionRefused("reason-missing", _("Say why."))
    rule = _locked(rule, base_version)
    if rule.state == _OFF:
        raise ActionRefused("off", _("This rule is switched off already."))
    held = rule.state
    _set(rule, state=_OFF, asked_by=None, asked_at=None)
    tell(rule, old={"state": held}, new={"state": _OFF}, by=by, reason=reason)
    if held == _ACTIVE:
        queue(None, EVERYWHERE, by=by)
    return rule


def _set(rule: BlacklistRule, **values: Any) -> None:
    """Write a change of state. What was measured before is still what it was measured for."""
    rule.version += 1
    if rule.impact.get("rule_version") == rule.version - 1:
        rule.impact = {**rule.impact, "rule_version": rule.version}
        values["impact"] = rule.impact
    for name, value in values.items():
        setattr(rule, name, value)
    rule.save(update_fields=[*values, "version"])
