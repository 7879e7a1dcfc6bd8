"""The page of one rule of the blacklist: what it says, what it would hit, what it hit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from reviews.actions.blacklist import measuring
from reviews.screens.hit_rows import HitRow, hit_row
from reviews.screens.rule_listing import EFFECTS, STATES, hits_of
from sources.actions.blacklist import is_measured, needs_second, replaced_by
from sources.blacklist.patterns import readable_key
from sources.models import BlacklistRule, Job, TableChange, User
from sources.rule_history import history_of

HITS_SHOWN = 50
CHANGES_SHOWN = 50
_CHOICES: Mapping[str, Any] = {
    "kind": BlacklistRule.Kind,
    "scope": BlacklistRule.Scope,
    "effect": BlacklistRule.Effect,
    "unless": BlacklistRule.Unless,
    "state": BlacklistRule.State,
}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One line of a rule's history."""

    change: TableChange
    reason: str
    fields: tuple[tuple[str, str, str], ...]  # name, old, new


@dataclass(slots=True)
class RuleDesk:
    """Everything that the page of a rule shows."""

    rule: BlacklistRule
    effect_chip: str
    state_chip: str
    readable: str  # its host as readers write it, where that is another form
    measured: bool
    second: bool  # a second administrator must agree
    most: int  # claims from which that is so
    replaces: BlacklistRule | None
    job: Job | None  # that measures it
    hits: list[HitRow]
    hits_more: bool
    recent: int  # hits of the last 90 days
    current: int
    history: list[ChangeRow]
    others: int  # other active administrators


def rule_desk(rule: BlacklistRule, user: User) -> RuleDesk:
    """Load what the page shows. The queries do not grow with the rows."""
    draft = rule.state in {BlacklistRule.State.DRAFT, BlacklistRule.State.WAITING}
    hits = list(
        rule.hit_rows.filter(current=True)
        .select_related("source__project")
        .order_by("-pk")[: HITS_SHOWN + 1]
    )
    readable = readable_key(rule.scope, rule.pattern_key)
    admins = User.objects.filter(is_active=True, is_superuser=True).exclude(pk=user.pk)
    return RuleDesk(
        rule=rule,
        effect_chip=EFFECTS[rule.effect],
        state_chip=STATES[rule.state],
        readable="" if readable == rule.pattern_key else readable,
        measured=is_measured(rule),
        second=needs_second(rule),
        most=settings.BLACKLIST_SECOND_ADMIN_CLAIMS,
        replaces=replaced_by(rule) if draft else None,
        job=_job(rule) if draft else None,
        hits=[hit_row(hit) for hit in hits[:HITS_SHOWN]],
        hits_more=len(hits) > HITS_SHOWN,
        recent=hits_of([rule.pk]).get(rule.pk, 0),
        current=rule.hit_rows.filter(current=True).count(),
        history=[_change(change) for change in history_of(rule)[:CHANGES_SHOWN]],
        others=admins.count(),
    )


def _job(rule: BlacklistRule) -> Job | None:
    return next((job for job in measuring() if rule.pk in job.args.get("rules", [])), None)


# --- History --------------------------------------------------------------------------------------


def _change(change: TableChange) -> ChangeRow:
    old, new = change.old or {}, change.new or {}
    names = [name for name in _words() if name in new or name in old]
    fields = tuple(
        (_words()[name], _value(name, old.get(name)), _value(name, new.get(name)))
        for name in names
        if old.get(name) not in ("", None) or new.get(name) not in ("", None)
    )
    return ChangeRow(change, _reason(change.reason), fields)


def _words() -> dict[str, str]:
    return {
        "state": _("state"),
        "effect": _("effect"),
        "level": _("level"),
        "scope": _("scope"),
        "pattern": _("pattern"),
        "kind": _("kind"),
        "unless": _("unless"),
        "reason": _("reason"),
        "evidence_link": _("link to the evidence"),
        "owner": _("owner"),
        "review_on": _("look at it again on"),
        "ends_on": _("ends after"),
    }


def _value(name: str, value: object) -> str:
    if value in ("", None):
        return ""
    choices = _CHOICES.get(name)
    if choices is not None and value in choices.values:
        return str(choices(value).label)
    return str(value)


def _reason(text: str) -> str:
    """Say what the program itself wrote in the reader's language."""
    if text == "ended by date":
        return _("It ended by its date.")
    if text.startswith("replaced by rule "):
        return _("Rule %s took its place.") % text.rpartition(" ")[2]
    return text


def review_default(today: Any) -> Any:
    """Give the day on which a new rule is looked at again, unless somebody says otherwise."""
    return today + timedelta(days=365)
