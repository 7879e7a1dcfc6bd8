"""Queries whose SQL is written once, and then asked again and again with other values.

Django takes longer to write the SQL of a page's queries than a database takes to answer them. What
every page asks in the same way is written once for each process:

    @prepared
    def roles(user: Given, project: Given) -> QuerySet[Any, Any]:
        return Membership.objects.filter(user=user, project=project).values_list("role")

    roles(user=1, project=2)  # [("lead",)]
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Expression, QuerySet, Value

EXACTLY = 64  # values of a list, up to which there is SQL for each length; then for each power of 2

type Given = Any  # what stands for a value while the SQL is written
type Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Slot:
    """The place of a value, or of one of a sequence, among the parameters."""

    name: str
    at: int | None = None


class _Slots(Expression):
    """The places of a sequence, as ``IN`` takes them."""

    def __init__(self, name: str, length: int) -> None:
        super().__init__()
        self.slots = tuple(_Slot(name, at) for at in range(length))

    def as_sql(self, _compiler: Any, _connection: Any) -> tuple[str, Any]:
        return f"({', '.join('%s' for _ in self.slots)})", self.slots


def _filled(param: Any, values: Mapping[str, Any]) -> Any:
    if not isinstance(param, _Slot):
        return param
    value = values[param.name]
    return value if param.at is None else value[param.at]


@dataclass(frozen=True, slots=True)
class _Written:
    """A query's SQL, and how to read what the database gives."""

    query: Any
    sql: str
    params: Sequence[Any]
    converters: Mapping[int, Any]

    def rows(self, values: Mapping[str, Any]) -> Rows:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [_filled(param, values) for param in self.params])
            rows: Iterable[Sequence[Any]] = cursor.fetchall()
        if self.converters:
            compiler = self.query.get_compiler(connection=connection)
            rows = compiler.apply_converters(rows, self.converters)
        return [tuple(row) for row in rows]


class Prepared:
    """A query that is called with its values by name, and gives its rows as tuples.

    A value is a number, a text or a date, or a list of such for ``__in``. An empty list is for the
    caller to see to, and so is what depends on a value in another way than as a parameter: it is
    asked about once.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]]) -> None:
        self._build = build
        self._written: dict[tuple[tuple[str, int | None], ...], _Written] = {}

    def __call__(self, **values: Any) -> Rows:
        """Ask the database. One query."""
        values = {n: _filled_up(v) if isinstance(v, list) else v for n, v in values.items()}
        shape = tuple((n, len(v) if isinstance(v, list) else None) for n, v in values.items())
        if shape not in self._written:
            self._written[shape] = self._write(shape)
        return self._written[shape].rows(values)

    def _write(self, shape: tuple[tuple[str, int | None], ...]) -> _Written:
        given = {
            name: Value(_Slot(name)) if length is None else _Slots(name, length)
            for name, length in shape
        }
        query: Any = self._build(**given).query
        compiler = query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        columns = [column for column, *_ in compiler.select[: compiler.col_count]]
        return _Written(query, sql, params, compiler.get_converters(columns))


def _filled_up(values: list[Any]) -> list[Any]:
    """Repeat the last value of a long list, so that few lengths are asked for."""
    length = len(values)
    if length <= EXACTLY:
        return values
    return values + values[-1:] * ((1 << (length - 1).bit_length()) - length)


def prepared(build: Callable[..., QuerySet[Any, Any]]) -> Prepared:
    """Make a prepared query of a function that builds it from what stands for its values."""
    return Prepared(build)
