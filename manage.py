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

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
