"""Say what a change of many claims would do, before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Count
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.models import Claim, Finding, Snooze
from reviews.queries.reading import Search
from reviews.screens.ordering import Order

LIMIT = 5_000  # claims changed at once


class TooMany(Exception):
    """The selection holds more claims than are changed at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to do with the selected claims."""

    action: str  # later | dismiss | key | not_key
    until: date | None = None
    check: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What one claim's row is and would be."""

    claim: Claim
    old: str
    new: str


@dataclass(slots=True)
class Preview:
    """Every claim that would change, and how many of the selection would not."""

    changes: list[Change] = field(default_factory=list)
    unchanged: int = 0

    @property
    def claims(self) -> list[Claim]:
        return [change.claim for change in self.changes]


def selected(found: Search, sort: str, wanted: Wanted, ids: Sequence[str] | None) -> list[Claim]:
    """Give the claims of a query, or of it those with these ids. Raises TooMany. One query."""
    claims = Order.named(sort, found.scope.user, found.scope.project).over(found.claims())
    if ids is not None:
        claims = claims.filter(external_id__in=ids)
    if wanted.action == "dismiss" and found.scope.project.sealed_share:
        # Nobody dismisses what the sealed sample hides until the claim is judged.
        claims = claims.exclude(found.scope.sealed())
    rows = list(claims.only("external_id", "text", "is_key", "key_reason", "project")[: LIMIT + 1])
    if len(rows) > LIMIT:
        raise TooMany
    for row in rows:
        row.project = found.scope.project
    return rows


def preview(found: Search, claims: Sequence[Claim], wanted: Wanted) -> Preview:
    """Say for each claim what is and what would be. One query at most."""
    if wanted.action == "later":
        return _later(found, claims, wanted)
    if wanted.action == "dismiss":
        return _dismiss(claims, wanted)
    key = wanted.action == "key"
    old, new = (_("not key"), _("key claim")) if key else (_("key claim"), _("not key"))
    changes = [Change(claim, old, new) for claim in claims if claim.is_key != key]
    return Preview(changes, len(claims) - len(changes))


def _later(found: Search, claims: Sequence[Claim], wanted: Wanted) -> Preview:
    own = Snooze.objects.filter(claim__in=[c.pk for c in claims], reviewer=found.scope.user)
    until = dict(own.values_list("claim", "until"))
    new = _day(wanted.until)
    changes = [
        Change(claim, _day(until.get(claim.pk)), new)
        for claim in claims
        if until.get(claim.pk) != wanted.until
    ]
    return Preview(changes, len(claims) - len(changes))


def _day(day: date | None) -> str:
    return "–" if day is None else date_format(day, "Y-m-d")


def _dismiss(claims: Sequence[Claim], wanted: Wanted) -> Preview:
    raised = Finding.objects.filter(
        claim__in=[claim.pk for claim in claims],
        check_id=wanted.check,
        state=Finding.State.OPEN,
    )
    open_on = dict(raised.order_by().values_list("claim").annotate(Count("pk")))
    changes = []
    for claim in claims:
        if count := open_on.get(claim.pk, 0):
            old = ngettext("%d open", "%d open", count) % count
            new = ngettext("%d dismissed", "%d dismissed", count) % count
            changes.append(Change(claim, old, new))
    return Preview(changes, len(claims) - len(changes))
