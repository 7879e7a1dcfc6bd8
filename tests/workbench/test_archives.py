import gzip
import hashlib
import io
import json
import os
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.lib.archives import ArchiveError, Limits, open_tree, write_directory, write_zip

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


def test_folder_and_its_file_are_no_duplicates(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, zip_bytes(("x", b""), ("a/", b""), ("a/b", b"1")))) as tree:
        assert len(tree.entries) == 2


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


def local_only_change(data: bytes, offset: int, value: bytes) -> bytes:
    return data[:offset] + value + data[offset + len(value) :]


ONE = zip_bytes(("a.md", b"hello" * 20))
DIRECTORY = ONE.index(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"junk" + ONE, "prefix_bytes"),
        (ONE + ONE, "prefix_bytes"),
        (ONE[:-2] + struct.pack("<H", len(ONE)) + ONE, "prefix_bytes"),
        (ONE[:-10], "damaged"),
        (ONE[: len(ONE) // 2], "damaged"),
        (ONE + b"x", "damaged"),
        (local_only_change(ONE, 30, b"b.md"), "disagreement"),
        (local_only_change(ONE, 8, b"\0\0"), "disagreement"),
        (local_only_change(ONE, 22, b"\x05"), "disagreement"),
        (local_only_change(ONE, DIRECTORY + 24, b"\x05"), "disagreement"),
        (local_only_change(ONE, 6, b"\x01"), "disagreement"),
        (local_only_change(ONE, DIRECTORY + 8, b"\x01"), "encrypted"),
        (zip_bytes(("a", b"1"), method=zipfile.ZIP_LZMA), "method"),
        (zip_bytes(("a", b"1"), method=zipfile.ZIP_BZIP2), "method"),
        (zip_bytes(), "empty"),
        (zip_bytes(("a/", b"")), "empty"),
        (b"Rar!\x1a\x07\x00", "unsupported"),
        (b"7z\xbc\xaf\x27\x1c", "unsupported"),
        (gzip.compress(b"{}", mtime=0), "unsupported"),
        (gzip.compress(tar_bytes(("a", b"1")), mtime=0)[:-9], "damaged"),
        (b"\x1f\x8b" + b"junk" * 10, "damaged"),
    ],
)
def test_archives_with_more_than_one_reading_are_refused(
    tmp_path: Path, data: bytes, code: str
) -> None:
    assert refused(put(tmp_path, data)).code == code


def with_sizes(data: bytes, size: int) -> bytes:
    for offset in (22, data.index(b"PK\x01\x02") + 24):
        data = local_only_change(data, offset, struct.pack("<I", size))
    return data


def test_declared_sizes_are_not_trusted(tmp_path: Path) -> None:
    assert refused(put(tmp_path, with_sizes(ONE, 5))).code == "damaged"
    assert refused(put(tmp_path, with_sizes(ONE, 101))).code in {"damaged", "size_lies"}


def test_wrong_sum_is_refused(tmp_path: Path) -> None:
    data = ONE
    for offset in (14, DIRECTORY + 16):
        data = local_only_change(data, offset, b"\0\0\0\0")

    assert refused(put(tmp_path, data)).member == "a.md"


def test_overlapping_and_hidden_entries_are_refused(tmp_path: Path) -> None:
    two = zip_bytes(("a", b"1" * 50), ("b", b"1" * 50))
    second = two.rindex(b"PK\x01\x02")
    overlap = local_only_change(two, second + 42, b"\0\0\0\0")
    first = two.index(b"PK\x01\x02")
    hidden = bytearray(two[:first] + two[second:])
    hidden[-14:-12] = hidden[-12:-10] = b"\1\0"
    hidden[-10:-6] = struct.pack("<I", second - first)

    assert refused(put(tmp_path, overlap)).code == "overlap"
    assert refused(put(tmp_path, bytes(hidden))).code == "hidden_bytes"


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


def test_zip_with_a_comment_is_read(tmp_path: Path) -> None:
    target = io.BytesIO(ONE)
    with zipfile.ZipFile(target, "a") as archive:
        archive.comment = b"a commit"

    with open_tree(put(tmp_path, target.getvalue())) as tree:
        assert len(tree.entries) == 1


def bomb(size: int) -> bytes:
    return zip_bytes(("bomb", bytes(size)))


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (bomb(2_000_000), Limits(), "ratio"),
        (gzip.compress(tar_bytes(("bomb", bytes(2_000_000)))), Limits(), "ratio"),
        (zip_bytes(("a", b"12345")), Limits(entry_bytes=4), "entry_too_large"),
        (tar_bytes(("a", b"12345")), Limits(entry_bytes=4), "entry_too_large"),
        (zip_bytes(("a", b"123"), ("b", b"456")), Limits(total_bytes=5), "total_too_large"),
        (zip_bytes(("a", b""), ("b", b"")), Limits(entries=1), "too_many_entries"),
        (tar_bytes(("a", b""), ("b", b"")), Limits(entries=1), "too_many_entries"),
        (
            gzip.compress(tar_bytes(("a", os.urandom(50_000)))),
            Limits(total_bytes=1000, entries=2),
            "total_too_large",
        ),
    ],
)
def test_what_grows_past_the_limits_is_refused(
    tmp_path: Path, data: bytes, limits: Limits, code: str
) -> None:
    assert refused(put(tmp_path, data), limits).code == code


def test_too_many_files_in_a_directory_are_refused(tmp_path: Path) -> None:
    assert refused(as_directory(tmp_path), Limits(entries=3)).code == "too_many_entries"


def test_small_files_of_blanks_are_no_bomb(tmp_path: Path) -> None:
    with open_tree(put(tmp_path, bomb(900_000))) as tree:
        assert len(tree.read("bomb")) == 900_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (tar_bytes(("a", b"1"))[:1024], "damaged"),
        (tar_bytes(("a", b"1"))[:700], "damaged"),
        (tar_bytes(("a", b"1"), dialect=tarfile.USTAR_FORMAT)[:1024] + b"x" * 512, "damaged"),
        (tar_bytes(("a", b"1")) + tar_bytes(("b", b"2")), "hidden_bytes"),
        (b"b" + tar_bytes(("a", b"1"))[1:], "damaged"),
        (tar_bytes(("a", b"1"), edit=lambda i: setattr(i, "type", b"S")), "special_file"),
        (tar_bytes(("a", b"1"), edit=lambda i: setattr(i, "type", b"7")), "special_file"),
    ],
)
def test_unsound_tars_are_refused(tmp_path: Path, data: bytes, code: str) -> None:
    assert refused(put(tmp_path, data)).code == code


def test_extended_header_that_resizes_a_member_is_refused(tmp_path: Path) -> None:
    hidden = tar_bytes(("inner", b"x"), dialect=tarfile.USTAR_FORMAT)[:1024]

    def edit(info: tarfile.TarInfo) -> None:
        info.pax_headers = {"size": "0"}

    data = tar_bytes(("outer", hidden), edit=edit)

    assert refused(put(tmp_path, data)).code in {"disagreement", "damaged"}


def test_huge_extended_header_is_refused(tmp_path: Path) -> None:
    data = tar_bytes(("a" * 70_000, b""), dialect=tarfile.GNU_FORMAT)

    assert refused(put(tmp_path, data)).code == "name_too_long"


def test_two_gzip_members_are_one_stream(tmp_path: Path) -> None:
    tar = tar_bytes(("a", b"1" * 3000))

    with open_tree(put(tmp_path, gzip.compress(tar[:1000]) + gzip.compress(tar[1000:]))) as tree:
        assert tree.read("a") == b"1" * 3000


def test_bytes_after_the_gzip_stream_are_refused(tmp_path: Path) -> None:
    data = gzip.compress(tar_bytes(("a", b"1")))

    assert refused(put(tmp_path, data + b"junk")).code == "hidden_bytes"
    with open_tree(put(tmp_path, data + bytes(600))) as tree:
        assert tree.read("a") == b"1"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([as_zip, as_tar, as_tar_gz]), st.data())
def test_damaged_archive_is_whole_or_refused(
    tmp_path: Path, make: Callable[[Path], Path], data: st.DataObject
) -> None:
    path = make(tmp_path)
    content = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=8)):
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(content)

    try:
        with open_tree(path) as tree:
            tree.check()
    except ArchiveError as error:
        problem: ArchiveError | None = error
    else:
        problem = None

    assert problem is None or problem.code


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_written_zip_is_read_back_and_is_the_same_each_time(tmp_path: Path) -> None:
    source = put(tmp_path, FILES["request.md"], "source")
    entries = [*list(FILES.items())[1:], ("request.md", source)]

    write_zip(tmp_path / "one.zip", entries)
    write_zip(tmp_path / "two.zip", reversed(entries))

    with open_tree(tmp_path / "one.zip") as tree:
        assert {e.path: tree.read(e.path) for e in tree.entries} == FILES
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.zip", "source", "two.zip"]


def test_written_directory_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    source = put(tmp_path, FILES["request.md"], "source")

    write_directory(tmp_path / "out", [*list(FILES.items())[1:], ("request.md", source)])

    with open_tree(tmp_path / "out") as tree:
        assert {e.path: tree.read(e.path) for e in tree.entries} == FILES


def test_writing_refuses_a_target_that_holds_something(tmp_path: Path) -> None:
    target = as_directory(tmp_path)

    with pytest.raises(FileExistsError):
        write_directory(target, [("a", b"1")])

    assert not (target / "a").exists()


@pytest.mark.parametrize("write", [write_zip, write_directory])
def test_failed_writing_leaves_nothing(tmp_path: Path, write: Callable[..., None]) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "out", [("a", b"1"), ("b", tmp_path / "absent")])
    with pytest.raises(ArchiveError):
        write(tmp_path / "out", [("../a", b"1")])
    with pytest.raises(ArchiveError):
        write(tmp_path / "out", [("a", b"1"), ("A", b"1")])

    assert list(tmp_path.iterdir()) == []


MUST_OPEN = {
    "setuid",
    "win-reserved",
    "rtl-name",
    "html-name",
    "formula-name",
    "dotfiles",
    "nested-zip",
    "html-in-zip",
    "svg-in-zip",
    "xxe-xml",
    "billion-laughs",
    "bomb-nested",
    "bomb-quine-like",
    "cp437-name",
    "not-a-zip",
    "random-bytes",
}


@pytest.mark.shared
def test_generated_hostile_zips_are_refused_or_read_whole(shared: Path, tmp_path: Path) -> None:
    generator = shared / "real/hostile/zip/make_zips.py"
    subprocess.run([sys.executable, generator, tmp_path, "all"], check=True, capture_output=True)
    cases = map(json.loads, (tmp_path / "manifest.jsonl").read_text("utf-8").splitlines())
    opened = set()

    for case in cases:
        try:
            with open_tree(tmp_path / f"{case['name']}.zip") as tree:
                tree.check()
            opened.add(case["name"])
        except ArchiveError:
            continue

    assert {name for name in opened if not name.startswith("mutated")} == MUST_OPEN


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
