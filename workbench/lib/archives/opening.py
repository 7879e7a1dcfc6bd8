"""Opens a path as a tree, by what it holds and not by what it is called."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .folders import Folder, SingleFile, unreadable
from .refusals import ArchiveError, Refusal
from .tars import Tar, inflate, looks_like_gzip, looks_like_tar
from .trees import DEFAULT, Container, Limits, Tree
from .zips import Zip, hides_zip, looks_like_zip

_HEAD = 512
_OTHER_ARCHIVES = {
    b"Rar!\x1a\x07": "RAR",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x07\x08": "split zip",
}


@contextmanager
def open_tree(
    path: Path, *, limits: Limits = DEFAULT, keep_top: Collection[str] = ()
) -> Iterator[Tree]:
    """Open a directory, a zip, a tar, a tar.gz or a single file as one tree.

    A top folder that holds everything is left out of the paths (``Tree.root`` names it), unless
    its name is in ``keep_top``. Raises ArchiveError for what is not safe to read.
    """
    with ExitStack() as stack:
        try:
            place = path.resolve(strict=True)
            container = _container(place, limits, stack)
        except OSError as error:
            raise unreadable(path.name, error) from error
        yield Tree(place, container, limits, frozenset(keep_top))


def _container(path: Path, limits: Limits, stack: ExitStack) -> Container:
    if path.is_dir():
        return Folder(path, limits)
    if not path.is_file():
        raise ArchiveError(Refusal.SPECIAL_FILE, path.name)
    stream = stack.enter_context(path.open("rb"))
    head = stream.read(_HEAD)
    if looks_like_zip(head):
        return Zip(stream, limits)
    if looks_like_tar(head):
        return Tar(stream, limits)
    if looks_like_gzip(head):
        stream.seek(0)
        inflated = stack.enter_context(inflate(stream, limits))
        if not looks_like_tar(inflated.read(_HEAD)):
            raise ArchiveError(Refusal.UNSUPPORTED, path.name, kind="gzip")
        return Tar(inflated, limits)
    for mark, kind in _OTHER_ARCHIVES.items():
        if head.startswith(mark):
            raise ArchiveError(Refusal.UNSUPPORTED, path.name, kind=kind)
    if hides_zip(path):
        raise ArchiveError(Refusal.PREFIX_BYTES, path.name)
    return SingleFile(path)
