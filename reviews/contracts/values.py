"""Questions about a JSON value of unknown type, none of which can fail."""

import re
from collections.abc import Collection
from typing import TypeGuard

DIMENSION_ID = re.compile(r"d\d+")
CLAIM_ID = re.compile(r"d\d+\.c\d+")
CONTEXT_ID = re.compile(r"d\d+\.w\d+")
KEY_QUESTION_ID = re.compile(r"kq\d+")


def matches(value: object, pattern: re.Pattern[str]) -> TypeGuard[str]:
    """Tell whether a value is a string of the pattern, but for one final newline."""
    return isinstance(value, str) and pattern.fullmatch(value.removesuffix("\n")) is not None


def is_all(value: object, pattern: re.Pattern[str]) -> TypeGuard[str]:
    """Tell whether a value is a string that is the pattern to its last character."""
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_text(value: object) -> TypeGuard[str]:
    """Tell whether a value is a string with something but white space in it."""
    return isinstance(value, str) and bool(value.strip())


def has_length(value: object, shortest: int, longest: int) -> TypeGuard[str]:
    """Tell whether a value is a string of so many code points, blanks included."""
    return isinstance(value, str) and shortest <= len(value) <= longest


def is_one_of(value: object, names: Collection[str]) -> TypeGuard[str]:
    """Tell whether a value is one of the names, exactly as written."""
    return isinstance(value, str) and value in names


def is_filled(value: object) -> TypeGuard[list[object]]:
    """Tell whether a value is an array with at least one item."""
    return isinstance(value, list) and bool(value)


def are_unique_strings(values: list[object]) -> bool:
    """Tell whether all items are strings and no two are equal."""
    texts = [value for value in values if isinstance(value, str)]
    return len(texts) == len(values) == len(set(texts))


def objects(values: object) -> list[dict[str, object]]:
    """Give the objects among the items of an array; none if it is no array."""
    if not isinstance(values, list):
        return []
    return [value for value in values if isinstance(value, dict)]


def length(value: object) -> str:
    """Say how long a string is, or that there is none."""
    return str(len(value)) if isinstance(value, str) else "–"
