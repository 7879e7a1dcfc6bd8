"""What readers of outside files say: notices of what was tolerated, errors of what was not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .texts import Text

SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that was unusual, and accepted."""

    code: str
    text: Text
    values: Mapping[str, object] = field(default_factory=dict)

    def render(self, language: str) -> str:
        """Give the notice in a language, with its values."""
        return self.text.render(language, **self.values)


class Spoken(Exception):
    """An error that speaks both languages; ``str()`` is the English text.

    Values that speak both languages themselves, such as the error behind this one, are said in
    the language that is asked for.
    """

    def __init__(self, text: Text, /, **values: object) -> None:
        self.text = text
        self.values = values
        super().__init__(self.render("en"))

    def render(self, language: str) -> str:
        """Give the message in a language, with its values."""
        return self.text.render(language, **{k: _said(v, language) for k, v in self.values.items()})


def _said(value: object, language: str) -> object:
    return value.render(language) if isinstance(value, Spoken | InputError | Text) else value


class InputError(ValueError):
    """Refuse something from outside, with a code and a text in both languages."""

    def __init__(self, code: str, text: Text, values: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.text = text
        self.values = dict(values or {})
        super().__init__(self.render("en"))

    def render(self, language: str) -> str:
        """Give the message in a language, with its values."""
        return self.text.render(language, **self.values)


def shown(value: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Give an outside string fit for a message: short, on one line, nothing invisible."""
    head = value[:limit]
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in head)
    return safe + "…" if len(value) > limit else safe
