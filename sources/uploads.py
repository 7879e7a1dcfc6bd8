"""Take an upload from the wire to the data disk, piece by piece, and not more than is allowed."""

import codecs
import hashlib
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest

if TYPE_CHECKING:
    BytesUpload = UploadedFile[bytes]
else:
    BytesUpload = UploadedFile

FIELD = "file"  # name of the form's only file
AROUND = 2**20  # bytes that a form with its headers may add to its file
UNFINISHED = ".part"
UNFINISHED_SECONDS = 24 * 3600  # after which a file that no import took is of a broken connection

_ARCHIVES = ((b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"), (b"\x1f\x8b", "gzip"))


class EncodingWatch:
    """Tell the encoding of bytes that go by: ``zip``, ``gzip``, ``utf-8``, ``utf-8-sig``,
    ``utf-16``, or ``other`` where they are none of these."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._head = b""
        self._is_utf8 = True

    def see(self, data: bytes) -> None:
        """Take the next piece."""
        if len(self._head) < 4:
            self._head = (self._head + data)[:4]
        if self._is_utf8:
            self._is_utf8 = self._decodes(data, final=False)

    def name(self) -> str:
        """Give the encoding when all has gone by."""
        for magic, name in _ARCHIVES:
            if self._head.startswith(magic):
                return name
        if self._head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if not self._is_utf8 or not self._decodes(b"", final=True):
            return "other"
        return "utf-8-sig" if self._head.startswith(codecs.BOM_UTF8) else "utf-8"

    def _decodes(self, data: bytes, *, final: bool) -> bool:
        try:
            self._decoder.decode(data, final)
        except UnicodeDecodeError:
            return False
        return True


class StoredUpload(BytesUpload):
    """An upload that lies on the data disk already; ``claim`` takes it over."""

    def __init__(
        self, file: IO[bytes], name: str, place: Path, *, size: int, sha256: str, encoding: str
    ) -> None:
        super().__init__(file=file, name=name, size=size)
        self.place = place
        self.sha256 = sha256
        self.text_encoding = encoding

    def claim(self, name: str) -> Path:
        """Give the file its final name in the upload folder."""
        final = self.place.with_name(name)
        self.place.rename(final)
        return final

    def forget(self) -> None:
        """Remove the file if nobody took it over."""
        self.close()
        self.place.unlink(missing_ok=True)


class StoringHandler(FileUploadHandler):
    """Write the form's file to the upload folder; stop at the cap, and say so in ``too_large``.

    Django itself caps no file. Any other file of the request is skipped.
    """

    chunk_size = 256 * 1024

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.too_large = False
        self._taken = False

    def new_file(self, field_name: str, *args: Any, **kwargs: Any) -> None:
        """Begin a file."""
        super().new_file(field_name, *args, **kwargs)
        if field_name != FIELD or self._taken:
            raise SkipFile
        self._taken = True
        folder = Path(settings.UPLOAD_DIR)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._place = folder / f"{uuid.uuid4().hex}{UNFINISHED}"
        self._file = self._place.open("xb+")
        self._place.chmod(0o600)
        self._hash, self._watch = hashlib.sha256(), EncodingWatch()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Take the next piece."""
        if start + len(raw_data) > settings.UPLOAD_MAX_BYTES:
            self.too_large = True
            self.upload_interrupted()
            raise StopUpload(connection_reset=False)
        self._hash.update(raw_data)
        self._watch.see(raw_data)
        self._file.write(raw_data)

    def file_complete(self, file_size: int) -> StoredUpload:
        """End the file."""
        self._file.flush()
        return StoredUpload(
            self._file,
            str(self.file_name or ""),
            self._place,
            size=file_size,
            sha256=self._hash.hexdigest(),
            encoding=self._watch.name(),
        )

    def upload_interrupted(self) -> None:
        """Remove what came of a file that was broken off."""
        if self._taken:
            self._file.close()
            self._place.unlink(missing_ok=True)


def is_too_large(request: HttpRequest) -> bool:
    """Tell from its announced length alone that a request holds more than a file may have."""
    length = str(request.META.get("CONTENT_LENGTH") or "")
    return length.isdigit() and int(length) > settings.UPLOAD_MAX_BYTES + AROUND


def forget_unfinished(now: float | None = None) -> int:
    """Remove files of requests that ended without an import; give how many."""
    before, removed = (now or time.time()) - UNFINISHED_SECONDS, 0
    for place in Path(settings.UPLOAD_DIR).glob(f"*{UNFINISHED}"):
        with suppress(FileNotFoundError):  # its request has just taken it over, or removed it
            if place.stat().st_mtime < before:
                place.unlink()
                removed += 1
    return removed
