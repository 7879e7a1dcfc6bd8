"""Tar archives, plain or gzipped: tarfile reads them, after a walk over the raw headers."""

import tarfile
import tempfile
import zlib
from typing import BinaryIO, cast

from .names import clean_name
from .refusals import ArchiveError, Refusal, damaged
from .trees import CHUNK, Container, Limits, Member

_BLOCK = tarfile.BLOCKSIZE
_MAGIC, _MAGIC_AT = b"ustar", 257
_GZIP_MARK = b"\x1f\x8b"
_GZIP_WINDOW = 31  # zlib: a gzip header, the largest window
_IN_MEMORY = 8 * 2**20  # bytes of an inflated tar held before a nameless temporary file is used
_EXTENDED = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_EXTENDED_BYTES = 64 * 1024  # tarfile holds such a header in memory
_REGULAR = (tarfile.REGTYPE, tarfile.AREGTYPE)
_FAULTS = (tarfile.TarError, EOFError, ValueError, OverflowError, OSError)


class Tar(Container):
    """A tar archive of regular files and folders."""

    kind = "tar"
    faults = _FAULTS

    def __init__(self, stream: BinaryIO, limits: Limits) -> None:
        self._limits = limits
        self._stream = stream
        places = _walk(stream, limits)
        stream.seek(0)
        try:
            self._tar = tarfile.open(fileobj=stream, mode="r:", encoding="utf-8")  # noqa: SIM115
            self._infos = self._tar.getmembers()
        except _FAULTS as error:
            raise damaged() from error
        # An extended header may move or resize what follows: then two readers see other files.
        if [info.offset_data for info in self._infos] != places:
            raise ArchiveError(Refusal.DISAGREEMENT)

    def members(self) -> list[Member]:
        """Give the files; raise ArchiveError at a link, a special file or an unsafe name."""
        found: list[Member] = []
        for info in self._infos:
            if info.isdir() and info.name.rstrip("/") in ("", "."):
                continue
            path = clean_name(_decoded(info.name))
            if info.issym() or info.islnk():
                raise ArchiveError(Refusal.LINK, path)
            if info.issparse() or not (info.isdir() or info.type in _REGULAR):
                raise ArchiveError(Refusal.SPECIAL_FILE, path)
            if not info.isdir():
                found.append(Member(path, info.size, info))
        return found

    def stream(self, member: Member) -> BinaryIO:
        """Open the content of a member."""
        stream = self._tar.extractfile(cast("tarfile.TarInfo", member.key))
        if stream is None:
            raise ArchiveError(Refusal.SPECIAL_FILE, member.path)
        return cast("BinaryIO", stream)

    def refusal(self, error: Exception, member: str) -> ArchiveError:
        """Give the refusal of content that cannot be read."""
        return damaged(member)


def looks_like_tar(head: bytes) -> bool:
    """Tell whether a file that starts with these 512 bytes is a tar archive."""
    if head[_MAGIC_AT:].startswith(_MAGIC):
        return True
    if len(head) < _BLOCK or not head.strip(b"\0"):
        return False
    # The oldest tars have no magic, but the sum of their header fits.
    try:
        tarfile.TarInfo.frombuf(head[:_BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def looks_like_gzip(head: bytes) -> bool:
    """Tell whether a file that starts so is gzipped."""
    return head.startswith(_GZIP_MARK)


def inflate(packed: BinaryIO, limits: Limits) -> BinaryIO:
    """Inflate a gzip stream into nameless storage, within the limits."""
    target = cast("BinaryIO", tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
    try:
        _inflate_into(packed, target, limits)
    except zlib.error as error:
        target.close()
        raise damaged() from error
    except ArchiveError:
        target.close()
        raise
    target.seek(0)
    return target


def _inflate_into(packed: BinaryIO, target: BinaryIO, limits: Limits) -> None:
    # Headers and padding come on top of the files: at most two blocks an entry.
    most = limits.total_bytes + 2 * _BLOCK * limits.entries
    given = taken = 0
    decoder = zlib.decompressobj(_GZIP_WINDOW)
    pending = b""
    while data := pending or packed.read(CHUNK):
        taken += 0 if pending else len(data)
        if decoder.eof:
            if not data.startswith(_GZIP_MARK) and data.strip(b"\0"):
                raise ArchiveError(Refusal.HIDDEN_BYTES)
            if not data.strip(b"\0"):
                pending = b""
                continue
            decoder = zlib.decompressobj(_GZIP_WINDOW)
        block = decoder.decompress(data, CHUNK)
        target.write(block)
        given += len(block)
        if given > most:
            raise ArchiveError(Refusal.TOTAL_TOO_LARGE, limit=limits.total_bytes)
        if given > limits.ratio_from and given > taken * limits.ratio:
            raise ArchiveError(Refusal.RATIO, limit=limits.ratio)
        pending = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
    if not decoder.eof:
        raise damaged()


def _walk(stream: BinaryIO, limits: Limits) -> list[int]:
    stream.seek(0)
    places: list[int] = []
    seen = 0
    while block := stream.read(_BLOCK):
        if not block.strip(b"\0") and len(block) == _BLOCK:
            _refuse_more(stream)
            return places
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise damaged() from error
        seen += 1
        if seen > limits.entries:
            raise ArchiveError(Refusal.TOO_MANY_ENTRIES, limit=limits.entries)
        if info.type in _EXTENDED and info.size > _EXTENDED_BYTES:
            raise ArchiveError(Refusal.NAME_TOO_LONG, info.name, limit=_EXTENDED_BYTES)
        if info.type == tarfile.GNUTYPE_SPARSE:
            raise ArchiveError(Refusal.SPECIAL_FILE, info.name)
        if info.size < 0:
            raise damaged(info.name)
        if info.type not in _EXTENDED:
            places.append(stream.tell())
        if info.isreg() or info.type in _EXTENDED:
            stream.seek(-(-info.size // _BLOCK) * _BLOCK, 1)
    # The end mark is absent: the archive may have lost its last files.
    raise damaged()


def _refuse_more(stream: BinaryIO) -> None:
    while rest := stream.read(CHUNK):
        if rest.strip(b"\0"):
            raise ArchiveError(Refusal.HIDDEN_BYTES)


def _decoded(name: str) -> str:
    # tarfile keeps bytes that are not UTF-8 as surrogates; names in GBK are common in China.
    if not any("\udc80" <= character <= "\udcff" for character in name):
        return name
    raw = name.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("gb18030")
    except UnicodeDecodeError:
        raise ArchiveError(Refusal.NAME_ENCODING, raw.decode("utf-8", "replace")) from None
