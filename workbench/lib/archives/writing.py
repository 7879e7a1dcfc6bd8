"""Writes trees: the same entries give the same bytes, and a half-written target never shows."""

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from workbench.lib.whole_files import written_whole

from .names import clean_name, refuse_duplicates
from .trees import CHUNK

# A function gives its bytes when their turn comes, so that they are never held all at once.
type Content = bytes | Path | Callable[[], bytes]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold
_FILE_MODE = 0o100644


def write_zip(target: Path, entries: Iterable[tuple[str, Content]]) -> None:
    """Write entries to a zip, sorted by path, without dates; replace the target at once.

    Raises ArchiveError for a name that our own reader would refuse.
    """
    ordered = _ordered(entries)
    with (
        written_whole(target) as stream,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for path, content in ordered:
            _add(archive, path, content)


def write_directory(target: Path, entries: Iterable[tuple[str, Content]]) -> None:
    """Write entries below a new directory, which appears only when it is complete.

    Raises FileExistsError if the target exists and is not an empty directory.
    """
    ordered = _ordered(entries)
    if target.is_symlink() or (target.exists() and not _is_empty(target)):
        raise FileExistsError(f"{target.name} exists and is not an empty directory")
    temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for path, content in ordered:
            place = temporary / path
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as stream:
                if isinstance(content, Path):
                    with content.open("rb") as source:
                        shutil.copyfileobj(source, stream, CHUNK)
                else:
                    stream.write(content if isinstance(content, bytes) else content())
        temporary.chmod(0o755)
        if target.exists():
            target.rmdir()
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _ordered(entries: Iterable[tuple[str, Content]]) -> list[tuple[str, Content]]:
    ordered = sorted(((clean_name(path), content) for path, content in entries), key=lambda e: e[0])
    refuse_duplicates([path for path, _ in ordered])
    return ordered


def _add(archive: zipfile.ZipFile, path: str, content: Content) -> None:
    info = zipfile.ZipInfo(path, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3  # Unix, on every system: the bytes must not tell where they were made
    info.external_attr = _FILE_MODE << 16
    if not isinstance(content, Path):
        archive.writestr(info, content if isinstance(content, bytes) else content())
        return
    info.file_size = content.stat().st_size
    with archive.open(info, "w") as stream, content.open("rb") as source:
        shutil.copyfileobj(source, stream, CHUNK)


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and next(folder.iterdir(), None) is None
