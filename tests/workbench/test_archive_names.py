"""Names, links and devices in an archive that would lead out of it or hide a file."""

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.lib.archives import ArchiveError, open_tree

from .archive_files import as_directory, put, refused, tar_bytes, zip_bytes


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../x", "escaping_name"),
        ("a/../../x", "escaping_name"),
        ("a/..", "escaping_name"),
        ("..\\x", "escaping_name"),
        ("%2e%2e/x", "escaping_name"),
        ("‥/x", "escaping_name"),
        ("..∕x", "escaping_name"),
        ("/etc/passwd", "absolute_name"),
        ("~/x", "absolute_name"),
        ("C:x", "absolute_name"),
        ("a\\b", "backslash"),
        ("a\nb", "bad_name"),
        ("./", "bad_name"),
        ("/".join("d" * 40), "too_deep"),
        ("a" * 300, "name_too_long"),
        ("a/" * 600 + "b", "name_too_long"),
    ],
)
@pytest.mark.parametrize("pack", [zip_bytes, tar_bytes])
def test_unsafe_names_are_refused(
    tmp_path: Path, pack: Callable[..., bytes], name: str, code: str
) -> None:
    if pack is tar_bytes and name == "./":
        pytest.skip("a tar of a folder starts with ./")

    error = refused(put(tmp_path, pack(("good.md", b"1"), (name, b"2"))))

    assert error.code == code
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A.md", "a.md"),
        ("caf\u00e9", "cafe\u0301"),
        ("a.md", "a.md."),
        ("a", "a/b"),
        ("a", "a"),
        ("s/a", "S/a"),
        ("a/b", "a./b"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("pack", [zip_bytes, tar_bytes])
def test_names_that_may_be_one_file_are_refused(
    tmp_path: Path, pack: Callable[..., bytes], first: str, second: str
) -> None:
    assert refused(put(tmp_path, pack((first, b"1"), (second, b"2")))).code == "duplicate"


@pytest.mark.parametrize(
    ("mode", "code"),
    [(stat.S_IFLNK, "link"), (stat.S_IFCHR, "special_file"), (stat.S_IFIFO, "special_file")],
)
def test_links_and_devices_in_a_zip_are_refused(tmp_path: Path, mode: int, code: str) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.external_attr = (mode | 0o644) << 16
        archive.writestr(info, b"/etc/passwd")

    assert refused(put(tmp_path, target.getvalue())).code == code


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (tarfile.SYMTYPE, "link"),
        (tarfile.LNKTYPE, "link"),
        (tarfile.CHRTYPE, "special_file"),
        (tarfile.FIFOTYPE, "special_file"),
        (tarfile.CONTTYPE, "special_file"),
    ],
)
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, kind: bytes, code: str) -> None:
    def edit(info: tarfile.TarInfo) -> None:
        info.type = kind
        info.linkname = "/etc/passwd"

    assert refused(put(tmp_path, tar_bytes(("x", b""), edit=edit))).code == code


def test_links_and_pipes_in_a_directory_are_refused(tmp_path: Path) -> None:
    path = as_directory(tmp_path)
    (path / "sub/link").symlink_to("/etc/passwd")

    assert refused(path).member == "sub/link"

    (path / "sub/link").unlink()
    (path / "folder").symlink_to(tmp_path)
    assert refused(path).code == "link"

    (path / "folder").unlink()
    os.mkfifo(path / "pipe")
    assert refused(path).code == "special_file"


def test_file_swapped_after_the_listing_is_refused(tmp_path: Path) -> None:
    path = as_directory(tmp_path)

    with open_tree(path) as tree:
        put(tmp_path, b"other", "other")
        (tmp_path / "other").replace(path / "request.md")
        with pytest.raises(ArchiveError) as caught:
            tree.read("request.md")
        (path / "request.md").unlink()
        (path / "request.md").symlink_to("/etc/passwd")
        with pytest.raises(ArchiveError) as followed:
            tree.read("request.md")

    assert caught.value.code == "changed"
    assert followed.value.code == "unreadable"


def test_file_that_grows_or_shrinks_is_refused(tmp_path: Path) -> None:
    path = as_directory(tmp_path)

    with open_tree(path) as tree:
        with (path / "request.md").open("ab") as stream:
            stream.write(b"more")
        (path / "sub/d1.json").write_bytes(b"")
        for name in ("request.md", "sub/d1.json"):
            with pytest.raises(ArchiveError) as caught:
                tree.read(name)
            assert caught.value.code == "size_lies"
