"""Documents of the contracts as files: read them as the format does."""

import json
from enum import StrEnum
from pathlib import Path

from workbench.lib.texts import Text

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024


class Fault(StrEnum):
    """Why a document could not be read."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    ENCODING = "encoding"
    SYNTAX = "syntax"


_TEXTS = {
    Fault.MISSING: Text("File not found: {path}", "找不到文件：{path}"),
    Fault.UNREADABLE: Text("{path} cannot be read: {reason}", "{path} 无法读取：{reason}"),
    Fault.ENCODING: Text(
        "{path} is not UTF-8 ({reason}). Save it as UTF-8.",
        "{path} 不是 UTF-8（{reason}）。请另存为 UTF-8。",
    ),
    Fault.SYNTAX: Text("{path} is not JSON: {reason}", "{path} 不是 JSON：{reason}"),
}


class DocumentError(Exception):
    """A document could not be read; ``str()`` says why, in English."""

    def __init__(self, fault: Fault, path: str, reason: object = "") -> None:
        self.fault = fault
        self.path = path
        self.reason = str(reason)
        super().__init__(self.message())

    def message(self, language: str = "en") -> str:
        """Say why, in the language of a BCP 47 tag."""
        return _TEXTS[self.fault].render(language, path=self.path, reason=self.reason)


def read_document(name: str) -> object:
    """Give the parsed document, or raise ``DocumentError``.

    Strict UTF-8 and no byte order mark; NaN and Infinity are taken, the last of two equal keys
    wins (formats.md section 8). Imports read more strictly.
    """
    try:
        text = _read(name).decode()
    except UnicodeDecodeError as error:
        raise DocumentError(Fault.ENCODING, name, f"byte {error.start}") from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno}, column {error.colno}{_advice(text)}"
        raise DocumentError(Fault.SYNTAX, name, reason) from error
    except RecursionError as error:
        raise DocumentError(Fault.SYNTAX, name, "it is nested too deeply") from error
    except ValueError as error:
        # Python caps the digits of an integer.
        raise DocumentError(Fault.SYNTAX, name, "a number has too many digits") from error


def _read(name: str) -> bytes:
    path = Path(name)
    try:
        if not name or not path.exists():
            raise DocumentError(Fault.MISSING, name)
        if not path.is_file():
            raise DocumentError(Fault.UNREADABLE, name, "it is not a file")
        with path.open("rb") as stream:
            data = stream.read(MAX_DOCUMENT_BYTES + 1)
    except (OSError, RuntimeError) as error:
        # pathlib raises RuntimeError for a loop of links before Python 3.13.
        raise DocumentError(Fault.UNREADABLE, name, error) from error
    except ValueError as error:
        # A name with a NUL in it.
        raise DocumentError(Fault.MISSING, name) from error
    if len(data) > MAX_DOCUMENT_BYTES:
        raise DocumentError(Fault.UNREADABLE, name, f"larger than {MAX_DOCUMENT_BYTES} bytes")
    return data


def _advice(text: str) -> str:
    start = text[:4].lstrip()
    if text.startswith("\ufeff"):
        return "; the file starts with a byte order mark, save it without"
    if start.startswith("```"):
        return "; the document stands in a Markdown fence, remove the fence"
    return ""
