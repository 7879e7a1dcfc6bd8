#!/usr/bin/env python
"""Run Django's commands and the workbench's own."""

import os
import sys
from io import TextIOWrapper


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that is no Unicode gets escapes, instead of ending the command.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as fault:
        if "--traceback" in sys.argv:
            raise
        sys.exit(_not_ready(fault))


def _not_ready(fault: Exception) -> int:
    """Say that the database did not answer as it should; 2, as of wrong arguments."""
    said = str(fault).strip() or type(fault).__name__
    print(  # noqa: T201
        f"The database is not ready: {said}. A new one, or one of an older version, is brought "
        "up to date by ./run manage migrate.",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    main()
