"""What a form or a file says of a rule of the blacklist, and whether it can be one."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from workbench.lib.showing import safe_address

from .blacklist.patterns import PatternError, key_of
from .blacklist.rules import LEVELS, Kind
from .models import BlacklistRule, User

MIN_REASON = 3  # characters: enough for 广告站
MAX_REASON = 2_000
_CHOICES = {
    "scope": BlacklistRule.Scope.values,
    "effect": BlacklistRule.Effect.values,
    "kind": [kind.value for kind in Kind],
    "unless": ["", *BlacklistRule.Unless.values],
}


@dataclass(frozen=True, slots=True)
class RuleInput:
    """What is asked for, as it was written."""

    kind: str
    scope: str
    pattern: str
    effect: str
    reason: str
    evidence_link: str
    owner: User | None
    review_on: date | None
    level: str = ""
    unless: str = ""
    ends_on: date | None = None


class RuleError(Exception):
    """A field of a rule cannot be what was asked for; the message is for the user."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message


def checked(given: RuleInput, *, held: bool = False) -> dict[str, Any]:
    """Give the fields of a rule. Raises RuleError, which names the field.

    ``held``: the rule is there already; its days may have passed, and it may have no link.
    """
    _check_choices(given)
    try:
        key = key_of(given.scope, given.pattern)
    except PatternError as error:
        raise RuleError("pattern", error.code, error.render(get_language() or "en")) from None
    reason = given.reason.replace("\x00", "").strip()
    if not MIN_REASON <= len(reason) <= MAX_REASON:
        raise RuleError("reason", "reason-missing", _("Say why."))
    link = given.evidence_link.strip()
    if safe_address(link) is None and not (held and not link):
        message = _("Give an http or https address that shows why.")
        raise RuleError("evidence_link", "no-evidence", message)
    if given.owner is None:
        raise RuleError("owner", "no-owner", _("Say who answers for the rule."))
    _check_days(given, held=held)
    downranks = given.effect == BlacklistRule.Effect.DOWNRANK
    return {
        "kind": given.kind,
        "scope": given.scope,
        "pattern": given.pattern.replace("\x00", "").strip(),
        "pattern_key": key,
        "effect": given.effect,
        "level": given.level if downranks else "",
        "unless": given.unless,
        "reason": reason,
        "evidence_link": link,
        "owner": given.owner,
        "review_on": given.review_on,
        "ends_on": given.ends_on,
    }


def _check_choices(given: RuleInput) -> None:
    for name, known in _CHOICES.items():
        if getattr(given, name) not in known:
            values = ", ".join(value for value in known if value)
            raise RuleError(name, "bad-choice", _("Choose one of: %s.") % values)
    if given.effect == BlacklistRule.Effect.DOWNRANK and given.level not in LEVELS:
        message = _("Choose how far it is downranked: D1, D2 or D3.")
        raise RuleError("level", "no-level", message)
    judged = given.scope == BlacklistRule.Scope.JUDGED
    if judged and given.pattern.strip() != given.kind:
        message = _("A rule about facts is named after its kind: %s.") % given.kind
        raise RuleError("pattern", "other-kind", message)
    if given.unless and (judged or given.effect == BlacklistRule.Effect.ALLOW):
        message = _("Only a rule about a place, publisher or title that restricts has exceptions.")
        raise RuleError("unless", "no-exception", message)


def _check_days(given: RuleInput, *, held: bool) -> None:
    today = timezone.localdate()
    if not held and (given.review_on is None or given.review_on <= today):
        message = _("Give a day to come, on which somebody looks at the rule again.")
        raise RuleError("review_on", "no-review", message)
    if given.ends_on is not None and not held and given.ends_on < today:
        message = _("The last day of the rule is past already.")
        raise RuleError("ends_on", "ended", message)
