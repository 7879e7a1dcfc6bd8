"""Rules of the blacklist for tests: the starter rules gone, one made by one call."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from sources.blacklist.patterns import key_of
from sources.models import BlacklistHit, BlacklistRule, User
from sources.rule_input import RuleInput


def no_rules() -> None:
    """Take the rules of the beginning away."""
    BlacklistHit.objects.all().delete()
    BlacklistRule.objects.all().delete()


def active_rule(scope: str, pattern: str, effect: str = "block", **more: Any) -> BlacklistRule:
    """Make a rule that holds."""
    values = {"state": "active", "activated_at": timezone.now(), "reason": "farm"} | more
    return BlacklistRule.objects.create(
        scope=scope, pattern=pattern, pattern_key=key_of(scope, pattern), effect=effect, **values
    )


def said(by: User, pattern: str = "farm.example", **more: Any) -> RuleInput:
    """Give what a form says of a rule."""
    values: dict[str, Any] = {
        "kind": "blacklist_domain",
        "scope": "host_and_subdomains",
        "pattern": pattern,
        "effect": "block",
        "reason": "A content farm.",
        "evidence_link": "https://list.example.org/farms",
        "owner": by,
        "review_on": timezone.localdate() + timedelta(days=365),
    }
    return RuleInput(**(values | more))


def measured(rule: BlacklistRule, claims: int = 0) -> BlacklistRule:
    """Write down that a rule's impact is known."""
    rule.impact = {"rule_version": rule.version, "claims": claims}
    rule.impact_at = timezone.now()
    rule.save(update_fields=["impact", "impact_at"])
    return rule
