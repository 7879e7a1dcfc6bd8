"""Zip archives: zipfile reads them, after their structure was found to have one reading only."""

import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, cast

from workbench.lib.notices import Notice
from workbench.lib.texts import Text

from .names import clean_name
from .refusals import ArchiveError, Refusal, damaged
from .trees import Container, Limits, Member

NAMES_DECODED = Text(
    en="File names without a declared encoding were read as {encodings}. Check them.",
    zh="未声明编码的文件名已按 {encodings} 读取。请核对。",
)

_END = struct.Struct("<4s4H2IH")
_LOCAL = struct.Struct("<4s5H3I2H")
_END_WIDE = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
_END_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x03\x04"
_END_WIDE_MARK, _LOCATOR_MARK = b"PK\x06\x06", b"PK\x06\x07"
_END_MARKS = re.compile(re.escape(_END_MARK))
_COMMENT_MOST = 0xFFFF
_DIRECTORY_BYTES = 2048  # of one entry in the central directory: name, extra field, comment
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_DESCRIPTOR = 0x8
_UTF8 = 0x800
_WIDE = 0xFFFFFFFF
_FULL = (0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, _WIDE, _WIDE)  # what a narrow end record cannot hold
_DESCRIPTOR_SIZES = (12, 16, 20, 24)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SPECIAL = (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK)
_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    OSError,
)


class Zip(Container):
    """A zip archive whose local headers and central directory agree."""

    kind = "zip"
    faults = _FAULTS

    def __init__(self, stream: BinaryIO, limits: Limits) -> None:
        self._stream = stream
        self._limits = limits
        self._directory, count = _directory_place(stream, limits)
        try:
            self._zip = zipfile.ZipFile(stream)
        except _FAULTS as error:
            raise damaged() from error
        if len(self._zip.infolist()) != count:
            raise damaged()

    def members(self) -> list[Member]:
        """Give the files; raise ArchiveError at anything ambiguous or unsafe."""
        found: list[Member] = []
        encodings: set[str] = set()
        for info in self._zip.infolist():
            name, encoding = _name(info)
            path = clean_name(name)
            encodings.update(encoding)
            _refuse_kind(info, name)
            _refuse_ratio(info, name, self._limits)
            if info.orig_filename.endswith("/"):
                if info.file_size:
                    raise ArchiveError(Refusal.DISAGREEMENT, name)
                continue
            found.append(Member(path, info.file_size, info))
        self._refuse_layout()
        if encodings:
            values = {"encodings": ", ".join(sorted(encodings))}
            self.notices = (Notice("names_decoded", NAMES_DECODED, values),)
        return found

    def stream(self, member: Member) -> BinaryIO:
        """Open the inflated content of a member."""
        return cast("BinaryIO", self._zip.open(cast("zipfile.ZipInfo", member.key)))

    def refusal(self, error: Exception, member: str) -> ArchiveError:
        """Give the refusal of content that does not inflate to what was declared."""
        return damaged(member)

    def _refuse_layout(self) -> None:
        # Entries must lie side by side from the first byte to the directory: then a reader that
        # walks the local headers and one that trusts the directory see the same files.
        at = 0
        for info in sorted(self._zip.infolist(), key=lambda info: info.header_offset):
            if info.header_offset < at:
                raise ArchiveError(Refusal.OVERLAP, info.orig_filename)
            if info.header_offset > at:
                raise ArchiveError(Refusal.HIDDEN_BYTES, info.orig_filename)
            at = self._entry_end(info)
        if at != self._directory:
            raise ArchiveError(Refusal.OVERLAP if at > self._directory else Refusal.HIDDEN_BYTES)

    def _entry_end(self, info: zipfile.ZipInfo) -> int:
        self._stream.seek(info.header_offset)
        header = self._stream.read(_LOCAL.size)
        if len(header) < _LOCAL.size or header[:4] != _LOCAL_MARK:
            raise damaged(info.orig_filename)
        _, _, flags, method, _, _, crc, packed, size, name_size, extra_size = _LOCAL.unpack(header)
        name = self._stream.read(name_size)
        extra = self._stream.read(extra_size)
        if _WIDE in (packed, size):
            size, packed = _wide_sizes(extra, info.orig_filename)
        streamed = bool(flags & _DESCRIPTOR) and not (crc or packed or size)
        same = (flags, method, name) == (info.flag_bits, info.compress_type, _raw_name(info))
        if not same or (
            not streamed and (crc, packed, size) != (info.CRC, info.compress_size, info.file_size)
        ):
            raise ArchiveError(Refusal.DISAGREEMENT, info.orig_filename)
        end = int(info.header_offset + _LOCAL.size + name_size + extra_size + info.compress_size)
        return end + self._descriptor_size(end, info) if flags & _DESCRIPTOR else end

    def _descriptor_size(self, at: int, info: zipfile.ZipInfo) -> int:
        self._stream.seek(at)
        data = self._stream.read(_DESCRIPTOR_SIZES[-1])
        for mark in (b"PK\x07\x08", b""):
            for layout in ("<3I", "<I2Q"):
                expected = mark + struct.pack(layout, info.CRC, info.compress_size, info.file_size)
                if data.startswith(expected):
                    return len(expected)
        raise ArchiveError(Refusal.DISAGREEMENT, info.orig_filename)


def looks_like_zip(head: bytes) -> bool:
    """Tell whether a file that starts so is a zip archive."""
    return head.startswith((_LOCAL_MARK, _END_MARK))


def hides_zip(path: Path) -> bool:
    """Tell whether other bytes stand before a zip archive in this file."""
    try:
        return zipfile.is_zipfile(path)
    except OSError:
        return False


def _directory_place(stream: BinaryIO, limits: Limits) -> tuple[int, int]:
    # zipfile would search backwards for an end record and forgive bytes before the archive.
    length = stream.seek(0, 2)
    tail_start = max(0, length - _COMMENT_MOST - _END.size)
    stream.seek(tail_start)
    tail = stream.read()
    ends = [found.start() for found in _END_MARKS.finditer(tail)]
    fitting = [end for end in ends if _ends_file(tail, end)]
    if not fitting:
        raise damaged()
    # Two end records that both fit are two archives in one: which one is meant cannot be known.
    if len(fitting) > 1:
        raise ArchiveError(Refusal.PREFIX_BYTES)
    end = tail_start + fitting[0]
    said = _END.unpack_from(tail, fitting[0])[1:-1]
    wide = _wide_end(stream, end)
    if wide is not None:
        # The narrow record says the same, or that the number is in the wide one.
        if any(n not in (w, most) for n, w, most in zip(said, wide[1], _FULL, strict=True)):
            raise damaged()
        end, said = wide
    disk, first, here, count, size, offset = said
    if disk or first or here != count:
        raise damaged()
    if count > limits.entries or size > limits.entries * _DIRECTORY_BYTES:
        raise ArchiveError(Refusal.TOO_MANY_ENTRIES, limit=limits.entries)
    start = end - size
    if start != offset:
        raise ArchiveError(Refusal.PREFIX_BYTES) if start > offset else damaged()
    return offset, count


def _wide_end(stream: BinaryIO, end: int) -> tuple[int, tuple[int, ...]] | None:
    """Give place and numbers of the zip64 end record, which many or large files need."""
    stream.seek(max(0, end - _LOCATOR.size))
    found = stream.read(_LOCATOR.size)
    if len(found) < _LOCATOR.size or not found.startswith(_LOCATOR_MARK):
        return None
    _, disk, place, disks = _LOCATOR.unpack(found)
    if disk or disks > 1 or place + _END_WIDE.size != end - _LOCATOR.size:
        raise damaged()
    stream.seek(place)
    record = _END_WIDE.unpack(stream.read(_END_WIDE.size))
    if record[0] != _END_WIDE_MARK or record[1] != _END_WIDE.size - 12:
        raise damaged()
    return place, record[4:]


def _ends_file(tail: bytes, end: int) -> bool:
    if len(tail) - end < _END.size:
        return False
    comment = _END.unpack_from(tail, end)[-1]
    return end + _END.size + int(comment) == len(tail)


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


def _name(info: zipfile.ZipInfo) -> tuple[str, tuple[str, ...]]:
    # Windows in Chinese writes names in GBK and says nothing; others write UTF-8 unsaid.
    if info.flag_bits & _UTF8 or info.orig_filename.isascii():
        return info.orig_filename, ()
    raw = _raw_name(info)
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding), (encoding.upper(),)
        except UnicodeDecodeError:
            continue
    return info.orig_filename, ("CP437",)


def _refuse_kind(info: zipfile.ZipInfo, name: str) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise ArchiveError(Refusal.LINK, name)
    if kind in _SPECIAL:
        raise ArchiveError(Refusal.SPECIAL_FILE, name)
    if info.flag_bits & _ENCRYPTED:
        raise ArchiveError(Refusal.ENCRYPTED, name)
    if info.compress_type not in _METHODS:
        raise ArchiveError(Refusal.METHOD, name, method=info.compress_type)


def _refuse_ratio(info: zipfile.ZipInfo, name: str, limits: Limits) -> None:
    most = max(info.compress_size, 1) * limits.ratio
    if info.file_size > limits.ratio_from and info.file_size > most:
        raise ArchiveError(Refusal.RATIO, name, limit=limits.ratio)
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        raise ArchiveError(Refusal.DISAGREEMENT, name)


def _wide_sizes(extra: bytes, name: str) -> tuple[int, int]:
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == 1 and size >= 16 and at + 4 + 16 <= len(extra):
            inflated, packed = struct.unpack_from("<2Q", extra, at + 4)
            return inflated, packed
        at += 4 + size
    raise ArchiveError(Refusal.DISAGREEMENT, name)
