"""Name reviewers in what leaves the project: in full, by initials, or by a pseudonym. Pure."""

import string
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.lib.texts import Text

FULL, INITIALS, PSEUDONYMS = MODES = ("full", "initials", "pseudonyms")
_NAMING = frozenset({"reviewer", "decided_by", "built_by"})
_REVIEWER = Text("Reviewer {letter}", "审查人{letter}")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who judged; people are given in the order in which they joined."""

    username: str
    full_name: str = ""


def names_of(people: Iterable[Person], mode: str, language: str = "en") -> Mapping[str, str]:
    """Give the name to show for each user name. Raises ValueError for an unknown mode.

    Pseudonyms follow the order of the people given, so that they stay when others join.
    """
    listed = list(people)
    if mode == FULL:
        shown = {p.username: " ".join(p.full_name.split()) or p.username for p in listed}
        count = Counter(shown.values())
        return {
            username: name if count[name] == 1 else f"{name} ({username})"
            for username, name in shown.items()
        }
    if mode == INITIALS:
        return _told_apart({p.username: initials(p.full_name or p.username) for p in listed})
    if mode == PSEUDONYMS:
        return {
            p.username: _REVIEWER.render(language, letter=letters(number))
            for number, p in enumerate(listed)
        }
    raise ValueError(f"unknown way to name people: {mode}")


def initials(name: str) -> str:
    """Give the first letters of a name's parts; of a Chinese name the first character."""
    parts = [part for part in name.replace(".", " ").replace("_", " ").split() if part]
    return "".join(f"{part[0].upper()}." for part in parts[:4]) or "–"


def letters(number: int) -> str:
    """Count with letters: A for 0, Z for 25, AA for 26."""
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        found = string.ascii_uppercase[rest] + found
    return found


def rename(value: Any, names: Mapping[str, str]) -> Any:
    """Give the same content with other names of people; texts that people wrote stay."""
    if isinstance(value, list):
        return [rename(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names.get(each, each)
        if key in _NAMING and isinstance(each, str)
        else [names.get(name, name) for name in each]
        if key == "reviewers"
        else rename(each, names)
        for key, each in value.items()
    }


def _told_apart(names: dict[str, str]) -> dict[str, str]:
    seen: Counter[str] = Counter()
    given = {}
    for username, name in names.items():
        seen[name] += 1
        given[username] = name if seen[name] == 1 else f"{name}{seen[name]}"
    return given
