"""End rules of the blacklist whose last day is past, and let the sources hear of it."""

import logging
from datetime import date

from django.db import OperationalError, transaction
from django.utils import timezone

from .following import queue
from .models import BlacklistRule
from .rule_history import tell

log = logging.getLogger(__name__)

EVERYWHERE = "sources.tasks.apply_blacklist"
ENDED = "ended by date"


def end_rules(today: date | None = None) -> int:
    """Switch off what has ended, and queue a look at all sources; give how many ended.

    The look is queued in any case: tables of publishers and hosts, which rules read too, change
    without a rule being changed.
    """
    today = today or timezone.localdate()
    try:
        with transaction.atomic():
            ended = _end(today)
            queue(None, EVERYWHERE)
    except OperationalError as fault:
        log.warning("rules not ended, the database is busy", extra={"fault": str(fault)})
        return 0
    return ended


def _end(today: date) -> int:
    rules = BlacklistRule.objects.select_for_update().filter(
        state=BlacklistRule.State.ACTIVE, ends_on__lt=today
    )
    ended = list(rules)
    for rule in ended:
        rule.state = BlacklistRule.State.OFF
        rule.version += 1
        rule.save(update_fields=["state", "version"])
        tell(rule, old={"state": "active"}, new={"state": "off"}, reason=ENDED, by=None)
    return len(ended)
