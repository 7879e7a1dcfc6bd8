"""Cells that a spreadsheet program must never take for formulas. Security, "Files in"."""

import re

# What makes a cell a formula for Excel, LibreOffice and the like, also after white space, which
# some of them drop. The full-width forms are folded by some on reading.
_TRIGGER = re.compile(r"\s*[=+\-@|%＝＋－＠]|\s*[\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?\Z")
_MARK = "'"


def neutral_cell(value: object) -> object:
    """Give a value for a cell: a text that would be a formula gets a leading apostrophe.

    A plain number stays one. ``plain_cell`` undoes it.
    """
    if not isinstance(value, str) or _NUMBER.match(value):
        return value
    marked = value.startswith(_MARK) and _TRIGGER.match(value.lstrip(_MARK))
    return _MARK + value if marked or _TRIGGER.match(value) else value


def plain_cell(value: object) -> object:
    """Give the value that was written by ``neutral_cell``."""
    if not isinstance(value, str) or not value.startswith(_MARK):
        return value
    return value[1:] if _TRIGGER.match(value.lstrip(_MARK)) else value
