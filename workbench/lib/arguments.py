"""Types of the arguments that commands take."""

from argparse import ArgumentTypeError


def storable_text(value: str) -> str:
    """Give a text that can be looked up and stored; refuse what is no Unicode, and NUL."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        shown = value.encode(errors="backslashreplace").decode()
        raise ArgumentTypeError(f"“{shown}” is not UTF-8; write or rename it in UTF-8") from error
    if "\0" in value:
        raise ArgumentTypeError("a NUL character cannot be part of it")
    return value
