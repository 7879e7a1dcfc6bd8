"""Small archives for tests, good ones and such as no packer would make."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.lib.archives import ArchiveError, Limits, open_tree

FILES = {"request.md": "问题\n".encode(), "sub/d1.json": b"{}", "sub/deep/x.md": b"x" * 5000}


def zip_bytes(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, data)
    return target.getvalue()


def tar_bytes(
    *entries: tuple[str, bytes],
    edit: Callable[[tarfile.TarInfo], None] | None = None,
    dialect: int = tarfile.PAX_FORMAT,
) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=dialect) as archive:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if edit is not None:
                edit(info)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def put(folder: Path, data: bytes, name: str = "delivery.bin") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refused(path: Path, limits: Limits | None = None) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught, open_tree(path, limits=limits or Limits()) as tree:
        tree.check()
    assert caught.value.render("zh") != caught.value.render("en")
    return caught.value


def as_directory(folder: Path) -> Path:
    for name, data in FILES.items():
        place = folder / "given" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder / "given"


def as_zip(folder: Path) -> Path:
    return put(folder, zip_bytes(*FILES.items()))


def as_tar(folder: Path) -> Path:
    return put(folder, tar_bytes(*FILES.items()))


def as_tar_gz(folder: Path) -> Path:
    return put(folder, gzip.compress(tar_bytes(*FILES.items())))


def local_only_change(data: bytes, offset: int, value: bytes) -> bytes:
    return data[:offset] + value + data[offset + len(value) :]


ONE = zip_bytes(("a.md", b"hello" * 20))
