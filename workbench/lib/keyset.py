"""Page through rows by the values of their sort keys: no offsets, the same order both ways.

A place in a list is the tuple of its keys' values, written as text that an address can carry.
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db.models import Model, Q, QuerySet

MAX_MARK = 2800  # characters of a place in an address


@dataclass(frozen=True, slots=True)
class SortKey:
    """A column that sorts, never null; the last key of an order must tell all rows apart."""

    name: str
    descending: bool = False
    kind: type = int  # of its values: int, str, Decimal


@dataclass(frozen=True, slots=True)
class Turn:
    """Where in the list a page begins: at the start, after or before a mark, or at the end."""

    after: str = ""
    before: str = ""
    last: bool = False

    @classmethod
    def asked(cls, given: Mapping[str, str]) -> "Turn":
        """Read it from the parameters of an address."""
        return cls(given.get("after", ""), given.get("before", ""), "last" in given)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of one page, as dictionaries, and the marks of its neighbours where there are any."""

    rows: list[dict[str, Any]]
    previous: str = ""
    next: str = ""


def page[T: Model](
    rows: QuerySet[T], keys: Sequence[SortKey], turn: Turn, *, size: int, columns: Sequence[str]
) -> Page:
    """Give one page of plain values. One query."""
    names = dict.fromkeys((*columns, *(key.name for key in keys)))
    backwards = turn.last or bool(turn.before)
    order = [replace(k, descending=not k.descending) for k in keys] if backwards else list(keys)
    place = read_mark(order, turn.before if backwards else turn.after)
    if place is not None:
        rows = rows.filter(_beyond(order, place))
    sorted_rows = rows.order_by(*(f"-{k.name}" if k.descending else k.name for k in order))
    found = list(sorted_rows.values(*names)[: size + 1])
    more, found = len(found) > size, found[:size]
    if backwards:
        found.reverse()
    before, after = (more, place is not None) if backwards else (place is not None, more)
    return Page(
        found,
        write_mark(keys, found[0]) if before and found else "",
        write_mark(keys, found[-1]) if after and found else "",
    )


def write_mark(keys: Sequence[SortKey], row: Mapping[str, Any]) -> str:
    """Write the place of a row for an address."""
    values = [str(v) if isinstance(v := row[key.name], Decimal) else v for key in keys]
    said = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(said.encode()).decode("ascii").rstrip("=")


def read_mark(keys: Sequence[SortKey], mark: str) -> tuple[Any, ...] | None:
    """Read a place from an address; None where it is none of this order."""
    if not mark or len(mark) > MAX_MARK:
        return None
    try:
        padded = mark.encode("ascii") + b"=" * (-len(mark) % 4)
        values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        if not isinstance(values, list) or len(values) != len(keys):
            return None
        return tuple(_typed(key.kind, v) for key, v in zip(keys, values, strict=True))
    except (ValueError, TypeError, RecursionError, binascii.Error, InvalidOperation):
        return None


def _typed(kind: type, value: Any) -> Any:
    if kind is int and type(value) is int and -(2**62) < value < 2**62:
        return value
    if kind is str and isinstance(value, str) and "\x00" not in value:
        value.encode()  # UnicodeEncodeError, a ValueError, for half a surrogate pair
        return value
    if kind is Decimal and isinstance(value, str):
        number = Decimal(value)
        if number.is_finite() and abs(number) < 10**6:
            return number
    raise TypeError(value)


def _beyond(keys: Sequence[SortKey], place: Sequence[Any]) -> Q:
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
