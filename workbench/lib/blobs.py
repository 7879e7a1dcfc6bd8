"""Bytes under the name of their SHA-256, in whatever storage the settings name."""

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage

from .notices import Spoken
from .texts import Text
from .whole_files import flush_folder, written_whole

FOLDER_MODE = 0o700

_NAME = re.compile(r"[0-9a-f]{64}")


class BlobError(Spoken):
    """Something is wrong with a stored blob."""

    def __init__(self, sha256: str, text: Text) -> None:
        self.sha256 = sha256
        super().__init__(text, sha256=sha256)


class BlobMissing(BlobError):
    """A blob that the storage does not have."""

    def __init__(self, sha256: str) -> None:
        text = Text("Blob {sha256} is not in the storage.", "存储中没有数据块 {sha256}。")
        super().__init__(sha256, text)


class BlobDamaged(BlobError):
    """A blob whose bytes are not those it is named after."""

    def __init__(self, sha256: str) -> None:
        text = Text(
            en="Blob {sha256} is damaged: its bytes have another hash.",
            zh="数据块 {sha256} 已损坏：其字节的哈希与名称不符。",
        )
        super().__init__(sha256, text)


class Blobs:
    """Put and get bytes by their SHA-256; equal bytes are one blob.

    A name that ``put`` gave is durable: on a file system the bytes and the folder entry have
    reached the disk. Safe for several threads and processes at once.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        root = storage.location if isinstance(storage, FileSystemStorage) else None
        self._root = None if root is None else Path(root)

    def put(self, data: bytes) -> str:
        """Store bytes; give their SHA-256 as 64 lower-case hex digits."""
        return self.put_many([data])[0]

    def put_many(self, contents: Iterable[bytes]) -> list[str]:
        """Store several blobs, with one flush of each folder; give their names in order.

        When it raises, some may be stored: storing them again does no harm.
        """
        names: list[str] = []
        touched: set[Path] = set()
        for data in contents:
            name = hashlib.sha256(data).hexdigest()
            names.append(name)
            if self._root is None:
                self._put_stored(name, data)
            else:
                self._put_file(self._root, name, data, touched)
        for folder in touched:
            flush_folder(folder)
        return names

    def get(self, sha256: str) -> bytes:
        """Give the bytes of a blob; raise BlobMissing, or BlobDamaged if the hash differs."""
        try:
            with self._storage.open(place_of(sha256), "rb") as stream:
                data: bytes = stream.read()
        except FileNotFoundError:
            raise BlobMissing(sha256) from None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise BlobDamaged(sha256)
        return data

    def get_text(self, sha256: str) -> str:
        """Give a blob as UTF-8 text; raise BlobDamaged also if it is none."""
        try:
            return self.get(sha256).decode("utf-8")
        except UnicodeDecodeError:
            raise BlobDamaged(sha256) from None

    def exists(self, sha256: str) -> bool:
        """Tell whether the storage has a blob of this name."""
        return self._storage.exists(place_of(sha256))

    def get_part(self, sha256: str, start: int, size: int) -> bytes:
        """Give some bytes of a blob, not checked against its hash; raise BlobMissing."""
        try:
            with self._storage.open(place_of(sha256), "rb") as stream:
                stream.seek(start)
                data: bytes = stream.read(size)
        except FileNotFoundError:
            raise BlobMissing(sha256) from None
        return data

    def size(self, sha256: str) -> int:
        """Give the bytes of a blob without reading it; raise BlobMissing."""
        try:
            return self._storage.size(place_of(sha256))
        except FileNotFoundError:
            raise BlobMissing(sha256) from None

    def _put_stored(self, name: str, data: bytes) -> None:
        place = place_of(name)
        if self._storage.exists(place) and self._is_whole(name):
            return
        # A storage that never overwrites gives a name of its own when another was first.
        saved = self._storage.save(place, ContentFile(data))
        if saved != place:
            self._storage.delete(saved)
            if not self._is_whole(name):
                self._storage.delete(place)
                self._storage.save(place, ContentFile(data))

    def _is_whole(self, name: str) -> bool:
        try:
            self.get(name)
        except BlobError:
            return False
        return True

    def _put_file(self, root: Path, name: str, data: bytes, touched: set[Path]) -> None:
        target = root / place_of(name)
        folder = target.parent
        if _has_bytes(target, data):
            # Another process may have renamed it and not flushed the folder yet.
            touched.add(folder)
            return
        _make_folders(root, folder, touched)
        with written_whole(target, prefix=".put-") as stream:
            stream.write(data)
        touched.add(folder)


def place_of(sha256: str) -> str:
    """Give the path of a blob in its storage: two folder levels, then the whole name.

    Raises ValueError for what is no SHA-256 in lower-case hex.
    """
    if not _NAME.fullmatch(sha256):
        raise ValueError("a blob is named by 64 lower-case hex digits")
    return f"{sha256[:2]}/{sha256[2:4]}/{sha256}"


def _has_bytes(target: Path, data: bytes) -> bool:
    try:
        return target.stat().st_size == len(data) and target.read_bytes() == data
    except FileNotFoundError:
        return False


def _make_folders(root: Path, folder: Path, touched: set[Path]) -> None:
    if folder.is_dir():
        return
    missing = [path for path in (root, folder.parent, folder) if not path.is_dir()]
    for path in missing:
        path.mkdir(mode=FOLDER_MODE, parents=path is root, exist_ok=True)
        touched.add(path.parent)
