"""Plain values out of JSON of unknown shape, none of which can fail."""

import json
from typing import Any

from .problems import Log
from .records import fingerprint
from .rules import SHORTENED


def text_of(value: object) -> str:
    """Give a value as text: nothing for null, a number as written, a string as it is."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool | dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def objects(value: object) -> list[dict[str, Any]]:
    """Give the objects of an array; none where it is no array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: object) -> list[str]:
    """Give the strings of an array; none where it is no array."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


class Fields:
    """Takes the known keys of an object; what remains is its extra fields."""

    def __init__(self, data: dict[str, Any], file: str, path: str, log: Log) -> None:
        self.extra = dict(data)
        self._file = file
        self._path = path
        self._log = log

    def text(self, key: str, limit: int | None = None) -> str:
        """Give a field as text; whatever that loses stays among the extra fields."""
        value = self.extra.get(key)
        if value is None:
            self.extra.pop(key, None)  # null says the same as a missing key
            return ""
        text = text_of(value)
        if isinstance(value, str):
            del self.extra[key]
        if limit is not None and len(text) > limit:
            self.extra[key] = value
            path = f"{self._path}.{key}" if self._path else key
            self._log.notice(SHORTENED, self._file, path=path, limit=limit)
            return shorten(text, limit)
        return text

    def take(self, key: str) -> Any:
        """Give a field as it is and drop it from the extra fields."""
        return self.extra.pop(key, None)


def shorten(text: str, limit: int) -> str:
    """Cut a text to a limit; different texts stay different."""
    return text if len(text) <= limit else f"{text[: limit - 14]}…{fingerprint(text)[:12]}"
