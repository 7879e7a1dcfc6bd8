"""The snapshot cache as a folder: store, look up and verify (formats.md section 5).

Everything in the folder may come from somebody else: links are refused at every step, files are
capped, and nothing is ever overwritten.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from sources import source_cache_texts as texts
from sources.source_cache import (
    RefError,
    Snapshot,
    SnapshotError,
    SnapshotRef,
    check_snapshot,
    encode_metadata,
    encode_text,
    metadata,
    normalize_url,
    parse_hash,
    snapshot_ref,
    url_hash,
)
from workbench.lib.whole_files import flush_folder, written_whole

MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_METADATA_BYTES = 4 * 1024 * 1024
_METADATA_SUFFIX = ".meta.json"
# Not following a link, nor waiting for the writer of a pipe, where the system knows these flags.
_READ_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class SourceCache:
    """A ``source_cache`` folder."""

    root: Path

    def store(self, url: str, text: str) -> Snapshot:
        """Keep a text captured from a page; storing equal bytes again is a success.

        Raises ``UrlError`` or ``SnapshotError``; other bytes under the same name stay as they are.
        """
        normal = normalize_url(url)
        body = encode_text(text)
        if len(body) > MAX_BODY_BYTES:
            raise SnapshotError(texts.TEXT_TOO_LARGE, limit=MAX_BODY_BYTES)
        ref = snapshot_ref(normal, text)
        fields = metadata(normal, ref)
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            _require_folder(self.root)
            folder = self.root / ref.url_hash
            folder.mkdir(mode=0o700, exist_ok=True)
            _require_folder(folder)
            _install(folder / ref.body_name, body)
            _install(folder / ref.metadata_name, encode_metadata(fields))
        except OSError as error:
            raise SnapshotError(texts.NOT_STORED, ref=ref, reason=error) from error
        return Snapshot(ref, text, fields)

    def lookup(self, url: str, content_hash: str | None = None) -> tuple[Snapshot, ...]:
        """Give every stored version of a page, or the one asked for, ordered by content hash.

        A text without metadata is the trace of an interrupted store and no version. Raises
        ``SnapshotError`` if one of them is damaged.
        """
        key = url_hash(normalize_url(url))
        wanted = None if content_hash is None else parse_hash(content_hash)
        _require_folder(self.root)
        folder = self.root / key
        if not os.path.lexists(folder):
            return ()
        _require_folder(folder)
        if wanted is None:
            hashes = _stored_hashes(folder)
        else:
            ref = SnapshotRef(key, wanted)
            names = (ref.body_name, ref.metadata_name)
            hashes = [wanted] if any(os.path.lexists(folder / name) for name in names) else []
        return tuple(self.verify(SnapshotRef(key, each), url=url) for each in hashes)

    def verify(self, ref: SnapshotRef, *, url: str | None = None) -> Snapshot:
        """Give the verified snapshot, or raise ``SourceCacheError``.

        With a URL, the snapshot must also be of that page.
        """
        _require_folder(self.root)
        folder = self.root / ref.url_hash
        _require_folder(folder)
        body = _read(folder / ref.body_name, MAX_BODY_BYTES)
        fields = _read(folder / ref.metadata_name, MAX_METADATA_BYTES)
        return check_snapshot(ref, body, fields, url=url)


def _stored_hashes(folder: Path) -> list[str]:
    found = []
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise SnapshotError(texts.UNREADABLE, path=folder, reason=error) from error
    for name in names:
        if not name.endswith(_METADATA_SUFFIX):
            continue
        try:
            found.append(parse_hash(name.removesuffix(_METADATA_SUFFIX)))
        except RefError:
            continue
    return sorted(found)


def _require_folder(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError) as error:
        raise SnapshotError(texts.MISSING, path=path) from error
    if not stat.S_ISDIR(mode):
        raise SnapshotError(texts.LINK if stat.S_ISLNK(mode) else texts.NO_FOLDER, path=path)


def _read(path: Path, limit: int) -> bytes:
    try:
        if stat.S_ISLNK(path.lstat().st_mode):
            raise SnapshotError(texts.LINK, path=path)
        with os.fdopen(os.open(path, _READ_FLAGS), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise SnapshotError(texts.NO_FILE, path=path)
            data = stream.read(limit + 1)
    except FileNotFoundError as error:
        raise SnapshotError(texts.MISSING, path=path) from error
    except OSError as error:
        raise SnapshotError(texts.UNREADABLE, path=path, reason=error) from error
    if len(data) > limit:
        raise SnapshotError(texts.FILE_TOO_LARGE, path=path, limit=limit)
    return data


def _install(target: Path, data: bytes) -> None:
    try:
        # A link, unlike a rename, fails where the name is taken.
        with written_whole(target, prefix=".new-", install=os.link) as stream:
            stream.write(data)
    except FileExistsError:
        if _read(target, MAX_BODY_BYTES) != data:
            raise SnapshotError(texts.OTHER_BYTES, path=target) from None
    else:
        flush_folder(target.parent)
