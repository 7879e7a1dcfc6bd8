"""The search language of lists: ``kind:factual score:<5 -is:done "a phrase"`` as terms and back."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from .query_errors import QueryError, Wrong
from .query_values import FieldSpec, checked_value

__all__ = ["FieldSpec", "Op", "Query", "QueryError", "Term", "parse", "wildcard_regex"]

QUERY_CHARACTERS = 2000
TERMS = 50

_MINUS = frozenset("-－")
_COLON = frozenset(":：")
_COMMA = frozenset(",，")
_OPENING = {'"': '"“”', "“": '"“”', "”": '"“”'}  # an input method may give either half
_SIGNS = re.compile("<=|>=|[<>=≤≥＜＞＝]")
_SIGN_CHARACTERS = "<>=≤≥＜＞＝"
_PLAIN_SIGNS = {"≤": "<=", "≥": ">=", "＜": "<", "＞": ">", "＝": "="}
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Op(StrEnum):
    """How a term compares."""

    IS = "is"  # any of the values
    CONTAINS = "contains"  # the text has any of the values in it
    LIKE = "like"  # the whole text fits any of the patterns, in which * stands for anything
    EXACT = "exact"  # the whole text is any of the values
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="


_SIGN_OF = {Op.EXACT: "=", **{op: op.value for op in (Op.LESS, Op.AT_MOST, Op.MORE, Op.AT_LEAST)}}


@dataclass(frozen=True, slots=True)
class Term:
    """One condition; ``field`` is None for bare words. Equal if they ask the same."""

    field: str | None
    op: Op
    values: tuple[str, ...]
    negated: bool = False
    start: int = dataclasses.field(default=0, compare=False)  # place in the text it was read from
    end: int = dataclasses.field(default=0, compare=False)

    @property
    def value(self) -> str:
        """Give the first value; the only one, but for lists."""
        return self.values[0]

    def to_text(self) -> str:
        """Give the term as one would type it."""
        minus = "-" if self.negated else ""
        if self.field is None:
            return minus + _shown(self.value, bare=True, op=self.op)
        values = ",".join(_shown(value, bare=False, op=self.op) for value in self.values)
        return f"{minus}{self.field}:{_SIGN_OF.get(self.op, '')}{values}"


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that must all hold."""

    terms: tuple[Term, ...] = ()

    def to_text(self) -> str:
        """Give the query as one would type it; parsing that gives the query again."""
        return " ".join(term.to_text() for term in self.terms)

    def with_term(self, term: Term) -> "Query":
        """Give the query with one more condition, at the end unless it is there already."""
        return self if term in self.terms else Query((*self.terms, term))

    def without_term(self, term: Term) -> "Query":
        """Give the query without a condition."""
        return Query(tuple(other for other in self.terms if other != term))

    def without_field(self, name: str) -> "Query":
        """Give the query without the conditions on a field."""
        return Query(tuple(term for term in self.terms if term.field != name))

    def of_field(self, name: str) -> tuple[Term, ...]:
        """Give the conditions on a field."""
        return tuple(term for term in self.terms if term.field == name)


def parse(text: str, fields: Mapping[str, FieldSpec]) -> Query:
    """Read a query; raise QueryError, which points at a character, for what cannot be read.

    Full-width signs and curly quotes count as their plain forms. Field names and choices are read
    in any case and given as they were declared.
    """
    if len(text) > QUERY_CHARACTERS:
        raise QueryError(Wrong.TOO_LONG, QUERY_CHARACTERS, limit=QUERY_CHARACTERS)
    if (odd := _UNSTORABLE.search(text)) is not None:
        raise QueryError(Wrong.UNSTORABLE, odd.start())
    return Query(tuple(_Reader(text, fields).terms()))


def wildcard_regex(pattern: str) -> str:
    """Give a regular expression for the whole of a text that fits a LIKE pattern."""
    parts = re.split(r"\*+", pattern)
    return "^" + ".*".join(re.escape(part) for part in parts) + "$"


class _Reader:
    def __init__(self, text: str, fields: Mapping[str, FieldSpec]) -> None:
        self._text = text
        self._fields = fields
        self._names = {name.casefold(): name for name in fields}
        self._at = 0

    def terms(self) -> Iterable[Term]:
        count = 0
        while self._skip_space():
            count += 1
            if count > TERMS:
                raise QueryError(Wrong.TOO_MANY_TERMS, self._at, limit=TERMS)
            start = self._at
            term = self._term()
            yield dataclasses.replace(term, start=start, end=self._at)

    def _term(self) -> Term:
        negated = self._peek() in _MINUS
        if negated:
            self._at += 1
            if not self._peek().strip():
                raise QueryError(Wrong.NOTHING_NEGATED, self._at - 1)
        if self._peek() in _OPENING:
            value = self._quoted()
            self._refuse_glued()
            return Term(None, Op.CONTAINS, (value,), negated)
        start = self._at
        word = self._until(_COLON)
        if not word:
            raise QueryError(Wrong.NO_FIELD, start)
        if self._peek() not in _COLON:
            return Term(None, Op.CONTAINS, (word,), negated)
        name = self._name(word, start)
        self._at += 1
        return self._condition(name, negated)

    def _name(self, word: str, start: int) -> str:
        name = self._names.get(word.casefold())
        if name is not None:
            return name
        near = get_close_matches(word.casefold(), self._names, n=1)
        if near:
            raise QueryError(Wrong.UNKNOWN_FIELD_NEAR, start, field=word, near=self._names[near[0]])
        raise QueryError(Wrong.UNKNOWN_FIELD, start, field=word, fields=", ".join(self._fields))

    def _condition(self, name: str, negated: bool) -> Term:
        spec = self._fields[name]
        sign_at = self._at
        sign = self._sign()
        raw = self._values(name)
        op = self._op(name, spec, sign, sign_at, raw)
        values = tuple(checked_value(spec, name, value, at) for value, at, _ in raw)
        return Term(name, op, values, negated)

    def _sign(self) -> str:
        found = _SIGNS.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return _PLAIN_SIGNS.get(found.group(), found.group())

    def _op(
        self, name: str, spec: FieldSpec, sign: str, sign_at: int, raw: list[tuple[str, int, bool]]
    ) -> Op:
        if sign in ("<", "<=", ">", ">="):
            if spec.kind not in ("number", "date"):
                raise QueryError(Wrong.NOT_ORDERED, sign_at, field=name, sign=sign)
            if len(raw) > 1:
                raise QueryError(Wrong.ONE_VALUE, raw[1][1], sign=sign)
            return Op(sign)
        if spec.kind != "text":
            return Op.IS
        if sign:
            return Op.EXACT
        if not any("*" in value and not quoted for value, _, quoted in raw):
            return Op.CONTAINS
        for _, at, quoted in raw:
            if quoted:
                raise QueryError(Wrong.MIXED, at)
        return Op.LIKE

    def _values(self, name: str) -> list[tuple[str, int, bool]]:
        found: list[tuple[str, int, bool]] = []
        while True:
            at, quoted = self._at, self._peek() in _OPENING
            value = self._quoted() if quoted else self._until(_COMMA)
            if not value:
                raise QueryError(Wrong.NO_VALUE, at, field=name)
            found.append((value, at, quoted))
            if self._peek() not in _COMMA:
                self._refuse_glued()
                return found
            self._at += 1

    def _quoted(self) -> str:
        opened, closers = self._at, _OPENING[self._peek()]
        parts: list[str] = []
        self._at += 1
        while (character := self._peek()) and character not in closers:
            if character == "\\" and self._at + 1 < len(self._text):
                self._at += 1
                character = self._peek()
            parts.append(character)
            self._at += 1
        if not character:
            raise QueryError(Wrong.UNCLOSED_QUOTE, opened)
        self._at += 1
        if not parts:
            raise QueryError(Wrong.EMPTY_QUOTE, opened)
        return "".join(parts)

    def _refuse_glued(self) -> None:
        if self._peek().strip():
            raise QueryError(Wrong.GLUED, self._at)

    def _until(self, ends: frozenset[str]) -> str:
        start = self._at
        while (character := self._peek()) and not character.isspace() and character not in ends:
            self._at += 1
        return self._text[start : self._at]

    def _skip_space(self) -> bool:
        while self._peek().isspace():
            self._at += 1
        return self._at < len(self._text)

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""


def _shown(value: str, *, bare: bool, op: Op) -> str:
    if op is Op.LIKE or not _needs_quotes(value, bare=bare, op=op):
        return value
    escaped = re.sub('(["“”\\\\])', r"\\\1", value)
    return f'"{escaped}"'


def _needs_quotes(value: str, *, bare: bool, op: Op) -> bool:
    if any(character.isspace() or character in '"“”' for character in value):
        return True
    if bare:
        return value[0] in _MINUS or any(character in _COLON for character in value)
    if op is Op.CONTAINS and "*" in value:
        return True
    return value[0] in _SIGN_CHARACTERS or any(character in _COMMA for character in value)
