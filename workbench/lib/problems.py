"""What readers of whole files gather: errors, notices, and how often, each with its place."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .json_errors import JsonError
from .notices import InputError, Notice, Spoken, shown
from .texts import Text

NO_HINT = Text("", "")
SPOKEN_CHARACTERS = 300  # of an error within a message
SHOWN_OF_A_KIND = 5  # notices of one rule in one file that are listed one by one


@dataclass(frozen=True, slots=True)
class Rule:
    """What can be wrong or unusual in a file. ``id`` is stored and never reused."""

    id: str
    text: Text
    hint: Text = NO_HINT


type Speech = Callable[[str, object, str], object]  # name, value, language → as it is said


def spoken(name: str, value: object, language: str) -> object:
    """Give a value of a message as it is said in a language; a tuple as a list of its items."""
    if isinstance(value, tuple):
        mark = "、" if language.lower().startswith("zh") else ", "
        return mark.join(str(spoken(name, each, language)) for each in value)
    if isinstance(value, InputError | Notice | Text):
        return value.render(language)
    if isinstance(value, Spoken):
        return shown(value.render(language), SPOKEN_CHARACTERS)
    return shown(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or notice with its place."""

    rule: Rule
    file: str
    line: int | None = None  # from 1
    path: str = ""  # JSON path
    values: Mapping[str, object] = field(default_factory=dict)
    say: Speech = spoken

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """Give the problem as formats.md section 10 has it, in a language."""
        values = {name: self.say(name, value, language) for name, value in self.values.items()}
        return {
            "file": self.file,
            "line": self.line,
            "path": self.path,
            "rule": self.rule.id,
            "message": self.rule.text.render(language, **values),
            "hint": self.rule.hint.render(language, **values),
        }

    def stored(self) -> dict[str, Any]:
        """Give the problem in both languages: the Chinese texts under ``…_zh``."""
        chinese = self.to_json("zh")
        return self.to_json("en") | {
            "message_zh": chinese["message"],
            "hint_zh": chinese["hint"],
        }


MORE = Rule(
    "MORE_OF_THIS",
    Text(
        en="More notices of the kind {code} in this file: {count}.",
        zh="此文件中还有 {count} 条 {code} 类提示。",
    ),
)


class Log:
    """Errors, notices and counts being gathered while files are read."""

    def __init__(self, say: Speech = spoken) -> None:
        self.errors: list[Problem] = []
        self.skipped: Counter[str] = Counter()  # record kind -> what errors keep out
        self.spoilt: set[str] = set()  # files of which something was skipped
        self._say = say
        self._notices: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def error(
        self,
        rule: Rule,
        file: str,
        /,
        *,
        line: int | None = None,
        path: str = "",
        skips: str = "",
        **values: object,
    ) -> None:
        """Note what cannot be imported; ``skips`` names the kind of record that it costs."""
        if line is None and isinstance(fault := values.get("fault"), JsonError):
            line, path = fault.line, path or fault.path
        self.errors.append(Problem(rule, file, line, path, values, self._say))
        self.spoilt.add(file)
        if skips:
            self.skipped[skips] += 1

    def notice(
        self,
        rule: Rule,
        file: str,
        /,
        *,
        line: int | None = None,
        path: str = "",
        **values: object,
    ) -> None:
        """Note what is unusual and was accepted; many of one kind in a file are counted."""
        self._counts[rule.id, file] += 1
        if self._counts[rule.id, file] <= SHOWN_OF_A_KIND:
            self._notices.append(Problem(rule, file, line, path, values, self._say))

    def count(self, rule: Rule) -> int:
        """Tell how many notices of a rule there are, listed or only counted."""
        return sum(number for (rule_id, _), number in self._counts.items() if rule_id == rule.id)

    def tally(self) -> dict[str, int]:
        """Give how many notices of each rule there are, listed or only counted."""
        found: Counter[str] = Counter()
        for (rule_id, _), number in self._counts.items():
            found[rule_id] += number
        return dict(found)

    @property
    def notices(self) -> list[Problem]:
        """Give the notices, with one line for all that were only counted."""
        rest = [
            Problem(MORE, file, values={"count": count - SHOWN_OF_A_KIND, "code": rule_id})
            for (rule_id, file), count in self._counts.items()
            if count > SHOWN_OF_A_KIND
        ]
        return self._notices + rest
