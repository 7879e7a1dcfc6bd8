"""JSON Lines, one line in memory at a time; a bad line never stops a good one."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from .json_errors import Reason
from .jsontext import BOM, CRLF, DECODED_AS, DEFAULT, FENCED, Json, JsonError, Limits, Notice, parse
from .jsontext import parse_text as _parse_text
from .texts import Text
from .whole_files import written_whole

LINE_BYTES = 16 * 2**20
_CHUNK = 256 * 1024
_FENCE = re.compile(rb"[ \t]*(?:```+|~~~+)[\w+-]*[ \t]*")
_BLANK = b" \t\r\n"
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode  # made once for all lines
_KINDS = {list: "[…]", str: "“…”", bool: "true/false", type(None): "null"}

BLANK_LINES = Text(en="Blank lines, skipped: {count}.", zh="已跳过 {count} 个空行。")


class ByteLines(Protocol):
    """A stream that gives bytes line by line."""

    def readline(self, size: int = -1, /) -> bytes:
        """Give the next line, at most ``size`` bytes of it; empty at the end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number from 1, and a value or an error."""

    number: int
    value: dict[str, Json] | None = None
    error: JsonError | None = None
    notices: tuple[Notice, ...] = ()


def read_lines(
    source: Path | ByteLines,
    *,
    limits: Limits = DEFAULT,
    line_bytes: int = LINE_BYTES,
    allow_gb18030: bool = False,
) -> Iterator[Line]:
    """Give every line that is not blank, in order, as an object or as an error.

    Lines end at LF alone, never at the other characters that Python takes for line ends. A line
    that is no object, or longer than ``line_bytes``, is an error. What was tolerated (byte order
    mark, CR LF, blank lines, a Markdown fence, GB18030 where allowed) is a notice of the next
    line given, once for each kind.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read_lines(
                stream, limits=limits, line_bytes=line_bytes, allow_gb18030=allow_gb18030
            )
        return
    reader = _Reader(limits, line_bytes, allow_gb18030)
    for number, raw in enumerate(_raw_lines(source, line_bytes), start=1):
        line = reader.line(number, raw)
        if line is not None:
            yield line


def write_lines(target: Path | IO[bytes], records: Iterable[Mapping[str, object]]) -> int:
    """Write records, one a line, with LF and their own key order; give their number.

    A path is replaced at once when all is written. Raises ValueError for NaN, infinities and
    half characters.
    """
    if not isinstance(target, Path):
        return _write(target, records)
    with written_whole(target) as stream:
        return _write(stream, records)


def _write(stream: IO[bytes], records: Iterable[Mapping[str, object]]) -> int:
    count = 0
    for record in records:
        stream.write(_encode(record).encode() + b"\n")
        count += 1
    return count


def _raw_lines(stream: ByteLines, most: int) -> Iterator[bytes | None]:
    # None stands for a line that is too long; its rest is passed over without being kept.
    while raw := stream.readline(most + 2):
        if len(raw) < most + 2 or raw.endswith(b"\n"):
            yield raw
            continue
        yield None
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(_CHUNK)


class _Reader:
    def __init__(self, limits: Limits, line_bytes: int, allow_gb18030: bool) -> None:
        self._limits = limits
        self._line_bytes = line_bytes
        self._allow_gb18030 = allow_gb18030
        self._told: set[str] = set()
        self._waiting: list[Notice] = []
        self._blank = 0

    def line(self, number: int, raw: bytes | None) -> Line | None:
        if raw is None:
            error = JsonError(Reason.LINE_TOO_LARGE, line=number, limit=self._line_bytes)
            return self._given(Line(number, error=error))
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
            self._tell(Notice("bom", BOM))
        if raw.endswith(b"\r\n"):
            self._tell(Notice("crlf", CRLF))
        raw = raw.rstrip(b"\r\n")
        if not raw.strip(_BLANK):
            self._blank += 1
            return None
        if _FENCE.fullmatch(raw):
            self._tell(Notice("fenced", FENCED))
            return None
        try:
            return self._given(Line(number, value=self._object(raw)))
        except JsonError as error:
            return self._given(Line(number, error=error.on_line(number)))

    def _object(self, raw: bytes) -> dict[str, Json]:
        try:
            value = parse(raw, limits=self._limits).value
        except JsonError as error:
            if error.reason is not Reason.NOT_UTF8 or not self._allow_gb18030:
                raise
            value = self._object_of_gb18030(raw, error)
        if not isinstance(value, dict):
            raise JsonError(Reason.NOT_AN_OBJECT, found=_KINDS.get(type(value), "123"))
        return value

    def _object_of_gb18030(self, raw: bytes, error: JsonError) -> Json:
        try:
            text = raw.decode("gb18030")
        except UnicodeDecodeError:
            raise error from None
        self._tell(Notice("decoded_as", DECODED_AS, {"encoding": "GB18030"}))
        return _parse_text(text, limits=self._limits).value

    def _tell(self, notice: Notice) -> None:
        if notice.code not in self._told:
            self._told.add(notice.code)
            self._waiting.append(notice)

    def _given(self, line: Line) -> Line:
        if self._blank:
            self._waiting.append(Notice("blank_lines", BLANK_LINES, {"count": self._blank}))
            self._blank = 0
        notices, self._waiting = tuple(self._waiting), []
        return Line(line.number, line.value, line.error, notices)
