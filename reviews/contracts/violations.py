"""What a contract validator finds: violations with a place, in two languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from reprlib import Repr
from typing import Protocol, runtime_checkable

from workbench.lib.notices import shown
from workbench.lib.texts import Text

_SHOWN = Repr(maxlevel=2, maxlist=4, maxdict=4, maxstring=80, maxlong=40, maxother=80)


@runtime_checkable
class Phrase(Protocol):
    """Part of a message that is itself in two languages, such as the reason of an error."""

    def message(self, language: str = "en") -> str:
        """Give the words in the language of a BCP 47 tag."""
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """What a broken rule says, and what to do about it. ``id`` is stored and never reused."""

    id: str
    text: Text
    hint: Text


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule broken at one place of a document."""

    rule: str  # "V036"
    path: str  # "claims[3].evidence[0].snippet"; empty for the document as a whole
    text: Text
    hint_text: Text
    values: Mapping[str, str | Phrase] = field(default_factory=dict)

    def message(self, language: str = "en") -> str:
        """Say what is wrong, in the language of a BCP 47 tag."""
        return self.text.render(language, **self._spoken(language))

    def hint(self, language: str = "en") -> str:
        """Say what to do, in the language of a BCP 47 tag."""
        return self.hint_text.render(language, **self._spoken(language))

    def _spoken(self, language: str) -> dict[str, str]:
        return {"path": self.path} | {
            name: value if isinstance(value, str) else value.message(language)
            for name, value in self.values.items()
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """All violations of a document in the order of the rules, and its figures if it has none."""

    violations: tuple[Violation, ...]
    stats: Mapping[str, object] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Tell whether the document keeps the contract."""
        return not self.violations


class Findings:
    """Violations being gathered."""

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def add(self, rule: Rule, path: str, **values: object) -> None:
        """Note a broken rule; values fill its text and are shortened for showing."""
        filled = {
            name: value if isinstance(value, Phrase) else show(value)
            for name, value in values.items()
        }
        self._violations.append(Violation(rule.id, path, rule.text, rule.hint, filled))

    def require(self, holds: bool, rule: Rule, path: str, **values: object) -> bool:
        """Note the rule as broken unless it holds; give back whether it holds."""
        if not holds:
            self.add(rule, path, **values)
        return holds

    def all(self) -> tuple[Violation, ...]:
        """Give the violations in the order in which they were found."""
        return tuple(self._violations)


def show(value: object) -> str:
    """Give a short form of any value for a message."""
    if isinstance(value, str):
        return shown(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _SHOWN.repr(value)
