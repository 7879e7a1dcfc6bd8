"""Undo a content encoding in bounded steps; tell bytes apart from text."""

import codecs
import zlib
from collections.abc import Generator, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO

from .errors import PermanentHttpError, TransientHttpError
from .guard import Meter

STEP = 64 * 2**10
_FREE = 2**20  # a body this small may be as repetitive as it likes
_GZIP = b"\x1f\x8b"
# Codecs of Python that are no character sets, or that run something.
_NO_CHARSETS = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)


def coding_of(header: str) -> str:
    """Give the one content encoding of an answer, "" for none. Raises PermanentHttpError."""
    codings = [part.strip().lower() for part in header.split(",")]
    codings = [coding for coding in codings if coding not in {"", "identity"}]
    if len(codings) > 1:
        raise PermanentHttpError("nested-encoding", ", ".join(codings)[:80])
    coding = codings[0] if codings else ""
    if coding not in {"", "gzip", "x-gzip", "deflate"}:
        raise PermanentHttpError("unknown-encoding", coding[:40])
    return coding.removeprefix("x-")


def read_body(chunks: Iterable[bytes], coding: str, meter: Meter) -> bytes:
    """Read a body and undo its encoding. Raises HttpError where it is too large, cut or broken.

    httpx would inflate a whole chunk at once, a thousand to one, and encodings within encodings.
    """
    inflater = _Inflater(coding) if coding else None
    wire = size = 0
    # Large bodies grow in a file: in memory they would be moved as they grow, so that two or three
    # copies stand side by side. Given up, they leave nothing, however long their error lives on.
    with SpooledTemporaryFile(_FREE) as body:
        for chunk in chunks:
            meter.remaining()
            wire += len(chunk)
            for piece in inflater.feed(chunk) if inflater else (chunk,):
                size += len(piece)
                _check_size(size, wire, meter)
                _keep(body, piece)
                meter.remaining()
        if inflater is not None:
            inflater.finish()
        body.seek(0)
        return body.read(size)


def _keep(body: IO[bytes], piece: bytes) -> None:
    try:
        body.write(piece)
    except OSError as fault:
        raise TransientHttpError("no-room", type(fault).__name__) from None


def _check_size(size: int, wire: int, meter: Meter) -> None:
    if size > meter.limits.body_bytes:
        raise PermanentHttpError("body-bytes", f"more than {meter.limits.body_bytes}")
    if size > _FREE and size > wire * meter.limits.ratio:
        raise PermanentHttpError("inflation", f"{size} bytes from {wire}")


class _Inflater:
    """Undo gzip (of one or more members) or deflate (with or without its header) step by step."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 32)  # zlib or gzip, by its header
        self._held = b""  # behind the end of a member, too short to tell what follows
        self._begun = self._over = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        data, self._held = self._held + chunk, b""
        if data and not self._begun:
            self._begun = True
            if self._coding == "deflate" and data[0] & 0x0F != 8:
                self._stream = zlib.decompressobj(-zlib.MAX_WBITS)  # many send it without header
        while data and not self._over:
            if self._stream.eof and not self._goes_on(data):
                return
            data = yield from self._inflate(data)

    def finish(self) -> None:
        if self._begun and not self._stream.eof:
            raise TransientHttpError("cut", "the encoded body has no end")  # zlib does not say so

    def _goes_on(self, data: bytes) -> bool:
        if self._coding == "gzip" and len(data) < len(_GZIP):
            self._held = data
            return False
        self._over = self._coding != "gzip" or not data.startswith(_GZIP)
        if not self._over:
            self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return not self._over

    def _inflate(self, data: bytes) -> Generator[bytes, None, bytes]:
        """Yield what data give, at most a step at once; give the bytes behind the member's end."""
        while True:
            try:
                piece = self._stream.decompress(data, STEP)
            except zlib.error as fault:
                raise PermanentHttpError("broken-encoding", str(fault)) from None
            yield piece
            data = self._stream.unconsumed_tail
            if self._stream.eof:
                return self._stream.unused_data
            if not data and len(piece) < STEP:
                return b""


def charset_of(content_type: str) -> str:
    """Give the declared character set where Python knows it as one, else ""."""
    for part in content_type.split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() != "charset":
            continue
        try:
            found = codecs.lookup(value.strip().strip("'\"")).name
            b"text".decode(found, "replace")  # fails for codecs from bytes to bytes
        except (LookupError, ValueError, UnicodeError):
            return ""
        return "" if found.replace("-", "_") in _NO_CHARSETS else found
    return ""


def to_text(body: bytes, content_type: str) -> str:
    """Read a body as text; never fails, whatever was declared."""
    declared = charset_of(content_type)
    for charset in ("utf-8-sig", declared):
        try:
            return body.decode(charset or "utf-8")
        except UnicodeDecodeError:
            continue
    return body.decode(declared or "utf-8", errors="replace")
