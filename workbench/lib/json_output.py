"""JSON that a command prints: readable as it is, and never a reason to fail."""

import json
import re
from typing import Protocol

_SURROGATE = re.compile("[\ud800-\udfff]")


class Writer(Protocol):
    """Anything with ``write``; its ``encoding`` is respected if it has one."""

    def write(self, text: str, /) -> object:
        """Take a text."""
        ...


def to_json(value: object, *, indent: int | None = None) -> str:
    """Give JSON with every character as it is, but half surrogate pairs as ``\\udXXX``."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def write_json(stream: Writer, value: object, *, indent: int | None = None) -> None:
    """Write JSON and a line end; a stream that is no Unicode gets all but ASCII as ``\\uXXXX``."""
    text = to_json(value, indent=indent)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    stream.write(f"{text}\n")
