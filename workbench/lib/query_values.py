"""What a field of a search may hold, and the one form in which its values are given."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Literal

from .query_errors import QueryError, Wrong

_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?", re.ASCII)
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?", re.ASCII)
_FLAGS = {
    "yes": "yes", "true": "yes", "1": "yes", "是": "yes",
    "no": "no", "false": "no", "0": "no", "否": "no",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field that can be searched; a choice without ``choices`` takes any one word."""

    kind: Literal["choice", "text", "number", "date", "flag"]
    choices: tuple[str, ...] = ()


def checked_value(spec: FieldSpec, name: str, value: str, at: int) -> str:
    """Give a value in its one form; raise QueryError at a place if the field cannot hold it.

    Flags give yes or no; dates an ISO year, month or day; choices as they were declared.
    """
    return _CHECKS[spec.kind](spec, name, value, at)


def _choice(spec: FieldSpec, name: str, value: str, at: int) -> str:
    known = {choice.casefold(): choice for choice in spec.choices}
    if not known:
        return value
    if (found := known.get(value.casefold())) is not None:
        return found
    near = get_close_matches(value.casefold(), known, n=1)
    if near:
        raise QueryError(
            Wrong.UNKNOWN_CHOICE_NEAR, at, field=name, value=value, near=known[near[0]]
        )
    choices = ", ".join(spec.choices)
    raise QueryError(Wrong.UNKNOWN_CHOICE, at, field=name, value=value, choices=choices)


def _text(_spec: FieldSpec, _name: str, value: str, _at: int) -> str:
    return value


def _number(_spec: FieldSpec, name: str, value: str, at: int) -> str:
    if not _NUMBER.fullmatch(value):
        raise QueryError(Wrong.NOT_A_NUMBER, at, field=name, value=value)
    return value


def _date(_spec: FieldSpec, name: str, value: str, at: int) -> str:
    found = _DATE.fullmatch(value)
    try:
        if found is None:
            raise ValueError(value)
        year, month, day = found.groups(default="01")
        date(int(year), int(month), int(day))
    except ValueError:
        raise QueryError(Wrong.NOT_A_DATE, at, field=name, value=value) from None
    return value


def _flag(_spec: FieldSpec, name: str, value: str, at: int) -> str:
    if (found := _FLAGS.get(value.casefold())) is None:
        raise QueryError(Wrong.NOT_A_FLAG, at, field=name, value=value)
    return found


_CHECKS: dict[str, Callable[[FieldSpec, str, str, int], str]] = {
    "choice": _choice,
    "text": _text,
    "number": _number,
    "date": _date,
    "flag": _flag,
}
