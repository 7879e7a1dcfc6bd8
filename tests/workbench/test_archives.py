"""Trees of files: the same out of every container, whatever wrote it."""

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.lib.archives import ArchiveError, Limits, Refusal, open_tree

from .archive_files import (
    FILES,
    ONE,
    as_directory,
    as_tar,
    as_tar_gz,
    as_zip,
    put,
    refused,
    tar_bytes,
    zip_bytes,
)


@pytest.mark.parametrize(
    ("make", "kind"),
    [(as_directory, "directory"), (as_zip, "zip"), (as_tar, "tar"), (as_tar_gz, "tar")],
)
def test_every_container_gives_the_same_tree(
    tmp_path: Path, make: Callable[[Path], Path], kind: str
) -> None:
    with open_tree(make(tmp_path)) as tree:
        found = {entry.path: tree.read(entry.path) for entry in tree.entries}

        assert found == FILES
        assert tree.kind == kind
        assert [entry.path for entry in tree.entries] == sorted(FILES)
        assert [entry.size for entry in tree.entries] == [len(FILES[p]) for p in sorted(FILES)]
        assert "request.md" in tree
        assert "absent" not in tree
        assert tree.root == ""


def test_file_is_a_tree_of_one_entry(tmp_path: Path) -> None:
    path = put(tmp_path, b"{}", "one.json")

    with open_tree(path) as tree:
        assert tree.kind == "file"
        assert tree.read("one.json") == b"{}"
        assert tree.digest() == hashlib.sha256(b"{}").hexdigest()


def test_digest_of_an_archive_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = as_tar_gz(tmp_path)

    with open_tree(path) as tree:
        assert tree.digest() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_digest_of_a_directory_follows_names_and_contents(tmp_path: Path) -> None:
    path = as_directory(tmp_path)
    lines = [f"{hashlib.sha256(FILES[name]).hexdigest()}  {name}\n" for name in sorted(FILES)]

    with open_tree(path) as tree:
        before = tree.digest()
    (path / "request.md").rename(path / "request2.md")
    with open_tree(path) as tree:
        after = tree.digest()

    assert before == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert after != before


def test_lines_are_read_from_a_stream(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, zip_bytes(("a.jsonl", b"1\n2\n")))) as tree:
        stream = tree.open("a.jsonl")

        assert list(stream) == [b"1\n", b"2\n"]
        stream.close()


def test_top_folder_that_holds_all_is_left_out(tmp_path: Path) -> None:
    path = put(tmp_path, zip_bytes(("r/", b""), ("r/a.md", b"1"), ("r/s/b.md", b"2")))

    with open_tree(path) as tree:
        assert tree.root == "r"
        assert [entry.path for entry in tree.entries] == ["a.md", "s/b.md"]
    with open_tree(path, keep_top={"r"}) as tree:
        assert tree.root == ""
        assert tree.read("r/a.md") == b"1"


def test_files_of_the_operating_system_are_skipped_with_a_notice(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        zip_bytes(
            ("r/a", b"1"),
            ("__MACOSX/r/._a", b""),
            ("r/.DS_Store", b""),
            ("r/Thumbs.db", b""),
            ("r/s/.DS_Store", b""),
        ),
    )

    with open_tree(path) as tree:
        assert [entry.path for entry in tree.entries] == ["a"]
        [notice] = tree.notices

    assert notice.code == "ignored_files"
    assert notice.values["count"] == 4


def test_absent_member_is_named(tmp_path: Path) -> None:
    with open_tree(as_zip(tmp_path)) as tree, pytest.raises(ArchiveError) as caught:
        tree.read("plan.json")

    assert (caught.value.code, caught.value.member) == ("absent", "plan.json")


def test_absent_path_is_a_clear_error(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing").code == "unreadable"


def test_folder_and_its_file_are_no_duplicates(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, zip_bytes(("x", b""), ("a/", b""), ("a/b", b"1")))) as tree:
        assert len(tree.entries) == 2


def test_names_without_encoding_are_decoded_with_a_notice(tmp_path: Path) -> None:
    name = "报告.md".encode("gbk")
    data = zip_bytes(("x" * len(name), b"1")).replace(b"x" * len(name), name)

    with open_tree(put(tmp_path, data)) as tree:
        assert [entry.path for entry in tree.entries] == ["报告.md"]
        assert [notice.code for notice in tree.notices] == ["names_decoded"]
        assert tree.read("报告.md") == b"1"


def test_tar_names_in_gbk_are_decoded(tmp_path: Path) -> None:
    name = "报告.md".encode("gbk").decode("utf-8", "surrogateescape")
    target = io.BytesIO()
    with tarfile.open(
        fileobj=target, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape"
    ) as archive:
        archive.addfile(tarfile.TarInfo(name))

    with open_tree(put(tmp_path, target.getvalue())) as tree:
        assert [entry.path for entry in tree.entries] == ["报告.md"]


def test_zip_written_to_a_pipe_is_read(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:
            self.data += data
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"1" * 1000)
        with archive.open("b", "w", force_zip64=True) as stream:
            stream.write(b"2" * 1000)

    with open_tree(put(tmp_path, bytes(pipe.data))) as tree:
        assert tree.read("a") + tree.read("b") == b"1" * 1000 + b"2" * 1000


def many_bytes(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A zip with the wide end record of archives that hold more than 65,535 entries."""
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    return zip_bytes(*FILES.items())


@pytest.mark.parametrize("narrow", [b"\3\0\3\0", b"\xff\xff\xff\xff"])
def test_zip_of_more_entries_than_the_oldest_kind_holds_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, narrow: bytes
) -> None:
    data = many_bytes(monkeypatch)
    end = data.rindex(b"PK\5\6")
    path = put(tmp_path, data[: end + 8] + narrow + data[end + 12 :])

    with open_tree(path) as tree:
        assert [entry.path for entry in tree.entries] == sorted(FILES)
    assert refused(path, Limits(entries=2)).refusal is Refusal.TOO_MANY_ENTRIES


@pytest.mark.parametrize(
    ("at", "given"),
    [
        (24, b"\4"),  # entries on this disk
        (32, b"\4"),  # entries
        (40, b"\1"),  # bytes of the directory
        (48, b"\1"),  # where it begins
        (4, b"\1"),  # length of the record
        (64, b"\1"),  # where the record stands
    ],
)
def test_wide_end_record_that_differs_from_the_narrow_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, given: bytes
) -> None:
    data = many_bytes(monkeypatch)
    place = data.rindex(b"PK\6\6") + at
    path = put(tmp_path, data[:place] + given + data[place + 1 :])

    assert refused(path).refusal in {Refusal.DAMAGED, Refusal.PREFIX_BYTES}


def test_zip_with_a_comment_is_read(tmp_path: Path) -> None:
    target = io.BytesIO(ONE)
    with zipfile.ZipFile(target, "a") as archive:
        archive.comment = b"a commit"

    with open_tree(put(tmp_path, target.getvalue())) as tree:
        assert len(tree.entries) == 1


def test_two_gzip_members_are_one_stream(tmp_path: Path) -> None:
    tar = tar_bytes(("a", b"1" * 3000))

    with open_tree(put(tmp_path, gzip.compress(tar[:1000]) + gzip.compress(tar[1000:]))) as tree:
        assert tree.read("a") == b"1" * 3000


def test_tar_of_the_oldest_kind_is_read(tmp_path: Path) -> None:
    data = bytearray(tar_bytes(("a", b"1"), dialect=tarfile.USTAR_FORMAT))
    data[257:265] = bytes(8)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])

    with open_tree(put(tmp_path, bytes(data))) as tree:
        assert (tree.kind, tree.read("a")) == ("tar", b"1")


def test_file_of_zeros_is_a_file(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, bytes(1024))) as tree:
        assert tree.kind == "file"
