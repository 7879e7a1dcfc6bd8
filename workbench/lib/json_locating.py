"""Finds the first fault of a JSON text: slow and exact, run only after a fast reader refused."""

import re
from typing import NoReturn

from .json_errors import JsonError, Limits, Reason
from .notices import shown

PATH_CHARACTERS = 120

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_LIKE = re.compile(r"[-+.0-9eE]+")
_WORD = re.compile(r"[^\s,:\[\]{}\"]+")
_PLAIN = re.compile(r"[^\"\\\x00-\x1f]*")
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_LITERALS = ("true", "false", "null")
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "nan", "inf")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Locator:
    """Walks text[start:end] and raises JsonError at the first fault."""

    def __init__(self, text: str, start: int, end: int, limits: Limits) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._limits = limits
        self._path: list[str | int] = []

    def run(self) -> None:
        """Raise JsonError for the first fault; return if there is none."""
        at = self._skip(self._start)
        if at == self._end:
            self._fail(Reason.EMPTY, at)
        at = self._skip(self._value(at))
        if at < self._end:
            self._fail(self._nul_or(Reason.TRAILING_DATA, at), at, found=self._word(at))

    def _value(self, at: int) -> int:
        head = self._peek(at)
        if head in ("{", "["):
            if len(self._path) >= self._limits.depth:
                self._fail(Reason.TOO_DEEP, at, limit=self._limits.depth)
            return self._object(at) if head == "{" else self._array(at)
        if head == '"':
            return self._string(at)[0]
        for literal in _LITERALS:
            if self._text.startswith(literal, at, self._end):
                return at + len(literal)
        return self._number(at)

    def _object(self, opened: int) -> int:
        at = self._skip(opened + 1)
        keys: set[str] = set()
        if self._peek(at) == "}":
            return at + 1
        while True:
            if self._peek(at) != '"':
                self._fail(self._unless_end(Reason.EXPECTED_KEY, at), at, opened, "{")
            after, key = self._string(at)
            if key in keys:
                self._fail(Reason.DUPLICATE_KEY, at, key=shown(key))
            keys.add(key)
            self._path.append(key)
            colon = self._skip(after)
            if self._peek(colon) != ":":
                self._fail(self._unless_end(Reason.EXPECTED_COLON, colon), colon, opened, "{")
            at = self._member_end(self._skip(colon + 1), opened, "{", "}")
            if at < 0:
                return -at
            if self._peek(at) == "}":
                self._fail(Reason.TRAILING_COMMA, self._text.rindex(",", 0, at))

    def _array(self, opened: int) -> int:
        at = self._skip(opened + 1)
        if self._peek(at) == "]":
            return at + 1
        index = 0
        while True:
            self._path.append(index)
            at = self._member_end(at, opened, "[", "]")
            if at < 0:
                return -at
            if self._peek(at) == "]":
                self._fail(Reason.TRAILING_COMMA, self._text.rindex(",", 0, at))
            index += 1

    def _member_end(self, at: int, opened: int, opener: str, closer: str) -> int:
        # Negative: the container was closed there. Zero cannot happen, as something was opened.
        if at == self._end:
            self._fail(Reason.UNCLOSED, opened, found=opener)
        at = self._skip(self._value(at))
        self._path.pop()
        if self._peek(at) == closer:
            return -(at + 1)
        if self._peek(at) != ",":
            self._fail(self._unless_end(Reason.EXPECTED_COMMA, at), at, opened, opener, closer)
        return self._skip(at + 1)

    def _string(self, opened: int) -> tuple[int, str]:
        at = opened + 1
        parts: list[str] = []
        while True:
            plain = self._match(_PLAIN, at)
            parts.append(plain)
            at += len(plain)
            head = self._peek(at)
            if head == '"':
                return at + 1, "".join(parts)
            if head == "":
                self._fail(Reason.UNCLOSED_STRING, opened)
            if head != "\\":
                reason = self._nul_or(Reason.CONTROL_CHARACTER, at)
                self._fail(reason, at, character=f"U+{ord(head):04X}")
            at, character = self._escape(at)
            parts.append(character)

    def _escape(self, at: int) -> tuple[int, str]:
        found = self._match(_ESCAPE, at)
        if not found:
            if self._end - at < 2 or (self._text[at + 1] == "u" and self._end - at < 6):
                self._fail(Reason.UNCLOSED_STRING, at)
            self._fail(Reason.BAD_ESCAPE, at, found=shown(self._text[at : min(at + 2, self._end)]))
        if found[1] != "u":
            return at + 2, _ESCAPED.get(found[1], found[1])
        unit = int(found[2:], 16)
        if unit == 0 and not self._limits.allow_nul:
            self._fail(Reason.NUL, at)
        if not 0xD800 <= unit <= 0xDFFF:
            return at + 6, chr(unit)
        second = self._match(_ESCAPE, at + 6)
        low = int(second[2:], 16) if second[1:2] == "u" else 0
        if unit > 0xDBFF or not 0xDC00 <= low <= 0xDFFF:
            self._fail(Reason.LONE_SURROGATE, at, found=found)
        return at + 12, chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def _number(self, at: int) -> int:
        word = self._word(at)
        if word.startswith(_NO_NUMBERS):
            self._fail(Reason.NOT_A_NUMBER, at, found=word)
        found = self._match(_NUMBER, at)
        like = self._match(_NUMBER_LIKE, at)
        if found != like or (not found and word[:1] in "+-.0123456789" and word):
            self._fail(Reason.BAD_NUMBER, at, found=shown(like or word, 24))
        if not found:
            self._fail(self._nul_or(Reason.EXPECTED_VALUE, at), at, found=word)
        if found.lstrip("-").isdigit():
            digits = len(found.lstrip("-"))
            if digits > self._limits.digits:
                self._fail(Reason.TOO_MANY_DIGITS, at, digits=digits, limit=self._limits.digits)
        elif abs(float(found)) == float("inf"):
            self._fail(Reason.NUMBER_TOO_LARGE, at, found=shown(found, 24))
        return at + len(found)

    def _skip(self, at: int) -> int:
        return at + len(self._match(_SPACE, at))

    def _peek(self, at: int) -> str:
        return self._text[at] if at < self._end else ""

    def _match(self, pattern: re.Pattern[str], at: int) -> str:
        found = pattern.match(self._text, at, self._end)
        return found.group() if found else ""

    def _word(self, at: int) -> str:
        return shown(self._match(_WORD, at) or self._peek(at), 24)

    def _nul_or(self, reason: Reason, at: int) -> Reason:
        return Reason.NUL if self._peek(at) == "\0" else reason

    def _unless_end(self, reason: Reason, at: int) -> Reason:
        return Reason.UNCLOSED if at == self._end else self._nul_or(reason, at)

    def _fail(
        self,
        reason: Reason,
        at: int,
        opened: int | None = None,
        opener: str = "",
        closer: str = "",
        **values: object,
    ) -> NoReturn:
        if opened is not None:
            values = {"found": self._word(at), "closer": closer}
            if reason is Reason.UNCLOSED:
                at, values = opened, {"found": opener}
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise JsonError(reason, line=line, column=column, path=path_text(self._path), **values)


def path_text(steps: list[str | int]) -> str:
    """Give a JSON path as people write it: ``claims[0].id``; empty for the document."""
    parts: list[str] = []
    for step in steps:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _IDENTIFIER.fullmatch(step):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f'["{shown(step, 40)}"]')
    return shown("".join(parts), PATH_CHARACTERS)
