"""JSON that a command prints: readable as it is, and never a reason to fail."""

import json
import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(value: object, *, indent: int | None = None) -> str:
    """Give JSON with every character as it is, but half surrogate pairs as ``\\udXXX``."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
