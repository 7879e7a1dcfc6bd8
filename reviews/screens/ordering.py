"""Order claims and page through them by key: no offsets, the same order both ways.

A place in a list is the tuple of its sort keys, written as text that an address can carry. Every
order ends with the row's own number, so that it is total and stable.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import (
    Case,
    DateField,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from reviews.models import Claim, Snooze
from reviews.sealing import bound
from sources.models import Project, User

DEFAULT = "-risk"
MAX_MARK = 700  # characters of a place in an address: an external id and its wrapping

# No claim is as risky; those without a risk come last, whichever way the list is turned.
_NO_RISK = 1e9
_LAST_DAY, _FIRST_DAY = date(9999, 12, 31), date(1, 1, 1)


@dataclass(frozen=True, slots=True)
class Key:
    """One sort key: a field, or an expression under a name."""

    name: str
    descending: bool = False
    of: Callable[[User, Project], Combinable] | None = None
    kind: type = int  # of its values: int, float, str, date


def _put_off(absent: date) -> Callable[[User, Project], Combinable]:
    def expression(user: User, _project: Project) -> Combinable:
        mine = Snooze.objects.filter(claim=OuterRef("pk"), reviewer=user).values("until")[:1]
        return Coalesce(Subquery(mine, output_field=DateField()), Value(absent, DateField()))

    return expression


def _risk_upwards(_user: User, _project: Project) -> Combinable:
    none = When(risk_order__lt=0, then=Value(_NO_RISK))
    return Case(none, default=F("risk_order"), output_field=FloatField())


def _unsealed(column: str) -> Callable[[User, Project], Combinable]:
    """Take the claims of the sealed sample as if nothing was found: their place tells nothing."""

    def expression(_user: User, project: Project) -> Combinable:
        if not project.sealed_share:
            return F(column)
        sample = When(seal__lt=bound(project.sealed_share), then=Value(0))
        return Case(sample, default=F(column), output_field=IntegerField())

    return expression


_PK = Key("pk")
_ERRORS = Key("key_errors", of=_unsealed("open_errors"))
_WARNINGS = Key("key_warnings", of=_unsealed("open_warnings"))
SORTS: Mapping[str, tuple[Key, ...]] = {
    "-risk": (Key("risk_order", descending=True, kind=float), _PK),
    "risk": (Key("key_risk", of=_risk_upwards, kind=float), _PK),
    "position": (Key("position"), _PK),
    "-position": (Key("position", descending=True), _PK),
    "id": (Key("external_id", kind=str), _PK),
    "-id": (Key("external_id", descending=True, kind=str), _PK),
    "-checks": (replace(_ERRORS, descending=True), replace(_WARNINGS, descending=True), _PK),
    "checks": (_ERRORS, _WARNINGS, _PK),
    "due": (Key("key_due", of=_put_off(_LAST_DAY), kind=date), _PK),
    "-due": (Key("key_due", descending=True, of=_put_off(_FIRST_DAY), kind=date), _PK),
}


def known(sort: str) -> str:
    """Give a sort's name, the default for one that is not known."""
    return sort if sort in SORTS else DEFAULT


@dataclass(frozen=True, slots=True)
class Order:
    """One order of claims for one user, forwards or turned round."""

    keys: tuple[Key, ...]
    user: User
    project: Project

    @classmethod
    def named(cls, sort: str, user: User, project: Project) -> "Order":
        """Give the order of a sort's name; of the default one where it is not known."""
        return cls(SORTS[known(sort)], user, project)

    def turned(self) -> "Order":
        """Give the same order from its other end."""
        keys = (replace(key, descending=not key.descending) for key in self.keys)
        return replace(self, keys=tuple(keys))

    def over(self, claims: QuerySet[Claim]) -> QuerySet[Claim]:
        """Sort claims, with the expressions that are needed."""
        named = {key.name: key.of(self.user, self.project) for key in self.keys if key.of}
        return (claims.annotate(**named) if named else claims).order_by(
            *(f"-{key.name}" if key.descending else key.name for key in self.keys)
        )

    def after(self, claims: QuerySet[Claim], place: tuple[Any, ...]) -> QuerySet[Claim]:
        """Keep what comes after a place, sorted."""
        return self.over(claims).filter(_beyond(self.keys, place))

    def place_of_pk(self, claim_pk: int) -> tuple[Any, ...] | None:
        """Look up the place of a claim; None where there is no such claim. One query."""
        found = self.over(Claim.objects.filter(pk=claim_pk)).values_list(
            *(key.name for key in self.keys)
        )
        return found.first()

    def mark(self, row: Mapping[str, Any]) -> str:
        """Write the place of a claim for an address; ``row`` holds the values of the keys."""
        place = (row[key.name] for key in self.keys)
        values = [v.isoformat() if isinstance(v, date) else v for v in place]
        said = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        return base64.urlsafe_b64encode(said.encode()).decode("ascii").rstrip("=")

    def read_mark(self, mark: str) -> tuple[Any, ...] | None:
        """Read a place from an address; None where it is none of this order."""
        if not mark or len(mark) > MAX_MARK * 4:
            return None
        try:
            padded = mark.encode("ascii") + b"=" * (-len(mark) % 4)
            values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            if not isinstance(values, list) or len(values) != len(self.keys):
                return None
            return tuple(_typed(key, v) for key, v in zip(self.keys, values, strict=True))
        except (ValueError, TypeError, RecursionError, binascii.Error):
            return None


def _typed(key: Key, value: Any) -> Any:
    if key.kind is date:
        return date.fromisoformat(value)
    if key.kind is str and isinstance(value, str) and "\x00" not in value:
        value.encode()  # UnicodeEncodeError, a ValueError, for half a surrogate pair
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if key.kind is int and not (isinstance(value, int) and -(2**62) < value < 2**62):
        raise TypeError(value)
    if key.kind is str or not abs(value) < 2**62:  # also refuses NaN
        raise TypeError(value)
    return value


def _beyond(keys: tuple[Key, ...], place: tuple[Any, ...]) -> Q:
    """Say "after this place" key by key, as directions may differ.

    The first condition looks superfluous; by it the database enters its index at the place.
    """
    key, value = keys[0], place[0]
    way = "lt" if key.descending else "gt"
    strictly = Q(**{f"{key.name}__{way}": value})
    if len(keys) == 1:
        return strictly
    same = Q(**{key.name: value}) & _beyond(keys[1:], place[1:])
    return Q(**{f"{key.name}__{way}e": value}) & (strictly | same)
