"""SQLite for several writers: whoever asks first to write, writes first.

A busy SQLite sleeps and looks again, each time longer, up to 0.1 s: whoever has waited long is
overtaken by whoever comes fresh, and some writers wait a hundred times as long as others. Here a
transaction first takes a lock on a file beside the database, which the system hands on in order
and frees with a process that dies. Statements outside a transaction do without it.
"""

import os
from typing import Any

from django.db.backends.sqlite3 import base

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: SQLite's own waiting
    fcntl = None  # type: ignore[assignment]


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that holds its place in the line while its transaction is open."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._line: int | None = None

    def _start_transaction_under_autocommit(self) -> None:
        try:
            self._enter_line()
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave_line()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._leave_line()  # not after a failure: a rollback follows

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave_line()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave_line()

    def _enter_line(self) -> None:
        if fcntl is None or self.is_in_memory_db() or self._line is not None:
            return
        name = f"{self.settings_dict['NAME']}-line"
        self._line = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._line, fcntl.LOCK_EX)

    def _leave_line(self) -> None:
        if self._line is not None:
            os.close(self._line)
            self._line = None
