"""Write many rows of one model at once."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

BATCH = 500  # rows a statement, within what SQLite takes as parameters


def rewrite(model: Any, rows: Sequence[Any], fields: Iterable[str]) -> None:
    """Write some fields of rows that exist: an upsert, ten times as fast as a bulk update.

    The rows must have been read whole: a deferred field would cost a query for each row.
    """
    names = [name.removesuffix("_id") for name in fields]
    if rows:
        model._default_manager.bulk_create(
            rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=names
        )


def insert(model: Any, rows: Sequence[Any]) -> None:
    """Write new rows, whose numbers the caller does not ask for.

    One statement for all rows: several times as fast as a bulk insert.
    """
    if not rows:
        return
    columns = [
        column
        for column in model._meta.concrete_fields
        if not column.generated and column is not model._meta.auto_field
    ]
    quoted = connection.ops.quote_name
    names = ", ".join(quoted(column.column) for column in columns)
    places = ", ".join("%s" for _column in columns)
    statement = f"INSERT INTO {quoted(model._meta.db_table)} ({names}) VALUES ({places})"  # noqa: S608
    values = [
        [column.get_db_prep_save(column.pre_save(row, True), connection) for column in columns]
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def update(model: Any, rows: Sequence[Any], fields: Iterable[str]) -> None:
    """Write a few fields of rows that exist, and send nothing else of them.

    One statement for all rows: where a row is wide, several times as fast as ``rewrite``.
    """
    columns = [model._meta.get_field(name) for name in fields]
    if not rows:
        return
    quoted = connection.ops.quote_name
    settings = ", ".join(f"{quoted(column.column)} = %s" for column in columns)
    key = model._meta.pk
    statement = (
        f"UPDATE {quoted(model._meta.db_table)} SET {settings} WHERE {quoted(key.column)} = %s"  # noqa: S608
    )
    values = [
        [
            *(
                column.get_db_prep_save(getattr(row, column.attname), connection)
                for column in columns
            ),
            row.pk,
        ]
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
