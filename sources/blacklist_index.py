"""The active rules of the blacklist, compiled and kept in memory until somebody changes one."""

from collections.abc import Iterable
from datetime import date, datetime
from threading import Lock

from django.db.models import Count, Max, Sum
from django.utils import timezone

from .blacklist.matching import Index
from .blacklist.rules import Effect, Kind, Rule, Scope, Unless
from .models import BlacklistRule, TableChange

TABLE = "blacklistrule"  # its name in the history of tables

# How many active rules there are, the newest, how often they were changed and when one last began
# to hold: other rules, other signature. The day is part of it, as rules end by date.
type Signature = tuple[int, int, int, datetime | None, date]

_lock = Lock()
_kept: tuple[Signature, Index] | None = None


def load_index(today: date | None = None) -> Index:
    """Give the rules that hold today. One small query, and two where a rule was changed since."""
    global _kept
    signature = _signature(today or timezone.localdate())
    with _lock:
        if _kept is not None and _kept[0] == signature:
            return _kept[1]
    index = index_of(BlacklistRule.objects.filter(state=BlacklistRule.State.ACTIVE), signature[-1])
    with _lock:
        _kept = (signature, index)
    return index


def index_of(rows: Iterable[BlacklistRule], today: date) -> Index:
    """Compile rules as they would hold on a day. One query for the version."""
    return Index((rule_of(row) for row in rows), version=str(rules_version()), today=today)


def rules_version() -> int:
    """Give the number of the last change of a rule: the version that hits rest on."""
    return TableChange.objects.filter(table=TABLE).aggregate(last=Max("pk"))["last"] or 0


def rule_of(row: BlacklistRule) -> Rule:
    """Give a rule as it is compared; the one mapper from the row."""
    return Rule(
        id=row.pk,
        scope=Scope(row.scope),
        key=row.pattern_key,
        effect=Effect(row.effect),
        kind=Kind(row.kind),
        level=row.level,
        unless=Unless(row.unless),
        pattern=row.pattern,
        reason=row.reason,
        ends_on=row.ends_on,
    )


def _signature(today: date) -> Signature:
    found = BlacklistRule.objects.filter(state=BlacklistRule.State.ACTIVE).aggregate(
        rows=Count("pk"), newest=Max("pk"), changes=Sum("version"), since=Max("activated_at")
    )
    return found["rows"], found["newest"] or 0, found["changes"] or 0, found["since"], today
