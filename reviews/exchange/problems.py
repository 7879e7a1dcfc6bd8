"""What an import says about its files: errors, notices, and how often."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reviews.contracts.violations import Violation
from sources.source_cache import SourceCacheError
from workbench.lib.json_errors import JsonError
from workbench.lib.notices import InputError, Notice, shown
from workbench.lib.texts import Text

NO_HINT = Text("", "")
SHOWN_OF_A_KIND = 5  # notices of one rule in one file that are listed one by one


@dataclass(frozen=True, slots=True)
class Rule:
    """What can be wrong or unusual in a file. ``id`` is stored and never reused."""

    id: str
    text: Text
    hint: Text = NO_HINT


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or notice with its place."""

    rule: Rule
    file: str
    line: int | None = None  # from 1
    path: str = ""  # JSON path
    values: Mapping[str, object] = field(default_factory=dict)

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """Give the problem as formats.md section 10 has it, in a language."""
        values = {name: _spoken(value, language) for name, value in self.values.items()}
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


def _spoken(value: object, language: str) -> object:
    if isinstance(value, InputError | Notice):
        return value.render(language)
    if isinstance(value, SourceCacheError | Violation):
        return value.message(language)
    if isinstance(value, Text):
        return value.render(language)
    return shown(value) if isinstance(value, str) else value


MORE = Rule(
    "MORE_OF_THIS",
    Text(
        en="{count} more notices of the kind {code} in this file.",
        zh="此文件中还有 {count} 条 {code} 类提示。",
    ),
)


class Log:
    """Errors, notices and counts being gathered while files are read."""

    def __init__(self) -> None:
        self.errors: list[Problem] = []
        self.skipped: Counter[str] = Counter()  # record kind -> what errors keep out
        self.spoilt: set[str] = set()  # files of which something was skipped
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
        self.errors.append(Problem(rule, file, line, path, values))
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
            self._notices.append(Problem(rule, file, line, path, values))

    def count(self, rule: Rule) -> int:
        """Tell how many notices of a rule there are, listed or only counted."""
        return sum(number for (rule_id, _), number in self._counts.items() if rule_id == rule.id)

    @property
    def notices(self) -> list[Problem]:
        """Give the notices, with one line for all that were only counted."""
        rest = [
            Problem(MORE, file, values={"count": count - SHOWN_OF_A_KIND, "code": rule_id})
            for (rule_id, file), count in self._counts.items()
            if count > SHOWN_OF_A_KIND
        ]
        return self._notices + rest
