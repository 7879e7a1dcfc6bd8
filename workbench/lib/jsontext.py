"""Strict JSON from outside: one reading only, and the place of whatever is wrong."""

import codecs
import json
import re
from dataclasses import dataclass
from typing import NoReturn

from .json_errors import JsonError, Limits, Reason
from .json_locating import Locator
from .notices import Notice
from .texts import Text

__all__ = ["JsonError", "Limits", "Notice", "Parsed", "decode_text", "parse", "parse_text"]

type Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

DEFAULT = Limits()

BOM = Text(
    en="The file starts with a byte order mark, which was skipped.",
    zh="文件开头有字节顺序标记（BOM），已跳过。",
)
CRLF = Text(
    en="Lines end with CR LF, as on Windows; they were read as LF.",
    zh="换行符是 Windows 的 CR LF，已按 LF 读取。",
)
FENCED = Text(
    en="The JSON stood inside a Markdown fence, which was skipped.",
    zh="JSON 写在 Markdown 代码围栏里，围栏已跳过。",
)
DECODED_AS = Text(
    en="The file is not UTF-8; it was read as {encoding}. Check the characters.",
    zh="文件不是 UTF-8，已按 {encoding} 读取。请核对文字。",
)

_FENCES = ("```", "~~~")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WIDE_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value and what was tolerated on the way to it."""

    value: Json
    notices: tuple[Notice, ...] = ()


class _RefusedError(Exception):
    """Stop the fast reader; the locator then finds the place."""


def parse(data: bytes, *, limits: Limits = DEFAULT) -> Parsed:
    """Read one JSON document of UTF-8 bytes, strictly.

    Refuses NaN, infinities, duplicate keys, lone surrogates, NUL, too deep and too long values.
    Tolerates, each with a notice, a byte order mark, CR LF and a Markdown fence around it all.
    Raises JsonError with line and column from 1 and the JSON path.
    """
    if len(data) > limits.size:
        raise JsonError(Reason.TOO_LARGE, limit=limits.size, size=len(data))
    text, notices = _decode_strictly(data)
    parsed = parse_text(text, limits=limits)
    return Parsed(parsed.value, (*notices, *parsed.notices))


def parse_text(text: str, *, limits: Limits = DEFAULT) -> Parsed:
    """Read one JSON document that is already text, as strictly as ``parse``."""
    notices: list[Notice] = []
    if "\r\n" in text:
        notices.append(Notice("crlf", CRLF))
    start, end = 0, len(text)
    if (body := _fenced(text)) is not None:
        start, end = body
        notices.append(Notice("fenced", FENCED))
    value = _read(text, start, end, limits)
    return Parsed(value, tuple(notices))


def decode_text(data: bytes) -> tuple[str, tuple[Notice, ...]]:
    """Decode bytes by their byte order mark, else as UTF-8, else as GB18030; say which.

    Raises JsonError ``not_utf8`` when none of them fits.
    """
    for bom, encoding in _WIDE_BOMS:
        if data.startswith(bom):
            return _decode_as(data, encoding)
    try:
        return _decode_strictly(data)
    except JsonError as error:
        try:
            return _decode_as(data, "gb18030")
        except JsonError:
            raise error from None


def _decode_as(data: bytes, encoding: str) -> tuple[str, tuple[Notice, ...]]:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _not_decodable(data, error.start) from None
    return text, (Notice("decoded_as", DECODED_AS, {"encoding": encoding.upper()}),)


def _decode_strictly(data: bytes) -> tuple[str, tuple[Notice, ...]]:
    notices: tuple[Notice, ...] = ()
    for bom, encoding in _WIDE_BOMS:
        if data.startswith(bom):
            raise JsonError(Reason.WIDE_ENCODING, encoding=encoding.upper())
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        notices = (Notice("bom", BOM),)
    try:
        return data.decode("utf-8"), notices
    except UnicodeDecodeError as error:
        raise _not_decodable(data, error.start) from None


def _not_decodable(data: bytes, start: int) -> JsonError:
    line_start = data.rfind(b"\n", 0, start) + 1
    column = len(data[line_start:start].decode("utf-8", "replace")) + 1
    line = data.count(b"\n", 0, start) + 1
    return JsonError(Reason.NOT_UTF8, line=line, column=column, byte=f"0x{data[start]:02X}")


def _fenced(text: str) -> tuple[int, int] | None:
    document = text.strip()
    if not document.startswith(_FENCES):
        return None
    mark = document[0] * (len(document) - len(document.lstrip(document[0])))
    opening, newline, _ = document.partition("\n")
    if not newline or not document.endswith(mark) or len(document) < len(opening) + len(mark):
        return None
    first = text.index(document[:3])
    return first + len(opening) + 1, first + len(document) - len(mark)


def _read(text: str, start: int, end: int, limits: Limits) -> Json:
    body = text if (start, end) == (0, len(text)) else text[start:end]
    try:
        value: Json = _decoder(limits).decode(body)
    except (_RefusedError, RecursionError, json.JSONDecodeError) as error:
        Locator(text, start, end, limits).run()
        raise _unlocated(text, error) from None
    if _is_deeper(value, limits.depth) or _is_suspect(body, value, limits):
        Locator(text, start, end, limits).run()
    return value


def _decoder(limits: Limits) -> json.JSONDecoder:
    def whole(digits: str) -> int:
        if len(digits) - digits.startswith("-") > limits.digits:
            raise _RefusedError
        return int(digits)

    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite, parse_int=whole
    )


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RefusedError
    return found


def _refuse(_: str) -> NoReturn:
    raise _RefusedError


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _RefusedError
    return value


def _is_suspect(body: str, value: Json, limits: Limits) -> bool:
    # Only an escape can bring a NUL or half a character past the decoder.
    if not limits.allow_nul and "\\u0000" in body:
        return True
    if _SURROGATE.search(body) is None:
        return False
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _is_deeper(value: Json, limit: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return bool(level)


def _unlocated(text: str, error: Exception) -> JsonError:
    place = error.pos if isinstance(error, json.JSONDecodeError) else 0
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    return JsonError(Reason.EXPECTED_VALUE, line=line, column=column, found="?")
